//! Rigid-body dynamics in double precision: bodies, joints, contact with friction, impacts and fields, each step checked after it was
//! computed.
//!
//! ```
//! use msd::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = World::new(); // gravity (0, 0, -9.81) m/s²; z is up, SI units
//! world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0)?))?;
//! let ball = BodyDescription::dynamic("ball", Sphere::new(0.1)?).mass(1.0).restitution(0.8);
//! let ball = world.add_body(ball.position(Vec3::Z * 1.1))?;
//! let door = BodyDescription::dynamic("door", Cuboid::new(Vec3::new(1.0, 0.05, 2.0))?).mass(20.0);
//! let door = world.add_body(door.position(Vec3::new(3.0, 0.0, 1.1)))?;
//! let hinge = world.add_hinge_joint("hinge", Ground, door, Vec3::new(2.5, 0.0, 1.1), Vec3::Z)?;
//!
//! let run = world.run(1.0)?; // met exactly, in steps of `World::dt`
//! println!("ball at {:?}", world.frame(ball)?.position);
//! println!("hinge carries {:?} N", world.reaction(hinge)?.force);
//! println!("energy off by {:.1e} J after {} steps", world.energy().error(), run.steps);
//! assert!(world.energy().error().abs() < 1e-9);
//! # Ok(())
//! # }
//! ```
//!
//! # Where things are
//!
//! | to | look at |
//! |---|---|
//! | own bodies, joints, fields and time | [`environment::World`]; [`prelude`] imports what programs need |
//! | describe a body | [`environment::BodyDescription`], shapes in [`physics::rigid_body::shape`] |
//! | joints, limits, motors, actuators | [`physics::constraints`]; `World::add_hinge_joint` and friends |
//! | gravity, orbits, drag, magnetism, springs | [`physics::forces`] |
//! | choose an integrator | [`physics::integration`] |
//! | contact tiers, materials, events | [`environment::ContactSettings`], [`environment::ContactView`] |
//! | rays, overlaps, shape casts | [`environment::QueryFilter`] and the queries of `World` |
//! | controllers, recording | [`agent`], [`engine::Engine`] |
//! | what is checked in every step | [`certificate`] |
//! | supported ranges, tolerances | [`tolerance`] |
//!
//! Modules import only from those listed before them: [`math`], [`physics`], [`environment`], [`agent`], [`engine`]. The crate does no I/O,
//! reads no clock and holds no global state that reaches a result. The guides and four tutorials (physics, spacecraft, robots, games) are in
//! the folder `docs` of the source.

pub mod agent;
pub mod certificate;
pub mod digest;
pub mod engine;
pub mod environment;
pub mod math;
pub mod physics;
pub mod prelude;
pub mod threads;
pub mod tolerance;

/// The program on the front page of the package.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;

/// The page for users of other engines, whose program is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/migration.md")]
struct MigrationPage;

/// The tutorials, whose programs are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorials/physics.md")]
struct TutorialPhysics;
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorials/spacecraft.md")]
struct TutorialSpacecraft;
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorials/robots.md")]
struct TutorialRobots;
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorials/games.md")]
struct TutorialGames;
