//! The name that somebody probably meant.

/// Names longer than this are not compared: the work grows with the square.
const LONGEST: usize = 128;

/// The one of `names` that is most like `name`, where one is alike at all: at most a third of it differs.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let close = |other: &&str| other.len() <= LONGEST && name.len() <= LONGEST;
    let (distance, found) = names.filter(close).map(|n| (distance(name, n), n)).min()?;
    (distance * 3 <= name.len().max(found.len())).then_some(found)
}

/// Bytes to insert, delete or replace to make `b` of `a`.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_recognised_and_strangers_are_not() {
        let names = ["saxpy", "reduce_sum", "mandelbrot"];
        let near = |name| nearest(name, names.into_iter());
        assert_eq!(near("saxpyy"), Some("saxpy"));
        assert_eq!(near("reduce-sum"), Some("reduce_sum"));
        assert_eq!(near("mandlebrot"), Some("mandelbrot"));
        assert_eq!(near("fft"), None);
        assert_eq!(near(""), None);
        assert_eq!(near(&"s".repeat(1 << 20)), None);
    }
}
