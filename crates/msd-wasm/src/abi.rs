//! The C interface: numbers and pointers into the memory of the module.
//!
//! Texts are UTF-8, given as a pointer and a length in bytes. Memory for them comes from [`msd_alloc`] and goes back with
//! [`msd_free`]. A session comes from [`msd_session_new`] and ends with [`msd_session_free`]; it is not for several threads at once.
//! A null session is refused with 1, or answered with null.

#![allow(unsafe_code)]

use crate::session::{Session, StepOutcome};

const OK: i32 = 0;
const REFUSED: i32 = 1;
const END: i32 = 2;

/// Memory for `length` bytes; null for none.
#[unsafe(no_mangle)]
pub extern "C" fn msd_alloc(length: usize) -> *mut u8 {
    if length == 0 {
        return std::ptr::null_mut();
    }
    let bytes = vec![0_u8; length].into_boxed_slice();
    Box::into_raw(bytes).cast()
}

/// Returns memory.
///
/// # Safety
/// `pointer` must be null or from [`msd_alloc`] with the same `length`, and not returned yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_free(pointer: *mut u8, length: usize) {
    if !pointer.is_null() {
        // SAFETY: it is a boxed slice of that length.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(pointer, length)) });
    }
}

/// A new session.
#[unsafe(no_mangle)]
pub extern "C" fn msd_session_new() -> *mut Session {
    Box::into_raw(Box::new(Session::new()))
}

/// Ends a session.
///
/// # Safety
/// `session` must be null or from [`msd_session_new`], and not ended yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_session_free(session: *mut Session) {
    if !session.is_null() {
        // SAFETY: it is a box of a session.
        drop(unsafe { Box::from_raw(session) });
    }
}

/// A text of the caller; `None` if it is null or not UTF-8.
///
/// # Safety
/// `pointer` must be null or point to `length` readable bytes for as long as the text is used.
unsafe fn text<'a>(pointer: *const u8, length: usize) -> Option<&'a str> {
    if pointer.is_null() {
        return (length == 0).then_some("");
    }
    // SAFETY: the caller's promise.
    std::str::from_utf8(unsafe { std::slice::from_raw_parts(pointer, length) }).ok()
}

/// Adds a text file that scenes may name. 0, or 1 if a text is not UTF-8.
///
/// # Safety
/// `session` must be null or a session; both texts must be readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_session_file(
    session: *mut Session,
    path: *const u8,
    path_length: usize,
    contents: *const u8,
    contents_length: usize,
) -> i32 {
    // SAFETY: the caller's promises.
    let (session, path, contents) =
        unsafe { (session.as_mut(), text(path, path_length), text(contents, contents_length)) };
    match (session, path, contents) {
        (Some(session), Some(path), Some(contents)) => {
            session.add_file(path, contents);
            OK
        }
        _ => REFUSED,
    }
}

/// Reads a scene. 0, or 1 with its problems in the output.
///
/// # Safety
/// As [`msd_session_file`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_session_load(
    session: *mut Session,
    name: *const u8,
    name_length: usize,
    scene: *const u8,
    scene_length: usize,
) -> i32 {
    // SAFETY: the caller's promises.
    let (session, name, scene) =
        unsafe { (session.as_mut(), text(name, name_length), text(scene, scene_length)) };
    match (session, name, scene) {
        (Some(session), Some(name), Some(scene)) => {
            if session.load(name, scene) {
                OK
            } else {
                REFUSED
            }
        }
        _ => REFUSED,
    }
}

/// Takes up to `count` steps: 0 done, 1 refused with the reason in the output, 2 the scene is over.
///
/// # Safety
/// `session` must be null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_session_step(session: *mut Session, count: u32) -> i32 {
    // SAFETY: the caller's promise.
    match unsafe { session.as_mut() }.map(|session| session.step(count)) {
        Some(StepOutcome::Done) => OK,
        Some(StepOutcome::End) => END,
        Some(StepOutcome::Refused) | None => REFUSED,
    }
}

/// Writes the model to the output, as JSON.
///
/// # Safety
/// `session` must be null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_session_model(session: *mut Session) {
    // SAFETY: the caller's promise.
    if let Some(session) = unsafe { session.as_mut() } {
        session.write_model();
    }
}

/// Writes time, energies and contacts to the output, as JSON.
///
/// # Safety
/// `session` must be null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_session_status(session: *mut Session) {
    // SAFETY: the caller's promise.
    if let Some(session) = unsafe { session.as_mut() } {
        session.write_status();
    }
}

/// Writes the state hash to the output.
///
/// # Safety
/// `session` must be null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_session_hash(session: *mut Session) {
    // SAFETY: the caller's promise.
    if let Some(session) = unsafe { session.as_mut() } {
        session.write_hash();
    }
}

/// Where the output is; valid until the next call with the session.
///
/// # Safety
/// `session` must be null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_session_output(session: *const Session) -> *const u8 {
    // SAFETY: the caller's promise.
    unsafe { session.as_ref() }.map_or(std::ptr::null(), |session| session.output().as_ptr())
}

/// Bytes of the output.
///
/// # Safety
/// `session` must be null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_session_output_length(session: *const Session) -> usize {
    // SAFETY: the caller's promise.
    unsafe { session.as_ref() }.map_or(0, |session| session.output().len())
}

/// Seven numbers for each body of the model: position (m) and quaternion (x, y, z, w); valid until the next call with the session.
///
/// # Safety
/// `session` must be null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_session_poses(session: *mut Session) -> *const f64 {
    // SAFETY: the caller's promise.
    unsafe { session.as_mut() }.map_or(std::ptr::null(), |session| session.poses().as_ptr())
}

/// Time of the world, s; NaN without a scene.
///
/// # Safety
/// `session` must be null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn msd_session_time(session: *const Session) -> f64 {
    // SAFETY: the caller's promise.
    unsafe { session.as_ref() }.and_then(Session::world).map_or(f64::NAN, |world| world.time())
}
