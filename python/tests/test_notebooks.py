"""The notebooks run from top to bottom, each in a kernel of its own; the viewer appears in their output."""

import json

import pytest
from conftest import ROOT

nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")
import nbformat  # noqa: E402

NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path, tmp_path, monkeypatch):
    monkeypatch.setenv("MSD_ROOT", str(ROOT))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    html = "".join(
        "".join(output.get("data", {}).get("text/html", "")) for cell in notebook.cells for output in cell.get("outputs", [])
    )
    assert html.count("<iframe src=") == path.read_text().count(".view(")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_output(path):
    cells = json.loads(path.read_text())["cells"]
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells if cell["cell_type"] == "code")


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 3
