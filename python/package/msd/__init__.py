"""Rigid-body dynamics in double precision, with certified contact and an energy ledger.

SI units, z up, orientations as quaternions (w, x, y, z), angular velocities in the world frame. See docs/python.md.
"""

from ._msd import (
    Batch,
    Body,
    BodyState,
    Certificate,
    Contact,
    Energy,
    Error,
    Joint,
    RayHit,
    Recording,
    RecordingError,
    SceneError,
    State,
    View,
    World,
    WorldError,
    __version__,
    load,
    open,
)

__all__ = [
    "Batch",
    "Body",
    "BodyState",
    "Certificate",
    "Contact",
    "Energy",
    "Error",
    "Joint",
    "RayHit",
    "Recording",
    "RecordingError",
    "SceneError",
    "State",
    "View",
    "World",
    "WorldError",
    "__version__",
    "load",
    "open",
]
