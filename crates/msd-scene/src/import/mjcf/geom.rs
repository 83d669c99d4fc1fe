//! `<geom>`: a shape of a body, from half sizes to full lengths.

use msd::math::{ReferenceFrame, Vec3, orientation, scalar};
use msd::physics::rigid_body::shape::Shape as EngineShape;
use msd::physics::rigid_body::{Color, MassProperties, UniformSolid};

use super::Model;
use super::defaults::Styled;
use super::joint::RIGID;
use super::mesh_mass::{self, MeshMass, equivalent_box};
use crate::build;
use crate::grammar::near_name;
use crate::import::inertial::Inertial;
use crate::import::mechanism::{LinkPart, LinkVisual};
use crate::model::{
    BoxShape, Combine, EllipsoidShape, Material, MeshShape, PlaneShape, RoundShape, RoundedShape, Shape,
    SphereShape,
};

/// Density of a geom that says neither mass nor density, kg/m³.
const DEFAULT_DENSITY: f64 = 1000.0;

/// Geoms of higher groups are not shown.
const LAST_SHOWN_GROUP: f64 = 2.0;

/// A geom understood.
pub(super) struct Geom {
    pub(super) part: LinkPart,
    /// `None` if it is in a group that is not shown.
    pub(super) visual: Option<LinkVisual>,
    /// In the frame of the body; `None` for a plane, or a geom that weighs nothing.
    pub(super) inertial: Option<Inertial>,
    pub(super) material: Material,
    /// Bits it has, bits it looks for.
    pub(super) filter: [u32; 2],
}

/// A geom in its own frame.
struct GeomSolid {
    shape: Shape,
    /// Frame of the shape in that frame.
    frame: ReferenceFrame,
    /// How it gets its mass, if it is a mesh.
    rule: MeshMass,
}

impl GeomSolid {
    fn of(shape: Shape) -> Self {
        Self { shape, frame: ReferenceFrame::IDENTITY, rule: MeshMass::Exact }
    }
}

impl Model<'_, '_> {
    /// A geom, unless it is of a kind that is not simulated. `frame` is that of what is around it, in the body.
    /// Its mass is found only where it `weighs`: a geom that only shows what a body looks like may be a mere sheet.
    pub(super) fn geom(&self, styled: &Styled<'_>, frame: &ReferenceFrame, weighs: bool) -> Option<Geom> {
        let (element, problems) = (styled.element, self.context.problems);
        element.imported();
        element.skip(&["name", "class", "user"]);
        element.without_counterpart(&["solref", "solimp", "solmix"], RIGID);
        // Within a gap contacts are listed, without a force.
        element.skip(&["gap"]);
        element.skip_where(&[("fluidshape", "none")]);
        let margin = styled.number("margin", problems).unwrap_or(0.0);
        let mut own = self.frame(styled);
        let mut size = styled.list("size", problems).unwrap_or_default();
        let kind =
            styled.text("type").unwrap_or(if styled.text("mesh").is_some() { "mesh" } else { "sphere" });
        if let Some(ends) = self.ends(styled) {
            let along = ends[0] - ends[1];
            let turn = orientation::between_directions(Vec3::Z, along.normalize_or_zero());
            own = ReferenceFrame::new((ends[0] + ends[1]) * 0.5, turn);
            let (radius, half) = (size.first().copied().unwrap_or(0.0), 0.5 * along.length());
            size = if ["box", "ellipsoid"].contains(&kind) {
                vec![radius, radius, half]
            } else {
                vec![radius, half]
            };
        }
        let solid = match styled.attribute("mesh") {
            Some(_) if kind != "mesh" => self.fitted(styled, kind)?,
            _ => self.solid(styled, kind, &size)?,
        };
        let place = element.place.clone();
        if !weighs {
            element.skip(&["mass", "density"]);
        }
        let mass = if weighs { self.mass_of(styled, &solid) } else { None };
        let inertial = mass.map(|mass| {
            let placed = mass.placed(&frame.compose(&own));
            Inertial {
                mass: placed.mass(),
                center: placed.center_of_mass(),
                tensor: placed.inertia(),
                place: place.clone(),
            }
        });
        let frame = frame.compose(&own).compose(&solid.frame);
        let visual = self.visual(styled, &solid.shape, &frame);
        let filter = self.filter(styled);
        let shape = if margin > 0.0 && filter != [0, 0] {
            inflated(&solid.shape, margin).unwrap_or_else(|| {
                element.approximated("its `margin` is not simulated: it is touched where its surface is");
                solid.shape.clone()
            })
        } else {
            solid.shape
        };
        let part = LinkPart { shape, frame, place };
        Some(Geom { part, visual, inertial, material: self.material(styled), filter })
    }

    /// A geom as it is shown: MuJoCo shows groups 0, 1 and 2 unless its user says otherwise.
    fn visual(&self, styled: &Styled<'_>, shape: &Shape, frame: &ReferenceFrame) -> Option<LinkVisual> {
        let problems = self.context.problems;
        let group = styled.number("group", problems).unwrap_or(0.0);
        if group > LAST_SHOWN_GROUP {
            styled.element.skip(&["rgba", "material"]);
            return None;
        }
        let shape = match shape {
            Shape::Mesh(mesh) => {
                let surface = Shape::Mesh(MeshShape { convex: false, ..mesh.clone() });
                self.context.drawable(surface, styled.element)?
            }
            Shape::Hull(_) => self.context.drawable(shape.clone(), styled.element)?,
            other => other.clone(),
        };
        let own = styled.array("rgba", problems).map(Color::from_shares);
        styled.element.skip(&["material"]);
        let color = own.or_else(|| self.assets.color(styled.text("material")?));
        Some(LinkVisual { shape, frame: *frame, color, place: styled.element.place.clone() })
    }

    /// The two ends of a `fromto`, if the element or its class gives one and the element no other place.
    fn ends(&self, styled: &Styled<'_>) -> Option<[Vec3; 2]> {
        let (way, attribute) = styled.first_of(&["fromto", "pos"])?;
        let [a, b, c, d, e, f] = attribute_if(way == "fromto", || attribute.array(self.context.problems))?;
        Some([Vec3::new(a, b, c), Vec3::new(d, e, f)])
    }

    fn solid(&self, styled: &Styled<'_>, kind: &str, size: &[f64]) -> Option<GeomSolid> {
        let half = |i: usize| self.half_size(styled, size, i);
        Some(GeomSolid::of(match kind {
            "plane" => Shape::Plane(PlaneShape { normal: [0.0, 0.0, 1.0], offset: 0.0 }),
            "sphere" => Shape::Sphere(SphereShape { radius: half(0)? }),
            "capsule" => Shape::Capsule(RoundShape { radius: half(0)?, length: 2.0 * half(1)? }),
            "cylinder" => Shape::Cylinder(RoundShape { radius: half(0)?, length: 2.0 * half(1)? }),
            "box" => Shape::Box(BoxShape { size: [2.0 * half(0)?, 2.0 * half(1)?, 2.0 * half(2)?] }),
            "ellipsoid" => Shape::Ellipsoid(EllipsoidShape { radii: [half(0)?, half(1)?, half(2)?] }),
            "mesh" => return self.mesh(styled),
            "hfield" | "sdf" => {
                styled.element.ignored(format!("geoms of type `{kind}` are not simulated"));
                return None;
            }
            _ => {
                let place = styled.attribute("type").map_or(&styled.element.place, |kind| &kind.place);
                let expected =
                    "expected `plane`, `sphere`, `capsule`, `ellipsoid`, `cylinder`, `box` or `mesh`";
                self.context.problems.add(place, format!("`{kind}` is no type of geom"), expected);
                return None;
            }
        }))
    }

    fn half_size(&self, styled: &Styled<'_>, size: &[f64], i: usize) -> Option<f64> {
        let value = size.get(i).copied().filter(|value| *value > 0.0);
        if value.is_none() {
            let place = styled.attribute("size").map_or(&styled.element.place, |size| &size.place);
            let message = format!(
                "{}: number {} of its size is missing or not above 0",
                styled.element.subject(),
                i + 1
            );
            self.context.problems.add(place, message, "expected half sizes in metres");
        }
        value
    }

    /// The primitive that MuJoCo fits to a mesh: of the size of the box that has the moments of the mesh.
    fn fitted(&self, styled: &Styled<'_>, kind: &str) -> Option<GeomSolid> {
        let mesh = self.mesh(styled)?;
        let problems = self.context.problems;
        let solid = match self.uniform_solid(&mesh) {
            Ok(solid) => solid,
            Err(problem) => {
                problems.add(&styled.element.place, format!("{}: {problem}", styled.element.subject()), "");
                return None;
            }
        };
        styled.element.skip(&["size"]);
        let (half, frame) = equivalent_box(&solid);
        let half = half * styled.number("fitscale", problems).unwrap_or(1.0);
        let round = 0.5 * (half.x + half.y);
        let size = match kind {
            "sphere" => [(half.x + half.y + half.z) / 3.0, 0.0, 0.0],
            "capsule" => [round, scalar::max(half.z - 0.5 * round, 0.0), 0.0],
            "cylinder" => [round, half.z, 0.0],
            _ => half.to_array(),
        };
        let fitted = self.solid(styled, kind, &size)?;
        Some(GeomSolid { frame: mesh.frame.compose(&frame), ..fitted })
    }

    fn mesh(&self, styled: &Styled<'_>) -> Option<GeomSolid> {
        let problems = self.context.problems;
        let Some(attribute) = styled.attribute("mesh") else {
            styled.element.missing("mesh", "the name of a mesh", problems);
            return None;
        };
        let Some((_, asset)) = self.assets.get(&attribute.value) else {
            let near = near_name(&attribute.value, self.assets.names());
            let expected = near.map_or_else(
                || "expected the name of a mesh".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            problems.add(&attribute.place, format!("there is no mesh named `{}`", attribute.value), expected);
            return None;
        };
        let Some(asset) = asset else {
            styled.element.ignored(format!("the mesh `{}` is not read", attribute.value));
            return None;
        };
        Some(GeomSolid { shape: asset.shape.clone(), frame: asset.frame, rule: asset.rule })
    }

    /// Mass of a geom in its own frame; from its volume where it says no mass.
    fn mass_of(&self, styled: &Styled<'_>, solid: &GeomSolid) -> Option<MassProperties> {
        let problems = self.context.problems;
        let group = styled.number("group", problems).unwrap_or(0.0);
        let [low, high] = self.compiler.inertia_groups;
        let mass = styled.number("mass", problems);
        let density = styled.number("density", problems).unwrap_or(DEFAULT_DENSITY);
        let weighs_nothing = mass.unwrap_or(density) == 0.0 || group < low || group > high;
        if matches!(solid.shape, Shape::Plane(_)) || weighs_nothing {
            return None;
        }
        let uniform = |solid: UniformSolid| match mass {
            Some(mass) => solid.with_mass(mass),
            None => solid.with_density(density),
        };
        let properties =
            self.uniform_solid(solid).and_then(|solid| uniform(solid).map_err(|error| error.to_string()));
        match properties {
            Ok(properties) => Some(properties.placed(&solid.frame)),
            Err(problem) => {
                problems.add(&styled.element.place, format!("{}: {problem}", styled.element.subject()), "");
                None
            }
        }
    }

    /// The matter of a shape; of a mesh by its rule, or what its hull encloses where the rule makes nothing of it.
    fn uniform_solid(&self, solid: &GeomSolid) -> Result<UniformSolid, String> {
        if let (Shape::Mesh(mesh), false) = (&solid.shape, solid.rule == MeshMass::Convex) {
            let surface = Shape::Mesh(MeshShape { convex: false, ..mesh.clone() });
            let matter = match build::engine_shape(&surface, self.context.files) {
                Ok(shape) if solid.rule == MeshMass::Exact => UniformSolid::from_shape(&shape).ok(),
                Ok(EngineShape::Mesh(mesh)) => {
                    mesh_mass::solid(mesh.vertices(), mesh.triangles(), solid.rule)
                }
                _ => None,
            };
            if let Some(matter) = matter {
                return Ok(matter);
            }
        }
        let shape = build::engine_shape(&solid.shape, self.context.files)?;
        UniformSolid::from_shape(&shape).map_err(|error| error.to_string())
    }

    /// Sliding, torsional and rolling friction, as far as the dimension of the contact has them.
    fn material(&self, styled: &Styled<'_>) -> Material {
        let problems = self.context.problems;
        let given = styled.list("friction", problems).unwrap_or_default();
        let value = |i: usize, default: f64| given.get(i).copied().unwrap_or(default);
        let dimension = styled.number("condim", problems).unwrap_or(3.0);
        Material {
            friction: Some(if dimension > 1.0 { value(0, 1.0) } else { 0.0 }),
            friction_rule: if styled.number("priority", problems).unwrap_or(0.0) > 0.0 {
                Combine::Own
            } else {
                Combine::Max
            },
            restitution: Some(0.0),
            torsional_friction: if dimension > 3.0 { value(1, 0.005) } else { 0.0 },
            rolling_friction: if dimension > 4.0 { value(2, 0.0001) } else { 0.0 },
            ..Material::default()
        }
    }

    fn filter(&self, styled: &Styled<'_>) -> [u32; 2] {
        ["contype", "conaffinity"].map(|name| {
            let bits = styled.number(name, self.context.problems).unwrap_or(1.0);
            if (0.0..=f64::from(u32::MAX)).contains(&bits) { bits as u32 } else { 1 }
        })
    }
}

fn attribute_if<T>(wanted: bool, read: impl FnOnce() -> Option<T>) -> Option<T> {
    if wanted { read() } else { None }
}

/// The shape of all points within a margin of a shape: MuJoCo keeps surfaces as far apart as the sum of their margins.
fn inflated(shape: &Shape, margin: f64) -> Option<Shape> {
    Some(match shape {
        Shape::Sphere(sphere) => Shape::Sphere(SphereShape { radius: sphere.radius + margin }),
        Shape::Capsule(capsule) => {
            Shape::Capsule(RoundShape { radius: capsule.radius + margin, length: capsule.length })
        }
        Shape::Plane(plane) => Shape::Plane(PlaneShape { offset: plane.offset + margin, ..plane.clone() }),
        Shape::Box(_) | Shape::Cylinder(_) | Shape::Hull(_) | Shape::Mesh(_) => {
            Shape::Rounded(RoundedShape { shape: Box::new(shape.clone()), radius: margin })
        }
        _ => return None,
    })
}
