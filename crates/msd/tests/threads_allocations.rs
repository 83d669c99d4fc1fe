//! A warm step on several threads asks for next to no memory, on all of them together. One test alone in its process, since it
//! counts what every thread asks for.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]
#![expect(unsafe_code, reason = "a global allocator can only be written so; it is part of no product")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use msd::environment::{BodyDescription, World};
use msd::math::Vec3;
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace};
use msd::threads::Threads;

struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system allocator unchanged; counting touches a number only.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Tasks cost nothing; the pool takes a block of memory for every few dozen calls that are handed to it from outside, and a step
/// is one. A workspace that grows while another thread has the warm one would show as dozens.
#[test]
fn a_warm_step_on_two_threads_asks_for_next_to_no_memory() {
    let mut world = World::new();
    world.set_threads(Threads::new(2).unwrap());
    world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0).unwrap())).unwrap();
    for k in 0..60 {
        let cube = Cuboid::new(Vec3::splat(0.5)).unwrap();
        let place = Vec3::new(f64::from(k % 10), f64::from(k / 10), 0.25);
        let body = BodyDescription::dynamic(&format!("{k}"), cube).mass(1.0).position(place);
        world.add_body(body).unwrap();
    }
    for _ in 0..300 {
        world.step(0.01).unwrap();
    }
    let before = COUNT.load(Ordering::Relaxed);
    for _ in 0..200 {
        world.step(0.01).unwrap();
    }
    let asked = COUNT.load(Ordering::Relaxed) - before;
    assert!(asked <= 10, "{asked} allocations in 200 steps");
}
