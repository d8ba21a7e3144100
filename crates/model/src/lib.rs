//! What Oarlock shall do, said so simply that it cannot be wrong in the same way as Oarlock.
//!
//! [`handles`] is the model of the handle tables: objects are named by numbers that only grow, and a set says
//! which of them live. The real tables are driven beside it, step by step, and every answer is compared.
//! Property tests, fuzz targets and long runs all use the one [`handles::Harness`]; they differ in where the
//! steps come from.

pub mod handles;
