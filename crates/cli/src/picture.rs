//! Pictures.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use png::{BitDepth, ColorType, Encoder, EncodingError};

use crate::error::Failure;

/// Writes `pixels`, rows from the top, as a PNG of 1 (grey), 3 (RGB) or 4 (RGBA) bytes per pixel.
pub(crate) fn write(
    path: &Path,
    width: u32,
    height: u32,
    channels: u64,
    pixels: &[u8],
) -> Result<(), Failure> {
    let file = File::create(path).map_err(Failure::file("write", path))?;
    let encode = || {
        let mut encoder = Encoder::new(BufWriter::new(file), width, height);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_color(match channels {
            1 => ColorType::Grayscale,
            3 => ColorType::Rgb,
            _ => ColorType::Rgba,
        });
        let mut writer = encoder.write_header()?;
        writer.write_image_data(pixels)?;
        writer.finish()
    };
    encode().map_err(|error| match error {
        EncodingError::IoError(source) => Failure::file("write", path)(source),
        other => Failure::Content { path: path.to_owned(), reason: other.to_string() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.png");
        for channels in [1, 3, 4] {
            let pixels: Vec<u8> = (0..2 * 3 * channels as u8).collect();
            write(&path, 3, 2, channels, &pixels).unwrap();
            let file = std::io::BufReader::new(File::open(&path).unwrap());
            let mut reader = png::Decoder::new(file).read_info().unwrap();
            let mut back = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut back).unwrap();
            assert_eq!((info.width, info.height), (3, 2));
            assert_eq!(back, pixels);
        }
    }
}
