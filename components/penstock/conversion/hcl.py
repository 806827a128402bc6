"""HCL as plain data: blocks by type and labels, expressions as `${...}`, and the place of each part."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

from penstock.core.distribution import install_command
from penstock.core.errors import MissingExtra, UnusableSource
from penstock.description.positions import Path, Place


def parse(text: str, file: str) -> tuple[dict[str, Any], dict[Path, Place]]:
    """Return the data of an HCL file, and the place of each part.

    Blocks of one type and labels follow each other in a list: `module.eks[0]`.

    Raises:
        UnusableSource: the text is not HCL; names the line.
        MissingExtra: the parser is not installed.
    """
    try:
        import hcl2
        from lark.exceptions import LarkError
    except ModuleNotFoundError:
        raise MissingExtra(f"reading Terraform needs python-hcl2: {install_command('import')}") from None
    try:
        start = hcl2.parses(text if text.endswith("\n") else f"{text}\n")
    except LarkError as error:
        line = getattr(error, "line", None)
        place = line if isinstance(line, int) and line > 0 else None
        raise UnusableSource("The file is not HCL: a syntax error.", file, place or 1) from None
    places: dict[Path, Place] = {}
    return _body(start.body, (), places), places


def defaults_of(data: dict[str, Any]) -> dict[str, Any]:
    """Return the values of variables with defaults and of locals, by reference: `var.region`, `local.name`."""
    found = {}
    for name, blocks in data.get("variable", {}).items():
        found[f"var.{name}"] = blocks[0].get("default")
    for block in data.get("locals", []):
        found.update({f"local.{name}": value for name, value in block.items()})
    return found


def neighbours(file: FilePath) -> Iterator[FilePath]:
    """Yield the other Terraform files of a folder, which may declare variables and locals."""
    yield from (each for each in sorted(file.parent.glob("*.tf")) if each.name != file.name)


def _body(body: Any, path: Path, places: dict[Path, Place]) -> dict[str, Any]:
    from hcl2.rules.base import AttributeRule, BlockRule

    data: dict[str, Any] = {}
    for child in body.children:
        if isinstance(child, AttributeRule):
            key = child.identifier.serialize()
            places[(*path, key)] = _place(child)
            data[key] = _value(child.expression, (*path, key), places)
        elif isinstance(child, BlockRule):
            _block(child, data, path, places)
    return data


def _block(block: Any, data: dict[str, Any], path: Path, places: dict[Path, Place]) -> None:
    *labels, last = [_plain(label.serialize()) for label in block.labels]
    holder: Any = data
    for label in labels:
        holder, path = holder.setdefault(label, {}), (*path, label)
        places.setdefault(path, _place(block))
    blocks = holder.setdefault(last, [])
    if isinstance(blocks, list):
        path = (*path, last, len(blocks))
        places.setdefault(path[:-1], _place(block))
        places[path] = _place(block)
        blocks.append(_body(block.body, path, places))


def _value(rule: Any, path: Path, places: dict[Path, Place]) -> Any:
    from hcl2.rules.containers import ObjectRule, TupleRule
    from hcl2.rules.expressions import ExprTermRule
    from hcl2.utils import SerializationOptions

    while isinstance(rule, ExprTermRule) and not rule.parentheses:
        rule = rule.expression
    if isinstance(rule, ObjectRule):
        found = {}
        for each in rule.elements:
            key = _plain(str(each.key.serialize()))
            places[(*path, key)] = _place(each)
            found[key] = _value(each.expression, (*path, key), places)
        return found
    if isinstance(rule, TupleRule):
        items = []
        for index, element in enumerate(rule.elements):
            places[(*path, index)] = _place(element)
            items.append(_value(element, (*path, index), places))
        return items
    value = rule.serialize(SerializationOptions(preserve_heredocs=False))
    return _plain(value) if isinstance(value, str) else value


def _plain(text: str) -> str:
    """Return a text without its quotes."""
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return text[1:-1].replace('\\"', '"') if quoted else text


def _place(rule: Any) -> Place:
    meta = rule._meta  # noqa: SLF001 - where lark has it
    return Place(getattr(meta, "line", 1), getattr(meta, "column", 1))
