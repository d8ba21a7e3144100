//! Whether the ARGs fit the kernel's parameters, told in the words of the command line.

use std::fmt::Write;

use oarlock::image::{Kernel, Param, ParamKind};

use crate::arg::{Arg, Spec};
use crate::error::Failure;
use crate::value::DType;

/// What a buffer parameter takes.
const BUFFER: &str = "a buffer (in:, inout:, out:, zeros:, iota:, rand:) or null";

/// Refuses the first argument that does not fit, with a list of the parameters.
pub(crate) fn check(kernel: &Kernel, args: &[Arg]) -> Result<(), Failure> {
    let wrong = if args.len() != kernel.params.len() {
        Some(format!(
            "kernel `{}` takes {} argument{}, {} {} given",
            kernel.name,
            kernel.params.len(),
            if kernel.params.len() == 1 { "" } else { "s" },
            args.len(),
            if args.len() == 1 { "was" } else { "were" },
        ))
    } else {
        kernel.params.iter().zip(args).enumerate().find(|(_, (p, a))| !fits(p, &a.spec)).map(
            |(index, (param, arg))| {
                let what = wanted(param);
                format!("argument {index} of kernel `{}` is {what}; got `{}`", kernel.name, arg.text)
            },
        )
    };
    match wrong {
        Some(text) => Err(Failure::Arguments(text + "\n" + &table(kernel))),
        None => Ok(()),
    }
}

/// The parameters, one a line.
fn table(kernel: &Kernel) -> String {
    if kernel.params.is_empty() {
        return "  it has no parameters".into();
    }
    let name = |p: &Param| p.name.clone().unwrap_or_default();
    let width = |text: &dyn Fn(&Param) -> usize| kernel.params.iter().map(text).max().unwrap_or(0);
    let (names, types) = (width(&|p| name(p).len()), width(&|p| p.ty.len()));
    let mut text = String::from("  its parameters:");
    for (index, param) in kernel.params.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ =
            write!(text, "\n  {index:>4}  {:names$}  {:types$}  {}", name(param), param.ty, wanted(param));
    }
    text
}

fn fits(param: &Param, spec: &Spec) -> bool {
    match (param.kind, spec) {
        (ParamKind::GroupMemory, Spec::Local(_)) => true,
        (ParamKind::GroupMemory, _) | (_, Spec::Local(_)) => false,
        (_, Spec::Bytes(bytes)) => bytes.len() == param.size as usize,
        (ParamKind::Pointer, Spec::Buffer(_) | Spec::Null) => true,
        // The type counts too, not only its size: the bits of an i32 are no float.
        (ParamKind::Scalar, Spec::Scalar { dtype, bytes }) => {
            let typed = match dtype.llvm() {
                Some(name) => name == param.ty,
                None => matches!(param.ty.as_str(), "i1" | "i8"),
            };
            typed && bytes.len() == param.size as usize
        }
        _ => false,
    }
}

fn wanted(param: &Param) -> String {
    match param.kind {
        ParamKind::Pointer => BUFFER.into(),
        ParamKind::GroupMemory => "group memory: local:BYTES".into(),
        _ => match DType::for_llvm(&param.ty)[..] {
            [] => format!("{} bytes: bytes:HEX", param.size),
            ref types => types.iter().map(|t| format!("{t}:VALUE")).collect::<Vec<_>>().join(" or "),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel() -> Kernel {
        let param = |name: &str, kind, ty: &str, size| Param {
            name: Some(name.into()),
            kind,
            ty: ty.into(),
            offset: 0,
            size,
            align: size,
        };
        Kernel {
            name: "k".into(),
            entry: "k.groups".into(),
            params: vec![
                param("x", ParamKind::Pointer, "ptr", 8),
                param("a", ParamKind::Scalar, "float", 4),
                param("n", ParamKind::Scalar, "i32", 4),
                param("tile", ParamKind::GroupMemory, "ptr", 8),
                param("pair", ParamKind::Aggregate, "{ i8, i8 }", 2),
            ],
            args_size: 64,
            args_align: 8,
            group_bytes: 0,
            uses_dynamic_group: false,
            item_bytes: 0,
            barriers: 0,
            required_group_size: None,
            max_group_items: None,
        }
    }

    fn checked(args: &str) -> Result<(), String> {
        let args: Vec<Arg> = args.split_whitespace().map(|a| a.parse().unwrap()).collect();
        check(&kernel(), &args).map_err(|e| e.to_string())
    }

    #[test]
    fn what_fits_is_taken() {
        assert_eq!(checked("iota:f32:8 f32:2 i32:-1 local:64 bytes:0102"), Ok(()));
        assert_eq!(checked("null bytes:00000000 u32:1 local:0 bytes:0102"), Ok(()));
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_parameters() {
        for (args, says) in [
            ("", "takes 5 arguments, 0 were given"),
            ("null", "takes 5 arguments, 1 was given"),
            ("i32:1 f32:2 i32:1 local:1 bytes:0102", "argument 0 of kernel `k` is a buffer"),
            ("null i32:2 i32:1 local:1 bytes:0102", "argument 1 of kernel `k` is f32:VALUE; got `i32:2`"),
            ("null f32:2 i64:1 local:1 bytes:0102", "argument 2 of kernel `k` is i32:VALUE or u32:VALUE"),
            ("null f32:2 i32:1 u64:1 bytes:0102", "argument 3 of kernel `k` is group memory: local:BYTES"),
            ("null f32:2 i32:1 local:1 bytes:01", "argument 4 of kernel `k` is 2 bytes: bytes:HEX"),
            ("local:1 f32:2 i32:1 local:1 bytes:01", "argument 0"),
        ] {
            let error = checked(args).unwrap_err();
            assert!(error.contains(says), "{args}: {error}");
            assert!(error.contains("its parameters:\n     0  x     ptr"), "{error}");
        }
    }
}
