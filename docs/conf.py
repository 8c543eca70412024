"""How the documentation is built."""

from __future__ import annotations

import argwright

project = "argwright"
author = "The argwright authors"
copyright = "The argwright authors"  # noqa: A001  # Sphinx's own name
release = argwright.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 3
nitpicky = True

html_theme = "furo"
html_title = f"argwright {release}"
