//! `--grid`, `--items` and `--group`: how many groups of how many work-items.

use std::str::FromStr;

use oarlock::LaunchShape;

use crate::error::Failure;

/// One to three counts, `X[,Y[,Z]]`, each at least 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counts(Vec<u32>);

impl FromStr for Counts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("expected 1 to 3 counts of 1 to {}, like 64 or 16,16,1; got `{text}`", u32::MAX);
        let count = |part: &str| match part.parse() {
            Ok(n) if n > 0 && part.starts_with(|c: char| c.is_ascii_digit()) => Ok(n),
            _ => Err(wrong()),
        };
        let counts = text.split(',').map(count).collect::<Result<Vec<_>, _>>()?;
        if counts.len() > 3 { Err(wrong()) } else { Ok(Self(counts)) }
    }
}

/// The size of the whole launch, in one of two ways.
#[derive(clap::Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct Extent {
    /// Work-groups in x, y, z
    #[arg(long, value_name = "X[,Y[,Z]]", help_heading = "Launch")]
    grid: Option<Counts>,
    /// Work-items in x, y, z, rounded up to whole groups
    #[arg(long, value_name = "X[,Y[,Z]]", help_heading = "Launch")]
    items: Option<Counts>,
}

/// The launch shape that the options ask for.
pub(crate) fn launch_shape(extent: &Extent, group: &Counts, shared: u32) -> Result<LaunchShape, Failure> {
    let (name, counts) = match (&extent.grid, &extent.items) {
        (Some(grid), _) => ("--grid", grid),
        (None, Some(items)) => ("--items", items),
        // The command line's description asks for one of them.
        (None, None) => return Err(Failure::Usage("expected --grid or --items".into())),
    };
    if counts.0.len() != group.0.len() {
        return Err(Failure::Usage(format!(
            "{name} has {} dimensions and --group has {}; give both the same number, with 1 to fill up",
            counts.0.len(),
            group.0.len()
        )));
    }
    let groups = match extent.grid {
        Some(_) => counts.0.clone(),
        None => counts.0.iter().zip(&group.0).map(|(items, size)| items.div_ceil(*size)).collect(),
    };
    let shape = LaunchShape::new(&groups, &group.0).map_err(|e| Failure::Usage(e.to_string()))?;
    Ok(shape.with_group_memory(shared))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(grid: Option<&str>, items: Option<&str>, group: &str) -> Result<LaunchShape, Failure> {
        let counts = |text: Option<&str>| text.map(|t| t.parse().unwrap());
        let extent = Extent { grid: counts(grid), items: counts(items) };
        launch_shape(&extent, &group.parse().unwrap(), 64)
    }

    #[test]
    fn counts_are_one_to_three_and_not_zero() {
        assert_eq!("4".parse(), Ok(Counts(vec![4])));
        assert_eq!("4,5,6".parse(), Ok(Counts(vec![4, 5, 6])));
        for wrong in ["", "0", "4,", "4,0", "1,2,3,4", "-1", "+1", "x", "4294967296", "1.5"] {
            assert!(wrong.parse::<Counts>().unwrap_err().contains("1 to 3 counts"), "{wrong}");
        }
    }

    #[test]
    fn items_are_rounded_up_to_groups() {
        let grid = shape(Some("4,2"), None, "16,8").unwrap();
        assert_eq!((grid.groups(), grid.group_size()), ([4, 2, 1], [16, 8, 1]));
        let items = shape(None, Some("1000"), "256").unwrap();
        assert_eq!((items.groups(), items.group_memory()), ([4, 1, 1], 64));
    }

    #[test]
    fn shapes_that_cannot_be_are_usage_errors() {
        let dimensions = shape(Some("4,2"), None, "16").unwrap_err();
        assert!(dimensions.to_string().contains("2 dimensions and --group has 1"), "{dimensions}");
        assert_eq!(dimensions.exit_code(), 2);
        let overflow = shape(Some("4294967295,4294967295,4294967295"), None, "1,1,1").unwrap_err();
        assert!(overflow.to_string().contains("overflow"), "{overflow}");
        assert_eq!(overflow.exit_code(), 2);
    }
}
