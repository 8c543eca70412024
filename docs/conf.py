"""How the documentation is built."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from sphinx.ext.napoleon import Config, GoogleDocstring

import argwright

sys.path.insert(0, str(Path(__file__).parent))

project = "argwright"
author = "The argwright authors"
copyright = "The argwright authors"  # noqa: A001  # Sphinx's own name
release = argwright.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "module_map"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 3
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
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


def as_restructured(  # noqa: PLR0917  # Sphinx hands them over by position
    _app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Docstrings are Google's sections in Markdown: what stands in backticks is code.

    A property's text is taken as it stands: napoleon would read what comes before its first colon as a type.
    """
    marked = [_CODE.sub(lambda code: f"``{code[1]}``" + (f"\\ {code[2]}" if code[2] else ""), line) for line in lines]
    if what != "property":
        marked = GoogleDocstring(marked, Config(), what=what, name=name, obj=obj, options=options).lines()
    lines[:] = marked


_DEFAULT = re.compile(r"\b_([A-Z]+)\b")
_MODULE = re.compile(r"~?\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])")


def as_declared(_app: Any, _what: str, _name: str, _obj: Any, _options: Any, *signature: str | None) -> Any:
    """A signature in the names that a program uses, and without what a dataclass fills in by itself."""
    return tuple(
        part and _DEFAULT.sub(as_made, _MODULE.sub("", part.replace("<factory>", "..."))) for part in signature
    )


def as_made(constant: re.Match[str]) -> str:
    """A default that stands in a constant of the module, as one would write it: `_LIMITS` is `Limits()`."""
    return f"{constant[1].title()}()"


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", as_declared)
    app.connect("autodoc-process-docstring", as_restructured)
