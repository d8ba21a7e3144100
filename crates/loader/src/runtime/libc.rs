//! Functions of the C library and libm, by name.

/// Declares the functions (only their addresses are taken, so no signature is needed) and finds them by name.
macro_rules! table {
    ($($name:ident),* $(,)?) => {
        #[allow(clashing_extern_declarations, reason = "only the addresses are used; nothing calls these")]
        mod declared {
            unsafe extern "C" {
                $(pub(super) fn $name();)*
            }
        }

        /// The address of `name`, if it is in the table.
        pub(super) fn find(name: &str) -> Option<usize> {
            match name {
                $(stringify!($name) => Some(declared::$name as *const () as usize),)*
                _ => None,
            }
        }

        /// Every name in the table.
        #[cfg(test)]
        pub(super) const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

table! {
    // Memory and strings: the optimiser makes calls of these out of loops.
    memchr, memcmp, memcpy, memmove, memset, bcmp, strcmp, strlen, strncmp, calloc, free, malloc,
    realloc, aligned_alloc,
    // libm, in double and single precision.
    acos, acosf, acosh, acoshf, asin, asinf, asinh, asinhf, atan, atanf, atan2, atan2f, atanh,
    atanhf, cbrt, cbrtf, ceil, ceilf, copysign, copysignf, cos, cosf, cosh, coshf, erf, erff, erfc,
    erfcf, exp, expf, exp2, exp2f, exp10, exp10f, expm1, expm1f, fabs, fabsf, fdim, fdimf, floor,
    floorf, fma, fmaf, fmax, fmaxf, fmin, fminf, fmod, fmodf, frexp, frexpf, hypot, hypotf, ilogb,
    ilogbf, ldexp, ldexpf, lgamma, lgammaf, lgamma_r, lgammaf_r, llrint, llrintf, llround,
    llroundf, log, logf, log10, log10f, log1p, log1pf, log2, log2f, logb, logbf, lrint, lrintf,
    lround, lroundf, modf, modff, nan, nanf, nearbyint, nearbyintf, nextafter, nextafterf, pow,
    powf, remainder, remainderf, remquo, remquof, rint, rintf, round, roundf, roundeven,
    roundevenf, scalbln, scalblnf, scalbn, scalbnf, sin, sinf, sincos, sincosf, sinh, sinhf, sqrt,
    sqrtf, tan, tanf, tanh, tanhf, tgamma, tgammaf, trunc, truncf, ceill, copysignl, cosl, expl,
    exp2l, fabsl, floorl, fmal, fmaxl, fminl, fmodl, frexpl, ldexpl, logl, log10l, log2l, modfl,
    powl, rintl, roundl, sinl, sqrtl, tanl, truncl, abs, labs, llabs,
    // What a program for this machine may end or print with.
    abort, printf, putchar, puts, __stack_chk_fail,
}

// Where libm is a library of its own, the names above come from it.
#[link(name = "m")]
unsafe extern "C" {}

#[cfg(test)]
mod tests {
    use super::{NAMES, find};

    #[test]
    fn every_name_has_an_address_of_its_own() {
        let mut seen = std::collections::HashMap::new();
        for name in NAMES {
            let address = find(name).unwrap();
            assert_ne!(address, 0, "{name}");
            seen.entry(address).or_insert_with(Vec::new).push(*name);
        }
        // Libraries alias some names (`bcmp` is `memcmp`, `ldexp` is `scalbn`), never many.
        assert!(seen.values().all(|names| names.len() <= 4), "{seen:?}");
    }

    #[test]
    fn nothing_else_of_the_library_is_found() {
        for name in ["system", "execve", "dlopen", "dlsym", "open", "exit", "", "memcpy\0", "MEMCPY"] {
            assert_eq!(find(name), None, "{name}");
        }
    }
}
