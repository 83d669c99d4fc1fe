//! The JSON header: everything that does not change during a run.

use msd::environment::World;
use msd::math::ReferenceFrame;
use msd::physics::rigid_body::{BodyKind, Inertia};
use msd::tolerance;
use msd_recording::Recording;
use msd_scene::Scene;
use serde::Serialize;

use crate::ViewError;
use crate::drives::{ViewedDrive, drives_of, unit_of};
use crate::figures::COLUMNS;
use crate::planets::{Planet, planets_of};
use crate::shapes::{Collector, Geometry, PlacedGeometry, geometry_of};

/// A body as the page knows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ViewedBody {
    /// Unique.
    pub name: String,
    /// `dynamic`, `static`, `kinematic` or `graphical`.
    pub kind: &'static str,
    /// kg; `null` if it has none.
    pub mass: Option<f64>,
    /// Centre of mass in the body frame, m.
    pub center_of_mass: [f64; 3],
    /// About the centre of mass, body frame, kg·m²: xx, yy, zz, xy, xz, yz.
    pub inertia: [f64; 6],
    /// Pose of the body frame at the start: x, y, z, then the quaternion x, y, z, w.
    pub pose: [f64; 7],
    /// Its collision geometry.
    pub shapes: Vec<PlacedGeometry>,
    /// Drawn instead, if there is any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub visuals: Vec<PlacedGeometry>,
    /// `#rrggbb` or `#rrggbbaa`, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
}

/// A joint as the page knows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ViewedJoint {
    /// Unique.
    pub name: String,
    /// As scenes say it.
    pub kind: String,
    /// First body; `null` is the world.
    pub a: Option<usize>,
    /// Second body; `null` is the world.
    pub b: Option<usize>,
    /// Unit of its position, `rad` or `m`; `null` if it has no axis.
    pub unit: Option<&'static str>,
    /// The joint whose axis it acts along, if it is an actuator or a spring.
    pub along: Option<usize>,
}

/// The certified figures and their limits, row by row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limits {
    contact: f64,
    impact: f64,
    geometry: f64,
    displacement: f64,
    joints: f64,
    energy: f64,
}

/// Everything that does not change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Header {
    /// Version of the header and the messages.
    pub format: u32,
    /// Version of the program.
    pub version: &'static str,
    /// Name of the scene or file.
    pub name: String,
    /// True if the run can be paused, reset and pulled at.
    pub live: bool,
    /// s.
    pub duration: f64,
    /// Step, s.
    pub dt: f64,
    /// m/s².
    pub gravity: [f64; 3],
    /// Name of the integrator.
    pub integrator: String,
    /// Simulated seconds per second at the start.
    pub speed: f64,
    /// Bodies in the order of all numbers.
    pub bodies: Vec<ViewedBody>,
    /// Numbers of the bodies that have poses in frames.
    pub moving: Vec<usize>,
    /// Geometries.
    pub geometries: Vec<Geometry>,
    /// Joints.
    pub joints: Vec<ViewedJoint>,
    /// Controls that a page can set in a live run.
    pub drives: Vec<ViewedDrive>,
    /// Centres of gravity.
    pub planets: Vec<Planet>,
    /// Columns of the figures.
    pub columns: [&'static str; COLUMNS.len()],
    /// Limits of the certificate.
    pub limits: Limits,
}

/// Shortest and longest duration of a run on the page, s, unless the user selects a speed.
const PLEASANT: (f64, f64) = (2.0, 40.0);

/// A power of two at which a run of `duration` seconds can be watched: 1 for most, slower for a blink, faster for orbits.
#[must_use]
pub fn default_speed(duration: f64) -> f64 {
    let mut speed = 1.0;
    while duration / speed < PLEASANT.0 && speed > 1.0 / 64.0 {
        speed *= 0.5;
    }
    while duration / speed > PLEASANT.1 && speed < 65_536.0 {
        speed *= 2.0;
    }
    speed
}

impl Header {
    /// The header of a world that will run.
    ///
    /// # Errors
    /// If a shape cannot be drawn.
    pub fn of_world(
        world: &World,
        name: &str,
        duration: f64,
        scene: Option<&Scene>,
    ) -> Result<Self, ViewError> {
        let mut shapes = Collector::default();
        let handles: Vec<_> = world.handles().collect();
        let number = |handle| handles.iter().position(|known| *known == handle);
        let mut bodies = Vec::with_capacity(handles.len());
        for handle in &handles {
            let Ok(view) = world.body(*handle) else { continue };
            let mut placed = Vec::new();
            if let Some(shape) = &view.body.shape {
                shapes
                    .add_shape(shape, ReferenceFrame::IDENTITY, &mut placed)
                    .map_err(|reason| ViewError::Shape { body: view.body.name.clone(), reason })?;
            }
            let appearance = view.body.appearance.as_deref();
            let mut visuals = Vec::new();
            for visual in appearance.map_or(&[][..], |appearance| &appearance.visuals) {
                shapes
                    .add_visual(visual, &mut visuals)
                    .map_err(|reason| ViewError::Shape { body: view.body.name.clone(), reason })?;
            }
            bodies.push(ViewedBody {
                name: view.body.name.clone(),
                kind: kind_name(view.body.kind),
                mass: Some(view.mass()).filter(|mass| mass.is_finite()),
                center_of_mass: view.body.center_of_mass_local.to_array(),
                inertia: upper_triangle(view.inertia),
                pose: pose_of(&view.body.frame(view.state)),
                shapes: placed,
                visuals,
                color: appearance.and_then(|appearance| appearance.color).map(|color| color.to_string()),
            });
        }
        let joint_handles: Vec<_> = world.joints().map(|(handle, ..)| handle).collect();
        let joint_number = |handle| joint_handles.iter().position(|known| *known == handle);
        let joints = world
            .joints()
            .map(|(_, name, joint)| {
                let [a, b] = joint.bodies().map(|body| body.and_then(number));
                let along = joint.along().and_then(joint_number);
                let (name, kind) = (name.to_owned(), joint.type_name().to_owned());
                ViewedJoint { name, kind, a, b, unit: unit_of(joint.as_ref()), along }
            })
            .collect();
        let moving = moving(&bodies);
        Ok(Self {
            live: true,
            drives: drives_of(world).into_iter().map(|(_, viewed)| viewed).collect(),
            gravity: world.gravity().to_array(),
            integrator: world.integrator().name().to_owned(),
            planets: scene.map_or_else(Vec::new, |scene| planets_of(&scene.field)),
            dt: world.dt(),
            ..Self::new(name, duration, bodies, moving, shapes.geometries, joints)
        })
    }

    /// The header of a recording.
    ///
    /// # Errors
    /// If its geometry is damaged or cannot be drawn.
    pub fn of_recording(recording: &Recording, scene: Option<&Scene>) -> Result<Self, ViewError> {
        let mut shapes = Collector::default();
        let mut bodies = Vec::with_capacity(recording.bodies().len());
        for body in recording.bodies() {
            let refused = |reason: String| ViewError::Shape { body: body.name.clone(), reason };
            let mut placed = Vec::new();
            for (frame, number) in &body.shapes {
                let geometry = geometry_of(&recording.geometry(*number)?).map_err(refused)?;
                placed.push(shapes.place(geometry, frame)?);
            }
            let mut visuals = Vec::new();
            for visual in &body.appearance.visuals {
                let geometry = geometry_of(&recording.geometry(visual.geometry)?).map_err(refused)?;
                let color = visual.color.map(|color| color.to_string());
                visuals.push(PlacedGeometry { color, ..shapes.place(geometry, &visual.frame)? });
            }
            bodies.push(ViewedBody {
                name: body.name.clone(),
                kind: kind_name(body.kind),
                mass: Some(body.mass).filter(|mass| mass.is_finite()),
                center_of_mass: body.center_of_mass_local.to_array(),
                inertia: body.inertia_body.map(|moment| if moment.is_finite() { moment } else { 0.0 }),
                pose: pose_of(&body.frame(&body.initial)),
                shapes: placed,
                visuals,
                // Recordings of earlier versions have colours in their scene only.
                color: body
                    .appearance
                    .color
                    .map_or_else(|| color_of(scene, &body.name), |color| Some(color.to_string())),
            });
        }
        let joints = recording
            .joints()
            .iter()
            .map(|joint| ViewedJoint {
                name: joint.name.clone(),
                kind: joint.kind.clone(),
                a: joint.a,
                b: joint.b,
                unit: None,
                along: None,
            })
            .collect();
        let (first, last) = recording.span();
        let name =
            recording.path().file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let moving = moving(&bodies);
        let property = |name: &str| recording.property(name).cloned().unwrap_or_default();
        let gravity: [f64; 3] = serde_json::from_value(property("gravity")).unwrap_or_default();
        let integrator = property("integrator").as_str().unwrap_or_default().to_owned();
        let dt = property("dt").as_f64().unwrap_or_default();
        Ok(Self {
            gravity,
            integrator,
            dt,
            planets: scene.map_or_else(Vec::new, |scene| planets_of(&scene.field)),
            ..Self::new(&name, last - first, bodies, moving, shapes.geometries, joints)
        })
    }

    fn new(
        name: &str,
        duration: f64,
        bodies: Vec<ViewedBody>,
        moving: Vec<usize>,
        geometries: Vec<Geometry>,
        joints: Vec<ViewedJoint>,
    ) -> Self {
        Self {
            format: 1,
            version: env!("CARGO_PKG_VERSION"),
            name: name.to_owned(),
            live: false,
            duration,
            dt: 0.0,
            gravity: [0.0; 3],
            integrator: String::new(),
            speed: default_speed(duration),
            bodies,
            moving,
            geometries,
            joints,
            drives: Vec::new(),
            planets: Vec::new(),
            columns: COLUMNS,
            limits: Limits {
                contact: tolerance::CONTACT_CERTIFIED,
                impact: tolerance::RESTITUTION_CERTIFIED,
                geometry: tolerance::OVERLAP_CERTIFIED,
                displacement: tolerance::OVERLAP_CERTIFIED,
                joints: tolerance::JOINT_CERTIFIED,
                energy: tolerance::ENERGY_CERTIFIED,
            },
        }
    }
}

/// The colour that a scene gives a body.
fn color_of(scene: Option<&Scene>, name: &str) -> Option<String> {
    scene?.body.iter().find(|body| body.name == name)?.color.clone()
}

fn moving(bodies: &[ViewedBody]) -> Vec<usize> {
    (0..bodies.len()).filter(|i| bodies[*i].kind != "static").collect()
}

fn kind_name(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Dynamic => "dynamic",
        BodyKind::Static => "static",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Graphical => "graphical",
    }
}

fn pose_of(frame: &ReferenceFrame) -> [f64; 7] {
    let (p, q) = (frame.position, frame.orientation);
    [p.x, p.y, p.z, q.x, q.y, q.z, q.w]
}

fn upper_triangle(inertia: &Inertia) -> [f64; 6] {
    let m = inertia.tensor_body();
    let all = [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.y_axis.x, m.z_axis.x, m.z_axis.y];
    all.map(|moment| if moment.is_finite() { moment } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_planets_of_a_scene_reach_the_page() {
        let text = r##"
            format = 1
            [[body]]
            name = "craft"
            shape = { sphere = { radius = 1.0 } }
            mass = 1.0
            position = [7e6, 0, 0]
            color = "#12ab34"
            [[field]]
            type = "point-gravity"
            mu = 3.986e14
        "##;
        let scene = Scene::parse_str("orbit.toml", text, msd_scene::source::Format::Toml).unwrap();
        let built = scene.build().unwrap();
        let header = Header::of_world(built.engine.world(), "orbit", 1.0, Some(&scene)).unwrap();
        assert_eq!(header.bodies[0].color.as_deref(), Some("#12ab34"));
        assert_eq!((header.planets[0].name, header.planets[0].radius), ("Earth", 6.371e6));
        let bad = text.replace("#12ab34", "blue");
        let refused = Scene::parse_str("orbit.toml", &bad, msd_scene::source::Format::Toml).unwrap_err();
        assert!(refused.to_string().contains("is no colour"), "{refused}");
    }

    #[test]
    fn runs_are_watched_at_a_speed_that_lets_them_be_seen() {
        assert_eq!(default_speed(10.0), 1.0);
        assert_eq!(default_speed(0.8), 0.25);
        assert_eq!(default_speed(7121.0), 256.0);
        assert_eq!(default_speed(0.0), 1.0 / 64.0);
    }
}
