use super::{BODY_AT, CHECKSUM_AT, checksum};
use crate::{DecodeError, Dialect, Global, Image, Kernel, Metadata, Param, ParamKind, Target};

/// An image in which every kind of field occurs.
fn sample() -> Image {
    let param = |name: Option<&str>, kind| Param {
        name: name.map(str::to_owned),
        kind,
        ty: "ptr".into(),
        offset: 8,
        size: 8,
        align: 8,
    };
    let kernel = |name: &str, params, size: Option<[u32; 3]>, most| Kernel {
        name: name.into(),
        entry: format!("__oarlock_{name}"),
        params,
        args_size: 16,
        args_align: 8,
        group_bytes: 128,
        uses_dynamic_group: size.is_none(),
        item_bytes: 24,
        barriers: 2,
        required_group_size: size,
        max_group_items: most,
    };
    Image {
        target: Target {
            triple: "x86_64-pc-linux-gnu".into(),
            cpu: "znver4".into(),
            features: "+avx2,+fma".into(),
        },
        code: (0..=255).collect(),
        metadata: Metadata {
            dialect: Dialect::Spir,
            kernels: vec![
                kernel(
                    "größe",
                    vec![param(Some("x"), ParamKind::Pointer), param(None, ParamKind::GroupMemory)],
                    Some([8, 4, 1]),
                    None,
                ),
                kernel("k", vec![], None, Some(1024)),
            ],
            globals: vec![Global { name: "table".into(), size: 1 << 40, align: 16, constant: true }],
        },
    }
}

/// `bytes` with a checksum and a length that are right, so that the fields themselves are read.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len() as u64;
    bytes[16..CHECKSUM_AT].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&bytes);
    bytes[CHECKSUM_AT..BODY_AT].copy_from_slice(&sum);
    bytes
}

#[test]
fn an_image_comes_back_as_it_was() {
    let image = sample();
    assert_eq!(Image::from_bytes(&image.to_bytes()), Ok(image.clone()));
    assert_eq!(image.to_bytes(), image.clone().to_bytes());
}

#[test]
fn every_prefix_is_an_error_of_its_kind() {
    let bytes = sample().to_bytes();
    for end in 0..bytes.len() {
        let e = Image::from_bytes(&bytes[..end]).unwrap_err();
        assert!(matches!(e, DecodeError::Truncated { came, .. } if came == end as u64), "{end}: {e}");
    }
    let mut long = bytes;
    long.push(0);
    assert!(matches!(Image::from_bytes(&long), Err(DecodeError::Trailing { .. })));
}

#[test]
fn every_flipped_bit_is_an_error() {
    let mut bytes = sample().to_bytes();
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let e = Image::from_bytes(&bytes).expect_err("a flipped bit was not seen");
        match (bit / 8, &e) {
            (0..8, DecodeError::Magic { .. }) | (8..12, DecodeError::Version { expected: 1, .. }) => {}
            (16..24, DecodeError::Truncated { .. } | DecodeError::Trailing { .. }) => {}
            (12..16 | 24.., DecodeError::Checksum) => {}
            _ => panic!("bit {bit}: {e}"),
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn hostile_fields_behind_a_right_checksum_are_errors_or_images() {
    let bytes = sample().to_bytes();
    for at in BODY_AT..bytes.len() {
        for value in [0x00, 0x01, 0x7F, 0x80, 0xFF] {
            let mut hostile = bytes.clone();
            hostile[at] = value;
            if let Ok(image) = Image::from_bytes(&sealed(hostile.clone())) {
                assert_eq!(image.to_bytes(), sealed(hostile), "byte {at}");
            }
        }
        let cut = sealed(bytes[..at].to_vec());
        assert!(matches!(Image::from_bytes(&cut), Err(DecodeError::Field { .. })), "cut at {at}");
    }
}

#[test]
fn a_count_beyond_the_bytes_reserves_nothing() {
    let image = Image {
        target: Target { triple: "".into(), cpu: "".into(), features: "".into() },
        code: vec![],
        metadata: Metadata { dialect: Dialect::Native, kernels: vec![], globals: vec![] },
    };
    let mut bytes = image.to_bytes();
    let kernels = BODY_AT + 3 * 4 + 1;
    bytes[kernels..kernels + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let e = Image::from_bytes(&sealed(bytes)).unwrap_err();
    assert_eq!(e, DecodeError::Field { what: "list of kernels", at: kernels as u64 });
    assert!(e.to_string().contains("compile the program again"));
}
