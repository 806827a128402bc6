"""Fills the caches of a warm process: tables of facts, rules, and the types of the SDKs that a description needs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from penstock.core.errors import PenstockError
from penstock.description import document, load
from penstock.simulate.project import config_of, locate


def warm_up(target: str, stack: str) -> None:
    """Rehearse and judge the platform of a stack's description, if it has one. No code of the program runs here.

    The command itself reports what is wrong with it.
    """
    with suppress(PenstockError):
        project, name = locate(target, stack)
        config = config_of(project, name)
        if document.KEY in config.objects:
            _rehearse_platform(Path(project.stack_file(name)), dict(config.values))


def _rehearse_platform(file: Path, config: dict[str, str]) -> None:
    from penstock.description import policies
    from penstock.platform import Platform
    from penstock.policies.judge import judge_policies
    from penstock.report.overview import overview_of
    from penstock.report.redacted import redacted
    from penstock.report.stack_verdict import document as written
    from penstock.report.stack_verdict import verdict_of
    from penstock.simulate import sdk_imports
    from penstock.simulate.run import rehearse

    description = load(file)
    settings = policies.judged(config, str(file), document.places(file))
    with sdk_imports.on_demand():
        rehearsal = rehearse(lambda: Platform(description), config=config, settings=settings)
        judged = judge_policies(rehearsal.graph, settings, beside=rehearsal.judgement)
        written(verdict_of(redacted(overview_of(rehearsal, environment="", cloud=None, policies=judged))))
