//! Bytes to fields. Every length is checked against what is left before anything is taken or reserved.

use super::DecodeError;
use crate::{Dialect, Global, Image, Kernel, Metadata, Param, ParamKind, Target};

/// A position in a container.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at: at.min(bytes.len()) }
    }

    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn field(&self, what: &'static str) -> DecodeError {
        DecodeError::Field { what, at: self.at as u64 }
    }

    fn take(&mut self, length: u64, what: &'static str) -> Result<&'a [u8], DecodeError> {
        let length =
            usize::try_from(length).ok().filter(|&l| l <= self.left()).ok_or_else(|| self.field(what))?;
        let taken = &self.bytes[self.at..self.at + length];
        self.at += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], DecodeError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N as u64, what)?);
        Ok(array)
    }

    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, DecodeError> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self, what: &'static str) -> Result<u64, DecodeError> {
        self.array(what).map(u64::from_le_bytes)
    }

    fn byte(&mut self, what: &'static str) -> Result<u8, DecodeError> {
        self.array::<1>(what).map(|[byte]| byte)
    }

    fn flag(&mut self, what: &'static str) -> Result<bool, DecodeError> {
        let wrong = self.field(what);
        match self.byte(what)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(wrong),
        }
    }

    fn string(&mut self, what: &'static str) -> Result<String, DecodeError> {
        let wrong = self.field(what);
        let length = self.u32(what)?;
        let bytes = self.take(u64::from(length), what)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| wrong)
    }

    /// A list whose elements take `least` bytes or more each.
    fn list<T>(
        &mut self,
        what: &'static str,
        least: usize,
        one: impl Fn(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let wrong = self.field(what);
        let count = self.u32(what)? as usize;
        if count > self.left() / least {
            return Err(wrong);
        }
        (0..count).map(|_| one(self)).collect()
    }

    /// The end of the container, where it has to be.
    pub(super) fn end(&self) -> Result<(), DecodeError> {
        if self.left() == 0 { Ok(()) } else { Err(self.field("end")) }
    }
}

pub(super) fn image(r: &mut Reader<'_>) -> Result<Image, DecodeError> {
    let target = Target {
        triple: r.string("target triple")?,
        cpu: r.string("processor")?,
        features: r.string("list of features")?,
    };
    let wrong = r.field("dialect");
    let dialect = match r.byte("dialect")? {
        0 => Dialect::Native,
        1 => Dialect::Nvptx,
        2 => Dialect::Amdgcn,
        3 => Dialect::Spir,
        _ => return Err(wrong),
    };
    let kernels = r.list("list of kernels", 35, kernel)?;
    let globals = r.list("list of globals", 17, global)?;
    let length = r.u64("length of code")?;
    let code = r.take(length, "code")?.to_vec();
    Ok(Image { target, code, metadata: Metadata { dialect, kernels, globals } })
}

fn kernel(r: &mut Reader<'_>) -> Result<Kernel, DecodeError> {
    let name = r.string("name of a kernel")?;
    let entry = r.string("symbol of a kernel")?;
    let params = r.list("list of parameters", 18, param)?;
    let args_size = r.u32("size of an argument block")?;
    let args_align = r.u32("alignment of an argument block")?;
    let group_bytes = r.u32("size of group memory")?;
    let item_bytes = r.u32("size of scratch")?;
    let barriers = r.u32("number of barriers")?;
    let uses_dynamic_group = r.flag("mark of dynamic group memory")?;
    let mut required_group_size = None;
    if r.flag("mark of a group size")? {
        let mut size = || r.u32("group size");
        required_group_size = Some([size()?, size()?, size()?]);
    }
    let mut max_group_items = None;
    if r.flag("mark of a largest group")? {
        max_group_items = Some(r.u32("largest group")?);
    }
    Ok(Kernel {
        name,
        entry,
        params,
        args_size,
        args_align,
        group_bytes,
        uses_dynamic_group,
        item_bytes,
        barriers,
        required_group_size,
        max_group_items,
    })
}

fn param(r: &mut Reader<'_>) -> Result<Param, DecodeError> {
    let mut name = None;
    if r.flag("mark of a parameter's name")? {
        name = Some(r.string("name of a parameter")?);
    }
    let wrong = r.field("kind of a parameter");
    let kind = match r.byte("kind of a parameter")? {
        0 => ParamKind::Scalar,
        1 => ParamKind::Pointer,
        2 => ParamKind::Aggregate,
        3 => ParamKind::GroupMemory,
        _ => return Err(wrong),
    };
    Ok(Param {
        name,
        kind,
        ty: r.string("type of a parameter")?,
        offset: r.u32("offset of a parameter")?,
        size: r.u32("size of a parameter")?,
        align: r.u32("alignment of a parameter")?,
    })
}

fn global(r: &mut Reader<'_>) -> Result<Global, DecodeError> {
    Ok(Global {
        name: r.string("name of a global")?,
        size: r.u64("size of a global")?,
        align: r.u32("alignment of a global")?,
        constant: r.flag("mark of a constant")?,
    })
}
