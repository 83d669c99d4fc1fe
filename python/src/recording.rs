//! Recordings as arrays.

use std::path::PathBuf;

use msd_recording::{
    Contact, Event, ExportFormat, ExportTable, FrameSummary, JointReaction, PlotKind, Recording as Recorded,
    RecordingError,
};
use msd_view::RecordingSource;
use msd_view::html::{self, HtmlOptions};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::agent::unknown;
use crate::convert::{STATE, table};
use crate::error;
use crate::viewer::Viewer;

/// A recorded run. The file is read again by every method, also while a run still writes to it.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Recording {
    path: PathBuf,
}

/// Opens a recording.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, path: PathBuf) -> PyResult<Recording> {
    let recording = Recording { path };
    recording.read(py, |_| Ok(()))?;
    Ok(recording)
}

/// A figure of a frame.
type Figure = fn(&FrameSummary) -> f64;

/// A vector of a contact point.
type ContactVector = fn(&Contact) -> msd::math::Vec3;

/// Time, kind and bodies of an event.
type EventRow = (f64, &'static str, Option<String>, Option<String>);

impl Recording {
    /// Looks at the file without the GIL.
    fn read<R: Send>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&Recorded) -> Result<R, RecordingError> + Send,
    ) -> PyResult<R> {
        py.detach(|| look(&Recorded::open(&self.path)?)).map_err(error::recording)
    }

    fn figures(&self, py: Python<'_>) -> PyResult<Vec<FrameSummary>> {
        self.read(py, Recorded::summaries)
    }
}

fn numbers(
    recorded: &msd_recording::RecordedBody,
    state: &msd::physics::rigid_body::InertialState,
) -> [f64; STATE] {
    let (p, q) = (recorded.frame(state).position, state.orientation);
    let (v, w) = (state.velocity, state.angular_velocity);
    [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z]
}

#[pymethods]
impl Recording {
    /// The file.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// Names of the bodies, in the order of `states`.
    #[getter]
    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read(py, |file| Ok(file.bodies().iter().map(|body| body.name.clone()).collect()))
    }

    /// The number of frames.
    #[getter]
    fn frames(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, |file| Ok(file.frames()))
    }

    /// Time of every frame, s.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_iter(py, self.figures(py)?.iter().map(|frame| frame.time)))
    }

    /// States of all bodies, (frames, bodies, 13): position of the body frame, orientation (w, x, y, z), velocity, angular velocity.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let (frames, bodies, all) = self.read(py, |file| {
            let (frames, bodies) = (file.frames() as usize, file.bodies());
            let mut all = vec![0.0; frames * bodies.len() * STATE];
            for (index, body) in bodies.iter().enumerate() {
                for (frame, (_, state)) in file.history(index)?.iter().enumerate() {
                    let at = (frame * bodies.len() + index) * STATE;
                    all[at..at + STATE].copy_from_slice(&numbers(body, state));
                }
            }
            Ok((frames, bodies.len(), all))
        })?;
        PyArray1::from_vec(py, all).reshape([frames, bodies, STATE])
    }

    /// States of one body, (frames, 13).
    fn __getitem__<'py>(&self, py: Python<'py>, body: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = self.read(py, |file| {
            let index = file.body(body)?;
            let recorded = &file.bodies()[index];
            Ok(file.history(index)?.iter().map(|(_, state)| numbers(recorded, state)).collect::<Vec<_>>())
        })?;
        table(py, rows.len(), STATE, rows.concat())
    }

    /// Energies and solver figures of every frame, as a dict of arrays: `time`, `kinetic`, `potential`, `work_in`, `dissipated`,
    /// `correction`, `error`, `contacts`, `penetration`, `residual`. `pandas.DataFrame(recording.figures)` makes a table of it.
    #[getter(figures)]
    fn figures_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let frames = self.figures(py)?;
        let columns: [(&str, Figure); 10] = [
            ("time", |frame| frame.time),
            ("kinetic", |frame| frame.kinetic),
            ("potential", |frame| frame.potential),
            ("work_in", |frame| frame.work_in),
            ("dissipated", |frame| frame.dissipated),
            ("correction", |frame| frame.correction),
            ("error", |frame| frame.error),
            ("contacts", |frame| frame.contacts as f64),
            ("penetration", |frame| frame.penetration),
            ("residual", |frame| frame.residual),
        ];
        let dict = PyDict::new(py);
        for (name, column) in columns {
            dict.set_item(name, PyArray1::from_iter(py, frames.iter().map(column)))?;
        }
        Ok(dict)
    }

    /// Names of the joints.
    #[getter]
    fn joint_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read(py, |file| Ok(file.joints().iter().map(|joint| joint.name.clone()).collect()))
    }

    /// Position (rad, full turns counted, or m) and velocity of a hinge or slider, (frames, 2); the recording must hold its scene.
    fn joint<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let samples = self.read(py, |file| file.joint_history(name))?;
        let numbers = samples.iter().flat_map(|sample| [sample.position, sample.velocity]).collect();
        table(py, samples.len(), 2, numbers)
    }

    /// Force (N) and torque about the anchor (N·m) of a joint on its body B, world frame, (frames, 6).
    fn reactions<'py>(&self, py: Python<'py>, joint: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let names = self.joint_names(py)?;
        let number = names.iter().position(|name| name == joint);
        let number = number.ok_or_else(|| unknown("joint", joint, &names))?;
        let rows = self.read(py, |file| file.reactions(number))?;
        let row = |(_, reaction): &(f64, JointReaction)| {
            let (f, t) = (reaction.force, reaction.torque);
            [f.x, f.y, f.z, t.x, t.y, t.z]
        };
        table(py, rows.len(), 6, rows.iter().flat_map(row).collect())
    }

    /// Contact points of all frames as a dict: `frame`, `a` and `b` (numbers of bodies), `position`, `normal`, `gap`, `normal_force`,
    /// `friction_force`; one row a point, forces on B in N.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let points = self.read(py, |file| file.contacts_where(|_| true))?;
        let dict = PyDict::new(py);
        dict.set_item("frame", PyArray1::from_iter(py, points.iter().map(|(frame, _)| *frame)))?;
        dict.set_item("a", PyArray1::from_iter(py, points.iter().map(|(_, point)| point.a as u64)))?;
        dict.set_item("b", PyArray1::from_iter(py, points.iter().map(|(_, point)| point.b as u64)))?;
        let vectors: [(&str, ContactVector); 3] = [
            ("position", |point| point.position),
            ("normal", |point| point.normal),
            ("friction_force", |point| point.friction_force),
        ];
        for (name, vector) in vectors {
            let numbers = points.iter().flat_map(|(_, point)| vector(point).to_array()).collect();
            dict.set_item(name, table(py, points.len(), 3, numbers)?)?;
        }
        dict.set_item("gap", PyArray1::from_iter(py, points.iter().map(|(_, point)| point.gap)))?;
        let normal = points.iter().map(|(_, point)| point.normal_force);
        dict.set_item("normal_force", PyArray1::from_iter(py, normal))?;
        Ok(dict)
    }

    /// Contacts that began and ended, as (time, kind, a, b).
    #[getter]
    fn events(&self, py: Python<'_>) -> PyResult<Vec<EventRow>> {
        self.read(py, |file| {
            let name = |index: usize| file.bodies()[index].name.clone();
            let row = |event: &Event| {
                let (a, b) = event.bodies.unzip();
                (event.time, event.kind.name(), a.map(name), b.map(name))
            };
            Ok(file.events()?.iter().map(row).collect())
        })
    }

    /// Computes the run again and compares every bit; the recording must hold its scene. Returns None, or the first difference.
    fn verify(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.read(py, |file| {
            let found = file.verify(None, |_| true)?;
            Ok(found.difference.map(|first| format!("at t = {} s: {}", first.time, first.what)))
        })
    }

    /// Writes the recording to a file: `csv` and `parquet` hold one table (states, frames, contacts, joints or events), `json` and
    /// `mcap` everything. The format follows from the name of the file unless given.
    #[pyo3(signature = (path, *, to=None, table="states"))]
    fn export(&self, py: Python<'_>, path: PathBuf, to: Option<&str>, table: &str) -> PyResult<()> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned());
        let wanted = to.map(str::to_owned).or(ending).unwrap_or_default();
        let format = ExportFormat::ALL.iter().find(|(name, _)| *name == wanted).map(|(_, format)| *format);
        let format = format.ok_or_else(|| {
            PyValueError::new_err(format!(
                "there is no format `{wanted}`; there is csv, json, mcap and parquet"
            ))
        })?;
        let table = match table {
            "states" => ExportTable::States,
            "frames" => ExportTable::Frames,
            "contacts" => ExportTable::Contacts,
            "joints" => ExportTable::Joints,
            "events" => ExportTable::Events,
            other => {
                return Err(PyValueError::new_err(format!(
                    "there is no table `{other}`; there is states, frames, contacts, joints and events"
                )));
            }
        };
        let mut bytes = Vec::new();
        self.read(py, |file| file.export(format, table, &mut bytes))?;
        Ok(std::fs::write(path, bytes)?)
    }

    /// A plot over time as an SVG document: `energy`, `contacts` or `joints`, `height`, `speed` or `spin` of a body, or `joint` of a
    /// hinge or slider.
    #[pyo3(signature = (kind, body=None))]
    fn plot(&self, py: Python<'_>, kind: &str, body: Option<&str>) -> PyResult<String> {
        if let ("joint", Some(name)) = (kind, body) {
            return self.read(py, |file| file.plot_joint_positions(&[name.to_owned()]));
        }
        let found =
            PlotKind::ALL.iter().find(|(name, _)| *name == kind).map(|(_, kind)| *kind).ok_or_else(|| {
                let known = PlotKind::ALL.map(|(name, _)| name).join(", ");
                PyValueError::new_err(format!("there is no plot `{kind}`; there is {known}"))
            })?;
        self.read(py, |file| file.plot(found, body.map(|name| file.body(name)).transpose()?))
    }

    /// The run as one HTML page that any browser opens without a network: written to `path`, or returned as text without one.
    #[pyo3(signature = (path=None, *, max_frames=1200))]
    fn html(&self, py: Python<'_>, path: Option<PathBuf>, max_frames: u32) -> PyResult<Option<String>> {
        if max_frames < 2 {
            return Err(PyValueError::new_err(format!("max_frames must be at least 2, got {max_frames}")));
        }
        let recorded = Recorded::open(&self.path).map_err(error::recording)?;
        let options = HtmlOptions { max_frames, ..HtmlOptions::default() };
        let page = py.detach(|| {
            let mut page = Vec::new();
            html::write(&RecordingSource::new(recorded)?, &options, &mut page).map(|_| page)
        });
        let page = page.map_err(|refused| error::view(&refused))?;
        match path {
            Some(path) => std::fs::write(path, page).map(|()| None).map_err(PyErr::from),
            None => Ok(Some(String::from_utf8_lossy(&page).into_owned())),
        }
    }

    /// Plays it back in the browser, and in a notebook in the output of the cell.
    #[pyo3(signature = (*, open=true))]
    fn view(&self, py: Python<'_>, open: bool) -> PyResult<Py<Viewer>> {
        Viewer::of_recording(py, &self.path, open)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (frames, (from, to)) = self.read(py, |file| Ok((file.frames(), file.span())))?;
        Ok(format!("Recording({}, {frames} frames, {from} to {to} s)", self.path.display()))
    }
}
