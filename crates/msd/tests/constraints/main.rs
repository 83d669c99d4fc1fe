//! Tests of `physics::constraints`: joints, limits, motors and their rows.

#[path = "../common/mod.rs"]
mod common;
#[allow(dead_code)]
#[path = "../../examples/custom_constraint.rs"]
mod custom_constraint;

mod axes;
mod complementarity;
mod derivatives;
mod drives;
mod limits;
mod motion;
mod nets;
mod reference_cases;
mod row_laws;
mod statics;
