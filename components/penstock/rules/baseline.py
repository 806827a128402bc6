"""Known findings: a baseline file accepts those that exist, so that only new ones block.

A finding is identified by its stack, rule, resource and property path. Lines and messages may change.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from penstock.core.errors import UnusableBaseline
from penstock.core.findings import Finding, Source
from penstock.rules.judge import INTERNAL

_SOURCES: Final = (Source.CLOUD, Source.POLICY, Source.BUDGET)
_NEVER_KNOWN: Final = ("DIFF-", "RULE-", INTERNAL)
_KEY: Final = "findings"


@dataclass(frozen=True, slots=True, order=True)
class KnownFinding:
    """The identity of a finding: `resource` is a URN, and empty like `path` where the finding has none."""

    stack: str
    rule: str
    resource: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class FindingsBaseline:
    """The known findings of all stacks. One that is listed twice accepts two findings."""

    known: tuple[KnownFinding, ...] = ()

    def of(self, stack: str) -> tuple[KnownFinding, ...]:
        """Return the known findings of a stack."""
        return tuple(each for each in self.known if each.stack == stack)

    def split(
        self, stack: str, findings: Iterable[Finding]
    ) -> tuple[tuple[Finding, ...], tuple[Finding, ...], tuple[KnownFinding, ...]]:
        """Return the findings that count, those that are known, and the entries of the stack that match none."""
        left = Counter(self.of(stack))
        counting, known = [], []
        for finding in findings:
            identity = _identity(stack, finding)
            if can_be_known(finding) and left[identity]:
                left[identity] -= 1
                known.append(finding)
            else:
                counting.append(finding)
        return tuple(counting), tuple(known), tuple(sorted(left.elements()))

    def with_stack(self, stack: str, findings: Iterable[Finding]) -> FindingsBaseline:
        """Return the baseline in which the findings of a stack that can be known are all that it has of the stack."""
        others = (each for each in self.known if each.stack != stack)
        own = (_identity(stack, each) for each in findings if can_be_known(each))
        return FindingsBaseline(tuple(sorted((*others, *own))))

    def text(self) -> str:
        """The baseline as its file has it."""
        return json.dumps({_KEY: [asdict(each) for each in self.known]}, indent=2)


def can_be_known(finding: Finding) -> bool:
    """Return whether a baseline may accept a finding: it blocks, and a rule found it in what exists.

    Findings about a change, and those about a rule that could not be evaluated, always count.
    """
    return finding.blocks and finding.source in _SOURCES and not finding.code.startswith(_NEVER_KNOWN)


def read_baseline(file: Path) -> FindingsBaseline:
    """Return the baseline in a file.

    Raises:
        UnusableBaseline: the file cannot be read, or is not a baseline.
    """
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        known = tuple(KnownFinding(**each) for each in content[_KEY])
    except OSError as error:
        raise UnusableBaseline(f"{file} cannot be read: {(error.strerror or 'unknown error').lower()}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UnusableBaseline(
            f"{file} is not a baseline: write one with `penstock check --write-baseline {file}`"
        ) from None
    if not all(isinstance(value, str) for each in known for value in asdict(each).values()):
        raise UnusableBaseline(f"{file}: stack, rule, resource and path of each finding must be text")
    return FindingsBaseline(known)


def _identity(stack: str, finding: Finding) -> KnownFinding:
    return KnownFinding(stack, finding.code, finding.urn or "", finding.path or "")
