//! Abbreviations: how the fields of a kind of record are written.

use super::Damage;
use super::bits::Bits;

/// Wider fields are in no bitcode.
pub(super) const MAX_WIDTH: u64 = 32;

/// How one field is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// Not at all: it is known.
    Literal,
    Fixed(u32),
    Variable(u32),
    Char6,
    /// A length, then that many fields of the next kind.
    Array,
    /// A length, then that many bytes.
    Blob,
}

/// How a record is written.
#[derive(Clone, Debug)]
pub(super) struct Abbreviation(Vec<Field>);

impl Abbreviation {
    /// Reads a definition.
    pub(super) fn define(bits: &mut Bits<'_>) -> Result<Self, Damage> {
        let count = bits.variable(5)?;
        if count == 0 || count > bits.left() {
            return Err(bits.damage("an abbreviation has a number of fields that cannot be"));
        }
        let mut fields = Vec::new();
        for index in 0..count {
            let field = define_field(bits)?;
            let behind = count - index - 1;
            let fits = match field {
                Field::Array => index > 0 && behind == 1,
                Field::Blob => index > 0 && behind == 0 && fields.last() != Some(&Field::Array),
                Field::Literal => fields.last() != Some(&Field::Array),
                _ => true,
            };
            if !fits {
                return Err(bits.damage("an abbreviation has an array or a blob where none can be"));
            }
            fields.push(field);
        }
        Ok(Self(fields))
    }

    /// Passes over a record that is written so.
    pub(super) fn pass(&self, bits: &mut Bits<'_>) -> Result<(), Damage> {
        let mut fields = self.0.iter();
        while let Some(field) = fields.next() {
            match field {
                Field::Array => {
                    let element = fields.next().copied().unwrap_or(Field::Literal);
                    pass_array(bits, element)?;
                }
                Field::Blob => {
                    let len = bits.variable(6)?;
                    bits.align()?;
                    bits.skip(len.saturating_mul(8))?;
                    bits.align()?;
                }
                field => pass_field(bits, *field)?,
            }
        }
        Ok(())
    }
}

fn define_field(bits: &mut Bits<'_>) -> Result<Field, Damage> {
    if bits.fixed(1)? == 1 {
        bits.variable(8)?;
        return Ok(Field::Literal);
    }
    let encoding = bits.fixed(3)?;
    Ok(match encoding {
        1 | 2 => match bits.variable(5)? {
            // A field of no bits is always 0.
            0 => Field::Literal,
            width if width > MAX_WIDTH => return Err(bits.damage("a field is wider than 32 bits")),
            width if encoding == 1 => Field::Fixed(width as u32),
            width => Field::Variable(width as u32),
        },
        3 => Field::Array,
        4 => Field::Char6,
        5 => Field::Blob,
        _ => return Err(bits.damage("a field has an unknown encoding")),
    })
}

fn pass_array(bits: &mut Bits<'_>, element: Field) -> Result<(), Damage> {
    let len = bits.variable(6)?;
    let bits_each = match element {
        Field::Fixed(width) => width,
        Field::Char6 => 6,
        // Each takes one chunk at least.
        Field::Variable(width) if len > bits.left() / u64::from(width) => {
            return Err(bits.damage("an array is longer than what is left"));
        }
        element => {
            for _ in 0..len {
                pass_field(bits, element)?;
            }
            return Ok(());
        }
    };
    bits.skip(len.saturating_mul(bits_each.into()))
}

fn pass_field(bits: &mut Bits<'_>, field: Field) -> Result<(), Damage> {
    match field {
        Field::Fixed(width) => bits.skip(width.into()),
        Field::Char6 => bits.skip(6),
        Field::Variable(width) => bits.variable(width).map(|_| ()),
        Field::Literal | Field::Array | Field::Blob => Ok(()),
    }
}
