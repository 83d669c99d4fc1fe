//! `<compiler>`: how the rest of the file is to be read.

use crate::import::xml::{Element, Problems};

/// The settings that change what a model means.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    /// Radians in an angle of 1.
    pub(super) angle: f64,
    /// Axes of Euler angles in their order; lower case turns with the body, upper case is fixed.
    pub(super) euler: [u8; 3],
    /// Whether a joint with a range is limited without saying so.
    pub(super) autolimits: bool,
    /// Folder of mesh files, empty or ending in `/`.
    pub(super) mesh_folder: String,
    /// Whether folders in the names of files are dropped.
    pub(super) strip_path: bool,
    /// `None`: only where a body has no inertial.
    pub(super) inertia_from_geoms: Option<bool>,
    /// Lowest and highest group of geoms that have mass.
    pub(super) inertia_groups: [f64; 2],
    /// Whether meshes that do not say so weigh what they enclose, instead of what MuJoCo's legacy rule makes of them.
    pub(super) exact_meshes: bool,
    /// Mass that all bodies together are scaled to, kg.
    pub(super) total_mass: Option<f64>,
}

impl Default for Compiler {
    fn default() -> Self {
        Self {
            angle: 1.0_f64.to_radians(),
            euler: *b"xyz",
            autolimits: true,
            mesh_folder: String::new(),
            strip_path: false,
            inertia_from_geoms: None,
            inertia_groups: [f64::NEG_INFINITY, f64::INFINITY],
            exact_meshes: false,
            total_mass: None,
        }
    }
}

impl Compiler {
    /// All `<compiler>` elements of a model; later ones go before.
    pub(super) fn read(root: &Element, problems: &Problems) -> Self {
        let mut compiler = Self::default();
        for element in root.named("compiler") {
            element.imported();
            // Where textures are, how much is said while compiling, and with how many threads.
            element.skip(&["texturedir", "usethread", "discardvisual", "fusestatic", "alignfree"]);
            element.skip(&["convexhull", "saveinertial"]);
            element.skip_where(&[("fitaabb", "false"), ("balanceinertia", "false"), ("boundmass", "0")]);
            element.skip_where(&[("boundinertia", "0")]);
            compiler.take(element, problems);
        }
        compiler
    }

    fn take(&mut self, element: &Element, problems: &Problems) {
        let refuse = |name: &str, expected: &str| {
            if let Some(attribute) = element.attribute(name) {
                problems.add(&attribute.place, format!("{name} is `{}`", attribute.value), expected);
            }
        };
        match element.text("angle") {
            Some("radian") => self.angle = 1.0,
            Some("degree") => self.angle = 1.0_f64.to_radians(),
            None => {}
            Some(_) => refuse("angle", "expected `radian` or `degree`"),
        }
        match element.text("coordinate") {
            None | Some("local") => {}
            Some(_) => refuse("coordinate", "expected `local`; save the model with local coordinates"),
        }
        if let Some(sequence) = element.text("eulerseq") {
            match <[u8; 3]>::try_from(sequence.as_bytes()) {
                Ok(letters) if letters.iter().all(|letter| b"xyzXYZ".contains(letter)) => {
                    self.euler = letters
                }
                _ => refuse("eulerseq", "expected three letters of xyzXYZ"),
            }
        }
        let flag = |name: &str| element.text(name).map(|value| value == "true");
        self.autolimits = flag("autolimits").unwrap_or(self.autolimits);
        self.exact_meshes = flag("exactmeshinertia").unwrap_or(self.exact_meshes);
        self.strip_path = flag("strippath").unwrap_or(self.strip_path);
        if let Some(folder) = element.text("meshdir").or_else(|| element.text("assetdir")) {
            self.mesh_folder =
                if folder.is_empty() { String::new() } else { format!("{}/", folder.trim_end_matches('/')) };
        }
        self.inertia_from_geoms = match element.text("inertiafromgeom") {
            Some("true") => Some(true),
            Some("false") => Some(false),
            Some(_) => None,
            None => self.inertia_from_geoms,
        };
        let total = element.number("settotalmass", problems);
        self.total_mass = total.map_or(self.total_mass, |total| (total > 0.0).then_some(total));
        self.inertia_groups = element.array("inertiagrouprange", problems).unwrap_or(self.inertia_groups);
    }
}
