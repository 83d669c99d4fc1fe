//! The motions whose end is known in closed form.

use std::sync::Arc;
use std::time::Instant;

use msd::math::{Mat3, Quat, Vec3, orientation, scalar};
use msd::physics::forces::{Attachment, Field, PointGravity, Spring};
use msd::physics::integration::{System, by_name};
use msd::physics::rigid_body::{BodyHandle, Inertia, InertialState, RigidBody};

type Failure = Box<dyn std::error::Error>;

/// Methods with a fixed order, in the order of the legend.
pub(crate) const METHODS: [&str; 5] =
    ["semi-implicit-euler", "implicit-euler", "velocity-verlet", "implicit-midpoint", "rk4"];

/// One motion of one body.
pub(crate) struct Case {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// Unit of the error.
    pub(crate) unit: &'static str,
    pub(crate) duration: f64,
    /// Numbers of steps tried.
    pub(crate) steps: Vec<usize>,
    pub(crate) inertia: Inertia,
    pub(crate) start: InertialState,
    pub(crate) fields: Vec<Arc<dyn Field>>,
    error: fn(&InertialState) -> f64,
}

/// Errors of one method: (dt, error).
pub(crate) struct Series {
    pub(crate) method: &'static str,
    pub(crate) points: Vec<(f64, f64)>,
}

impl Case {
    pub(crate) fn run(&self) -> Result<Vec<Series>, Failure> {
        METHODS
            .into_iter()
            .map(|method| {
                let points = self.steps.iter().map(|&steps| {
                    let (error, _) = self.error_after(method, None, steps)?;
                    Ok::<_, Failure>((self.duration / steps as f64, error))
                });
                Ok(Series { method, points: points.collect::<Result<_, _>>()? })
            })
            .collect()
    }

    /// Error at the end and seconds of computing.
    pub(crate) fn error_after(
        &self,
        method: &str,
        tolerance: Option<f64>,
        steps: usize,
    ) -> Result<(f64, f64), Failure> {
        let mut integrator = by_name(method, tolerance)?;
        let bodies = [RigidBody::new("body", self.inertia)];
        let (mut inertias, mut states) = ([self.inertia], [self.start]);
        let dt = self.duration / steps as f64;
        let clock = Instant::now();
        for step in 0..steps {
            let time = step as f64 * dt;
            let before = states;
            let mut system = System::new(&bodies, &mut inertias, &before, &self.fields, &[], time, dt)?;
            integrator.step(&mut system, &mut states, time, dt)?;
        }
        let seconds = clock.elapsed().as_secs_f64();
        Ok(((self.error)(&states[0]), seconds))
    }
}

/// All of them.
pub(crate) fn all() -> Result<Vec<Case>, Failure> {
    Ok(vec![tumbling()?, racket()?, orbit()?, spring()?])
}

/// Error and time of the methods that follow a tolerance or a closed form, on the tumbling body, in one step of 100 s.
pub(crate) fn tolerances() -> Result<Vec<(String, f64, f64)>, Failure> {
    let case = tumbling()?;
    let mut rows = Vec::new();
    for tolerance in [1e-6, 1e-8, 1e-10, 1e-12, 1e-14] {
        let (error, mut seconds) = case.error_after("adaptive", Some(tolerance), 1)?;
        // The least of some runs is the one closest to undisturbed.
        for _ in 0..50 {
            seconds = scalar::min(seconds, case.error_after("adaptive", Some(tolerance), 1)?.1);
        }
        rows.push((format!("`adaptive`, tolerance {tolerance:e}"), error, seconds));
    }
    // The first call pays for the buffers.
    let runs = 1000;
    let (error, _) = case.error_after("exact-free", None, 1)?;
    let clock = Instant::now();
    for _ in 0..runs {
        let mut state = case.start;
        msd::physics::integration::rotate_torque_free_exact(&case.inertia, &mut state, case.duration);
        std::hint::black_box(state);
    }
    rows.push(("`exact-free`".to_owned(), error, clock.elapsed().as_secs_f64() / f64::from(runs)));
    Ok(rows)
}

fn diagonal(mass: f64, moments: [f64; 3]) -> Result<Inertia, Failure> {
    Ok(Inertia::new(mass, Mat3::from_diagonal(Vec3::from_array(moments)))?)
}

fn turning(omega: Vec3) -> InertialState {
    InertialState { angular_velocity: omega, ..InertialState::AT_REST }
}

fn angle_to(state: &InertialState, expected: [f64; 4]) -> f64 {
    let expected: Quat = orientation::from_wxyz(expected);
    orientation::angle_between(state.orientation, expected)
}

/// `torque_free_triaxial` of the reference cases.
fn tumbling() -> Result<Case, Failure> {
    Ok(Case {
        id: "free-triaxial-body",
        title: "Free triaxial body, 100 s",
        unit: "rad",
        duration: 100.0,
        steps: vec![250, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000],
        inertia: diagonal(100.0, [500.0, 200.0, 300.0])?,
        start: turning(Vec3::new(0.5, -0.4, 0.7)),
        fields: Vec::new(),
        error: |state| {
            angle_to(
                state,
                [0.5974753088802199, -0.6926074650118645, -0.4032542245479642, -0.02653648568564936],
            )
        },
    })
}

/// `intermediate_axis_flip` of the reference cases.
fn racket() -> Result<Case, Failure> {
    Ok(Case {
        id: "intermediate-axis-flip",
        title: "Flip about the intermediate axis, 10 s",
        unit: "rad",
        duration: 10.0,
        steps: vec![50, 100, 200, 500, 1000, 2000, 5000, 10_000],
        inertia: diagonal(1.0, [1.0, 2.0, 3.0])?,
        start: turning(Vec3::new(0.01, 2.0, 0.01)),
        fields: Vec::new(),
        error: |state| {
            angle_to(
                state,
                [0.012931118997556819, -0.998548307446118, 0.006665672431725793, 0.051861668590557984],
            )
        },
    })
}

/// `nesc_orbit02_iss_kepler` of the reference cases.
fn orbit() -> Result<Case, Failure> {
    let start = InertialState {
        center_of_mass: Vec3::new(-4292653.41, 955168.47, 5139356.57),
        velocity: Vec3::new(109.649663, -7527.72649, 1484.521489),
        ..InertialState::AT_REST
    };
    Ok(Case {
        id: "kepler-orbit",
        title: "Kepler orbit, 2 880 s (half a revolution)",
        unit: "m",
        duration: 2880.0,
        steps: vec![200, 500, 1000, 2000, 5000, 10_000, 20_000],
        inertia: diagonal(1000.0, [1000.0; 3])?,
        start,
        fields: vec![Arc::new(PointGravity::new(3.986_004_415e14, Vec3::ZERO)?)],
        error: |state| {
            let expected = Vec3::new(4235591.179564283, -63705.639802574304, -5260276.322016008);
            (state.center_of_mass - expected).length()
        },
    })
}

/// `spring_mass` of the reference cases.
fn spring() -> Result<Case, Failure> {
    let ends = (Attachment::World(-Vec3::X), Attachment::Body(BodyHandle::new(0, 0, 0), Vec3::ZERO));
    let start =
        InertialState { center_of_mass: Vec3::X * 0.1, velocity: Vec3::X * 0.3, ..InertialState::AT_REST };
    Ok(Case {
        id: "spring",
        title: "Mass on a spring, 10 s (eight periods)",
        unit: "m",
        duration: 10.0,
        steps: vec![100, 200, 500, 1000, 2000, 5000, 10_000, 20_000],
        inertia: diagonal(2.0, [1.0; 3])?,
        start,
        fields: vec![Arc::new(Spring::new(ends.0, ends.1, 50.0, 1.0)?)],
        error: |state| {
            scalar::hypot(
                state.center_of_mass.x - 0.0807541116269756,
                (state.velocity.x - 0.4206772353995984) / 5.0,
            )
        },
    })
}
