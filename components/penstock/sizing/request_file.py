"""Requests from options and from a small YAML file; every problem has the place where it was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.core.errors import InvalidDescription
from penstock.core.findings import Finding, Severity, Source
from penstock.sizing.request import RequestProblem, SizingRequest
from penstock.sizing.request_fields import request_of

if TYPE_CHECKING:
    import yaml

CODE = "SIZE-001"
_WHOLE_FILE = "file"
"""Where a problem is one of the file itself."""


@dataclass(frozen=True, slots=True)
class _Place:
    line: int
    column: int


def read_request(options: Mapping[str, str], file: Path | None = None) -> SizingRequest:
    """The request that a file and options make; options win.

    Raises:
        InvalidDescription: with everything that is wrong, at once.
    """
    written, places, problems = _of_file(file) if file is not None else ({}, {}, [])
    found: SizingRequest | list[RequestProblem] = []
    if not any(each.field == _WHOLE_FILE for each in problems):
        found = request_of({**written, **options})
    if isinstance(found, SizingRequest):
        if not problems:
            return found
        found = []
    unread = {each.field for each in problems}
    problems += [each for each in found if each.field not in unread]
    raise InvalidDescription([_finding(each, options, file, places) for each in problems])


def _finding(
    problem: RequestProblem, options: Mapping[str, str], file: Path | None, places: Mapping[str, _Place]
) -> Finding:
    place = places.get(problem.field)
    is_whole = problem.field == _WHOLE_FILE
    in_file = place is not None and problem.field not in options
    option = f"--{problem.field.replace('_', '-')}"
    return Finding(
        code=CODE,
        severity=Severity.ERROR,
        source=Source.SPEC,
        message=problem.message,
        hint=problem.hint,
        path=None if is_whole else problem.field if in_file else option,
        file=str(file) if in_file or is_whole else None,
        line=place.line if in_file and place is not None else None,
        column=place.column if in_file and place is not None else None,
    )


def _of_file(file: Path) -> tuple[dict[str, str], dict[str, _Place], list[RequestProblem]]:
    """The fields of a file as texts, and where each is written."""
    import yaml

    places: dict[str, _Place]
    try:
        root = yaml.compose(file.read_text(encoding="utf-8"))
    except OSError as error:
        return (
            {},
            {},
            [RequestProblem(_WHOLE_FILE, f"This cannot be read: {(error.strerror or 'unknown error').lower()}.")],
        )
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        places = {} if mark is None else {_WHOLE_FILE: _Place(mark.line + 1, mark.column + 1)}
        return {}, places, [RequestProblem(_WHOLE_FILE, f"This is not YAML: {error.problem or error.context}.")]
    except RecursionError:
        return (
            {},
            {},
            [RequestProblem(_WHOLE_FILE, "This is nested too deeply.", "Write lines such as `parameters: 70B`.")],
        )
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        return {}, {}, [RequestProblem(_WHOLE_FILE, f"This is not YAML: {str(error).splitlines()[0]}.")]
    if root is None:
        return {}, {}, []
    if not isinstance(root, yaml.MappingNode):
        mapping = RequestProblem(_WHOLE_FILE, "This is not a mapping.", "Write lines such as `parameters: 70B`.")
        return {}, {_WHOLE_FILE: _place(root)}, [mapping]
    texts: dict[str, str] = {}
    places = {}
    problems: list[RequestProblem] = []
    for key, value in root.value:
        name = str(key.value).replace("-", "_")
        if name in places:
            first = places[name].line
            problems.append(RequestProblem(name, f"{key.value} is given twice, first in line {first}.", "Remove one."))
        places[name] = _place(key)
        if isinstance(value, yaml.ScalarNode):
            texts[name] = value.value
        else:
            problems.append(RequestProblem(name, f"{key.value} takes one value.", "Write `parameters: 70B`."))
    return texts, places, problems


def _place(node: yaml.Node) -> _Place:
    return _Place(node.start_mark.line + 1, node.start_mark.column + 1)
