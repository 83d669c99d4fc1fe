//! `StepRecord`: mode of every row and the impulses of the current step.

use super::Reaction;

/// Mode of a row during a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RowMode {
    #[default]
    Inactive,
    Enforced,
    Constant,
    Force,
}

/// Modes and impulses of the current step.
#[derive(Clone, Debug, Default)]
pub(super) struct StepRecord {
    pub(super) dt: f64,
    pub(super) mode: Vec<RowMode>,
    /// Rows left out because they depend on others.
    pub(super) dependent: Vec<bool>,
    /// Limits that are not met yet: idle in the step, and passed in flight, perhaps.
    pub(super) unmet: Vec<bool>,
    /// Multipliers of the displacements by which position projection has pushed limits back so far, kg·m or
    /// kg·m²·rad.
    pub(super) pushed: Vec<f64>,
    /// `C` at the start of the step.
    pub(super) initial: Vec<f64>,
    /// `J v` of every row there, and the part of it that comes from bodies forces do not move.
    pub(super) initial_rate: Vec<f64>,
    pub(super) initial_drive: Vec<f64>,
    /// Travel of motors there, where it is known.
    pub(super) initial_travel: Vec<Option<f64>>,
    /// Motors that are rigid rows in this step.
    pub(super) locks: Vec<Lock>,
    /// Multipliers of the step before contact has changed them.
    pub(super) flight: Vec<f64>,
    /// Whether joints were open there, as they are where bodies were moved by hand.
    pub(super) open: bool,
    /// Multiplier of held rows, N or N·m.
    pub(super) held: Vec<f64>,
    /// The part of a held multiplier that is a damper's.
    pub(super) held_damping: Vec<f64>,
    /// Rates of rotors now, and their positions where the drift started; rows of other laws have none.
    pub(super) rotor_rate: Vec<f64>,
    pub(super) rotor_start: Vec<f64>,
    /// Whether rates of rotors are advanced by impulses, as RATTLE does.
    pub(super) rotors_advanced: bool,
    /// Impulses given so far, N·s or N·m·s.
    pub(super) impulse: Vec<f64>,
    /// Multipliers of the last stage.
    pub(super) stage: Vec<f64>,
    /// Whether Jacobians and matrix are those of the start of the step.
    pub(super) at_start: bool,
    /// Whether the factor is that of the enforced rows there, without dependent ones.
    pub(super) factorised: bool,
    /// Multipliers reported, one a row.
    pub(super) multipliers: Vec<f64>,
    /// Reactions reported, by slot.
    pub(super) reactions: Vec<Reaction>,
    /// Both as they were before the step.
    pub(super) before: (Vec<f64>, Vec<Reaction>),
}

impl StepRecord {
    pub(super) fn reset(&mut self, rows: usize, dt: f64) {
        (self.dt, self.open, self.rotors_advanced) = (dt, false, false);
        self.mode.clear();
        self.mode.resize(rows, RowMode::Inactive);
        for flags in [&mut self.dependent, &mut self.unmet] {
            flags.clear();
            flags.resize(rows, false);
        }
        let Self { pushed, held, held_damping, impulse, stage, .. } = self;
        for values in [pushed, held, held_damping, impulse, stage] {
            values.clear();
            values.resize(rows, 0.0);
        }
    }
}

/// A motor that is a rigid row in the current step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lock {
    pub(super) row: usize,
    pub(super) velocity: f64,
    pub(super) max_force: f64,
    /// Travel and time at the start of the step.
    pub(super) travel: f64,
    pub(super) start: f64,
}
