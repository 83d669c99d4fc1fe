//! Files that a robot names.
//!
//! Paths start from the folder of the robot's file. `package://NAME/PATH` is searched as `NAME/PATH` and as
//! `PATH` there; where files outside the folder are allowed, also in every parent folder, the usual layout of
//! packages (`NAME/urdf/robot.urdf` next to `NAME/meshes`).

use std::path::{Path, PathBuf};

use crate::files::FileAccess;

/// The folder of a robot's file.
#[derive(Debug)]
pub(super) struct Folder {
    access: FileAccess,
    /// From the folder of the scene to this one; empty, or ends in `/`.
    prefix: String,
}

impl Folder {
    /// The folder of the robot `file` of a scene.
    pub(super) fn of(scene: &FileAccess, file: &str) -> Self {
        let prefix = file.rfind('/').map_or("", |slash| &file[..=slash]);
        let access = scene.in_folder(scene.folder.join(prefix));
        Self { access, prefix: prefix.to_owned() }
    }

    /// The path of a file relative to the robot, to be opened.
    pub(super) fn resolve(&self, file: &str) -> Result<PathBuf, String> {
        self.access.resolve(file)
    }

    /// The text at such a path.
    pub(super) fn text(&self, path: &Path) -> Result<String, String> {
        self.access.text(path)
    }

    /// The name under which the scene knows a file that the robot names.
    pub(super) fn scene_name(&self, uri: &str) -> Result<String, String> {
        let mut refusal = None;
        for candidate in self.candidates(uri) {
            let exists = self.access.folder.join(&candidate).exists();
            match self.access.resolve(&candidate) {
                Ok(_) if exists => return Ok(self.name_in_scene(&candidate)),
                Ok(_) => {}
                Err(problem) => drop(refusal.get_or_insert(problem)),
            }
        }
        let not_found = || format!("`{uri}` is not in the folder of the file");
        let refusal = refusal.unwrap_or_else(not_found);
        Err(if uri.contains("://") { format!("`{uri}`: {refusal}") } else { refusal })
    }

    fn name_in_scene(&self, candidate: &str) -> String {
        if Path::new(candidate).is_absolute() {
            candidate.to_owned()
        } else {
            format!("{}{candidate}", self.prefix)
        }
    }

    /// Where a file may be, the most literal first.
    fn candidates(&self, uri: &str) -> Vec<String> {
        if let Some(path) = uri.strip_prefix("file://") {
            return vec![path.to_owned()];
        }
        let Some(path) = ["package://", "model://"].iter().find_map(|scheme| uri.strip_prefix(scheme)) else {
            return vec![uri.to_owned()];
        };
        // Some files write three slashes.
        let path = path.trim_start_matches('/');
        let inner = path.split_once('/').map_or(path, |(_, inner)| inner);
        let mut candidates = vec![path.to_owned(), inner.to_owned()];
        if self.access.outside {
            for up in 1..=8 {
                let above = "../".repeat(up);
                candidates.extend([format!("{above}{path}"), format!("{above}{inner}")]);
            }
        }
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_found_beside_the_file_and_above_it_only_if_allowed() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("arm/urdf/inner")).unwrap();
        std::fs::create_dir_all(root.path().join("arm/meshes")).unwrap();
        std::fs::write(root.path().join("arm/meshes/a.stl"), "").unwrap();
        std::fs::write(root.path().join("arm/urdf/inner/b.stl"), "").unwrap();
        let mut scene = FileAccess { folder: root.path().join("arm/urdf"), ..FileAccess::default() };
        let folder = Folder::of(&scene, "arm.urdf");
        assert_eq!(folder.scene_name("package://arm/inner/b.stl").unwrap(), "inner/b.stl");
        assert_eq!(folder.scene_name("inner/b.stl").unwrap(), "inner/b.stl");
        assert!(folder.scene_name("package://arm/meshes/a.stl").unwrap_err().contains("cannot be read"));
        assert!(folder.scene_name("../meshes/a.stl").unwrap_err().contains("not inside the folder"));
        assert!(folder.scene_name("file:///etc/hostname").unwrap_err().contains("not inside the folder"));
        assert!(folder.scene_name("package://../../../etc/hostname").is_err());
        scene.outside = true;
        let folder = Folder::of(&scene, "arm.urdf");
        assert_eq!(folder.scene_name("package://arm/meshes/a.stl").unwrap(), "../meshes/a.stl");
        scene.folder = root.path().join("arm");
        assert_eq!(
            Folder::of(&scene, "urdf/arm.urdf").scene_name("inner/b.stl").unwrap(),
            "urdf/inner/b.stl"
        );
    }
}
