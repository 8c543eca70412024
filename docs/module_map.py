"""A Sphinx directive: every module of the package with the first sentence of its docstring, read from the source.

    ```{module-map}
    ```

What is shown is made at each build, so it cannot fall behind the code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

SOURCE = Path(__file__).parents[1] / "src" / "argwright"


class ModuleMap(SphinxDirective):
    """Lists the modules, package by package."""

    def run(self) -> list[Any]:
        """The list, parsed as part of the page."""
        self.content = StringList(list(listed(SOURCE)), source=str(SOURCE))
        return self.parse_content_to_nodes()


def listed(folder: Path, name: str = "argwright") -> Iterator[str]:
    """Markdown: the modules of a package, and below them its packages."""
    modules = sorted(path for path in folder.glob("*.py") if path.stem != "__init__")
    if name != "argwright":
        yield from ("", f"**{name}**: {sentence(folder / '__init__.py')}", "")
    yield from (f"- `{path.stem}`: {sentence(path)}" for path in modules)
    for path in sorted(path for path in folder.iterdir() if (path / "__init__.py").exists()):
        yield from listed(path, f"{name}.{path.name}")


def sentence(path: Path) -> str:
    """The first paragraph of a module's docstring, in one line."""
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(said.partition("\n\n")[0].split())


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("module-map", ModuleMap)
    return {"parallel_read_safe": True}
