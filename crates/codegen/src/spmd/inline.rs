//! Which functions must be part of the item: those that ask which item runs, wait at barriers or use group memory.

use std::collections::{HashMap, HashSet};

use inkwell::module::Module;

use crate::CompileError;
use crate::dialect::placeholder;
use crate::ir::{self, FUNCTION_INDEX, Functions, Value};

/// Marks every function that depends on the item `alwaysinline`; refuses those that cannot be inlined.
pub(crate) fn mark(module: &Module<'_>, kernels: &[Value]) -> Result<(), CompileError> {
    let dependent = dependent(module);
    refuse_recursion(&dependent)?;
    for &function in &dependent {
        if kernels.contains(&function) {
            continue;
        }
        if function.users().iter().any(|u| !calls(*u, function)) {
            return Err(CompileError::Unsupported {
                what: format!("the address of function `{}`", function.name()),
                place: "the module".into(),
                why: "a function that uses ids, barriers or group memory must be called by name",
            });
        }
        function.add_enum_attribute(FUNCTION_INDEX, "alwaysinline");
    }
    Ok(())
}

/// Refuses placeholders that are still used outside the item functions: in a constructor, say.
pub(crate) fn nothing_left(by_name: &Functions, items: &[Value]) -> Result<(), CompileError> {
    for (name, function) in by_name {
        let is_placeholder = name.starts_with(placeholder::PREFIX) && function.is_declaration();
        if !is_placeholder {
            continue;
        }
        for user in function.users().into_iter().filter(|u| u.is_instruction()) {
            let place = user.enclosing_function();
            if !items.contains(&place) {
                return Err(CompileError::Unsupported {
                    what: "a work-item id, barrier or group memory".into(),
                    place: format!("function `{}`", place.name()),
                    why: "it runs outside any kernel",
                });
            }
        }
    }
    Ok(())
}

fn calls(user: Value, function: Value) -> bool {
    user.is_call() && user.called() == function && {
        // Passed as an argument as well?
        let arguments = user.call_argument_count();
        (0..arguments).all(|i| user.operand(i) != function)
    }
}

/// The functions that use a placeholder or group memory, directly or through functions that they call.
fn dependent(module: &Module<'_>) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let mut seen: HashSet<Value> = HashSet::new();
    let mut add = |user: Value, found: &mut Vec<Value>| {
        for function in functions_of(user) {
            if seen.insert(function) {
                found.push(function);
            }
        }
    };
    for function in ir::functions(module) {
        if function.name().starts_with(placeholder::PREFIX) && function.is_declaration() {
            function.users().into_iter().for_each(|u| add(u, &mut found));
        }
    }
    for global in ir::globals(module) {
        if global.ty().address_space() == Some(3) {
            global.users().into_iter().for_each(|u| add(u, &mut found));
        }
    }
    let mut next = 0;
    while next < found.len() {
        let function = found[next];
        next += 1;
        function.users().into_iter().for_each(|u| add(u, &mut found));
    }
    found
}

/// The functions whose instructions use `user`, through constants too.
fn functions_of(user: Value) -> Vec<Value> {
    if user.is_instruction() {
        return vec![user.enclosing_function()];
    }
    if user.is_constant() && !user.is_function() && !user.is_global_variable() {
        return user.users().into_iter().flat_map(functions_of).collect();
    }
    Vec::new()
}

fn refuse_recursion(dependent: &[Value]) -> Result<(), CompileError> {
    let set: HashSet<Value> = dependent.iter().copied().collect();
    let callees: HashMap<Value, Vec<Value>> = dependent
        .iter()
        .map(|&f| {
            let called = f.body().into_iter().filter(|i| i.is_call() || i.is_invoke()).map(Value::called);
            (f, called.filter(|c| set.contains(c)).collect())
        })
        .collect();
    // Depth-first search with an explicit stack; `true` marks a function on the current path.
    let mut state: HashMap<Value, bool> = HashMap::new();
    for &root in dependent {
        if state.contains_key(&root) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        state.insert(root, true);
        while let Some((function, at)) = stack.pop() {
            let Some(&callee) = callees[&function].get(at) else {
                state.insert(function, false);
                continue;
            };
            stack.push((function, at + 1));
            match state.get(&callee) {
                Some(true) => {
                    return Err(CompileError::Unsupported {
                        what: format!("recursion through function `{}`", callee.name()),
                        place: format!("function `{}`", function.name()),
                        why: "functions that use ids, barriers or group memory are made part of the kernel; \
                              write a loop",
                    });
                }
                Some(false) => {}
                None => {
                    state.insert(callee, true);
                    stack.push((callee, 0));
                }
            }
        }
    }
    Ok(())
}
