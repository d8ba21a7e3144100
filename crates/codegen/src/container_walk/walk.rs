//! Blocks in blocks, records in them, to the end.

use std::collections::HashMap;
use std::rc::Rc;

use super::Damage;
use super::abbreviation::{Abbreviation, MAX_WIDTH};
use super::bits::Bits;

/// Blocks nest at most so deep; LLVM's writer makes five levels.
const MAX_DEPTH: usize = 64;
/// The block that gives abbreviations to blocks of other numbers.
const BLOCK_INFO: u64 = 0;
/// The record in it that says for which.
const SET_BLOCK: u64 = 1;

const END_BLOCK: u64 = 0;
const ENTER_BLOCK: u64 = 1;
const DEFINE_ABBREVIATION: u64 = 2;
const UNABBREVIATED: u64 = 3;

type List = Rc<Vec<Rc<Abbreviation>>>;

/// A block that is open.
struct Block {
    number: u64,
    /// How many bits say which abbreviation a record has.
    width: u32,
    /// Where it ends, in bits.
    end: u64,
    /// Those that it was given, and its own behind them.
    given: List,
    own: Vec<Rc<Abbreviation>>,
}

/// Walks a whole file, which begins `base` bytes into what was given.
pub(super) fn file(bytes: &[u8], base: u64) -> Result<(), Damage> {
    let mut bits = Bits::new(bytes, base);
    // The magic number has been looked at.
    bits.skip(32)?;
    let mut blocks = 0;
    // LLVM ignores less than eight bytes at the end.
    while bits.left() > 64 {
        if bits.fixed(2)? != ENTER_BLOCK {
            return Err(bits.damage("there is something between the outermost blocks"));
        }
        // What one outermost block says of others does not hold for the next.
        let mut info = HashMap::new();
        let outermost = enter(&mut bits, &info)?;
        inside(&mut bits, outermost, &mut info)?;
        blocks += 1;
    }
    if blocks == 0 { Err(bits.damage("it ends before its first block")) } else { Ok(()) }
}

/// Walks from the start of a block to its end.
fn inside(bits: &mut Bits<'_>, outermost: Block, info: &mut HashMap<u64, List>) -> Result<(), Damage> {
    let mut open = vec![outermost];
    // The block that a block-info block is speaking of.
    let mut subject = None;
    while let Some(block) = open.last_mut() {
        match bits.fixed(block.width)? {
            END_BLOCK => {
                bits.align()?;
                if bits.position() != block.end {
                    return Err(bits.damage("a block does not end where it says"));
                }
                open.pop();
            }
            ENTER_BLOCK => {
                let inner = enter(bits, info)?;
                if inner.end > block.end {
                    return Err(bits.damage("a block is longer than the one around it"));
                }
                if open.len() >= MAX_DEPTH {
                    return Err(bits.damage("blocks nest more than 64 deep"));
                }
                subject = None;
                open.push(inner);
            }
            DEFINE_ABBREVIATION => {
                let new = Rc::new(Abbreviation::define(bits)?);
                if block.number != BLOCK_INFO {
                    block.own.push(new);
                } else if let Some(number) = subject {
                    Rc::make_mut(info.entry(number).or_default()).push(new);
                } else {
                    return Err(bits.damage("an abbreviation is for no block"));
                }
            }
            UNABBREVIATED => {
                let (code, count) = (bits.variable(6)?, bits.variable(6)?);
                if count > bits.left() / 6 {
                    return Err(bits.damage("a record is longer than what is left"));
                }
                for index in 0..count {
                    let value = bits.variable(6)?;
                    if block.number == BLOCK_INFO && code == SET_BLOCK && index == 0 {
                        subject = Some(value);
                    }
                }
            }
            number => {
                let index = (number - UNABBREVIATED - 1) as usize;
                let own = || index.checked_sub(block.given.len()).and_then(|i| block.own.get(i));
                let known = block.given.get(index).or_else(own);
                let known =
                    known.ok_or_else(|| bits.damage("a record has an abbreviation that is not defined"))?;
                Rc::clone(known).pass(bits)?;
            }
        }
    }
    Ok(())
}

/// Reads what follows the mark of a new block.
fn enter(bits: &mut Bits<'_>, info: &HashMap<u64, List>) -> Result<Block, Damage> {
    let (number, width) = (bits.variable(8)?, bits.variable(4)?);
    bits.align()?;
    let words = bits.fixed(32)?;
    // Two bits at least: the four marks must be told apart.
    if !(2..=MAX_WIDTH).contains(&width) {
        return Err(bits.damage("a block's abbreviations have a width that cannot be"));
    }
    if words * 32 > bits.left() {
        return Err(bits.damage("a block is longer than what is left"));
    }
    let given = info.get(&number).cloned().unwrap_or_default();
    Ok(Block { number, width: width as u32, end: bits.position() + words * 32, given, own: Vec::new() })
}
