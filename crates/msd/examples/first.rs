//! A racket thrown so that it flips over in flight.
use msd::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(); // gravity 9.81 m/s² along -z, steps of 1 ms
    let racket = world.add_body(
        BodyDescription::dynamic("racket", Shape::Box(Cuboid::new(Vec3::new(0.6, 0.25, 0.02))?))
            .density(600.0)
            .velocity(Vec3::new(1.0, 0.0, 9.81))
            .angular_velocity(Vec3::new(0.01, 12.0, 0.0)),
    )?;
    let spin = world.angular_momentum_about(world.body(racket)?.state.center_of_mass);
    let report = world.run(2.0)?;
    let state = world.body(racket)?.state;
    let spin_change = (world.angular_momentum_about(state.center_of_mass) - spin).length() / spin.length();
    println!("t = {} s: {:.9} m from where it was thrown", report.time, state.center_of_mass.length());
    println!("energy error {:.0e} J of {:.1} J", report.energy.max_error, report.energy.initial);
    println!("angular momentum changed by {spin_change:.0e}");
    Ok(())
}
