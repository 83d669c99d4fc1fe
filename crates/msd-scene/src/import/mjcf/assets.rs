//! `<asset>`: meshes, and the colours of materials. Textures are not read.

use std::collections::BTreeMap;

use msd::math::{Quat, ReferenceFrame, Vec3, orientation};
use msd::physics::rigid_body::Color;

use super::compiler::Compiler;
use super::defaults::Defaults;
use super::mesh_mass::MeshMass;
use crate::import::Context;
use crate::import::xml::Element;
use crate::model::{HullShape, MeshShape, Shape};

/// A mesh that geoms may use.
#[derive(Debug)]
pub(super) struct MeshAsset {
    /// Its convex hull.
    pub(super) shape: Shape,
    /// From the mesh's own coordinates to those of a geom.
    pub(super) frame: ReferenceFrame,
    /// How it gets its mass.
    pub(super) rule: MeshMass,
}

/// Meshes by name; `None` for those of a format that is not read.
#[derive(Debug, Default)]
pub(super) struct Assets<'e> {
    meshes: BTreeMap<String, (&'e Element, Option<MeshAsset>)>,
    /// Of materials, by name.
    colors: BTreeMap<String, Color>,
}

impl<'e> Assets<'e> {
    pub(super) fn read(
        root: &'e Element,
        compiler: &Compiler,
        defaults: &Defaults<'e>,
        context: &Context<'_>,
    ) -> Self {
        let mut assets = Self::default();
        for section in root.named("asset") {
            section.imported();
            for child in section.children() {
                match child.name.as_str() {
                    "mesh" => assets.mesh(child, compiler, defaults, context),
                    "material" => assets.material(child, defaults, context),
                    "texture" | "skin" => child.ignored("not drawn"),
                    "hfield" => child.ignored("height fields are not simulated"),
                    _ => child.ignored("not known"),
                }
            }
        }
        assets
    }

    /// The mesh of that name, if it can be used.
    pub(super) fn get(&self, name: &str) -> Option<&(&'e Element, Option<MeshAsset>)> {
        self.meshes.get(name)
    }

    /// The colour of the material of that name.
    pub(super) fn color(&self, material: &str) -> Option<Color> {
        self.colors.get(material).copied()
    }

    fn material(&mut self, element: &'e Element, defaults: &Defaults<'e>, context: &Context<'_>) {
        let styled = defaults.styled(element, None, context.problems);
        element.imported();
        // How light plays on it.
        element.skip(&["class", "emission", "specular", "shininess", "reflectance", "metallic", "roughness"]);
        let color = styled.array("rgba", context.problems).map(Color::from_shares);
        if let (Some(name), Some(color)) = (element.text("name"), color) {
            self.colors.insert(name.to_owned(), color);
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.meshes.keys().map(String::as_str)
    }

    fn mesh(
        &mut self,
        element: &'e Element,
        compiler: &Compiler,
        defaults: &Defaults<'e>,
        context: &Context<'_>,
    ) {
        let problems = context.problems;
        let styled = defaults.styled(element, None, problems);
        let file = element.text("file");
        let stem = file
            .map(|file| file.rsplit(['/', '\\']).next().unwrap_or(file))
            .map(|name| name.rsplit_once('.').map_or(name, |(stem, _)| stem));
        let Some(name) = element.text("name").or(stem) else {
            return element.missing("name", "a name", problems);
        };
        // How MuJoCo draws it and finds its mass.
        element.skip(&["class", "smoothnormal", "texcoord", "normal", "face", "content_type", "maxhullvert"]);
        let rule = match styled.text("inertia") {
            None if compiler.exact_meshes => MeshMass::Exact,
            None => MeshMass::Legacy,
            Some(given) => MeshMass::named(given).unwrap_or_else(|| {
                element.approximated(format!("`{given}` is no rule for its mass: the legacy rule"));
                MeshMass::Legacy
            }),
        };
        let scale = styled.array("scale", problems).unwrap_or([1.0; 3]);
        let position = styled.vector("refpos", problems).unwrap_or_default();
        let turn = styled.array("refquat", problems).map_or(Quat::IDENTITY, orientation::from_wxyz);
        let turn = if turn.length() > 0.0 { orientation::normalized(turn) } else { Quat::IDENTITY };
        let frame = ReferenceFrame::new(turn.conjugate() * -position, turn.conjugate());
        let shape = match (file, element.attribute("vertex")) {
            (Some(file), _) => self::file(element, file, scale, compiler, context),
            (None, Some(vertices)) => vertices.list(problems).map(|numbers| {
                element.imported();
                element.note("collides as its convex hull, as in MuJoCo");
                let point = |xyz: &[f64]| (Vec3::new(xyz[0], xyz[1], xyz[2]) * Vec3::from(scale)).to_array();
                Shape::Hull(HullShape { points: numbers.chunks_exact(3).map(point).collect() })
            }),
            (None, None) => {
                element.ignored("a mesh that MuJoCo makes itself is not read");
                None
            }
        };
        self.meshes.insert(name.to_owned(), (element, shape.map(|shape| MeshAsset { shape, frame, rule })));
    }
}

fn file(
    element: &Element,
    file: &str,
    scale: [f64; 3],
    compiler: &Compiler,
    context: &Context<'_>,
) -> Option<Shape> {
    let ending = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    if !["stl", "obj", "msh"].contains(&ending.as_str()) {
        element.ignored(format!("`.{ending}` files are not read: convert the mesh to STL, OBJ or MSH"));
        return None;
    }
    element.imported();
    element.note("collides as its convex hull, as in MuJoCo");
    let bare = if compiler.strip_path { file.rsplit(['/', '\\']).next().unwrap_or(file) } else { file };
    match context.folder.scene_name(&format!("{}{bare}", compiler.mesh_folder)) {
        Ok(file) => Some(Shape::Mesh(MeshShape { file, scale, convex: true, parts: None })),
        Err(problem) => {
            let place = element.attribute("file").map_or(&element.place, |file| &file.place);
            context.problems.add(place, problem, "expected a file in the folder of the model");
            None
        }
    }
}
