"""Many calls of one toolbox, judged together.

Each gets the answer of `Toolbox.resolve`. Nearly all are plainly valid, and most of those
are found by whole columns (`argwright.batch.sieve`). For the others the lane takes the
pipeline's own short way, without making a `ToolCall` and a `ValidCall` for each: the same
strict reading, the same looks for damage, the same validator. One short cut is its own:
where a fast parser and writer give back the text that came, but for blanks, that text is
strict JSON, has each key once and no number that lost a digit, and what was given back is
what is to be written. (Blanks tell no tokens apart in JSON, so what is alike without them
has the same tokens; in a string, which the parser kept, they stand as they came.)
Whatever is not plain goes to the pipeline's longer ways.

What a model writes wrong it writes again: the answers to short texts are kept, within
bounds, and given again for the same tool, text and finish reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from argwright import pipeline, rules
from argwright.batch.columns import listed, texts_of
from argwright.batch.sieve import Sieve
from argwright.batch.verdict import Verdict, verdict, written
from argwright.model import Json, Outcome, ToolCall
from argwright.pipeline import glance
from argwright.pipeline.reading import is_whole
from argwright.policy import Limits, Policy
from argwright.toolbox import Toolbox

Column: TypeAlias = "pa.Array[Any] | Sequence[Any]"
"""Arrow's text, or a dictionary of it; or any sequence of texts."""

KEPT = 4_096
"""Answers that a lane keeps; with their texts some tens of megabytes at most."""
_DEEP = 200  # containers in a text that the fast writer takes in any nesting
_ENDS = "} \n"  # of a text that is worth a try
_SHORT = 2_000  # characters of a text whose answer is kept; a longer one hardly comes twice
_PLAIN = 4  # times as many plainly valid calls are kept, of which only two texts remain
_BRIEF = 400  # characters of the longest of them


class Judged(NamedTuple):
    """What became of a call that was not plainly valid."""

    outcome: Outcome
    verdict: Verdict


class Answers(NamedTuple):
    """The answers to a run of calls.

    Args:
        arguments: the effective arguments of each call as JSON text; null for a call refused.
        odd: by row, every call that was not plainly valid.
    """

    arguments: pa.Array[Any]
    odd: dict[int, Judged]


class Lane:
    """Judges calls by one toolbox.

    Args:
        box: the declared tools; who watches it is not told.
        policy: goes before that of tools and toolbox.
        kept: answers that are kept; 0 for none.
    """

    def __init__(self, box: Toolbox, policy: Policy | None = None, *, kept: int = KEPT) -> None:
        self.box = box if box.monitor is None else replace(box, monitor=None)
        self._policy, self._most = policy, kept
        self._rules = rules.load(box.rules, without=box.without)
        tools = {name: box[name] for name in box.names}
        self._looks = {name: glance.looker(tool, self._rules) for name, tool in tools.items()}
        self._sieve = Sieve(tools, self._rules, box.limits)
        self._exactly = _reader(box.limits)
        self._kept: dict[tuple[Any, ...], Judged] = {}
        self._plain: dict[tuple[Any, ...], str | bytes] = {}

    def judge(self, names: Column, texts: Column, finishes: Column) -> Answers:
        """The answers to calls given by column."""
        columns = [texts_of(column) for column in (names, texts, finishes)]
        arrays = [column for column in columns if isinstance(column, pa.Array)]
        if len(arrays) < len(columns):
            arguments, odd = self.by_row(*map(listed, columns))
            return Answers(pa.array(arguments, pa.string()), odd)
        plain = self._sieve.plain(*arrays)
        left = plain.is_null()
        rows = pc.indices_nonzero(left)
        arguments, odd = self.by_row(*(column.take(rows).to_pylist() for column in arrays))
        places: list[Any] = rows.to_pylist()
        made = pc.replace_with_mask(plain, left, pa.array(arguments, plain.type))
        return Answers(made, {places[place]: judged for place, judged in odd.items()})

    def by_row(
        self, names: Iterable[str | None], texts: Iterable[str | bytes | None], finishes: Iterable[str | None]
    ) -> tuple[list[str | bytes | None], dict[int, Judged]]:
        """The same of a few calls, one by one: the effective arguments, and by row what is not plainly valid."""
        find, kept = self._looks.get, self._kept.get
        arguments: list[str | bytes | None] = []
        odd: dict[int, Judged] = {}
        for row, (name, text, finish) in enumerate(zip(names, texts, finishes, strict=True)):
            judged = kept((name, text, finish))
            if judged is None:
                look, sight = find(name or ""), None
                if look is not None and type(text) is str and (finish is None or is_whole(finish)):
                    seen = self._seen(look, name, text)
                    if not isinstance(seen, glance.Sight):
                        arguments.append(seen)
                        continue
                    sight = seen
                judged = self._judged(name, text, finish, sight)
            arguments.append(judged.verdict.arguments)
            odd[row] = judged
        return arguments, odd

    def _seen(self, look: glance.Looker, name: str | None, text: str) -> str | bytes | glance.Sight:
        """What one look at a text shows: its effective arguments if it is plainly valid."""
        made = self._plain.get((name, text))
        if made is not None:
            return made
        value, made = self._exactly(text)
        stopped = None
        if made is None:
            value, stopped = glance.strictly(text, self.box.limits)
        said = look(text, value)
        if said is not glance.PLAIN:
            return glance.Sight(value, stopped, said)
        if made is None:
            made = written(value)
        self._remember(name, text, (value, made))
        return made

    def _remember(self, name: str | None, text: str, plain: tuple[Json, str | bytes]) -> None:
        """What is plain teaches the sieve, and is known when it comes again."""
        value, made = plain
        self._sieve.learn(name, value)
        if self._most and len(text) <= _BRIEF:
            if len(self._plain) >= _PLAIN * self._most:
                self._plain.clear()
            self._plain[name, text] = made

    def resolve(self, call: ToolCall, seen: glance.Sight | None = None) -> Judged:
        """The answer to one call."""
        box = self.box
        outcome = pipeline.resolve(
            call, box, policy=self._policy, default=box.policy, limits=box.limits, rules=self._rules, seen=seen
        )
        return Judged(outcome, verdict(outcome))

    def _judged(
        self, name: str | None, text: str | bytes | None, finish: str | None, seen: glance.Sight | None
    ) -> Judged:
        judged = self.resolve(ToolCall(id=None, name=name, arguments=text, finish_reason=finish), seen)
        if self._most and (text is None or len(text) <= _SHORT):
            if len(self._kept) >= self._most:
                self._kept.pop(next(iter(self._kept)), None)
            self._kept[name, text, finish] = judged
        return judged


def _reader(limits: Limits) -> Callable[[str], tuple[Json, bytes | None]]:
    """A function that reads a text which is written as we would write it, but for blanks.

    It gives the value and the text without them, in UTF-8; of any other text, twice `None`.
    """
    parse, dump = orjson.loads, orjson.dumps
    deep, long = min(limits.max_depth, _DEEP), limits.max_chars
    short = min(deep, long)

    def exactly(text: str) -> tuple[Json, bytes | None]:
        if text[-1:] not in _ENDS:
            return None, None
        if len(text) > short and (len(text) > long or text.count("{") + text.count("[") > deep):
            return None, None
        try:
            value = parse(text)
        except ValueError:
            return None, None
        made, came = dump(value), text.encode()
        if made == came or made.replace(b" ", b"") == came.replace(b" ", b""):
            return value, made
        return None, None

    return exactly
