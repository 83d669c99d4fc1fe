//! One object for everything: bodies from an asset database, an agent, and time.
//!
//! A satellite that starts half a radian off is turned back by a controller. Run it with
//! `cargo run -p msd-assets --example engine`.

use std::error::Error;
use std::path::Path;

use msd::agent::PdAttitude;
use msd::engine::Engine;
use msd::math::{Quat, ReferenceFrame, Vec3, orientation};
use msd_assets::generate::Solid;
use msd_assets::{AssetRegistry, MassTemplate, OpenEngine};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("engine-example-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let database = folder.join("assets.db");
    stock(&database)?;

    let mut engine = Engine::open(&database)?;
    engine.world_mut().set_gravity(Vec3::ZERO)?;
    let off = orientation::from_rotation_vector(Vec3::Z * 0.5);
    let bus = engine.spawn("bus", "satellite", ReferenceFrame::from_orientation(off))?;
    engine.add_agent(PdAttitude::new(bus, Quat::IDENTITY, 20.0, 40.0)?);

    for second in [0.0, 1.0, 2.0, 4.0, 8.0] {
        engine.update(second)?;
        let yaw = orientation::rotation_vector(engine.world().body(bus)?.state.orientation).z;
        println!("t = {second} s   yaw {:6.2}°", yaw.to_degrees());
    }
    drop(engine);
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

/// Fills a new database.
fn stock(database: &Path) -> Result<(), Box<dyn Error>> {
    let mut bus = Solid::Box { size: Vec3::new(1.0, 1.0, 2.0) }.asset("bus")?;
    bus.mass = MassTemplate::Mass(120.0);
    AssetRegistry::create(database)?.insert(&bus)?;
    Ok(())
}
