//! What goes over the socket: frames of a length, a kind and a payload.
//!
//! ```text
//! payload length  u32
//! kind            u8
//! payload
//! ```
//!
//! Numbers are little-endian. The asker sends one request frame; the worker answers with any number of
//! [`Kind::Phase`] and then one [`Kind::Done`] or [`Kind::Refused`]. Before all of that, it says
//! [`Kind::Hello`] once, or [`Kind::Broken`]. Each side takes the other's bytes for hostile.

mod fields;
mod info;
mod refusal;
mod request;

use std::io::{self, Read, Write};

pub(crate) use info::{decode_info, encode_info};
pub(crate) use refusal::{decode_refusal, encode_refusal};
pub(crate) use request::{Request, Task, decode_request, request_head};

/// The version of all of this; a part of the greeting.
pub(crate) const VERSION: u32 = 1;

/// Longer answers are not taken from a worker.
pub(crate) const MOST_ANSWER: u32 = 1 << 30;
/// Longer requests are not taken by a worker; programs are bounded well below this.
pub(crate) const MOST_REQUEST: u32 = 1 << 30;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// To the worker: do this.
    Request = 1,
    /// From the worker: ready. The compiler's identity.
    Hello = 16,
    /// From the worker: it cannot work. Why.
    Broken = 17,
    /// From the worker: a step begins. Its name.
    Phase = 18,
    /// From the worker: what was made.
    Done = 19,
    /// From the worker: why nothing was made.
    Refused = 20,
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Self> {
        [Self::Request, Self::Hello, Self::Broken, Self::Phase, Self::Done, Self::Refused]
            .into_iter()
            .find(|kind| *kind as u8 == byte)
    }
}

/// Writes a frame whose payload comes in two parts.
pub(crate) fn send(to: &mut dyn Write, kind: Kind, head: &[u8], rest: &[u8]) -> io::Result<()> {
    let len = u32::try_from(head.len() + rest.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    let mut start = Vec::with_capacity(5 + head.len());
    start.extend_from_slice(&len.to_le_bytes());
    start.push(kind as u8);
    start.extend_from_slice(head);
    to.write_all(&start)?;
    to.write_all(rest)
}

/// Reads a frame of at most `most` bytes. `None` where the other side has ended between two frames.
pub(crate) fn receive(from: &mut dyn Read, most: u32) -> io::Result<Option<(Kind, Vec<u8>)>> {
    let mut head = [0; 5];
    let first = read_some(from, &mut head[..1])?;
    if first == 0 {
        return Ok(None);
    }
    from.read_exact(&mut head[1..])?;
    let [a, b, c, d, kind] = head;
    let len = u32::from_le_bytes([a, b, c, d]);
    let kind = Kind::from_byte(kind).ok_or(io::ErrorKind::InvalidData)?;
    if len > most {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // Memory grows with what comes, not with what is announced.
    let mut payload = Vec::with_capacity((len as usize).min(1 << 20));
    from.take(len.into()).read_to_end(&mut payload)?;
    if payload.len() < len as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some((kind, payload)))
}

fn read_some(from: &mut dyn Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match from.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn frames_come_back() {
        let mut wire = Vec::new();
        send(&mut wire, Kind::Phase, b"par", b"se").unwrap();
        send(&mut wire, Kind::Done, b"", b"").unwrap();
        let mut from = &wire[..];
        assert_eq!(receive(&mut from, 100).unwrap(), Some((Kind::Phase, b"parse".to_vec())));
        assert_eq!(receive(&mut from, 100).unwrap(), Some((Kind::Done, vec![])));
        assert_eq!(receive(&mut from, 100).unwrap(), None);
        assert!(receive(&mut &wire[..], 4).is_err(), "longer than may be");
        assert!(receive(&mut &wire[..7], 100).is_err(), "cut");
    }

    proptest! {
        #[test]
        fn no_bytes_harm_a_reader(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = receive(&mut &bytes[..], MOST_ANSWER);
            let _ = decode_request(&bytes);
            let _ = decode_refusal(&bytes);
            let _ = decode_info(&bytes);
        }
    }
}
