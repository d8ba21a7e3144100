//! OpenCL's mangled built-in names, taken apart as far as needed.
//!
//! The scheme is the Itanium C++ ABI's, restricted to what OpenCL built-ins use: scalar types, `Dv<n>_<t>`
//! vectors, pointers with address-space and `volatile`/`const` qualifiers, and substitutions.

/// A demangled name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mangled {
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
}

/// One parameter's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Param {
    /// The element's letter in the Itanium ABI: `f`, `d`, `i`, `j`, ...; `H` for half, `E` for a named type.
    pub(crate) element: char,
    /// Elements in a vector; 1 for a scalar.
    pub(crate) width: u32,
    pub(crate) pointer: bool,
}

impl Param {
    /// True for an unsigned integer.
    pub(crate) fn is_unsigned(&self) -> bool {
        matches!(self.element, 'h' | 't' | 'j' | 'm' | 'y')
    }

    /// True for a floating point number.
    pub(crate) fn is_float(&self) -> bool {
        matches!(self.element, 'f' | 'd' | 'H')
    }
}

/// Takes `_Z<length><name><types>` apart; `None` for anything else.
pub(crate) fn parse(symbol: &str) -> Option<Mangled> {
    let mut p = Parser { rest: symbol.strip_prefix("_Z")?, seen: Vec::new() };
    let name = p.source_name()?;
    let mut params = Vec::new();
    while !p.rest.is_empty() {
        if p.eat("v") {
            continue;
        }
        params.push(p.ty()?);
    }
    Some(Mangled { name, params })
}

struct Parser<'a> {
    rest: &'a str,
    seen: Vec<Param>,
}

impl Parser<'_> {
    fn eat(&mut self, word: &str) -> bool {
        match self.rest.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn number(&mut self) -> Option<usize> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits.parse().ok()
    }

    fn source_name(&mut self) -> Option<String> {
        let len = self.number()?;
        let name = self.rest.get(..len)?;
        self.rest = &self.rest[len..];
        Some(name.to_owned())
    }

    fn ty(&mut self) -> Option<Param> {
        if self.eat("P") {
            let pointee = self.ty()?;
            let pointer = Param { pointer: true, ..pointee };
            self.seen.push(pointer.clone());
            return Some(pointer);
        }
        if self.rest.starts_with(['U', 'V', 'K']) {
            let mut any = false;
            loop {
                if self.eat("U") {
                    self.source_name()?;
                } else if !(self.eat("V") || self.eat("K")) {
                    break;
                }
                any = true;
            }
            let inner = self.ty()?;
            if any {
                self.seen.push(inner.clone());
            }
            return Some(inner);
        }
        if self.eat("Dv") {
            let width = self.number()? as u32;
            self.eat("_").then_some(())?;
            let element = self.ty()?.element;
            let vector = Param { element, width, pointer: false };
            self.seen.push(vector.clone());
            return Some(vector);
        }
        if self.eat("Dh") {
            return Some(Param { element: 'H', width: 1, pointer: false });
        }
        if self.eat("S") {
            let index = if self.eat("_") {
                0
            } else {
                let index = self.number()? + 1;
                self.eat("_").then_some(())?;
                index
            };
            return self.seen.get(index).cloned();
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            self.source_name()?;
            let named = Param { element: 'E', width: 1, pointer: false };
            self.seen.push(named.clone());
            return Some(named);
        }
        let element = self.rest.chars().next()?;
        "bcahstijlmfdxy".contains(element).then_some(())?;
        self.rest = &self.rest[1..];
        Some(Param { element, width: 1, pointer: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn param(element: char, width: u32, pointer: bool) -> Param {
        Param { element, width, pointer }
    }

    #[test]
    fn names_come_apart() {
        let m = parse("_Z13get_global_idj").unwrap();
        assert_eq!((m.name.as_str(), m.params), ("get_global_id", vec![param('j', 1, false)]));
        let m = parse("_Z5clampDv4_fS_S_").unwrap();
        assert_eq!(m.params, vec![param('f', 4, false); 3]);
        let m = parse("_Z14atomic_cmpxchgPU3AS1Viii").unwrap();
        assert_eq!(m.params, [param('i', 1, true), param('i', 1, false), param('i', 1, false)]);
        let m = parse("_Z18work_group_barrierj12memory_scope").unwrap();
        assert_eq!(m.params[1], param('E', 1, false));
        let m = parse("_Z12get_work_dimv").unwrap();
        assert!(m.params.is_empty());
        let m = parse("_Z6vload4mPU3AS1Kf").unwrap();
        assert_eq!(m.params, [param('m', 1, false), param('f', 1, true)]);
        let m = parse("_Z4fminDv2_DhS_").unwrap();
        assert_eq!(m.params, vec![param('H', 2, false); 2]);
    }

    #[test]
    fn other_symbols_are_not_mangled_names() {
        for symbol in ["sqrtf", "_Z", "_Z3", "_Z9abc", "_Z3fooQ", "_ZN3foo3barEv", "_Z3fooS9_"] {
            assert_eq!(parse(symbol), None, "{symbol}");
        }
    }
}
