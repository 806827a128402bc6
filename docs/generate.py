"""The reference pages, generated from the code as the site is built: `make docs`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from docs import environments, rule_pages
from docs.addon_pages import addons_page
from docs.exceptions import exceptions_page
from docs.markdown import link, page, table
from docs.rule_pages import rules_page
from docs.team_rights import team_rights_page

from penstock import description
from penstock.catalog import machines
from penstock.catalog.machine import Machine
from penstock.catalog.sources import source_page
from penstock.catalog.tables import clouds_with
from penstock.description import rules
from penstock.description.codes import Code
from penstock.description.own_keys import USAGE
from penstock.preconditions.find import kinds_of
from penstock.preconditions.named import named_things
from penstock.providers import all_providers, provider_named
from penstock.report import codes
from penstock.rules.settings import KEY

Schema = Mapping[str, Any]

_KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}

_FORMATS = {"ipv4network": "IPv4 range", "date": "day"}


def description_page() -> str:
    """Every block and field of the description: name, type, default and meaning."""
    schema = description.json_schema()
    definitions = schema["$defs"]
    blocks = [*_blocks(definitions, "", definitions["Spec"]), *_blocks(definitions, KEY, definitions["Settings"])]
    blocks += _blocks(definitions, USAGE, definitions["Usage"])
    return page(
        "The description",
        "Generated from the models in `penstock.description`. The description is in a stack file below `config:`, "
        "`penstock:platform:`. `penstock schema` prints the same as a JSON Schema, for editors.",
        "A field without a default is optional and empty, or follows from other fields as its meaning says. "
        "Constraints on several fields are in the [codes](codes.md). Beside it `penstock:policies` enables "
        "[policies](policies.md) and sets levels and waivers, and `penstock:usage` declares what a month uses for its "
        "[cost](../guides/cost.md), both for any program.",
        *(line for path, block in blocks for line in _block(definitions, path, block)),
    )


def codes_page() -> str:
    """Return every code that a finding can carry, with what holds when all is well."""
    sentences: dict[tuple[str, str], list[str]] = {}
    for rule in rules.all_rules():
        clouds = ", ".join(_title(provider) for provider in rule.providers or ()) or "all"
        sentences.setdefault((rule.code, clouds), []).append(rule.sentence)
    return page(
        "Codes",
        "Generated from the code. Each finding carries a code, which stays the same from version to version. "
        "The sentence beside it is what holds when all is well.",
        "## The stack file and its form",
        "These are reported with file, line and column. All mistakes are reported at once, nothing is run, and the "
        "exit status is 2.",
        table(("Code", "What holds"), ((code.value, code.meaning) for code in Code)),
        "## Rules on the description",
        "Reported in the same way. A rule is evaluated only when the blocks that it reads have the right form.",
        table(
            ("Code", "Cloud", "What holds"),
            ((code, cloud, " ".join(holds)) for (code, cloud), holds in sorted(sentences.items())),
        ),
        "## The resources of a program",
        "Reported for any program, with the line that creates the resource. The exit status is 1. A finding of a "
        "[provider rule](rules.md) carries the id of the rule.",
        table(("Code", "What holds"), codes.PROGRAM_CODES.items()),
        "## Rules that cannot be evaluated",
        "Reported for provider rules, policies and rules of your own. Errors: such a rule protects nobody.",
        table(("Code", "What holds"), codes.RULE_CODES.items()),
        "## Changes",
        "Reported by `penstock diff`.",
        table(("Code", "What holds"), codes.CHANGE_CODES.items()),
        "## Sizing",
        "Reported by `penstock size`, all at once. The exit status is 2.",
        table(("Code", "What holds"), codes.SIZE_CODES.items()),
        "## New repositories",
        "Reported by `penstock init`, all at once. The exit status is 2, and nothing is written.",
        table(("Code", "What holds"), codes.INIT_CODES.items()),
        "## An import",
        "Reported by `penstock import`.",
        table(("Code", "What holds"), codes.IMPORT_CODES.items()),
        "## Faults",
        "Reported with `--faults`. FAULT-001 ends with status 2.",
        table(("Code", "What holds"), codes.FAULT_CODES.items()),
        "## The real engine",
        "Reported with `--engine pulumi`.",
        table(("Code", "What holds"), codes.ENGINE_CODES.items()),
        "## Policies",
        "A finding of a [policy](policies.md) carries the id of the policy. These are about waivers, and about secrets "
        "in clear in a state, which `penstock audit` looks for.",
        table(("Code", "What holds"), codes.POLICY_CODES.items()),
        "## Cost",
        "Reported where a program has a budget, or a stack declares its usage.",
        table(("Code", "What holds"), codes.COST_CODES.items()),
    )


def _title(provider: str) -> str:
    found = provider_named(provider)
    return found.title if found is not None else provider


def accelerators_page() -> str:
    """The machine that each accelerator leads to when nothing else is said."""
    clouds = {provider: columns for provider in all_providers() if (columns := provider.load("accelerator_columns"))}
    tables = " and ".join(f"`{provider.name}/data/machines.csv`" for provider in clouds)
    return page(
        "Accelerators",
        "Generated from the catalogue. `accelerator: NAME` alone finds this machine type and what follows from it; "
        "`count` finds the machine with exactly that many. A star marks a row in which no primary source confirms some "
        f"figure; {tables} in `components/penstock` say which, with the source and date of each row.",
        *(
            part
            for provider, columns in clouds.items()
            for part in (f"## {provider.title}", _accelerators(provider.name, columns))
        ),
        "## Sources",
        *(f"{provider.title}: {', '.join(_sources(provider.name))}." for provider in clouds),
    )


def _accelerators(cloud: str, columns: Mapping[str, Callable[[Machine], str]]) -> str:
    found = [machines.for_accelerator(name, None, cloud) for name in machines.accelerators(cloud)]
    return table(
        ("Accelerator", "Machine type", "Accelerators", *columns, "Sold as"),
        ((*_accelerator(its), *(read(its) for read in columns.values()), ", ".join(its.sold)) for its in found),
    )


def _sources(cloud: str) -> list[str]:
    """The pages that the rows of a cloud's accelerators were read on, as links; those without one by name."""
    defaults = (machines.for_accelerator(name, None, cloud) for name in machines.accelerators(cloud))
    parts = sorted({part for machine in defaults for part in machine.source.split("; ")})
    pages = {page.label: page.url for part in parts if (page := source_page(part))}
    return [f"[{label}]({url})" for label, url in pages.items() if url]


def _accelerator(machine: Machine) -> tuple[str, str, str]:
    star = " *" if machine.unverified else ""
    return f"`{machine.accelerator}`", f"`{machine.machine_type}`{star}", str(machine.accelerators)


def preconditions_page() -> str:
    """Return every kind of precondition by provider, and the things that are known by the form of their names."""
    return page(
        "Preconditions",
        "Generated from the code. What must exist before the first `pulumi up`, by the provider that a program uses. "
        "See [Preconditions](../concepts/preconditions.md).",
        *(
            part
            for provider in all_providers()
            if (kinds := kinds_of(provider.name))
            for part in (
                f"## {provider.title}",
                table(("Kind", "What must exist"), ((f"`{kind.id}`", kind.title) for kind in kinds)),
                *_named(provider.name),
            )
        ),
    )


def _named(provider: str) -> Iterator[str]:
    if provider in clouds_with("named"):
        things: dict[str, str] = {}
        for row in named_things(provider):
            things.setdefault(row.kind, row.what)
        yield "Things that a program names and does not create; capital letters represent what it says."
        words = (
            (f"`{kind}`", re.sub(r"\{(\w+)\}", lambda found: found[1].upper(), what)) for kind, what in things.items()
        )
        yield table(("Thing", "In words"), words)


PAGES: Mapping[str, Callable[[], str]] = {
    "description.md": description_page,
    "codes.md": codes_page,
    "preconditions.md": preconditions_page,
    "accelerators.md": accelerators_page,
    "rules.md": rules_page,
    "addons.md": addons_page,
    "team-rights.md": team_rights_page,
    "exceptions.md": exceptions_page,
    **rule_pages.PAGES,
    **environments.PAGES,
}
"""The pages of `docs/reference/`."""


def _blocks(definitions: Schema, path: str, block: Schema) -> Iterator[tuple[str, Schema]]:
    """The block at a path, then all blocks below it."""
    yield path, block
    for name, field in block.get("properties", {}).items():
        here = f"{path}.{name}" if path else name
        inner = _inner(field)
        kinds = inner.get("discriminator", {}).get("mapping", {})
        for kind, reference in kinds.items():
            yield from _blocks(definitions, f"{here}[] of kind {kind}", _resolved(definitions, {"$ref": reference}))
        if "$ref" in inner and "enum" not in _resolved(definitions, inner):
            many = "[]" if _plain(field).get("type") == "array" else ""
            yield from _blocks(definitions, f"{here}{many}", _resolved(definitions, inner))


def _block(definitions: Schema, path: str, block: Schema) -> list[str]:
    required = block.get("required", ())
    fields = {name: f"{path}.{name}" if path else name for name in block["properties"]}
    rows = (
        (
            f"`{name}`",
            _type(definitions, fields[name], block["properties"][name]),
            "required" if name in required else _default(block["properties"][name]),
            _meaning(definitions, block["properties"][name]),
        )
        for name in fields
    )
    paragraphs = [f"## {path or 'The platform'}", block["description"]]
    if fields:
        paragraphs.append(table(("Field", "Type", "Default", "Meaning"), rows))
    return paragraphs


def _type(definitions: Schema, path: str, field: Schema) -> str:
    """The values that a field takes; a block is a link to its section."""
    plain = _plain(field)
    if plain.get("type") == "array":
        inner = _inner(field)
        if "discriminator" in inner:
            kinds = inner["discriminator"]["mapping"]
            return "list of " + ", ".join(link(kind, f"{path}[] of kind {kind}") for kind in kinds)
        of = link("blocks", f"{path}[]") if "$ref" in inner else f"{_scalar(inner)}s"
        return f"list of {of}"
    if "$ref" in plain:
        if "enum" in _resolved(definitions, plain):
            return _scalar(_resolved(definitions, plain))
        number = "anyOf" in _resolved(definitions, plain)
        return f"{'whole number or ' if number else ''}{link('block', path)}"
    return _scalar(plain)


def _scalar(field: Schema) -> str:
    if "const" in field or "enum" in field:
        return ", ".join(f"`{word}`" for word in field.get("enum", [field.get("const")]))
    if field.get("type") == "object":
        return "keys and texts"
    if field.get("format") in _FORMATS:
        return _FORMATS[field["format"]]
    least, most = field.get("minimum"), field.get("maximum")
    bounds = [
        f"more than {field['exclusiveMinimum']:g}" if "exclusiveMinimum" in field else "",
        f"{least:g} to {most:g}" if least is not None and most is not None else "",
        f"at least {least:g}" if least is not None and most is None else "",
    ]
    return ", ".join([_KINDS[field["type"]], *filter(None, bounds)])


def _default(field: Schema) -> str:
    """The default as YAML; nothing for a field that is empty or follows from others, or that is a block."""
    value = field.get("default")
    if value in (None, [], "") or isinstance(value, dict):
        return ""
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _meaning(definitions: Schema, field: Schema) -> str:
    """The field's own description, or that of its block."""
    inner = _inner(field)
    below = _resolved(definitions, inner) if "$ref" in inner else inner
    return str(field.get("description") or below.get("description") or "")


def _plain(field: Schema) -> Schema:
    """The field without the alternative of nothing."""
    return next((each for each in field.get("anyOf", ()) if each.get("type") != "null"), field)


def _inner(field: Schema) -> Schema:
    """The items of a list; of all else, the field itself."""
    plain = _plain(field)
    items: Schema = plain.get("items", plain)
    return items


def _resolved(definitions: Schema, reference: Schema) -> Schema:
    """The block that a reference means; of alternatives, the block."""
    found: Schema = definitions[reference["$ref"].removeprefix("#/$defs/")]
    if "anyOf" in found:
        block: Schema = next(each for each in found["anyOf"] if "properties" in each)
        return {**block, **found}
    return found
