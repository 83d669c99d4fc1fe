//! The scenes in rapier, in double and in single precision, with its own defaults but for the step and for sleep.

/// `rapier3d-f64`.
pub mod double {
    use rapier3d_f64 as rapier;
    const NAME: &str = "rapier3d-f64";
    include!("rapier_world.rs");
}

/// `rapier3d`, which is f32 and wide.
pub mod single {
    use rapier3d as rapier;
    const NAME: &str = "rapier3d (f32)";
    include!("rapier_world.rs");
}
