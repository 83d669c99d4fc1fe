//! Snapshots: no bytes make `Snapshot::from_bytes` panic; a real snapshot that was changed is refused; and one that was
//! changed and sealed again with a right checksum is refused by `World::restore` or gives a world that steps on or says
//! why not.

use msd::digest::Hasher;
use msd::environment::{BodyDescription, Snapshot, World};
use msd::math::Vec3;

use crate::bytes::{Bytes, Range};
use crate::shapes;

const DIGEST: usize = 32;
const HEADER: usize = 20;

pub fn check(bytes: &[u8]) {
    let _ = Snapshot::from_bytes(bytes.to_vec());
    let bytes = &mut Bytes::new(bytes);
    let world = world(bytes);
    let real = world.snapshot();
    let mut changed = real.as_bytes().to_vec();
    let sealed = bytes.choice(2) == 0;
    for _ in 0..=bytes.choice(4) {
        change(bytes, &mut changed);
    }
    if sealed {
        seal(&mut changed);
    }
    match Snapshot::from_bytes(changed.clone()) {
        Err(_) => assert!(changed != real.as_bytes(), "a real snapshot is refused"),
        Ok(read) if changed == real.as_bytes() => assert_eq!(read, real),
        Ok(read) => {
            assert!(sealed, "a damaged snapshot is accepted");
            let mut copy = world.clone();
            let before = copy.state_hash();
            match copy.restore(&read) {
                Ok(()) => (0..3).for_each(|_| drop(copy.step(0.01))),
                Err(_) => assert_eq!(copy.state_hash(), before, "a refused snapshot changed the world"),
            }
            let _ = (copy.energy(), copy.snapshot());
        }
    }
}

pub(crate) fn world(bytes: &mut Bytes<'_>) -> World {
    let mut world = World::new();
    for (k, name) in ["a", "b", "c"].into_iter().enumerate().take(usize::from(bytes.choice(4))) {
        let shape = shapes::any(bytes, Range::World);
        let body = BodyDescription::dynamic(name, shape).mass(1.0 + k as f64).position(bytes.unit_vector());
        let _ = world.add_body(body.velocity(Vec3::X));
    }
    for _ in 0..bytes.choice(3) {
        let _ = world.step(0.01);
    }
    world
}

pub(crate) fn change(bytes: &mut Bytes<'_>, snapshot: &mut Vec<u8>) {
    if snapshot.is_empty() {
        return;
    }
    let at = bytes.index(snapshot.len());
    match bytes.choice(5) {
        0 => snapshot[at] ^= 1 << bytes.choice(8),
        1 => snapshot[at] = bytes.byte(),
        2 => snapshot.truncate(at),
        3 => snapshot.insert(at, bytes.byte()),
        _ => {
            let number = bytes.any_number().to_le_bytes();
            let end = snapshot.len().min(at + number.len());
            snapshot[at..end].copy_from_slice(&number[..end - at]);
        }
    }
}

/// Makes length and checksum right.
pub(crate) fn seal(snapshot: &mut Vec<u8>) {
    if snapshot.len() < HEADER + DIGEST {
        return;
    }
    snapshot.truncate(snapshot.len() - DIGEST);
    let payload = (snapshot.len() - HEADER) as u64;
    snapshot[12..HEADER].copy_from_slice(&payload.to_le_bytes());
    let digest = Hasher::digest(snapshot);
    snapshot.extend(digest.0);
}
