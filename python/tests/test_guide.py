"""The programs of docs/python.md run as they stand there."""

import re
import runpy

import pytest
from conftest import ROOT

GUIDE = (ROOT / "docs" / "python.md").read_text()
PROGRAMS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_programs_of_the_guide_run(number, tmp_path, monkeypatch):
    if "gymnasium" in PROGRAMS[number]:
        pytest.importorskip("gymnasium")
    (tmp_path / "scenes").symlink_to(ROOT / "scenes")
    (tmp_path / "program.py").write_text(PROGRAMS[number])
    monkeypatch.chdir(tmp_path)
    runpy.run_path("program.py", run_name="__main__")


def test_the_program_of_the_readme_is_that_of_the_guide():
    assert f"<!-- python -->\n```python\n{PROGRAMS[0]}```" in (ROOT / "README.md").read_text()
    assert PROGRAMS[0] in (ROOT / "python" / "README.md").read_text()


def test_the_guide_has_programs():
    assert len(PROGRAMS) >= 8
