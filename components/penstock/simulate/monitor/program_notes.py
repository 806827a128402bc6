"""What the program's side of a rehearsal reports (`penstock.simulate.in_program`), and what it is answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from penstock.core.findings import Finding, Severity, Source
from penstock.graph.graph import Lookup, Resource, SourceLocation
from penstock.graph.values import UNKNOWN
from penstock.secrets.redaction import Redaction
from penstock.simulate.failure import innermost
from penstock.simulate.in_program import COMPARED, DRY_RUN, FAILED, FORMATTED, STACK_OUTPUT
from penstock.simulate.monitor.formatted_texts import FormattedTexts

_ASKED_FOR_DRY_RUN: Final = (
    "the program asks is_dry_run(), which is true in a rehearsal as in `pulumi preview`: "
    "what the program does only in `pulumi up` is left out"
)


class ProgramNotes:
    """The notes of one run. Their findings go to `findings`, places relative to `root`."""

    def __init__(self, findings: list[Finding], root: Path, redaction: Redaction, texts: FormattedTexts) -> None:
        self._findings, self._root, self._redaction, self._texts = findings, root, redaction, texts
        self._reported: set[tuple[str, ...]] = set()

    def take(
        self, token: str, arguments: Mapping[str, Any], resources: Mapping[str, Resource], lookups: Sequence[Lookup]
    ) -> dict[str, Any]:
        """Take a note, and return its answer."""
        frames = [(frame["file"], frame["line"]) for frame in arguments["frames"]]
        if token == COMPARED:
            self._compared(arguments, innermost(frames[:1], self._root))  # a library's own comparisons are its own
            return {}
        place = innermost(frames, self._root)
        if token == FORMATTED:
            return {"number": self._texts.note(place, is_output=arguments["is_output"])}
        if token == DRY_RUN:
            self._report("PROGRAM-005", _ASKED_FOR_DRY_RUN, place)
        elif token == STACK_OUTPUT:
            self._miss(resources[arguments["urn"]], str(arguments["output"]), place)
        elif token == FAILED:
            return {"excused": self._excuse(arguments, resources, lookups, place)}
        return {}

    def _miss(self, reference: Resource, output: str, place: SourceLocation | None) -> None:
        if "outputs" not in reference.outputs:
            message = f"the output {output!r} of the stack {reference.id} is unknown: it is not supplied"
            hint = (
                f"`pulumi stack output --stack {reference.id} --json --show-secrets >FILE`, then "
                f"`--stack-output {reference.id}=FILE`; or write it below `penstock:stackOutputs` in the stack file."
            )
            self._report("PROGRAM-007", message, place, hint=hint, urn=reference.urn)

    def _compared(self, arguments: Mapping[str, Any], place: SourceLocation | None) -> None:
        if place is None:
            return
        if "other" in arguments:
            message = "this compares an Output with a plain value: they are never equal, whatever the value is"
            hint = "Compare inside apply(), or read the value from the configuration."
        else:
            message = "this tests an Output whose value is true or false: the Output itself is always true"
            hint = "Test the value inside apply(), or read it from the configuration."
        self._report("TEXT-002", message, place, hint=hint, severity=Severity.WARNING)

    def _excuse(
        self,
        arguments: Mapping[str, Any],
        resources: Mapping[str, Resource],
        lookups: Sequence[Lookup],
        place: SourceLocation | None,
    ) -> bool:
        what, urn = next(_invented(arguments["sources"], resources, lookups), ("", None))
        if what:
            error = self._redaction.of(str(arguments["error"]))
            message = f"a function fails on {what}, whose value is simulated: {error}. Its result stays unknown"
            hint = "If it fails on the cloud's own value too, `pulumi up` stops here."
            self._report("PROGRAM-006", message, place, hint=hint, urn=urn)
        return bool(what)

    def _report(
        self,
        code: str,
        message: str,
        place: SourceLocation | None,
        *,
        hint: str = "",
        urn: str | None = None,
        severity: Severity = Severity.INFO,
    ) -> None:
        """Add a finding, once; of what is asked again and again, the first line only."""
        key = (message, str(place)) if code in ("PROGRAM-006", "TEXT-002") else (message,)
        if key in self._reported:
            return
        self._reported.add(key)
        self._findings.append(
            Finding(
                code=code,
                severity=severity,
                source=Source.PROGRAM,
                message=message,
                hint=hint,
                urn=urn,
                file=place.file if place else None,
                line=place.line if place else None,
            )
        )


def _invented(
    sources: Iterable[Mapping[str, Any]], resources: Mapping[str, Resource], lookups: Sequence[Lookup]
) -> Iterator[tuple[str, str | None]]:
    """Yield what no cloud has given among the values of a function: a property, and the URN of its resource."""
    for source in sources:
        texts = {leaf for leaf in source["leaves"] if isinstance(leaf, str) and leaf}
        if UNKNOWN in source["leaves"]:
            yield "a result that is unknown", None
        for owner in source["of"]:
            resource = resources.get(owner["urn"])
            key = _invented_key(resource, owner["property"], texts) if resource is not None else None
            if resource is not None and key is not None:
                yield f"{key} of {resource.name}", resource.urn
        # An answer belongs to the resources that the function was asked about, too.
        for lookup in lookups:
            results = {key: value for key, value in lookup.answer.items() if key not in lookup.documented}
            if texts & set(_texts(results)):
                yield f"an answer of {lookup.token}", None


def _invented_key(resource: Resource, name: str, texts: set[str]) -> str | None:
    """The property that a value is of, unless the program gave the value itself, or a person by hand.

    What is in no answer is nothing that a cloud said, either.
    """
    if resource.documented is None:
        return None
    if name:
        key = next((key for key in (*resource.outputs, *resource.inputs) if _plainly(key) == _plainly(name)), name)
        return key if _is_invented(resource, key) else None
    made = {key: value for key, value in resource.outputs.items() if _is_invented(resource, key)}
    return next((key for key, value in made.items() if texts & set(_texts(value))), None)


def _is_invented(resource: Resource, key: str) -> bool:
    if key in (resource.documented or ()):
        return False
    given, answered = resource.inputs.get(key), resource.outputs.get(key)
    return given is None or (answered is not None and answered != given)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _texts(item)


def _plainly(name: str) -> str:
    return name.replace("_", "").lower()
