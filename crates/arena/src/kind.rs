//! Kinds: what a handle names, told apart by type in Rust and by number in a word.

use std::fmt;

/// A kind of object, as the word form of a handle and error messages know it.
///
/// # Examples
/// ```
/// use oarlock_arena::Kind;
/// const BOAT: Kind = Kind::new(1, "boat");
/// assert_eq!((BOAT.code(), BOAT.name()), (1, "boat"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kind {
    code: u8,
    name: &'static str,
}

impl Kind {
    /// A kind with a code of 1 to 15, unique among the tables of one [`Instance`](crate::Instance).
    ///
    /// # Panics
    /// When the code is not 1 to 15. In a constant, that is an error of the compiler.
    #[must_use]
    pub const fn new(code: u8, name: &'static str) -> Self {
        assert!(code >= 1 && code <= 15, "the code of a kind is 1 to 15");
        Self { code, name }
    }

    /// The number in the word form.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.code
    }

    /// The noun in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.name, self.code)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A key type that names objects in an [`Arena`](crate::Arena). Made by [`handles!`](crate::handles).
pub trait Handle: slotmap::Key {
    /// What it names.
    const KIND: Kind;
}

/// Makes key types: slotmap keys, each with its [`Kind`].
///
/// # Examples
/// ```
/// oarlock_arena::handles! {
///     /// Names a boat.
///     pub struct BoatKey = 1, "boat";
///     /// Names an oar.
///     pub struct OarKey = 2, "oar";
/// }
/// use oarlock_arena::Handle;
/// assert_eq!(OarKey::KIND.name(), "oar");
/// ```
#[macro_export]
macro_rules! handles {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident = $code:literal, $noun:literal;)*) => {$(
        $crate::slotmap::new_key_type! {
            $(#[$meta])*
            $vis struct $name;
        }

        impl $crate::Handle for $name {
            const KIND: $crate::Kind = $crate::Kind::new($code, $noun);
        }
    )*};
}
