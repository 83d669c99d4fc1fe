//! `<geometry>`: full lengths, axes along z, as in scenes.

use crate::import::Context;
use crate::import::xml::Element;
use crate::model::{BoxShape, MeshShape, RoundShape, Shape, SphereShape};

/// The shape of a collision, unless it is of a kind that cannot be read.
pub(super) fn read(geometry: &Element, context: &Context<'_>) -> Option<Shape> {
    shape(geometry, true, context)
}

/// The shape of a visual, unless it is of a kind that cannot be read.
pub(super) fn visual(geometry: &Element, context: &Context<'_>) -> Option<Shape> {
    shape(geometry, false, context)
}

fn shape(geometry: &Element, convex: bool, context: &Context<'_>) -> Option<Shape> {
    let problems = context.problems;
    geometry.imported();
    let Some(element) = geometry.children().next() else {
        if !convex {
            geometry.ignored("nothing is in it");
            return None;
        }
        problems.add(
            &geometry.place,
            "<geometry> is empty",
            "expected <box>, <cylinder>, <sphere>, <capsule> or <mesh>",
        );
        return None;
    };
    let length = |name: &str| element.required_number(name, problems);
    let shape = match element.name.as_str() {
        "box" => {
            if element.attribute("size").is_none() {
                element.missing("size", "3 numbers", problems);
            }
            Shape::Box(BoxShape { size: element.array("size", problems)? })
        }
        "sphere" => Shape::Sphere(SphereShape { radius: length("radius") }),
        "cylinder" => Shape::Cylinder(RoundShape { radius: length("radius"), length: length("length") }),
        "capsule" => Shape::Capsule(RoundShape { radius: length("radius"), length: length("length") }),
        "mesh" => return mesh(geometry, element, convex, context),
        _ => {
            geometry.ignored("a shape that is not known");
            return None;
        }
    };
    element.imported();
    Some(shape)
}

/// A mesh: its convex hull, or its triangles.
fn mesh(geometry: &Element, element: &Element, convex: bool, context: &Context<'_>) -> Option<Shape> {
    let uri = element.required_text("filename", context.problems)?;
    let scale = element.array("scale", context.problems).unwrap_or([1.0; 3]);
    let ending = uri.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    if !["stl", "obj", "gltf", "glb"].contains(&ending.as_str()) {
        geometry.ignored(format!("`.{ending}` files are not read: convert the mesh to STL, OBJ or glTF"));
        return None;
    }
    if convex {
        element.approximated("its convex hull");
    } else {
        element.imported();
    }
    match context.folder.scene_name(uri) {
        Ok(file) => Some(Shape::Mesh(MeshShape { file, scale, convex, parts: None })),
        Err(problem) if !convex => {
            geometry.ignored(format!("not drawn: {problem}"));
            None
        }
        Err(problem) => {
            let place = element.attribute("filename").map_or(&element.place, |filename| &filename.place);
            context.problems.add(place, problem, "expected a file in the folder of the robot");
            None
        }
    }
}
