"""Declaring tools to a provider in what it takes of JSON Schema.

- `subset`: the allow-lists, one a provider and mode
- `modern`: old spellings of JSON Schema in the present one
- `refs`: references, and which of them are cycles
- `merge`: several schemas as one
- `rewrite`: a place in the keywords that the provider takes
- `words`: what is left, said in the description
- `strict`: strict mode: nothing open, `null` for what may be left out
- `fit`: the walk over a schema
- `tools`: names, descriptions, reports: `declare`
"""

from argwright.wire.declaring.fit import Fitted, fit
from argwright.wire.declaring.report import LOSSES, Action, Adjustment, CannotFit
from argwright.wire.declaring.subset import MODES, Modes, Subset
from argwright.wire.declaring.tools import Declarable, Declared, declare

__all__ = [
    "LOSSES",
    "MODES",
    "Action",
    "Adjustment",
    "CannotFit",
    "Declarable",
    "Declared",
    "Fitted",
    "Modes",
    "Subset",
    "declare",
    "fit",
]
