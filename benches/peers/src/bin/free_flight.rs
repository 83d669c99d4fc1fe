//! Time of a step of 1 000 free tumbling bodies under gravity, beside rapier3d-f64.
//!
//! `cargo run --release --bin free_flight` in `benches/peers` prints the table of `benches/results/free_flight.md`. Boxes of
//! 1 × 2 × 3 m without collision, dt 1 ms, one thread, the engines taking turns; the least time of a turn is the one closest to
//! undisturbed. msd takes whole steps of a world, energy ledger included. Rapier runs its whole pipeline with its default integration and no colliders.

use std::hint::black_box;
use std::time::Instant;

use msd::environment::{BodyDescription, World};
use msd::math::{Mat3, Vec3};
use msd::physics::integration::{INTEGRATOR_NAMES, by_name};
use rapier3d_f64::prelude as rapier;

const BODIES: usize = 1000;
const STEPS: usize = 100;
const TURNS: usize = 15;
const DT: f64 = 1e-3;
const MOMENTS: [f64; 3] = [13.0 / 12.0, 10.0 / 12.0, 5.0 / 12.0];

fn main() {
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Rapier::new())];
    engines.extend(INTEGRATOR_NAMES.map(|name| Box::new(Ours::new(name)) as Box<dyn Engine>));
    let mut best = vec![f64::INFINITY; engines.len()];
    for _ in 0..TURNS {
        for (engine, best) in engines.iter_mut().zip(&mut best) {
            let clock = Instant::now();
            for _ in 0..STEPS {
                engine.step();
            }
            *best = best.min(clock.elapsed().as_secs_f64());
        }
    }
    println!("| engine | ns per body and step |\n|---|---|");
    for (engine, best) in engines.iter().zip(best) {
        println!("| {} | {:.0} |", engine.name(), best * 1e9 / (BODIES * STEPS) as f64);
    }
}

trait Engine {
    fn name(&self) -> String;
    fn step(&mut self);
}

fn spin(index: usize) -> [f64; 3] {
    let i = index as f64;
    [0.3 + 0.001 * i, 2.0 - 0.002 * i, 0.1 + 0.0005 * i]
}

struct Ours {
    world: World,
}

impl Ours {
    fn new(name: &str) -> Self {
        let mut world = World::new();
        world.set_integrator(by_name(name, None).expect("a known name"));
        let tensor = Mat3::from_diagonal(Vec3::from_array(MOMENTS));
        for i in 0..BODIES {
            let body = BodyDescription::without_shape(&format!("body-{i}"), 1.0, tensor);
            world.add_body(body.angular_velocity(Vec3::from_array(spin(i)))).expect("a body");
        }
        Self { world }
    }
}

impl Engine for Ours {
    fn name(&self) -> String {
        format!("msd, `{}`", self.world.integrator().name())
    }

    fn step(&mut self) {
        black_box(self.world.step(DT).expect("a step"));
    }
}

struct Rapier {
    pipeline: rapier::PhysicsPipeline,
    parameters: rapier::IntegrationParameters,
    islands: rapier::IslandManager,
    broad_phase: rapier::DefaultBroadPhase,
    narrow_phase: rapier::NarrowPhase,
    bodies: rapier::RigidBodySet,
    colliders: rapier::ColliderSet,
    impulse_joints: rapier::ImpulseJointSet,
    multibody_joints: rapier::MultibodyJointSet,
    soft_bodies: rapier::SoftBodySet,
    ccd: rapier::CCDSolver,
}

impl Rapier {
    fn new() -> Self {
        let mut bodies = rapier::RigidBodySet::new();
        for i in 0..BODIES {
            let [x, y, z] = spin(i);
            let [a, b, c] = MOMENTS;
            let mass = rapier::MassProperties::new(rapier::Vector::ZERO, 1.0, rapier::Vector::new(a, b, c));
            bodies.insert(
                rapier::RigidBodyBuilder::dynamic()
                    .additional_mass_properties(mass)
                    .angvel(rapier::Vector::new(x, y, z))
                    .can_sleep(false),
            );
        }
        let parameters = rapier::IntegrationParameters { dt: DT, ..Default::default() };
        Self {
            pipeline: rapier::PhysicsPipeline::new(),
            parameters,
            islands: rapier::IslandManager::new(),
            broad_phase: rapier::DefaultBroadPhase::new(),
            narrow_phase: rapier::NarrowPhase::new(),
            bodies,
            colliders: rapier::ColliderSet::new(),
            impulse_joints: rapier::ImpulseJointSet::new(),
            multibody_joints: rapier::MultibodyJointSet::new(),
            soft_bodies: rapier::SoftBodySet::new(),
            ccd: rapier::CCDSolver::new(),
        }
    }
}

impl Engine for Rapier {
    fn name(&self) -> String {
        "rapier3d-f64".to_owned()
    }

    fn step(&mut self) {
        self.pipeline.step(
            rapier::Vector::new(0.0, 0.0, -9.81),
            &self.parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            &mut self.soft_bodies,
            &mut self.ccd,
            &(),
            &(),
        );
    }
}
