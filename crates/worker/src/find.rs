//! Which file is the worker.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::{Program, WorkerError};

const NAME: &str = "oarlock-worker";

/// What to start, and whether it has to be told that it is the worker.
pub(crate) struct Found {
    pub(crate) file: PathBuf,
    pub(crate) ask: bool,
}

pub(crate) fn find(program: &Program) -> Result<Found, WorkerError> {
    match program {
        Program::Path(path) if path.is_file() => Ok(Found { file: path.clone(), ask: false }),
        Program::Path(path) => Err(unavailable(format!("`{}` is not a file", path.display()))),
        // By this name even an executable that was replaced on disk while it runs is found.
        Program::ThisExecutable => Ok(Found { file: "/proc/self/exe".into(), ask: true }),
        Program::Search => {
            let beside = std::env::current_exe().ok();
            let folder = beside.as_deref().and_then(Path::parent);
            let path = std::env::var_os("PATH").unwrap_or_default();
            search(folder, &path).map(|file| Found { file, ask: false }).ok_or_else(|| {
                let folder = folder.map_or("an unknown folder".into(), |f| format!("`{}`", f.display()));
                unavailable(format!("`{NAME}` is neither in {folder} nor on PATH"))
            })
        }
    }
}

/// The first `oarlock-worker` beside the executable or in a folder of `path`. Relative folders do not count:
/// what lies in the folder where somebody happens to stand is not ours to run.
fn search(beside: Option<&Path>, path: &OsStr) -> Option<PathBuf> {
    let on_path = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    beside.map(Path::to_owned).into_iter().chain(on_path).map(|f| f.join(NAME)).find(|file| file.is_file())
}

pub(crate) fn unavailable(reason: String) -> WorkerError {
    WorkerError::WorkerUnavailable { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_comes_before_path_and_relative_folders_do_not_count() {
        let place = tempfile::tempdir().unwrap();
        let (a, b) = (place.path().join("a"), place.path().join("b"));
        for folder in [&a, &b] {
            std::fs::create_dir(folder).unwrap();
        }
        let path = std::env::join_paths([Path::new("."), &b]).unwrap();
        assert_eq!(search(Some(&a), &path), None);
        std::fs::write(b.join(NAME), "").unwrap();
        assert_eq!(search(Some(&a), &path), Some(b.join(NAME)));
        std::fs::write(a.join(NAME), "").unwrap();
        assert_eq!(search(Some(&a), &path), Some(a.join(NAME)));
    }

    #[test]
    fn a_missing_worker_says_how_to_mend_it() {
        let error = find(&Program::Path("/no/such/worker".into())).err().unwrap();
        let text = error.to_string();
        for word in ["/no/such/worker", "PATH", "InProcess"] {
            assert!(text.contains(word), "{text}");
        }
    }
}
