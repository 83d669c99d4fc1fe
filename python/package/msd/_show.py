"""Shows a viewer where the program runs: in the output of a notebook's cell, in the browser of a desktop, or as an address."""

from __future__ import annotations

import os
import sys
import webbrowser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._msd import Viewer


def in_notebook() -> bool:
    """True if the output of this program is that of a notebook's cell."""
    shell = sys.modules.get("IPython")
    shell = shell.get_ipython() if shell else None
    return shell is not None and "IPKernelApp" in shell.config


def show(viewer: Viewer) -> None:
    """Displays the viewer inline, or opens a browser, or prints the address."""
    if in_notebook():
        from IPython.display import HTML, display

        display(HTML(viewer._repr_html_()))
        return
    desktop = sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if not (desktop and webbrowser.open(viewer.url)):
        print(f"view        {viewer.url}", file=sys.stderr, flush=True)
