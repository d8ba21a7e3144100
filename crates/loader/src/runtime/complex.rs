//! Products and quotients of complex numbers, which C compilers call because infinities need care (Annex G).

/// The address of `name`, if it is in the table.
pub(super) fn find(name: &str) -> Option<usize> {
    Some(match name {
        "__mulsc3" => mulsc3 as *const () as usize,
        "__muldc3" => muldc3 as *const () as usize,
        "__divsc3" => divsc3 as *const () as usize,
        "__divdc3" => divdc3 as *const () as usize,
        _ => return None,
    })
}

/// A complex number as the C ABI returns it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Complex<T> {
    re: T,
    im: T,
}

macro_rules! complex {
    ($ty:ty, $mul:ident, $div:ident) => {
        extern "C" fn $mul(a: $ty, b: $ty, c: $ty, d: $ty) -> Complex<$ty> {
            let product = |a: $ty, b: $ty, c: $ty, d: $ty| Complex { re: a * c - b * d, im: a * d + b * c };
            let plain = product(a, b, c, d);
            if !(plain.re.is_nan() && plain.im.is_nan()) {
                return plain;
            }
            // An infinite factor counts as its direction alone; what is not a number beside it, as zero.
            let boxed = |x: $ty| <$ty>::from(u8::from(x.is_infinite())).copysign(x);
            let zeroed = |x: $ty| if x.is_nan() { (0.0 as $ty).copysign(x) } else { x };
            let (first, second) = (a.is_infinite() || b.is_infinite(), c.is_infinite() || d.is_infinite());
            let overflown = [a * c, b * d, a * d, b * c].iter().any(|x| x.is_infinite());
            if !(first || second || overflown) {
                return plain;
            }
            let side = |infinite: bool, x: $ty| if infinite { boxed(x) } else { zeroed(x) };
            let scaled = product(side(first, a), side(first, b), side(second, c), side(second, d));
            Complex { re: <$ty>::INFINITY * scaled.re, im: <$ty>::INFINITY * scaled.im }
        }

        extern "C" fn $div(a: $ty, b: $ty, c: $ty, d: $ty) -> Complex<$ty> {
            // Smith's way: divide by the larger part first, so that squares do not overflow.
            let plain = if c.abs() >= d.abs() {
                let r = d / c;
                let by = c + d * r;
                Complex { re: (a + b * r) / by, im: (b - a * r) / by }
            } else {
                let r = c / d;
                let by = c * r + d;
                Complex { re: (a * r + b) / by, im: (b * r - a) / by }
            };
            if !(plain.re.is_nan() && plain.im.is_nan()) {
                return plain;
            }
            let boxed = |x: $ty| <$ty>::from(u8::from(x.is_infinite())).copysign(x);
            if c == 0.0 && d == 0.0 && !(a.is_nan() && b.is_nan()) {
                let infinity = <$ty>::INFINITY.copysign(c);
                return Complex { re: infinity * a, im: infinity * b };
            }
            if (a.is_infinite() || b.is_infinite()) && c.is_finite() && d.is_finite() {
                let (a, b) = (boxed(a), boxed(b));
                return Complex {
                    re: <$ty>::INFINITY * (a * c + b * d),
                    im: <$ty>::INFINITY * (b * c - a * d),
                };
            }
            if (c.is_infinite() || d.is_infinite()) && a.is_finite() && b.is_finite() {
                let (c, d) = (boxed(c), boxed(d));
                return Complex { re: 0.0 * (a * c + b * d), im: 0.0 * (b * c - a * d) };
            }
            plain
        }
    };
}
complex!(f32, mulsc3, divsc3);
complex!(f64, muldc3, divdc3);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finite_numbers_multiply_and_divide() {
        assert_eq!(muldc3(1.0, 2.0, 3.0, 4.0), Complex { re: -5.0, im: 10.0 });
        assert_eq!(divdc3(-5.0, 10.0, 3.0, 4.0), Complex { re: 1.0, im: 2.0 });
        assert_eq!(divdc3(-10.0, 5.0, 4.0, 3.0), Complex { re: -1.0, im: 2.0 });
        assert_eq!(mulsc3(0.5, 0.0, 0.0, 2.0), Complex { re: 0.0, im: 1.0 });
        assert_eq!(divdc3(1e300, 1e300, 1e300, 1e300), Complex { re: 1.0, im: 0.0 });
    }

    #[test]
    fn infinities_stay_infinite() {
        let infinite = |z: Complex<f64>| z.re.is_infinite() || z.im.is_infinite();
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        assert!(infinite(muldc3(inf, nan, 1.0, 1.0)) && infinite(muldc3(2.0, 0.0, nan, inf)));
        assert!(infinite(divdc3(1.0, 1.0, 0.0, 0.0)) && infinite(divdc3(inf, nan, 1.0, 2.0)));
        let zero = divdc3(1.0, 1.0, inf, nan);
        assert_eq!((zero.re, zero.im), (0.0, 0.0));
        assert!(muldc3(nan, nan, 1.0, 1.0).re.is_nan());
    }
}
