//! Fields of a scene as fields of the engine.

use std::collections::BTreeMap;
use std::sync::Arc;

use msd::environment::{FieldHandle, World};
use msd::math::{Coordinate, Vec3};
use msd::physics::forces as engine;
use msd::physics::forces::{Attachment, FieldError, PrescribedMotion};
use msd::physics::rigid_body::{BodyHandle, BodyKind};

use crate::error::Finding;
use crate::model::{
    Drag, Field, Geopotential, MagneticDipole, PointGravity, Shadow, SolarPressure, ThirdBody, Thruster,
};
use crate::source::Path;

type Bodies = BTreeMap<String, BodyHandle>;
type Made = Result<Vec<Arc<dyn engine::Field>>, FieldError>;

pub(crate) fn add(
    given: &Field,
    at: &Path,
    world: &mut World,
    bodies: &Bodies,
) -> Result<Vec<FieldHandle>, Finding> {
    let refused = |problem: String| Finding::at(at, problem, "");
    let fields = make(given, world, bodies).map_err(|error| refused(error.to_string()))?;
    let added = fields.into_iter().map(|field| world.add_field(field));
    added.collect::<Result<_, _>>().map_err(|error| refused(error.to_string()))
}

fn make(given: &Field, world: &World, bodies: &Bodies) -> Made {
    let named: Option<Vec<BodyHandle>> =
        given.bodies().map(|names| names.iter().map(|name| bodies[name]).collect());
    // Every field that can be limited to some bodies has the same method for it, but no trait for it.
    macro_rules! limited {
        ($field:expr) => {{
            let field = $field;
            one(match &named {
                Some(handles) => field.acting_on(handles),
                None => field,
            })
        }};
    }
    match given {
        Field::UniformGravity(field) => limited!(engine::UniformGravity::new(field.acceleration.into())?),
        Field::PointGravity(field) => limited!(point_gravity(field)?),
        Field::GravityGradient(field) => {
            limited!(engine::GravityGradient::new(field.mu, field.center.into())?)
        }
        Field::Drag(field) => limited!(drag(field)?),
        Field::MagneticDipole(field) => limited!(magnetic_dipole(field)?),
        Field::ThirdBody(field) => {
            limited!(engine::ThirdBody::new(field.mu, field.center.into(), motion(field))?)
        }
        Field::Tidal(field) => {
            limited!(engine::ThirdBody::tidal(field.mu, field.center.into(), motion(field))?)
        }
        Field::Spring(spring) => {
            let ends =
                SpringEnds::new(world, bodies, [&spring.a, &spring.b], [spring.anchor_a, spring.anchor_b]);
            ends.spring(spring.stiffness, spring.damping, spring.length)
        }
        Field::Damper(damper) => {
            let ends =
                SpringEnds::new(world, bodies, [&damper.a, &damper.b], [damper.anchor_a, damper.anchor_b]);
            one(engine::Damper::new(ends.a, ends.b, damper.damping)?)
        }
        Field::Geopotential(field) => limited!(geopotential(field)?),
        Field::SolarPressure(field) => limited!(solar_pressure(field)?),
        Field::RotatingFrame(field) => {
            let frame = engine::RotatingFrame::new(field.center.into(), field.angular_velocity.into())?
                .with_angular_acceleration(field.angular_acceleration.into())?;
            Ok(match &named {
                Some(handles) => frame.acting_on(handles).fields(),
                None => frame.fields(),
            })
        }
        Field::Thruster(given) => thruster(given, bodies[&given.body]),
    }
}

fn one(field: impl engine::Field + 'static) -> Made {
    Ok(vec![Arc::new(field)])
}

fn point_gravity(given: &PointGravity) -> Result<engine::PointGravity, FieldError> {
    let mut field = engine::PointGravity::new(given.mu, given.center.into())?;
    if let (Some(radius), Some(j2)) = (given.radius, given.j2) {
        field = field.with_oblateness(radius, j2)?;
    }
    Ok(if given.gradient_torque { field.with_gravity_gradient() } else { field })
}

fn drag(given: &Drag) -> Result<engine::Drag, FieldError> {
    let density = given.density;
    let atmosphere = match (given.scale_height, given.radius) {
        (None, _) => engine::Atmosphere::Uniform { density },
        (Some(scale_height), None) => engine::Atmosphere::Flat { density, scale_height },
        (Some(scale_height), Some(radius)) => {
            engine::Atmosphere::Spherical { density, scale_height, center: given.center.into(), radius }
        }
    };
    let mut field = engine::Drag::new(atmosphere)?
        .with_wind(given.wind.into())?
        .corotating_with_planet(given.turn_rate)?;
    if let Some(area) = given.drag_area {
        field = field.with_drag_area(area)?;
    }
    Ok(field)
}

fn magnetic_dipole(given: &MagneticDipole) -> Result<engine::MagneticDipole, FieldError> {
    let source = match (given.flux_density, given.source_moment) {
        (_, Some(moment)) => {
            engine::MagneticSource::Dipole { center: given.center.into(), moment: moment.into() }
        }
        (flux_density, None) => engine::MagneticSource::Uniform(flux_density.unwrap_or_default().into()),
    };
    let field = engine::MagneticDipole::new(source)?;
    match given.moment {
        Some(moment) => field.with_moment(moment.into()),
        None => Ok(field),
    }
}

fn motion(given: &ThirdBody) -> PrescribedMotion {
    let (center, position) = (Vec3::from(given.center), Vec3::from(given.position));
    match Vec3::from(given.angular_velocity) {
        Vec3::ZERO => PrescribedMotion::Fixed(position),
        angular_velocity => PrescribedMotion::Circular { center, arm: position - center, angular_velocity },
    }
}

fn geopotential(given: &Geopotential) -> Result<engine::Geopotential, FieldError> {
    let none = engine::HarmonicCoefficients::new();
    let coefficients = given.harmonics.iter().try_fold(none, |coefficients, harmonic| {
        let (degree, order) = (harmonic.degree as usize, harmonic.order as usize);
        if given.normalized {
            coefficients.with_normalized(degree, order, harmonic.c, harmonic.s)
        } else {
            coefficients.with(degree, order, harmonic.c, harmonic.s)
        }
    })?;
    engine::Geopotential::new(given.mu, given.radius, given.center.into(), coefficients)?
        .rotating(given.angle, given.turn_rate)
}

fn solar_pressure(given: &SolarPressure) -> Result<engine::SolarPressure, FieldError> {
    let sun = PrescribedMotion::Fixed(given.sun.into());
    let field = engine::SolarPressure::on_cannonball(sun, given.area, given.coefficient)?;
    match given.shadow {
        Some(Shadow { center, radius, sun_radius }) => {
            field.with_shadow(engine::Shadow { center: center.into(), radius, sun_radius })
        }
        None => Ok(field),
    }
}

fn thruster(given: &Thruster, body: BodyHandle) -> Made {
    let (position, direction) = (given.position.into(), Vec3::from(given.direction).normalize_or_zero());
    let thruster = match (given.mass_flow, given.exhaust_velocity) {
        (Some(flow), Some(velocity)) => engine::Thruster::rocket(body, position, direction, flow, velocity)?,
        _ => engine::Thruster::new(body, position, direction, given.thrust.unwrap_or(0.0))?,
    };
    one(thruster.firing(given.from, given.until)?)
}

/// The two ends of a spring or damper.
struct SpringEnds {
    a: Attachment,
    b: Attachment,
    length: f64,
    /// True if an end is on a kinematic body.
    driven: bool,
}

impl SpringEnds {
    fn new(world: &World, bodies: &Bodies, names: [&str; 2], anchors: [[f64; 3]; 2]) -> Self {
        let [from, to] = anchors.map(Vec3::from);
        let driven = names
            .iter()
            .filter_map(|name| bodies.get(*name))
            .any(|handle| world.body(*handle).is_ok_and(|view| view.body.kind == BodyKind::Kinematic));
        let [a, b] = [(names[0], from), (names[1], to)].map(|(name, at)| attachment(world, bodies, name, at));
        Self { a, b, length: (to - from).length(), driven }
    }

    /// A spring, with a parallel damper if it damps; its rest length is the placed distance unless `length`
    /// is given.
    fn spring(&self, stiffness: f64, damping: f64, length: Option<f64>) -> Made {
        let mut spring = engine::Spring::new(self.a, self.b, stiffness, length.unwrap_or(self.length))?;
        if self.driven {
            spring = spring.driven();
        }
        let mut fields: Vec<Arc<dyn engine::Field>> = vec![Arc::new(spring)];
        if damping > 0.0 {
            fields.push(Arc::new(engine::Damper::new(self.a, self.b, damping)?));
        }
        Ok(fields)
    }
}

/// A world point fixed to the body of that name, or to the world.
fn attachment(world: &World, bodies: &Bodies, name: &str, at: Coordinate) -> Attachment {
    let body = bodies.get(name).and_then(|handle| Some((*handle, world.frame(*handle).ok()?)));
    match body {
        Some((handle, frame)) => Attachment::Body(handle, frame.point_to_local(at)),
        None => Attachment::World(at),
    }
}
