"""Fills the caches of a warm process: tables of facts, rules, and the types of the SDKs that a description needs."""

from __future__ import annotations

from contextlib import suppress


def warm_up(target: str, stack: str) -> None:
    """Rehearse and judge the platform of a stack's description, if it has one. No code of the program runs here.

    All imports are made here, in the process that is warmed up. The command itself reports what is wrong with the
    description, and a defect of Penstock.
    """
    from penstock.app.assess import overview_of
    from penstock.app.description import rehearse_platform
    from penstock.app.judge import judge_policies
    from penstock.description import document, load, policies
    from penstock.report.redacted import redacted
    from penstock.report.stack_verdict import document as written
    from penstock.report.stack_verdict import verdict_of
    from penstock.simulate.project import config_of, locate
    from penstock.simulate.sdk_hooks import imports_on_demand

    with suppress(Exception):
        project, name = locate(target, stack)
        config = config_of(project, name)
        if document.KEY not in config.objects:
            return
        file = project.stack_file(name)
        description = load(file)
        settings = policies.judged(config.values, str(file), document.places(file))
        with imports_on_demand():
            rehearsal = rehearse_platform(description, config=config.values, settings=settings)
            judged = judge_policies(rehearsal.graph, settings, beside=rehearsal.judgement)
            written(verdict_of(redacted(overview_of(rehearsal, environment="", cloud=None, policies=judged))))
