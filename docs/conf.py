"""How the documentation is built."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import argwright

sys.path.insert(0, str(Path(__file__).parent))

project = "argwright"
author = "The argwright authors"
copyright = "The argwright authors"  # noqa: A001  # Sphinx's own name
release = argwright.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "module_map"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 3
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
python_use_unqualified_type_names = True
python_display_short_literal_types = True
maximum_signature_line_length = 88
add_module_names = False

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_title = f"argwright {release}"
html_show_sphinx = False
html_copy_source = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"

_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)(\w?)")


def as_restructured(_app: Any, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    """Docstrings are written as Markdown is: what stands in backticks is code."""
    lines[:] = [_CODE.sub(lambda code: f"``{code[1]}``" + (f"\\ {code[2]}" if code[2] else ""), line) for line in lines]


_MODULE = re.compile(r"~?\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])")


def as_declared(_app: Any, _what: str, _name: str, _obj: Any, _options: Any, *signature: str | None) -> Any:
    """A signature in the names that a program uses, and without what a dataclass fills in by itself."""
    return tuple(part and _MODULE.sub("", part.replace("<factory>", "...")) for part in signature)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", as_declared)
    app.connect("autodoc-process-docstring", as_restructured, priority=400)  # before napoleon
