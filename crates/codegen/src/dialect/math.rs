//! OpenCL's mathematical, relational, conversion and vector-memory functions.
//!
//! Element-wise functions become LLVM intrinsics where one exists, which the vectoriser understands;
//! the rest call libm element by element. Precision is that of the host's libm, or better where the
//! processor has an instruction; `native_` and `half_` functions are the full ones.

use std::fmt::Write;

use super::mangled::{Mangled, Param};
use super::supply::{Body, Signature};

pub(crate) fn body(m: &Mangled, s: &Signature) -> Option<Body> {
    let name = m.name.as_str();
    if let Some(rest) = name.strip_prefix("convert_") {
        return convert(rest, m.params.first()?, s);
    }
    if name.starts_with("vload") || name.starts_with("vstore") {
        return vector_memory(name, m, s);
    }
    let stem = name.strip_prefix("native_").or_else(|| name.strip_prefix("half_")).unwrap_or(name);
    let first = m.params.first()?;
    if first.pointer || m.params.iter().any(|p| p.pointer) {
        return None;
    }
    let mut f = Writer::new(m, s);
    if first.is_float() {
        float(stem, &mut f)?
    } else {
        integer(stem, first, &mut f)?
    }
    Some(f.finish())
}

/// Functions of floating point arguments.
fn float(stem: &str, f: &mut Writer<'_>) -> Option<()> {
    const SAME: [&str; 20] = [
        "sqrt", "fabs", "floor", "ceil", "trunc", "rint", "round", "sin", "cos", "tan", "asin", "acos",
        "atan", "sinh", "cosh", "tanh", "exp", "exp2", "log", "log2",
    ];
    const LIBM: [&str; 10] =
        ["hypot", "cbrt", "erf", "erfc", "expm1", "log1p", "asinh", "acosh", "atanh", "remainder"];
    match stem {
        _ if SAME.contains(&stem) => f.intrinsic(stem, 1),
        _ if LIBM.contains(&stem) => f.libm(stem),
        "log10" | "exp10" => f.intrinsic(stem, 1),
        "fma" => f.intrinsic("fma", 3),
        "mad" => f.intrinsic("fmuladd", 3),
        "pow" | "powr" => f.intrinsic("pow", 2),
        "fmin" | "min" => f.intrinsic("minnum", 2),
        "fmax" | "max" => f.intrinsic("maxnum", 2),
        "copysign" => f.intrinsic("copysign", 2),
        "atan2" => f.intrinsic("atan2", 2),
        "fmod" => f.op("frem", "%0", "%1"),
        "divide" => f.op("fdiv", "%0", "%1"),
        "recip" => f.op("fdiv", &f.splat_float(1.0), "%0"),
        "rsqrt" => {
            let root = f.call("sqrt", &["%0"]);
            f.op("fdiv", &f.splat_float(1.0), &root);
        }
        "clamp" => {
            let least = f.arg(1);
            let low = f.call("maxnum", &["%0", &least]);
            let high = f.arg(2);
            f.result = f.call("minnum", &[&low, &high]);
        }
        "mix" => {
            let (a, b, t) = (f.arg(0), f.arg(1), f.arg(2));
            let d = f.bin("fsub", &b, &a);
            let scaled = f.bin("fmul", &d, &t);
            f.result = f.bin("fadd", &a, &scaled);
        }
        "degrees" => f.op("fmul", "%0", &f.splat_float(180.0 / std::f64::consts::PI)),
        "radians" => f.op("fmul", "%0", &f.splat_float(std::f64::consts::PI / 180.0)),
        "dot" => f.result = f.dot("%0", "%1"),
        "length" | "fast_length" => {
            let d = f.dot("%0", "%0");
            f.result = f.call_scalar("sqrt", &d);
        }
        "distance" | "fast_distance" => {
            let d = f.bin("fsub", "%0", "%1");
            let d = f.dot(&d, &d);
            f.result = f.call_scalar("sqrt", &d);
        }
        "isnan" => f.compare("uno", "%0", "%0"),
        "isequal" => f.compare("oeq", "%0", "%1"),
        "isnotequal" => f.compare("une", "%0", "%1"),
        "isgreater" => f.compare("ogt", "%0", "%1"),
        "isgreaterequal" => f.compare("oge", "%0", "%1"),
        "isless" => f.compare("olt", "%0", "%1"),
        "islessequal" => f.compare("ole", "%0", "%1"),
        _ => return None,
    }
    Some(())
}

/// Functions of integer arguments.
fn integer(stem: &str, first: &Param, f: &mut Writer<'_>) -> Option<()> {
    let sign = if first.is_unsigned() { "u" } else { "s" };
    match stem {
        "min" | "max" => f.intrinsic(&format!("{sign}{stem}"), 2),
        "clamp" => {
            let least = f.arg(1);
            let low = f.call(&format!("{sign}max"), &["%0", &least]);
            let high = f.arg(2);
            f.result = f.call(&format!("{sign}min"), &[&low, &high]);
        }
        "abs" if first.is_unsigned() => f.result = "%0".into(),
        "abs" => f.result = f.call_flag("abs"),
        "mul24" => f.op("mul", "%0", "%1"),
        "mad24" => {
            let p = f.bin("mul", "%0", "%1");
            f.op("add", &p, "%2");
        }
        "popcount" => f.intrinsic("ctpop", 1),
        "clz" => f.result = f.call_flag("ctlz"),
        "ctz" => f.result = f.call_flag("cttz"),
        "add_sat" => f.intrinsic(&format!("{sign}add.sat"), 2),
        "sub_sat" => f.intrinsic(&format!("{sign}sub.sat"), 2),
        "rotate" => f.result = f.call("fshl", &["%0", "%0", "%1"]),
        _ => return None,
    }
    Some(())
}

/// Writes one function's body.
struct Writer<'a> {
    s: &'a Signature,
    /// The type of the first argument, which intrinsics are overloaded on.
    ty: String,
    /// LLVM's suffix of that type: `f32`, `v4f32`, `i32`.
    suffix: String,
    element: String,
    width: u32,
    text: String,
    declares: Vec<String>,
    result: String,
    next: u32,
}

impl<'a> Writer<'a> {
    fn new(m: &'a Mangled, s: &'a Signature) -> Self {
        let ty = s.params[0].clone();
        let width = m.params[0].width;
        let element = element_type(&ty).to_owned();
        let scalar = suffix(&element);
        let suffix = if width > 1 { format!("v{width}{scalar}") } else { scalar };
        let (text, declares) = (String::new(), Vec::new());
        Self { s, ty, suffix, element, width, text, declares, result: String::new(), next: 0 }
    }

    fn finish(mut self) -> Body {
        let _ = writeln!(self.text, "  ret {} {}", self.s.ret, self.result);
        Body { text: self.text, declares: self.declares }
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    /// The parameter, spread over a vector where it is a scalar beside vectors.
    fn arg(&mut self, index: usize) -> String {
        if self.width == 1 || self.s.params[index].starts_with('<') {
            return format!("%{index}");
        }
        let (one, all) = (self.fresh(), self.fresh());
        let (ty, el, w) = (self.ty.clone(), self.element.clone(), self.width);
        let _ = writeln!(self.text, "  {one} = insertelement {ty} poison, {el} %{index}, i64 0");
        let _ = writeln!(
            self.text,
            "  {all} = shufflevector {ty} {one}, {ty} poison, <{w} x i32> zeroinitializer"
        );
        all
    }

    fn bin(&mut self, op: &str, a: &str, b: &str) -> String {
        let v = self.fresh();
        let _ = writeln!(self.text, "  {v} = {op} {} {a}, {b}", self.ty);
        v
    }

    fn op(&mut self, op: &str, a: &str, b: &str) {
        self.result = self.bin(op, a, b);
    }

    fn splat_float(&self, value: f64) -> String {
        // Floats are written as the double of the same value, rounded to single first.
        let value = if self.element == "double" { value } else { f64::from(value as f32) };
        let literal = format!("0x{:016X}", value.to_bits());
        if self.width == 1 { literal } else { format!("splat ({} {literal})", self.element) }
    }

    fn call(&mut self, intrinsic: &str, args: &[&str]) -> String {
        let v = self.fresh();
        let name = format!("llvm.{intrinsic}.{}", self.suffix);
        let list = args.iter().map(|a| format!("{} {a}", self.ty)).collect::<Vec<_>>().join(", ");
        let types = vec![self.ty.as_str(); args.len()].join(", ");
        self.declares.push(format!("declare {} @{name}({types})", self.ty));
        let _ = writeln!(self.text, "  {v} = call {} @{name}({list})", self.ty);
        v
    }

    /// `abs`, `ctlz`, `cttz`: with a flag that says whether the edge case is poison. It is not.
    fn call_flag(&mut self, intrinsic: &str) -> String {
        let v = self.fresh();
        let (ty, name) = (self.ty.clone(), format!("llvm.{intrinsic}.{}", self.suffix));
        self.declares.push(format!("declare {ty} @{name}({ty}, i1)"));
        let _ = writeln!(self.text, "  {v} = call {ty} @{name}({ty} %0, i1 false)");
        v
    }

    fn call_scalar(&mut self, intrinsic: &str, value: &str) -> String {
        let v = self.fresh();
        let (el, name) = (self.element.clone(), format!("llvm.{intrinsic}.{}", suffix(&self.element)));
        self.declares.push(format!("declare {el} @{name}({el})"));
        let _ = writeln!(self.text, "  {v} = call {el} @{name}({el} {value})");
        v
    }

    fn intrinsic(&mut self, name: &str, args: usize) {
        let values: Vec<String> = (0..args).map(|i| self.arg(i)).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        self.result = self.call(name, &values);
    }

    fn lane(&mut self, vector: &str, lane: u32) -> String {
        if self.width == 1 {
            return vector.to_owned();
        }
        let v = self.fresh();
        let _ = writeln!(self.text, "  {v} = extractelement {} {vector}, i64 {lane}", self.ty);
        v
    }

    /// Calls a function of libm for each element.
    fn libm(&mut self, name: &str) {
        let el = self.element.clone();
        let symbol = if el == "double" { name.to_owned() } else { format!("{name}f") };
        let count = self.s.params.len();
        self.declares.push(format!("declare {el} @{symbol}({})", vec![el.as_str(); count].join(", ")));
        let mut vector = "poison".to_owned();
        for lane in 0..self.width {
            let args: Vec<String> = (0..count).map(|i| self.lane(&format!("%{i}"), lane)).collect();
            let args = args.iter().map(|a| format!("{el} {a}")).collect::<Vec<_>>().join(", ");
            let v = self.fresh();
            let _ = writeln!(self.text, "  {v} = call {el} @{symbol}({args})");
            vector = if self.width == 1 {
                v
            } else {
                let w = self.fresh();
                let _ =
                    writeln!(self.text, "  {w} = insertelement {} {vector}, {el} {v}, i64 {lane}", self.ty);
                w
            };
        }
        self.result = vector;
    }

    fn dot(&mut self, a: &str, b: &str) -> String {
        let product = self.bin("fmul", a, b);
        let mut sum = self.lane(&product, 0);
        for lane in 1..self.width {
            let next = self.lane(&product, lane);
            let v = self.fresh();
            let _ = writeln!(self.text, "  {v} = fadd {} {sum}, {next}", self.element);
            sum = v;
        }
        sum
    }

    /// Relational functions: 1 or 0 for scalars, -1 or 0 for vectors.
    fn compare(&mut self, predicate: &str, a: &str, b: &str) {
        let (c, r) = (self.fresh(), self.fresh());
        let (bits, extend) = if self.width == 1 {
            ("i1".to_owned(), "zext")
        } else {
            (format!("<{} x i1>", self.width), "sext")
        };
        let _ = writeln!(self.text, "  {c} = fcmp {predicate} {} {a}, {b}", self.ty);
        let _ = writeln!(self.text, "  {r} = {extend} {bits} {c} to {}", self.s.ret);
        self.result = r;
    }
}

/// `float` of `<4 x float>`, or the type itself.
fn element_type(ty: &str) -> &str {
    ty.strip_prefix('<').and_then(|t| t.strip_suffix('>')).and_then(|t| t.split(" x ").nth(1)).unwrap_or(ty)
}

fn suffix(element: &str) -> String {
    match element {
        "float" => "f32".into(),
        "double" => "f64".into(),
        "half" => "f16".into(),
        other => other.to_owned(),
    }
}

/// `convert_<type>[_sat][_rounding]`. Of what rounds, floating point to integer takes every mode, the rest
/// the default one; of what saturates, floating point to integer.
fn convert(rest: &str, from: &Param, s: &Signature) -> Option<Body> {
    let mut parts = rest.split('_');
    let target = parts.next()?;
    let (mut saturate, mut rounding) = (false, None);
    for part in parts {
        match part {
            "sat" => saturate = true,
            "rte" | "rtz" | "rtp" | "rtn" => rounding = Some(part),
            _ => return None,
        }
    }
    let (source, dest) = (element_type(&s.params[0]), element_type(&s.ret));
    let to_float = matches!(dest, "float" | "double" | "half");
    let sign = if target.starts_with('u') { "u" } else { "s" };
    if from.is_float() && !to_float {
        return Some(float_to_integer(sign, saturate, rounding, s));
    }
    let narrows = to_float && !(from.is_float() && bits(source)? <= bits(dest)?);
    if saturate || (narrows && !matches!(rounding, None | Some("rte"))) {
        return None;
    }
    let (a, b) = (bits(source)?, bits(dest)?);
    let op = match (from.is_float(), to_float) {
        (true, true) if a < b => "fpext",
        (true, true) if a > b => "fptrunc",
        (false, true) if from.is_unsigned() => "uitofp",
        (false, true) => "sitofp",
        (false, false) if a > b => "trunc",
        (false, false) if a < b && from.is_unsigned() => "zext",
        (false, false) if a < b => "sext",
        _ => return Some(Body::new(format!("  ret {} %0\n", s.ret))),
    };
    Some(Body::new(format!("  %r = {op} {} %0 to {}\n  ret {} %r\n", s.params[0], s.ret, s.ret)))
}

fn bits(element: &str) -> Option<u32> {
    match element {
        "half" => Some(16),
        "float" => Some(32),
        "double" => Some(64),
        i => i.strip_prefix('i')?.parse().ok(),
    }
}

/// Rounds by an intrinsic, then truncates, which is the default mode.
fn float_to_integer(sign: &str, saturate: bool, rounding: Option<&str>, s: &Signature) -> Body {
    let (ty, ret) = (&s.params[0], &s.ret);
    let mut body = Body::default();
    let mut value = "%0";
    let round = match rounding {
        Some("rte") => "roundeven",
        Some("rtp") => "ceil",
        Some("rtn") => "floor",
        _ => "",
    };
    if !round.is_empty() {
        let name = format!("llvm.{round}.{}", type_suffix(ty));
        body.text = format!("  %i = call {ty} @{name}({ty} %0)\n");
        body.declares.push(format!("declare {ty} @{name}({ty})"));
        value = "%i";
    }
    if saturate {
        let name = format!("llvm.fpto{sign}i.sat.{}.{}", type_suffix(ret), type_suffix(ty));
        body.text += &format!("  %r = call {ret} @{name}({ty} {value})\n  ret {ret} %r\n");
        body.declares.push(format!("declare {ret} @{name}({ty})"));
    } else {
        body.text += &format!("  %r = fpto{sign}i {ty} {value} to {ret}\n  ret {ret} %r\n");
    }
    body
}

/// LLVM's suffix of a scalar or vector type: `f32`, `v4f32`.
fn type_suffix(ty: &str) -> String {
    let scalar = suffix(element_type(ty));
    match ty.strip_prefix('<').and_then(|t| t.split(" x ").next()) {
        Some(width) => format!("v{width}{scalar}"),
        None => scalar,
    }
}

/// `vload<n>(offset, p)` and `vstore<n>(value, offset, p)`: element-aligned vectors at `p + n * offset`.
fn vector_memory(name: &str, m: &Mangled, s: &Signature) -> Option<Body> {
    let load = name.starts_with("vload");
    let n: u32 = name.trim_start_matches("vload").trim_start_matches("vstore").parse().ok()?;
    let (offset, pointer) = if load { (0, 1) } else { (1, 2) };
    if !m.params.get(pointer)?.pointer {
        return None;
    }
    let vector = if load { &s.ret } else { &s.params[0] };
    let element = element_type(vector);
    let bytes = match element {
        "float" => 4,
        "double" => 8,
        "half" => 2,
        i => i.strip_prefix('i')?.parse::<u32>().ok()? / 8,
    };
    let (ip, ty) = (&s.params[offset], &s.params[pointer]);
    let address =
        format!("  %o = mul {ip} %{offset}, {n}\n  %p = getelementptr {element}, {ty} %{pointer}, {ip} %o\n");
    // A vector of three is stored element by element: its type is as large as one of four.
    let mut text = address;
    if load {
        let mut value = "poison".to_owned();
        for i in 0..n {
            let _ = write!(
                text,
                "  %p{i} = getelementptr {element}, {ty} %p, i64 {i}\n  %e{i} = load {element}, {ty} %p{i}, align {bytes}\n\
                 \x20 %v{i} = insertelement {vector} {value}, {element} %e{i}, i64 {i}\n"
            );
            value = format!("%v{i}");
        }
        let _ = writeln!(text, "  ret {vector} {value}");
    } else {
        for i in 0..n {
            let _ = write!(
                text,
                "  %p{i} = getelementptr {element}, {ty} %p, i64 {i}\n  %e{i} = extractelement {vector} %0, i64 {i}\n\
                 \x20 store {element} %e{i}, {ty} %p{i}, align {bytes}\n"
            );
        }
        text += "  ret void\n";
    }
    Some(Body::new(text))
}
