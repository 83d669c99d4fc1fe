"""Paths of the project that tests read: its scenes and, if it is built, its command line."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def scenes() -> Path:
    return ROOT / "scenes"


@pytest.fixture
def command() -> str:
    """The command line `msd`: $MSD, or what is on the path."""
    found = os.environ.get("MSD") or shutil.which("msd")
    if not found:
        pytest.skip("needs the command line: set MSD to the binary `msd`")
    return found
