//! The ways in which a kernel is made smaller, numbered.

use super::ast::{Expr, Kernel, Machine, Node, Stmt};

/// Counts places down to the one that is meant.
struct Counter(usize);

impl Counter {
    fn hit(&mut self) -> bool {
        if self.0 == 0 {
            return true;
        }
        self.0 -= 1;
        false
    }
}

/// Takes step `number`; false if there are not so many.
pub(crate) fn step(kernel: &mut Kernel, number: usize) -> bool {
    let mut n = Counter(number);
    shapes(kernel, &mut n)
        || blocks(&mut kernel.body, &mut n)
        || variables(kernel, &mut n)
        || each_expr(kernel, &mut n)
        || flags(kernel, &mut n)
}

fn shapes(kernel: &mut Kernel, n: &mut Counter) -> bool {
    if kernel.shapes.len() > 1 {
        for i in 0..kernel.shapes.len() {
            if n.hit() {
                kernel.shapes = vec![kernel.shapes[i]];
                return true;
            }
        }
    }
    for shape in &mut kernel.shapes {
        if shape.groups != [1; 3] && n.hit() {
            shape.groups = [1; 3];
            return true;
        }
        let items = shape.items();
        for size in [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33] {
            if size < items && n.hit() {
                shape.size = [size, 1, 1];
                return true;
            }
        }
    }
    false
}

fn blocks(block: &mut Vec<Stmt>, n: &mut Counter) -> bool {
    let len = block.len();
    let mut size = len;
    while size > 0 {
        let mut at = 0;
        while at < len {
            if n.hit() {
                block.drain(at..len.min(at + size));
                return true;
            }
            at += size;
        }
        size /= 2;
    }
    for i in 0..len {
        for inner in 0..block[i].blocks().len() {
            if n.hit() {
                let body = std::mem::take(block[i].blocks_mut()[inner]);
                block.splice(i..=i, body);
                return true;
            }
        }
        for inner in block[i].blocks_mut() {
            if blocks(inner, n) {
                return true;
            }
        }
        let number = match &mut block[i] {
            Stmt::Group { turn: v, .. } | Stmt::For { mask: v, .. } | Stmt::Do { limit: v, .. } => v,
            _ => continue,
        };
        for smaller in [0, 1, 3] {
            if smaller < *number && n.hit() {
                *number = smaller;
                return true;
            }
        }
    }
    false
}

/// Takes out what nothing uses.
fn variables(kernel: &mut Kernel, n: &mut Counter) -> bool {
    for v in (0..kernel.vars.len()).rev() {
        if n.hit() {
            remove_variable(kernel, v);
            return true;
        }
    }
    for a in (0..kernel.private.len()).rev() {
        let used = uses(kernel, &|e| matches!(e.node, Node::Private(x, _) if x >= a))
            || any_stmt(&kernel.body, &|s| matches!(s, Stmt::Private { array, .. } if *array >= a));
        if !used && n.hit() {
            kernel.private.remove(a);
            return true;
        }
    }
    for a in (0..kernel.group.len()).rev() {
        let used = uses(kernel, &|e| matches!(e.node, Node::Group(x, _) if x >= a))
            || any_stmt(&kernel.body, &|s| matches!(s, Stmt::Group { array, .. } if *array >= a));
        if !used && n.hit() {
            kernel.group.remove(a);
            return true;
        }
    }
    false
}

/// Does nothing if the variable is used.
fn remove_variable(kernel: &mut Kernel, v: usize) {
    if uses(kernel, &|e| e.node == Node::Var(v)) || any_stmt(&kernel.body, &|s| s.assigned().contains(&v)) {
        return;
    }
    kernel.vars.remove(v);
    let down = |x: &mut usize| {
        if *x > v {
            *x -= 1;
        }
    };
    for var in &mut kernel.vars {
        map_expr(&mut var.init, &|e| {
            if let Node::Var(x) = &mut e.node {
                down(x);
            }
        });
    }
    map(&mut kernel.body, &|s| {
        match s {
            Stmt::Set(x, _) => down(x),
            Stmt::Swap(x, y) => {
                down(x);
                down(y);
            }
            Stmt::For { counter, end, .. } => {
                down(counter);
                down(end);
            }
            Stmt::Do { counter, .. } => down(counter),
            _ => {}
        }
        for e in s.exprs_mut() {
            map_expr(e, &|e| {
                if let Node::Var(x) = &mut e.node {
                    down(x);
                }
            });
        }
    });
}

fn map(block: &mut [Stmt], f: &dyn Fn(&mut Stmt)) {
    for s in block {
        f(s);
        for b in s.blocks_mut() {
            map(b, f);
        }
    }
}

fn map_expr(e: &mut Expr, f: &dyn Fn(&mut Expr)) {
    f(e);
    for c in e.children_mut() {
        map_expr(c, f);
    }
}

fn any_stmt(block: &[Stmt], f: &dyn Fn(&Stmt) -> bool) -> bool {
    block.iter().any(|s| f(s) || s.blocks().iter().any(|b| any_stmt(b, f)))
}

fn any_expr(e: &Expr, f: &dyn Fn(&Expr) -> bool) -> bool {
    f(e) || e.children().iter().any(|c| any_expr(c, f))
}

fn uses(kernel: &Kernel, f: &dyn Fn(&Expr) -> bool) -> bool {
    kernel.vars.iter().any(|v| any_expr(&v.init, f))
        || any_stmt(&kernel.body, &|s| s.exprs().iter().any(|e| any_expr(e, f)))
}

fn each_expr(kernel: &mut Kernel, n: &mut Counter) -> bool {
    kernel.vars.iter_mut().any(|v| expr(&mut v.init, n)) || exprs_of(&mut kernel.body, n)
}

fn exprs_of(block: &mut [Stmt], n: &mut Counter) -> bool {
    block.iter_mut().any(|s| {
        s.exprs_mut().into_iter().any(|e| expr(e, n)) || s.blocks_mut().into_iter().any(|b| exprs_of(b, n))
    })
}

fn expr(e: &mut Expr, n: &mut Counter) -> bool {
    match e.node {
        Node::Const(0) => return false,
        Node::Const(v) => {
            for smaller in [0, 1, v / 2] {
                if smaller < v && n.hit() {
                    e.node = Node::Const(smaller);
                    return true;
                }
            }
            return false;
        }
        _ => {}
    }
    for v in [0, 1] {
        if n.hit() {
            *e = Expr::int(e.ty, v);
            return true;
        }
    }
    let ty = e.ty;
    let found: Vec<Expr> = e.children().into_iter().filter(|c| c.ty == ty).cloned().collect();
    for child in found {
        if n.hit() {
            *e = child;
            return true;
        }
    }
    e.children_mut().into_iter().any(|c| expr(c, n))
}

fn flags(kernel: &mut Kernel, n: &mut Counter) -> bool {
    if kernel.planar && n.hit() {
        kernel.planar = false;
        return true;
    }
    if !kernel.phis && n.hit() {
        kernel.phis = true;
        return true;
    }
    if kernel.machine != Machine::V2 && n.hit() {
        kernel.machine = Machine::V2;
        return true;
    }
    false
}
