//! Element types, and what others call them.

use std::str::FromStr;

use npyz::{Endianness, TypeChar, TypeStr};

/// The type of a scalar or of a buffer's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    F16,
    F32,
    F64,
}

/// Every type with its name and its size in bytes.
const ALL: [(DType, &str, usize); 14] = [
    (DType::Bool, "bool", 1),
    (DType::I8, "i8", 1),
    (DType::I16, "i16", 2),
    (DType::I32, "i32", 4),
    (DType::I64, "i64", 8),
    (DType::I128, "i128", 16),
    (DType::U8, "u8", 1),
    (DType::U16, "u16", 2),
    (DType::U32, "u32", 4),
    (DType::U64, "u64", 8),
    (DType::U128, "u128", 16),
    (DType::F16, "f16", 2),
    (DType::F32, "f32", 4),
    (DType::F64, "f64", 8),
];

impl DType {
    /// Every name, in a list for messages.
    pub(crate) const NAMES: &'static str =
        "bool, i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f16, f32 or f64";

    pub(crate) fn name(self) -> &'static str {
        self.row().1
    }

    /// Bytes per element.
    pub(crate) fn size(self) -> usize {
        self.row().2
    }

    /// LLVM's name of a type that holds such values; `None` for `bool`, which is `i1` or `i8`.
    pub(crate) fn llvm(self) -> Option<&'static str> {
        Some(match self {
            Self::Bool => return None,
            Self::I8 | Self::U8 => "i8",
            Self::I16 | Self::U16 => "i16",
            Self::I32 | Self::U32 => "i32",
            Self::I64 | Self::U64 => "i64",
            Self::I128 | Self::U128 => "i128",
            Self::F16 => "half",
            Self::F32 => "float",
            Self::F64 => "double",
        })
    }

    /// The types that fit a parameter of LLVM's type `llvm`, for a message.
    pub(crate) fn for_llvm(llvm: &str) -> Vec<&'static str> {
        let fits = |&&(dtype, ..): &&(DType, &str, usize)| match dtype.llvm() {
            Some(name) => name == llvm,
            None => llvm == "i1",
        };
        ALL.iter().filter(fits).map(|row| row.1).collect()
    }

    /// NumPy's type string for little-endian elements; `None` where NumPy has no such type.
    pub(crate) fn numpy(self) -> Option<&'static str> {
        Some(match self {
            Self::I128 | Self::U128 => return None,
            Self::Bool => "|b1",
            Self::I8 => "|i1",
            Self::I16 => "<i2",
            Self::I32 => "<i4",
            Self::I64 => "<i8",
            Self::U8 => "|u1",
            Self::U16 => "<u2",
            Self::U32 => "<u4",
            Self::U64 => "<u8",
            Self::F16 => "<f2",
            Self::F32 => "<f4",
            Self::F64 => "<f8",
        })
    }

    /// The element type for a NumPy type string, and whether its bytes are in the other order.
    pub(crate) fn from_numpy(ty: &TypeStr) -> Option<(Self, bool)> {
        let class = match ty.type_char() {
            TypeChar::Bool => 'b',
            TypeChar::Int => 'i',
            TypeChar::Uint => 'u',
            TypeChar::Float => 'f',
            _ => return None,
        };
        let (dtype, ..) = *ALL.iter().find(|&&(dtype, name, size)| {
            dtype.numpy().is_some() && name.starts_with(class) && size as u64 == ty.size_field()
        })?;
        Some((dtype, ty.endianness() == Endianness::Big))
    }

    fn row(self) -> &'static (DType, &'static str, usize) {
        // Every variant is in the table, in order.
        &ALL[self as usize]
    }
}

impl FromStr for DType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = ALL.iter().find(|row| row.1 == text);
        found.map(|row| row.0).ok_or_else(|| format!("an element type is {}; got `{text}`", Self::NAMES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_variants() {
        for (dtype, name, _) in ALL {
            assert_eq!(dtype.name(), name);
            assert_eq!(name.parse(), Ok(dtype));
        }
        assert!("f128".parse::<DType>().unwrap_err().contains("f64"));
    }

    #[test]
    fn numpy_types_go_both_ways() {
        for (dtype, ..) in ALL {
            if let Some(text) = dtype.numpy() {
                assert_eq!(DType::from_numpy(&text.parse().unwrap()), Some((dtype, false)), "{text}");
            }
        }
        assert_eq!(DType::from_numpy(&">f4".parse().unwrap()), Some((DType::F32, true)));
        for none in ["<c8", "<U3", "<f16", "<M8[s]"] {
            assert_eq!(DType::from_numpy(&none.parse().unwrap()), None, "{none}");
        }
    }

    #[test]
    fn llvm_types_name_what_fits() {
        assert_eq!(DType::for_llvm("float"), ["f32"]);
        assert_eq!(DType::for_llvm("i8"), ["i8", "u8"]);
        assert_eq!(DType::for_llvm("i1"), ["bool"]);
        assert!(DType::for_llvm("{ i32, i32 }").is_empty());
    }
}
