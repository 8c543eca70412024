"""The drive of a scan: find, cut, hand out what is not done yet, take in what is done, sum up.

Nothing of a part is kept but its figures, and of those only the sum; so any number of
files of any size goes through in the same memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

import argwright
from argwright.batch.log.figures import Figures
from argwright.batch.log.inputs import Source
from argwright.batch.log.manifest import Manifest, UnwrittenError
from argwright.batch.log.parts import BLOCK, MAX_LINE, PIECES, ROWS, Part, cut
from argwright.batch.log.work import Job, Result

Engine: TypeAlias = Callable[[Iterable[Part], Job], Iterator[Result]]
"""Does the parts, in any order, and takes no more of them than it can work on."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be done.

    Args:
        sources: the files.
        job: what is done with each part.
        engine: who does it.
        anew: forget what was done before.
    """

    sources: tuple[Source, ...]
    job: Job
    engine: Engine
    anew: bool = False


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a scan is.

    Args:
        weight: bytes of the files that this step has done.
        figures: the figures of the part, `None` if it was done by an earlier run.
    """

    weight: int
    figures: Figures | None = None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a scan found.

    Args:
        figures: of all the files.
        parts: how many parts this run did.
        before: how many were done by earlier runs.
        failed: how many files or parts of files could not be read.
        files: the files of answers, in the folder of the job.
    """

    figures: Figures = field(repr=False)
    parts: int = 0
    before: int = 0
    failed: int = 0
    files: tuple[str, ...] = ()


def scan(plan: Plan, told: Callable[[Progress], None] = lambda _: None) -> Outcome:
    """Do what is left to do of a plan.

    Args:
        plan: the files and what to do with them.
        told: hears of every part.

    Raises:
        OtherScanError: the folder of the answers holds those of another scan.
        UnwrittenError: nothing more can be written there.
    """
    if plan.job.out is None:
        return _sum(plan, told)
    manifest = Manifest(Path(plan.job.out), settings(plan.job), anew=plan.anew)
    with closing(manifest):
        manifest.refresh(plan.sources)
        return _sum(plan, told, manifest)


def settings(job: Job) -> dict[str, Any]:
    """What decides what a part's answers are."""
    declared = None if job.tools is None else job.tools.to_dict()
    words = json.dumps(declared, sort_keys=True, default=str).encode()
    return {
        "version": argwright.__version__,
        "tools": blake2b(words, digest_size=16).hexdigest(),
        "policy": None if job.policy is None else asdict(job.policy),
        "form": job.form,
        "texts": job.texts,
        "cut": [BLOCK, MAX_LINE, ROWS, PIECES],
    }


def _sum(plan: Plan, told: Callable[[Progress], None], manifest: Manifest | None = None) -> Outcome:
    before = done = failed = 0
    weights: dict[tuple[str, int], int] = {}
    total, faults = Figures(), Figures()

    def parts() -> Iterator[Part]:
        nonlocal before
        for source in plan.sources:
            for part in cut(source, manifest.known(source) if manifest else {}):
                if manifest is not None and manifest.has(part):
                    before += 1
                    told(Progress(weight=part.weight))
                    continue
                weights[part.key] = part.weight
                yield part

    for result in _written(plan.engine(parts(), plan.job), plan.job):
        if result.failed:
            failed += 1
            faults.merge(result.figures)
        else:
            done += 1
            if manifest is not None:
                manifest.add(result)
            else:
                total.merge(result.figures)
        told(Progress(weight=weights.pop((result.path, result.start), 0), figures=result.figures))
    if manifest is not None:
        for figures in manifest.figures(source.path for source in plan.sources):
            total.merge(figures)
    faults.merge(total)  # what a whole file or part of one is missing for comes before single lines
    files = tuple(manifest.files()) if manifest is not None else ()
    return Outcome(figures=faults, parts=done, before=before, failed=failed, files=files)


def _written(results: Iterable[Result], job: Job) -> Iterator[Result]:
    """The results up to one that could not be written: there is no use in going on."""
    for result in results:
        if result.unwritten is not None:
            raise UnwrittenError(job.out or "", result.unwritten)
        yield result
