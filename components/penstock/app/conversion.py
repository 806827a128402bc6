"""The import of a platform: its description, what a person must know of it, and the changes that would remain."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from penstock.app.assess import check
from penstock.app.compare import compare
from penstock.changes.revision import Baseline
from penstock.conversion import completion, formats, stack_export
from penstock.core.errors import Unwritable
from penstock.core.findings import Finding
from penstock.report.assessment import Assessment
from penstock.secrets.redaction import Redaction
from penstock.simulate.environment import Environment, find_environment


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported description.

    Attributes:
        title: What the source is.
        file: The stack file to write.
        text: The text of the stack file.
        notes: What was not translated, what was assumed, what to fill in.
        checked: The verdict on the description; with its changes, where the source is a stack export.
    """

    title: str
    file: Path
    text: str
    notes: tuple[Finding, ...]
    checked: Assessment


def import_platform(source: Path, out: Path | None, *, progress: Callable[[str], None] | None = None) -> Imported:
    """Translate a file into a description and rehearse it; nothing is written.

    Args:
        source: the file.
        out: the stack file to write; by default named after the exported stack or the platform, in the present folder.
        progress: called with the URN of each resource as it is registered.

    Raises:
        Unwritable: the file to write exists.
        PenstockError: as `formats.read` and `completion.complete`.
    """
    _is_free(out)
    form, draft = formats.read(source)
    platform = completion.complete(draft)
    file = out or Path(f"Pulumi.{draft.stack or platform['name']}.yaml")
    _is_free(file)
    text = completion.text_of(platform, form, source.name)
    with tempfile.TemporaryDirectory(prefix="penstock-import-") as folder:
        written = Path(folder) / file.name
        written.write_text(text, encoding="utf-8")
        environment = find_environment(str(written))
        checked = _checked(environment, source if form == stack_export.TITLE else None, progress)
        checked = replace(checked, findings=tuple(_placed(checked.findings, written, file)))
    return Imported(form, file, text, tuple(draft.notes), checked)


def _placed(findings: Iterable[Finding], written: Path, file: Path) -> Iterator[Finding]:
    """Yield findings on the description, with places in the file to write.

    The report shows changes by itself, and that there is no program yet goes without saying.
    """
    for each in findings:
        if each.code != "PROGRAM-011" and not each.code.startswith("DIFF-"):
            yield replace(each, file=str(file)) if each.file == str(written) else each


def _is_free(file: Path | None) -> None:
    if file is not None and file.exists():
        raise Unwritable(f"{file} exists, and is not overwritten")


def _checked(environment: Environment, export: Path | None, progress: Callable[[str], None] | None) -> Assessment:
    """Rehearse the description; with an export, as the stack of the export, and compare it with the state."""
    if export is None:
        return check(environment, progress=progress)
    graph = stack_export.graph_at(export)
    as_deployed = replace(environment, stack=graph.stack, project=replace(environment.project, name=graph.project))
    return compare(as_deployed, Baseline(graph, Redaction.of_graph(graph)), progress=progress)


def write_new(text: str, file: Path) -> None:
    """Write a file that must not exist, whole or not at all.

    Raises:
        Unwritable: it exists, or cannot be written.
    """
    try:
        with file.open("x", encoding="utf-8") as stream:
            try:
                stream.write(text)
                stream.flush()
            except OSError:
                file.unlink()
                raise
    except FileExistsError:
        raise Unwritable(f"{file} exists, and is not overwritten") from None
    except OSError as error:
        raise Unwritable(f"{file} cannot be written: {(error.strerror or 'unknown error').lower()}") from None
