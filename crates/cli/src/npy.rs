//! NumPy's array files. The header is the library's; the elements are copied as they lie.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use npyz::{DType as NpyType, NpyHeader, Order, WriterBuilder};

use crate::arg::Shape;
use crate::error::Failure;
use crate::value::DType;

/// More than the header of any array of numbers takes.
const HEAD: u64 = 1 << 16;

/// The most brackets that a header may have; one with a shape and no records has two or three.
const MOST_BRACKETS: usize = 256;

/// An array in memory: elements in this machine's byte order, the last dimension varying fastest.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Array {
    pub(crate) dtype: DType,
    pub(crate) shape: Shape,
    pub(crate) bytes: Vec<u8>,
}

/// Reads the array in `path`.
pub(crate) fn read(path: &Path) -> Result<Array, Failure> {
    let content = |reason| Failure::Content { path: path.to_owned(), reason };
    let mut file = File::open(path).map_err(Failure::file("read", path))?;
    let length = file.metadata().map_err(Failure::file("read", path))?.len();
    let mut head = Vec::new();
    (&mut file).take(HEAD).read_to_end(&mut head).map_err(Failure::file("read", path))?;
    check_head(&head).map_err(content)?;
    let mut reader = head.as_slice().chain(BufReader::new(file));
    let header = NpyHeader::from_reader(&mut reader)
        .map_err(|e| content(format!("expected a .npy file as numpy.save writes it: {e}")))?;
    let (dtype, swapped) = element_type(&header).map_err(content)?;
    // In one dimension there is only one order.
    if header.order() == Order::Fortran && header.shape().len() > 1 {
        return Err(content(
            "the array is in Fortran order; kernels get C order: save numpy.ascontiguousarray(it) instead"
                .into(),
        ));
    }
    let shape = Shape::new(header.shape().to_vec()).map_err(content)?;
    let wanted = shape.count() * dtype.size();
    // Before memory is taken for what the header claims.
    if wanted as u64 > length {
        return Err(content(format!(
            "the header says {wanted} bytes of elements ({} of shape {shape}), the whole file has {length}",
            dtype.name()
        )));
    }
    let mut bytes = vec![0; wanted];
    reader
        .read_exact(&mut bytes)
        .map_err(|e| content(format!("it ends inside its {wanted} bytes of elements: {e}")))?;
    if swapped {
        bytes.chunks_exact_mut(dtype.size()).for_each(<[u8]>::reverse);
    }
    Ok(Array { dtype, shape, bytes })
}

/// Refuses what the library does not survive: a shape whose product overflows, literals nested without end.
fn check_head(head: &[u8]) -> Result<(), String> {
    let text = head.split(|&b| b == b'\n').next().unwrap_or_default();
    if text.iter().filter(|&&b| matches!(b, b'(' | b'[' | b'{')).count() > MOST_BRACKETS {
        return Err("the header is no header of an array of numbers: it has too many brackets".into());
    }
    let text = String::from_utf8_lossy(text);
    let shape = text.split_once("'shape'").map_or("", |(_, rest)| rest);
    let counts = shape.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok());
    // Zeros do not count here: the library multiplies what is before them.
    Shape::new(counts.filter(|&n| n > 0).collect()).map(|_| ())
}

fn element_type(header: &NpyHeader) -> Result<(DType, bool), String> {
    let wanted = "expected booleans, integers of up to 64 bits or floats of up to 64 bits";
    match header.dtype() {
        NpyType::Plain(ty) => {
            DType::from_numpy(&ty).ok_or_else(|| format!("{wanted}, got elements of type `{ty}`"))
        }
        other => Err(format!("{wanted}, got records of type {}", other.descr())),
    }
}

/// Writes `array` to `path`.
pub(crate) fn write(path: &Path, array: &Array) -> Result<(), Failure> {
    let Some(descr) = array.dtype.numpy() else {
        let reason = format!("NumPy has no type for {}", array.dtype.name());
        return Err(Failure::Content { path: path.to_owned(), reason });
    };
    let written = File::create(path).and_then(|file| {
        let ty = descr.parse().map_err(std::io::Error::other)?;
        let mut file = npyz::WriteOptions::new_header_only()
            .dtype(NpyType::new_scalar(ty))
            .shape(&array.shape.0)
            .writer(file)
            .write_header_only()?;
        file.write_all(&array.bytes)
    });
    written.map_err(Failure::file("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Fill, fill};

    fn header(descr: &str, fortran: &str, shape: &str) -> Vec<u8> {
        let mut text = format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}");
        while !(10 + text.len() + 1).is_multiple_of(64) {
            text.push(' ');
        }
        text.push('\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes
    }

    fn read_bytes(bytes: &[u8]) -> Result<Array, Failure> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        read(file.path())
    }

    #[test]
    fn arrays_of_every_type_survive() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        for name in ["bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64"] {
            let (dtype, shape): (DType, Shape) = (name.parse().unwrap(), "3x5".parse().unwrap());
            let bytes = fill(dtype, shape.count(), Fill::Random { seed: 3 });
            let array = Array { dtype, shape, bytes };
            write(&path, &array).unwrap();
            assert_eq!(read(&path).unwrap(), array);
        }
    }

    #[test]
    fn a_file_as_numpy_writes_it_is_read() {
        let mut bytes = header("'<f4'", "False", "(2, 2)");
        bytes.extend([1f32, 2.0, 3.0, 4.0].iter().flat_map(|v| v.to_le_bytes()));
        let array = read_bytes(&bytes).unwrap();
        assert_eq!((array.dtype, array.shape.0), (DType::F32, vec![2, 2]));
        assert_eq!(array.bytes[4..8], 2f32.to_ne_bytes());
    }

    #[test]
    fn the_other_byte_order_is_turned_round() {
        let mut bytes = header("'>i4'", "False", "(2,)");
        bytes.extend([1i32, -2].iter().flat_map(|v| v.to_be_bytes()));
        assert_eq!(read_bytes(&bytes).unwrap().bytes, [1i32, -2].map(i32::to_ne_bytes).concat());
    }

    #[test]
    fn what_cannot_be_passed_to_a_kernel_is_refused() {
        let mut short = header("'<f4'", "False", "(4,)");
        short.extend([0; 15]);
        let mut fortran = header("'<f4'", "True", "(1, 1)");
        fortran.extend([0; 4]);
        for (bytes, says) in [
            (b"PK\x03\x04".to_vec(), "expected a .npy file"),
            (Vec::new(), "expected a .npy file"),
            (header("'<c8'", "False", "(1,)"), "elements of type `<c8`"),
            (header("[('a', '<f4'), ('b', '<i4')]", "False", "(1,)"), "records"),
            (fortran, "ascontiguousarray"),
            (short, "it ends inside"),
            (header("'<f4'", "False", "(99999999999,)"), "the whole file has"),
            (header("'<f4'", "False", "(99999999999, 99999999999)"), "any memory"),
            (header("'<f4'", "False", "(99999999999, 99999999999, 0)"), "any memory"),
            (header(&"[".repeat(60_000), "False", "(1,)"), "too many brackets"),
        ] {
            let error = read_bytes(&bytes).unwrap_err().to_string();
            assert!(error.contains(says), "{says}: {error}");
        }
    }
}
