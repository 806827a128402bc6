"""Verdicts, bills, timelines and bodies of everything that the tests rehearse, in one file to compare two revisions.

    python -m tools.pin FILE.gz          writes the file
    python -m tools.pin OLD.gz NEW.gz    prints what differs, with exit status 1 if anything does

A refactoring leaves the file as it is. Each line is a JSON array whose first item names its part:

- `rule`: the metadata of a provider rule or policy.
- `case`: one case of a rule, with its verdict; `bill`: the bill of its program.
- `precondition`: one case of a precondition kind.
- `stack`: a stack of `stacks/` as `rehearse` and `rehearse --unknown` report it, with every policy pack.
- `diff`: a stack as `diff` reports it after an earlier description.
- `change`: one case of a changed description; every fourth, as in CI.
- `program`: an example program of the tests, in both forms.
"""

from __future__ import annotations

import gc
import gzip
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from datetime import datetime, tzinfo
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, Self, get_args

from tests.changes import change_cases
from tests.environments import STACKS, environment, rehearsed
from tests.preconditions import test_cases as preconditions
from tests.rules.cases import policy_cases, provider_cases, read_cases
from tests.rules.verdicts import judged, outcome_of, rules_by_id, verdict
from tests.simulate.test_unusual_programs import programs

from penstock.app.assess import overview_of
from penstock.app.compare import compare
from penstock.app.judge import judge_policies
from penstock.changes.revision import Baseline, Judges
from penstock.core import clock, cycles
from penstock.core.errors import InvalidDescription
from penstock.cost import cost_of
from penstock.graph.values import Secret, Unknown
from penstock.report import cost as bill
from penstock.report.found import document as finding_document
from penstock.report.json import render
from penstock.report.overview import Overview
from penstock.rules.settings import Pack, Settings
from penstock.simulate.run import Rehearsal
from penstock.testing import rehearse

Line = tuple[Any, ...]

EVERY_PACK: Final = Settings(packs=get_args(Pack))
OF_CHANGES: Final = ("findings", "changes", "cost_change")
SAMPLE: Final = 4
"""One change in so many is rehearsed."""
MOST_SHOWN: Final = 20
"""How many lines of each file a comparison prints."""


class FixedTime(datetime):
    """The time at which everything is judged."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        """Return the same time on every day."""
        return cls(2026, 11, 21, tzinfo=tz)


def rule_lines() -> Iterator[Line]:
    """Yield every rule, and every case of it with its verdict and the bill of its program."""
    for rule in rules_by_id().values():
        on = sorted(rule.on)
        yield "rule", rule.id, rule.category, rule.severity, rule.title, rule.rationale, rule.fix, rule.sources, on
    numbers = Counter[str]()
    for case in (*provider_cases(), *policy_cases()):
        numbers[case.rule] += 1
        said, head = verdict(case), (case.rule, numbers[case.rule])
        urn, outcome = judged(case).resource.urn, outcome_of(case, said)
        if not said.failures:
            yield "case", *head, urn, outcome
        for each in said.failures:
            hint = each.hint or rules_by_id()[case.rule].fix
            yield "case", *head, each.urn or urn, outcome, each.path, each.message, hint
        yield from _lines(("bill", *head), bill.document(cost_of(case.graph, None)))


def precondition_lines() -> Iterator[Line]:
    """Yield what every case of a precondition kind needs."""
    for file in preconditions.CASES:
        for number, case in enumerate(read_cases(file)):
            yield from (("precondition", case.rule, number, asdict(each)) for each in preconditions.found(case))


def stack_lines() -> Iterator[Line]:
    """Yield every stack, in `up` and with unknown values."""
    for stack in STACKS:
        settings = environment(stack).policies.model_copy(update={"packs": EVERY_PACK.packs})
        for preview in (False, True):
            whole = _overview(rehearsed(stack, preview=preview), settings)
            yield from _overview_lines(("stack", stack, _form(preview=preview)), whole)


def diff_lines() -> Iterator[Line]:
    """Yield every stack as it differs from earlier descriptions."""
    for stack in STACKS:
        described = change_cases.description_of(stack)
        for name, patch in _patches(described).items():
            head = "diff", stack, name
            try:
                before = rehearse(change_cases.patched(described, patch), stack=stack)
            except InvalidDescription as invalid:
                yield from ((*head, "refused", finding_document(each)) for each in invalid.findings)
                continue
            baseline = Baseline(before.graph, before.redaction, Judges(EVERY_PACK))
            yield from _lines(head, _report(compare(environment(stack), baseline)), OF_CHANGES)


def change_lines() -> Iterator[Line]:
    """Yield some cases of changed descriptions."""
    for case in islice(change_cases.cases(), 0, None, SAMPLE):
        head = "change", case.name
        try:
            rehearsal, changes = change_cases.changes_of(case)
        except InvalidDescription as invalid:
            yield from ((*head, "refused", finding_document(each)) for each in invalid.findings)
            continue
        whole = overview_of(rehearsal, environment=case.name, cloud=None, changes=changes)
        yield from _lines(head, _report(whole), OF_CHANGES)


def program_lines() -> Iterator[Line]:
    """Yield every example program, in `up` and with unknown values."""
    for name, program, config in programs():
        for preview in (False, True):
            whole = _overview(rehearse(program, config=config, preview=preview), EVERY_PACK)
            yield from _overview_lines(("program", name, _form(preview=preview)), whole)


PARTS: Final = (stack_lines, diff_lines, program_lines, change_lines, rule_lines, precondition_lines)
"""The parts of the file, the slowest first."""


def _patches(described: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The differences of an earlier description, by a name for each."""
    pool = {"disk": {"size_gib": 777}, "labels": {"example.com/former": "true"}}
    pools = {each["name"]: pool for each in described["node_pools"]}
    return {
        "name": {"name": "former", "addons": None},
        "pools": {"owner": "former", "node_pools": pools},
        "storage": {"storage": {"former": {"kind": "bucket"}}} if "storage" in described else {},
    }


def _overview(rehearsal: Rehearsal, settings: Settings) -> Overview:
    policies = judge_policies(rehearsal.graph, settings, beside=rehearsal.judgement)
    return overview_of(rehearsal, environment="pinned", cloud=None, policies=policies)


def _overview_lines(head: Line, whole: Overview) -> Iterator[Line]:
    """The lines of a report, then those of the resources with their inputs, secrets included."""
    report = _report(whole)
    resources = report.pop("resources")
    yield from _lines(head, report)
    for each in resources:
        yield *head, "resource", {**each, "inputs": whole.graph[each["urn"]].inputs}


def _report(whole: Overview) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(render(whole), object_hook=_without_line_of_code)
    return found


def _without_line_of_code(record: dict[str, Any]) -> dict[str, Any]:
    """A record without its place in a program, which moves with the code; a place in a stack file stays."""
    file = record.get("file")
    if not isinstance(file, str) or "line" not in record or file.startswith("stacks/"):
        return record
    return {key: value for key, value in record.items() if key not in ("file", "line", "column")}


def _lines(head: Line, value: Any, keys: Iterable[str] | None = None) -> Iterator[Line]:
    """A line for each value of a document, and for each record of a list."""
    if isinstance(value, Mapping) and value:
        for key in keys or value:
            yield from _lines((*head, key), value.get(key))
    elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        yield from ((*head, item) for item in value)
    else:
        yield *head, value


def _form(*, preview: bool) -> str:
    return "unknown" if preview else "up"


def _plain(value: object) -> object:
    """A value that JSON does not have, such as a secret."""
    if isinstance(value, Secret):
        return {"secret": value.value}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Unknown):
        return repr(value)
    raise TypeError(f"no line has a {type(value).__name__}: {value!r}")


def _part(lines: Callable[[], Iterator[Line]]) -> list[str]:
    """A part of the file, written by a process of its own."""
    vars(clock)["datetime"] = FixedTime
    cycles.search_rarely()
    return [json.dumps(line, ensure_ascii=False, sort_keys=True, default=_plain) + "\n" for line in lines()]


def write(file: Path) -> int:
    """Write the file, the same byte for byte for the same state; returns the number of its lines."""
    gc.freeze()  # the SDKs are millions of objects
    with ProcessPoolExecutor(2) as pool:
        lines = sorted(chain.from_iterable(pool.map(_part, PARTS)))
    file.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    return len(lines)


def differences(old: Path, new: Path) -> list[str]:
    """Return the numbers of lines and the first lines of each file that the other does not have; empty if equal."""
    before, after = (gzip.decompress(file.read_bytes()).decode().split("\n") for file in (old, new))
    if before == after:
        return []
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    return [
        f"{len(before) - 1} and {len(after) - 1} lines: {gone.total()} are gone, {come.total()} are new",
        *(f"- {line}" for line in islice(gone.elements(), MOST_SHOWN)),
        *(f"+ {line}" for line in islice(come.elements(), MOST_SHOWN)),
    ]


def main(files: list[Path]) -> None:
    """Write one file, or compare two."""
    match files:
        case [file]:
            print(f"{write(file)} lines")
        case [old, new]:
            sys.exit("\n".join(differences(old, new)) or 0)
        case _:
            sys.exit("usage: python -m tools.pin FILE.gz [NEW.gz]")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
