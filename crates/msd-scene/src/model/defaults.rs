//! Values that stand where a scene says nothing, and tests for "says nothing" when a scene is written.

use msd::environment::World;

pub(super) fn gravity() -> [f64; 3] {
    World::DEFAULT_GRAVITY.to_array()
}

pub(super) fn dt() -> f64 {
    World::DEFAULT_DT
}

pub(super) fn duration() -> f64 {
    1.0
}

pub(super) fn threads() -> u32 {
    1
}

pub(super) fn yes() -> bool {
    true
}

pub(super) fn forever() -> f64 {
    f64::INFINITY
}

pub(super) fn is_yes(value: &bool) -> bool {
    *value
}

pub(super) fn is_no(value: &bool) -> bool {
    !*value
}

pub(super) fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

pub(super) fn is_infinite(value: &f64) -> bool {
    value.is_infinite()
}

pub(super) fn one() -> f64 {
    1.0
}

pub(super) fn is_one(value: &f64) -> bool {
    *value == 1.0
}

pub(super) fn ones() -> [f64; 3] {
    [1.0; 3]
}

pub(super) fn is_ones(value: &[f64; 3]) -> bool {
    *value == [1.0; 3]
}

pub(super) fn is_origin(value: &[f64; 3]) -> bool {
    *value == [0.0; 3]
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Lateral offset a metre of distance that a docking corridor allows.
pub(super) fn corridor() -> f64 {
    0.1
}

/// At which thrusters of a docking craft are off, m.
pub(super) fn capture_distance() -> f64 {
    0.01
}
