//! Reading an ARG.

use std::str::FromStr;

use super::{Arg, Buffer, Role, Shape, Sink, Source, Spec, byte_count};
use crate::value::{self, DType, Fill};

/// Where the seed is not given.
const DEFAULT_SEED: u64 = 0;

impl FromStr for Arg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self { text: text.to_owned(), spec: spec(text)? })
    }
}

fn spec(text: &str) -> Result<Spec, String> {
    let (kind, rest) = match text.split_once(':') {
        Some((kind, rest)) => (kind, Some(rest)),
        None => (text, None),
    };
    let need = |form: &str| rest.filter(|r| !r.is_empty()).ok_or_else(|| format!("expected {form}"));
    match kind {
        "null" if rest.is_none() => Ok(Spec::Null),
        "local" => byte_count(need("local:BYTES")?).map(Spec::Local),
        "bytes" => need("bytes:HEX").and_then(hex).map(Spec::Bytes),
        "in" => {
            let path = need("in:FILE.npy")?.into();
            buffer(Source::File(path), None, Role::Input)
        }
        "inout" => need("inout:FILE.npy[:OUT]").and_then(inout),
        "out" => out(need("out:TYPE:SHAPE[:OUT], for example out:f32:1024")?),
        "zeros" => made(Fill::Zeros, need("zeros:TYPE:SHAPE, for example zeros:f32:1024")?),
        "iota" => made(Fill::Iota, need("iota:TYPE:SHAPE, for example iota:f32:1024")?),
        "rand" => rand(need("rand:TYPE:SHAPE[:SEED], for example rand:f32:1024:7")?),
        _ => match (kind.parse::<DType>(), rest) {
            (Ok(dtype), Some(value)) => Ok(Spec::Scalar { dtype, bytes: value::parse(dtype, value)? }),
            (Ok(_), None) => Err(format!("expected a value, as in {kind}:1")),
            (Err(_), _) => Err(unknown(text)),
        },
    }
}

fn unknown(text: &str) -> String {
    let hint = if text.ends_with(".npy") {
        format!("; for a file, say in:{text} or inout:{text}")
    } else if text.parse::<f64>().is_ok() {
        format!("; for a number, say its type, as in i32:{text} or f32:{text}")
    } else {
        String::new()
    };
    format!(
        "an argument is TYPE:VALUE, in:, inout:, out:, zeros:, iota:, rand:, local:, bytes: or null{hint} \
         (`oarlock run --help` has them all)"
    )
}

fn hex(digits: &str) -> Result<Vec<u8>, String> {
    let wrong = || format!("expected an even number of hexadecimal digits, got `{digits}`");
    if !digits.len().is_multiple_of(2) || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).map_err(|_| wrong());
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// The file's name may hold colons: it ends at the first `.npy:`.
fn inout(rest: &str) -> Result<Spec, String> {
    let (from, to) = match rest.find(".npy:") {
        Some(at) => (&rest[..at + 4], Some(&rest[at + 5..])),
        None => (rest, None),
    };
    let sink = to.map(Sink::new).transpose()?;
    buffer(Source::File(from.into()), sink, Role::Output)
}

fn out(rest: &str) -> Result<Spec, String> {
    let (dtype, shape, to) = typed(rest)?;
    let sink = to.map(Sink::new).transpose()?;
    if let Some(sink) = &sink {
        sink.check(dtype, &shape)?;
    }
    buffer(Source::Made { dtype, shape, fill: Fill::Zeros }, sink, Role::Output)
}

fn made(fill: Fill, rest: &str) -> Result<Spec, String> {
    match typed(rest)? {
        (dtype, shape, None) => buffer(Source::Made { dtype, shape, fill }, None, Role::Scratch),
        (.., Some(more)) => Err(format!(
            "expected nothing after the shape, got `:{more}`; a buffer that goes to a file is out: or inout:"
        )),
    }
}

fn rand(rest: &str) -> Result<Spec, String> {
    let (dtype, shape, seed) = typed(rest)?;
    let seed = match seed {
        None => DEFAULT_SEED,
        Some(text) => text.parse().map_err(|_| format!("a seed is 0 to {}; got `{text}`", u64::MAX))?,
    };
    buffer(Source::Made { dtype, shape, fill: Fill::Random { seed } }, None, Role::Scratch)
}

/// `TYPE:SHAPE` and what follows another colon.
fn typed(rest: &str) -> Result<(DType, Shape, Option<&str>), String> {
    let (dtype, rest) = rest.split_once(':').unwrap_or((rest, ""));
    let dtype = dtype.parse()?;
    let (shape, more) = match rest.split_once(':') {
        Some((shape, more)) => (shape, Some(more)),
        None => (rest, None),
    };
    Ok((dtype, shape.parse()?, more))
}

fn buffer(source: Source, sink: Option<Sink>, role: Role) -> Result<Spec, String> {
    Ok(Spec::Buffer(Buffer { source, sink, role }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn parsed(text: &str) -> Spec {
        text.parse::<Arg>().unwrap_or_else(|e| panic!("{text}: {e}")).spec
    }

    fn made_of(fill: Fill, dtype: DType, shape: &str, sink: Option<Sink>, role: Role) -> Spec {
        let source = Source::Made { dtype, shape: shape.parse().unwrap(), fill };
        Spec::Buffer(Buffer { source, sink, role })
    }

    #[test]
    fn values_are_read() {
        assert_eq!(parsed("i32:-7"), Spec::Scalar { dtype: DType::I32, bytes: (-7i32).to_ne_bytes().into() });
        assert_eq!(parsed("f32:2"), Spec::Scalar { dtype: DType::F32, bytes: 2f32.to_ne_bytes().into() });
        assert_eq!(parsed("bool:true"), Spec::Scalar { dtype: DType::Bool, bytes: vec![1] });
        assert_eq!(parsed("bytes:00fF10"), Spec::Bytes(vec![0, 255, 16]));
        assert_eq!(parsed("local:1024"), Spec::Local(1024));
        assert_eq!(parsed("local:16k"), Spec::Local(16384));
        assert_eq!(parsed("null"), Spec::Null);
    }

    #[test]
    fn made_buffers_are_read() {
        use Role::{Output, Scratch};
        assert_eq!(parsed("zeros:f32:8"), made_of(Fill::Zeros, DType::F32, "8", None, Scratch));
        assert_eq!(parsed("iota:u16:2x3"), made_of(Fill::Iota, DType::U16, "2x3", None, Scratch));
        let random = |seed| Fill::Random { seed };
        assert_eq!(parsed("rand:f64:8"), made_of(random(0), DType::F64, "8", None, Scratch));
        assert_eq!(parsed("rand:f64:8:42"), made_of(random(42), DType::F64, "8", None, Scratch));
        assert_eq!(parsed("out:f32:8"), made_of(Fill::Zeros, DType::F32, "8", None, Output));
        let npy = Some(Sink::Npy("a:b.npy".into()));
        assert_eq!(parsed("out:f32:8:a:b.npy"), made_of(Fill::Zeros, DType::F32, "8", npy, Output));
        for shape in ["4x5", "4x5x3", "4x5x4"] {
            let png = Some(Sink::Png("p.png".into()));
            let spec = parsed(&format!("out:u8:{shape}:p.png"));
            assert_eq!(spec, made_of(Fill::Zeros, DType::U8, shape, png, Output));
        }
    }

    #[test]
    fn files_are_read() {
        let file = |path: &str, sink, role| {
            Spec::Buffer(Buffer { source: Source::File(PathBuf::from(path)), sink, role })
        };
        assert_eq!(parsed("in:a:b.npy"), file("a:b.npy", None, Role::Input));
        assert_eq!(parsed("inout:a.npy"), file("a.npy", None, Role::Output));
        let npy = Some(Sink::Npy("b.npy".into()));
        assert_eq!(parsed("inout:x:a.npy:b.npy"), file("x:a.npy", npy, Role::Output));
        let png = Some(Sink::Png("b.png".into()));
        assert_eq!(parsed("inout:a.npy:b.png"), file("a.npy", png, Role::Output));
    }

    #[test]
    fn every_mistake_says_what_was_expected() {
        for (text, says) in [
            ("", "an argument is"),
            ("7", "as in i32:7"),
            ("x.npy", "in:x.npy"),
            ("f33:1", "an argument is"),
            ("f32", "f32:1"),
            ("f32:", "is no f32"),
            ("i8:300", "-128 to 127"),
            ("u8:-1", "0 to 255"),
            ("null:1", "an argument is"),
            ("local:", "local:BYTES"),
            ("local:-1", "bytes"),
            ("local:99999999999", "bytes"),
            ("bytes:abc", "even number"),
            ("bytes:zz", "hexadecimal"),
            ("in:", "in:FILE.npy"),
            ("inout", "inout:FILE.npy"),
            ("inout:a.npy:b.txt", ".npy or .png"),
            ("out:", "out:TYPE:SHAPE"),
            ("out:f32", "512x512"),
            ("out:f33:8", "an element type is"),
            ("out:f32:0", "1 or more"),
            ("out:f32:8:x.jpg", ".npy or .png"),
            ("out:f32:8x8:x.png", "a picture is u8"),
            ("out:u8:8:x.png", "HxW"),
            ("out:u8:8x8x2:x.png", "HxW"),
            ("out:u128:8:x.npy", "NumPy has no such type"),
            ("zeros:f32", "512x512"),
            ("zeros:f32:8:x.npy", "out: or inout:"),
            ("iota:f32:8:1", "nothing after the shape"),
            ("rand:f32:8:x", "a seed is"),
            ("rand:f32:8:-1", "a seed is"),
            ("rand:f32:99999999999999x99999999999", "any memory"),
        ] {
            let error = text.parse::<Arg>().expect_err(text);
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
