//! Whole worlds: no bytes make `World::from_bytes` panic; the bytes of a real world that were changed are refused; and those that were
//! changed and sealed again with a right checksum are refused or give a world that steps on or says why not.

use msd::environment::{Ground, World};
use msd::math::Vec3;

use crate::bytes::Bytes;
use crate::snapshot::{change, seal, world};

pub fn check(bytes: &[u8]) {
    let _ = World::from_bytes(bytes);
    let bytes = &mut Bytes::new(bytes);
    let mut world = world(bytes);
    if let (Some(a), Some(b)) = (world.find("a"), world.find("b")) {
        let _ = world.add_hinge_joint("hinge", a, b, Vec3::ZERO, Vec3::Z);
        let _ = world.add_latch("latch", a, b);
        let _ = world.add_rope_joint("rope", Ground, b, [Vec3::X, Vec3::Y]);
    }
    let Ok(real) = world.to_bytes() else { panic!("a world of delivered parts cannot be written") };
    let mut changed = real.clone();
    let sealed = bytes.choice(2) == 0;
    for _ in 0..=bytes.choice(4) {
        change(bytes, &mut changed);
    }
    if sealed {
        seal(&mut changed);
    }
    match World::from_bytes(&changed) {
        Err(_) => assert!(changed != real, "a real world is refused"),
        Ok(mut read) => {
            assert!(sealed || changed == real, "damaged bytes are accepted");
            (0..3).for_each(|_| drop(read.step(0.01)));
            let _ = (read.energy(), read.snapshot(), read.to_bytes());
        }
    }
}
