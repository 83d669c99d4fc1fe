//! The Python package `msd`: worlds, bodies, joints, batches and recordings of the engine as Python objects.
//!
//! Everything a user can add is described in the words of scene files (`msd_scene::model`), so that keyword arguments, scene keys
//! and error messages are the same. Stepping releases the GIL. Arrays are NumPy's.

mod actuator;
mod agent;
mod articulation;
mod batch;
mod body;
mod convert;
mod error;
mod hook;
mod joint;
mod recording;
mod report;
mod sensor;
mod stepper;
mod viewer;
mod world;

use pyo3::prelude::*;

/// The compiled part of the package; import `msd` instead.
#[pymodule]
fn _msd(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<world::World>()?;
    module.add_class::<world::State>()?;
    module.add_class::<body::Body>()?;
    module.add_class::<joint::Joint>()?;
    module.add_class::<actuator::Actuator>()?;
    module.add_class::<articulation::Articulation>()?;
    module.add_class::<sensor::Sensor>()?;
    module.add_class::<world::Field>()?;
    module.add_class::<viewer::Viewer>()?;
    module.add_class::<report::Step>()?;
    module.add_class::<report::Impact>()?;
    module.add_class::<report::Energy>()?;
    module.add_class::<report::Certificate>()?;
    module.add_class::<report::Contact>()?;
    module.add_class::<report::RayHit>()?;
    module.add_class::<hook::ContactPair>()?;
    module.add_class::<agent::View>()?;
    module.add_class::<agent::BodyState>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<recording::Recording>()?;
    module.add_function(wrap_pyfunction!(world::load, module)?)?;
    module.add_function(wrap_pyfunction!(recording::open, module)?)?;
    error::register(module)
}
