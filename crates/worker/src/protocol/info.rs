//! What is in a program, carried as an image without code.

use oarlock_codegen::{Image, ModuleInfo, Target};
use oarlock_image::Metadata;

use super::fields::{Fields, Reader};
use super::refusal::{format_byte, format_from_byte};

pub(crate) fn encode_info(info: &ModuleInfo) -> Vec<u8> {
    let metadata =
        Metadata { dialect: info.dialect, kernels: info.kernels.clone(), globals: info.globals.clone() };
    let target = Target { triple: info.triple.clone(), cpu: String::new(), features: String::new() };
    let mut out = Fields::default();
    out.byte(format_byte(info.format));
    out.0.extend(Image { target, code: Vec::new(), metadata }.to_bytes());
    out.0
}

pub(crate) fn decode_info(bytes: &[u8]) -> Option<ModuleInfo> {
    let mut from = Reader(bytes);
    let format = format_from_byte(from.byte()?)?;
    let Image { target, metadata, .. } = Image::from_bytes(from.0).ok()?;
    let Metadata { dialect, kernels, globals } = metadata;
    Some(ModuleInfo { format, triple: target.triple, dialect, kernels, globals })
}

#[cfg(test)]
mod tests {
    use super::*;
    use oarlock_codegen::Compiler;

    #[test]
    fn what_was_found_comes_back() {
        let text = b"@x = global i32 0\ndefine void @f(ptr %p, float %a) { ret void }";
        let info = Compiler::new().inspect(text).unwrap();
        assert_eq!(decode_info(&encode_info(&info)), Some(info));
    }
}
