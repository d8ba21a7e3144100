//! From a kernel, which says what one work-item does, to a function that runs a range of work-groups.
//!
//! For each kernel three functions are made:
//!
//! - the **item** function: the kernel's body, with the numbers of the item, the group's memory and the
//!   kernel's arguments as parameters. Where the kernel has barriers or loops it takes a state too, and runs
//!   from one cut to the next ([`cuts`]).
//! - the **entry point** (`oarlock_image::abi::EntryPoint`): the loops over groups and items, and from cut
//!   to cut ([`driver`]). The item function is inlined into it, and LLVM's loop optimiser does the rest.
//! - the kernel itself, which disappears into the item function.

mod cuts;
mod divergence;
mod driver;
mod group_memory;
mod inline;
mod item;
mod order;
mod parallel;
mod params;
mod phis;
mod slots;
mod widen;

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use oarlock_image::{Dialect, Kernel};

use crate::dialect;
use crate::ir::{self, Value};
use crate::session::Session;
use crate::{CompileError, retarget};

pub(crate) use params::global_size_align;

/// Cleans a kernel's body before it is taken apart: variables into registers, constants folded. Short
/// vectors are taken apart, because the loop over items is what becomes vector code.
///
/// No pass here duplicates a barrier, which is convergent, and none unrolls a loop.
const TIDY: &str = "sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg,sroa,early-cse,\
                    scalarizer<load-store>,early-cse,instcombine<no-verify-fixpoint>";

/// More of the same where speed matters: loops are tested at their end, what does not change in them moves out.
const TIDY_LOOPS: &str = "loop-simplify,lcssa,loop-mssa(loop-rotate,licm),simplifycfg,instcombine<no-verify-fixpoint>,\
                          loop-mssa(licm),gvn,simplifycfg,instcombine<no-verify-fixpoint>";

/// What is known of a kernel while it is transformed.
pub(crate) struct Work {
    /// The kernel's metadata, filled in as it becomes known.
    pub(crate) kernel: Kernel,
    /// The kernel function.
    function: Value,
    /// Number of the kernel in the module: what generated names carry.
    index: usize,
    params: Vec<params::Source>,
}

impl Work {
    fn kernel_symbol(&self) -> String {
        format!("{}kernel.{}", dialect::placeholder::PREFIX, self.index)
    }

    fn item_symbol(&self) -> String {
        format!("{}item.{}", dialect::placeholder::PREFIX, self.index)
    }
}

/// Describes a module's kernels before anything is changed but the target.
pub(crate) fn describe(
    session: &Session,
    kernels: &[Value],
    machine: &TargetMachine,
) -> Result<Vec<Work>, CompileError> {
    let required = session.metadata_kind("reqd_work_group_size");
    kernels
        .iter()
        .enumerate()
        .map(|(index, &function)| {
            let metadata = match ir::function_metadata_numbers(function, required).as_slice() {
                &[x, y, z] => Some([x as u32, y as u32, z as u32]),
                _ => None,
            };
            let limits = dialect::group_limits(function, metadata);
            let (params, kernel) = params::layout(function, machine, limits)?;
            Ok(Work { kernel, function, index, params })
        })
        .collect()
}

/// Turns every kernel of `work` into an entry point, and returns the finished metadata.
pub(crate) fn build<'s>(
    session: &'s Session,
    module: &Module<'s>,
    dialect: Dialect,
    machine: &TargetMachine,
    features: &str,
    cut_loops: bool,
    mut work: Vec<Work>,
) -> Result<Vec<Kernel>, CompileError> {
    let lanes = driver::Lanes::of(features);
    let kernels: Vec<Value> = work.iter().map(|w| w.function).collect();
    retarget::internalise(module, &kernels);
    inline::mark(module, &kernels)?;

    let mut text = dialect::placeholder::declarations();
    for w in &work {
        w.function.set_name(&w.kernel_symbol());
        text += &item::text(w);
    }
    session.link_text(module, &text)?;
    for w in &work {
        w.function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        w.function.add_enum_attribute(ir::FUNCTION_INDEX, "alwaysinline");
    }
    // The item functions have no caller yet, and stay because they are external.
    session.run(module, "always-inline,globaldce", machine)?;

    let by_name: ir::Functions = ir::functions(module).into_iter().map(|f| (f.name(), f)).collect();
    let mut drivers = dialect::placeholder::declarations();
    let mut items = Vec::new();
    for w in &mut work {
        let Some(&function) = by_name.get(&w.item_symbol()) else {
            return Err(CompileError::Internal { phase: "building kernels", message: w.item_symbol() });
        };
        let parts = item::Item::new(function);
        item::bind_placeholders(&parts, &by_name);
        group_memory::place(session, module, &parts, &mut w.kernel, dialect, machine)?;
        session.run_on(function, TIDY, machine)?;
        if cut_loops {
            session.run_on(function, TIDY_LOOPS, machine)?;
        }
        widen::mark_global_ids(&parts);
        widen::indices(&parts);
        let plan = cuts::cut(session, &parts, &by_name, machine, &mut w.kernel, cut_loops)?;
        drivers += &driver::text(w, &plan, lanes);
        items.push(function);
    }
    inline::nothing_left(&by_name, &items)?;
    session.verify_own(module, "cutting kernels")?;

    drivers += &driver::common(items.len());
    session.link_text(module, &drivers)?;
    parallel::mark(session, module, &items);
    for item in items {
        item.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        item.add_enum_attribute(ir::FUNCTION_INDEX, "alwaysinline");
    }
    session.verify_own(module, "building the loops over items")?;
    Ok(work.into_iter().map(|w| w.kernel).collect())
}
