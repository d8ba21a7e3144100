//! How a step ended.

use std::fmt;

/// What a step that did not fail says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Done {
    /// Set where the step did nothing, with the reason.
    skipped: Option<String>,
    /// What a reader of the summary should know: a part that could not run, and why.
    notes: Vec<String>,
}

impl Done {
    /// The step did all of its work.
    pub(crate) fn ok() -> Self {
        Self::default()
    }

    /// The step did nothing, for this reason.
    pub(crate) fn skipped(reason: impl Into<String>) -> Self {
        Self { skipped: Some(reason.into()), notes: vec![] }
    }

    /// The step did its work, and these remarks belong into the summary.
    pub(crate) fn with_notes(notes: Vec<String>) -> Self {
        Self { skipped: None, notes }
    }
}

/// How a step ended, failures included.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Ok(Vec<String>),
    Skipped(String),
    Failed(String),
}

impl From<Done> for Outcome {
    fn from(done: Done) -> Self {
        done.skipped.map_or(Self::Ok(done.notes), Self::Skipped)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok(notes) if notes.is_empty() => f.write_str("ok"),
            Self::Ok(notes) => write!(f, "ok ({})", notes.join("; ")),
            Self::Skipped(reason) => write!(f, "SKIPPED ({reason})"),
            // The rest of a long text stands above, where the step ran.
            Self::Failed(text) => write!(f, "FAILED ({})", text.lines().next().unwrap_or_default()),
        }
    }
}
