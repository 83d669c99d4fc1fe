//! The functions of `include/msd.h`, which says what they do.
//!
//! No panic crosses into C: an interface function that panics would end the process (Rust's rule for `extern "C"`), as any
//! failed assertion of C does.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};

use crate::world::{Energy, World, c_text};

const OK: i32 = 0;
const REFUSED: i32 = 1;
const NO_WORLD: &str = "the world is NULL";

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::new(CString::default());
}

fn remember(problem: &str) {
    LAST_ERROR.with(|last| *last.borrow_mut() = c_text(problem));
}

/// The value of a call that succeeded, after the last error is cleared; `None` with the error kept.
fn heard<T>(answer: Result<T, String>) -> Option<T> {
    match answer {
        Ok(value) => {
            remember("");
            Some(value)
        }
        Err(problem) => {
            remember(&problem);
            None
        }
    }
}

fn code(answer: Result<(), String>) -> i32 {
    if heard(answer).is_some() { OK } else { REFUSED }
}

/// A world of the caller.
///
/// # Safety
/// Null, or from this library and not ended.
unsafe fn seen<'a>(world: *const World) -> Result<&'a World, String> {
    // SAFETY: the caller's promise.
    unsafe { world.as_ref() }.ok_or_else(|| NO_WORLD.to_owned())
}

/// The same, to be changed.
///
/// # Safety
/// As [`seen`], and by one thread.
unsafe fn held<'a>(world: *mut World) -> Result<&'a mut World, String> {
    // SAFETY: the caller's promise.
    unsafe { world.as_mut() }.ok_or_else(|| NO_WORLD.to_owned())
}

/// A text of the caller.
///
/// # Safety
/// Null, or ends with a zero byte.
unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<&'a str, String> {
    if pointer.is_null() {
        return Err(format!("{what} is NULL"));
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| format!("{what} is not UTF-8"))
}

/// Numbers of the caller.
///
/// # Safety
/// Null, or `N` readable numbers.
unsafe fn numbers<const N: usize>(pointer: *const f64, what: &str) -> Result<[f64; N], String> {
    // SAFETY: the caller's promise; an array has the layout of its elements.
    unsafe { pointer.cast::<[f64; N]>().as_ref() }.copied().ok_or_else(|| format!("{what} is NULL"))
}

/// Writes where the caller wants it.
///
/// # Safety
/// Null, or room for a value.
unsafe fn give<T>(value: T, room: *mut T, what: &str) -> Result<(), String> {
    if room.is_null() {
        return Err(format!("{what} is NULL"));
    }
    // SAFETY: the caller's promise.
    unsafe { room.write(value) };
    Ok(())
}

fn given_away(world: Result<World, String>) -> *mut World {
    heard(world).map_or(std::ptr::null_mut(), |world| Box::into_raw(Box::new(world)))
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn msd_last_error() -> *const c_char {
    LAST_ERROR.with(|last| last.borrow().as_ptr())
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn msd_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// See the header.
///
/// # Safety
/// Both are texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_from_scene(name: *const c_char, scene: *const c_char) -> *mut World {
    // SAFETY: the caller's promise.
    let texts = unsafe { text(name, "name").and_then(|name| Ok((name, text(scene, "text")?))) };
    given_away(texts.and_then(|(name, scene)| World::from_scene(name, scene)))
}

/// See the header.
///
/// # Safety
/// A text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_from_file(path: *const c_char) -> *mut World {
    // SAFETY: the caller's promise.
    given_away(unsafe { text(path, "path") }.and_then(World::from_file))
}

/// See the header.
///
/// # Safety
/// Null, or a world that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_free(world: *mut World) {
    if !world.is_null() {
        // SAFETY: it is a box of a world.
        drop(unsafe { Box::from_raw(world) });
    }
}

/// See the header.
///
/// # Safety
/// A world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_step(world: *mut World, dt: f64) -> i32 {
    // SAFETY: the caller's promise.
    code(unsafe { held(world) }.and_then(|world| world.step(dt)))
}

/// See the header.
///
/// # Safety
/// A world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_time(world: *const World) -> f64 {
    // SAFETY: the caller's promise.
    heard(unsafe { seen(world) }).map_or(f64::NAN, World::time)
}

/// See the header.
///
/// # Safety
/// A world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_duration(world: *const World) -> f64 {
    // SAFETY: the caller's promise.
    heard(unsafe { seen(world) }).map_or(f64::NAN, World::duration)
}

/// See the header.
///
/// # Safety
/// A world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_dt(world: *const World) -> f64 {
    // SAFETY: the caller's promise.
    heard(unsafe { seen(world) }).map_or(f64::NAN, World::dt)
}

/// See the header.
///
/// # Safety
/// A world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_body_count(world: *const World) -> usize {
    // SAFETY: the caller's promise.
    heard(unsafe { seen(world) }).map_or(0, World::body_count)
}

/// See the header.
///
/// # Safety
/// A world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_body_name(world: *mut World, body: usize) -> *const c_char {
    // SAFETY: the caller's promise.
    let world = unsafe { held(world) };
    let name = world
        .and_then(|world| world.body_name(body).ok_or_else(|| format!("there is no body number {body}")));
    heard(name).map_or(std::ptr::null(), |name| name.as_ptr())
}

/// See the header.
///
/// # Safety
/// A world, a text and room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_find_body(
    world: *const World,
    name: *const c_char,
    body: *mut usize,
) -> i32 {
    // SAFETY: the caller's promise.
    code(unsafe { seen(world).and_then(|world| give(world.find_body(text(name, "name")?)?, body, "body")) })
}

/// See the header.
///
/// # Safety
/// A world and room for 7 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_pose(world: *const World, body: usize, pose: *mut f64) -> i32 {
    // SAFETY: the caller's promise.
    code(unsafe { seen(world).and_then(|world| give(world.pose(body)?, pose.cast(), "pose")) })
}

/// See the header.
///
/// # Safety
/// A world and room for 6 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_velocity(world: *const World, body: usize, velocity: *mut f64) -> i32 {
    // SAFETY: the caller's promise.
    code(unsafe { seen(world).and_then(|world| give(world.velocity(body)?, velocity.cast(), "velocity")) })
}

/// See the header.
///
/// # Safety
/// A world and 6 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_set_velocity(world: *mut World, body: usize, velocity: *const f64) -> i32 {
    // SAFETY: the caller's promise.
    code(unsafe { held(world).and_then(|world| world.set_velocity(body, numbers(velocity, "velocity")?)) })
}

/// See the header.
///
/// # Safety
/// A world and twice 3 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_apply_wrench(
    world: *mut World,
    body: usize,
    force: *const f64,
    torque: *const f64,
) -> i32 {
    // SAFETY: the caller's promise.
    code(unsafe {
        held(world)
            .and_then(|world| world.apply_wrench(body, numbers(force, "force")?, numbers(torque, "torque")?))
    })
}

/// See the header.
///
/// # Safety
/// A world and room for energies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_energy(world: *const World, energy: *mut Energy) -> i32 {
    // SAFETY: the caller's promise.
    code(unsafe { seen(world).and_then(|world| give(world.energy(), energy, "energy")) })
}

/// See the header.
///
/// # Safety
/// A world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_certified(world: *const World) -> i32 {
    // SAFETY: the caller's promise.
    i32::from(heard(unsafe { seen(world) }).is_some_and(World::is_certified))
}

/// See the header.
///
/// # Safety
/// A world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_failure(world: *mut World) -> *const c_char {
    // SAFETY: the caller's promise.
    heard(unsafe { held(world) }).map_or(std::ptr::null(), |world| world.failure().as_ptr())
}

/// See the header.
///
/// # Safety
/// A world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_world_hash(world: *mut World) -> *const c_char {
    // SAFETY: the caller's promise.
    heard(unsafe { held(world) }).map_or(std::ptr::null(), |world| world.hash().as_ptr())
}
