//! File access of a scene: its own folder only, unless other files are allowed.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::read::read_text;

/// Where the files of a scene may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileAccess {
    /// Folder that relative paths start from; the current one if empty.
    pub folder: PathBuf,
    /// Also files outside that folder.
    pub outside: bool,
    /// Texts by path, which replace the file system where there is none.
    pub texts: Option<Arc<BTreeMap<PathBuf, String>>>,
}

impl FileAccess {
    /// Text files from memory, by their paths; no other file can be read. For programs without a file system, such as pages in a browser.
    #[must_use]
    pub fn in_memory(texts: BTreeMap<PathBuf, String>) -> Self {
        Self { texts: Some(Arc::new(texts)), ..Self::default() }
    }

    /// The same files, with relative paths that start in `folder`.
    pub(crate) fn in_folder(&self, folder: PathBuf) -> Self {
        Self { folder, ..self.clone() }
    }

    /// The text of a file at a path from [`FileAccess::resolve`].
    pub(crate) fn text(&self, path: &Path) -> Result<String, String> {
        match &self.texts {
            Some(texts) => {
                texts.get(path).cloned().ok_or_else(|| "is not among the files in memory".to_owned())
            }
            None => read_text(path),
        }
    }

    /// The path of a file that a scene names.
    ///
    /// # Errors
    /// A text that says why it may not be read: it is absolute, climbs out of the folder, or a link leads out of it.
    pub fn resolve(&self, file: &str) -> Result<PathBuf, String> {
        let full = self.folder.join(file);
        if self.outside {
            return Ok(full);
        }
        let climbs = Path::new(file)
            .components()
            .any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
        if climbs {
            return Err(format!("`{file}` is not inside the folder of the scene"));
        }
        if let Some(texts) = &self.texts {
            let known = texts.contains_key(&full);
            return if known { Ok(full) } else { Err(format!("`{file}` is not among the files in memory")) };
        }
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        match (full.canonicalize(), folder.canonicalize()) {
            (Ok(real), Ok(folder)) if !real.starts_with(&folder) => {
                Err(format!("`{file}` is a link that leads out of the folder of the scene"))
            }
            (Ok(_), _) => Ok(full),
            (Err(error), _) => Err(format!("`{file}` cannot be read: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_reads_what_is_beside_it_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("part.stl"), "solid").unwrap();
        let mut access = FileAccess { folder: folder.path().to_owned(), ..FileAccess::default() };
        assert!(access.resolve("part.stl").is_ok() && access.resolve("./part.stl").is_ok());
        assert!(access.resolve("../part.stl").unwrap_err().contains("not inside the folder"));
        assert!(access.resolve("/etc/hostname").unwrap_err().contains("not inside the folder"));
        assert!(access.resolve("missing.stl").unwrap_err().contains("cannot be read"));
        access.outside = true;
        assert!(access.resolve("../part.stl").is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_out() {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(elsewhere.path().join("secret"), "x").unwrap();
        std::os::unix::fs::symlink(elsewhere.path().join("secret"), folder.path().join("link")).unwrap();
        let access = FileAccess { folder: folder.path().to_owned(), ..FileAccess::default() };
        assert!(access.resolve("link").unwrap_err().contains("leads out"));
    }
}
