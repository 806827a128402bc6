"""What the templates of a Helm chart read of its values, and how: by its path, or as a whole that they pass on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

Path = tuple[str, ...]


class Use(IntEnum):
    """How templates take a value; the greater leaves less to say of what is in it."""

    READ = 0
    PASSED = 1
    """As the dot of a block, or to another template: what that looks up is in `Reads.names`."""
    WHOLE = 2
    """Written out, merged or gone through: any key in it has an effect."""


@dataclass
class Reads:
    """What is read: paths with their use, and the names that are looked up in what is passed."""

    paths: dict[Path, Use] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)

    def add(self, path: Path, use: Use) -> None:
        """Note one use of a value."""
        self.paths[path] = max(use, self.paths.get(path, Use.READ))


_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RAW = re.compile(r"\{\{-?\s*`[^`]*`\s*-?\}\}")
_ACTION = re.compile(r"\{\{-?(.*?)-?\}\}", re.DOTALL)
_CHAIN = r"[\w$.]*\.Values(?:\.\w+)*"
_PARENTHESES = re.compile(rf"\(\s*({_CHAIN})\s*\)")
_USED = re.compile(rf"(?<![\w.$])({_CHAIN})(?!\w)")
_LOOKED_UP = (
    re.compile(rf'\b(?:index|get|hasKey)\s+(?P<chain>{_CHAIN})(?P<keys>(?:\s+"[^"]+")+)'),
    re.compile(rf'\bdig(?P<keys>(?:\s+"[^"]+")+)\s+[^()|]*?(?P<chain>{_CHAIN})'),
    re.compile(rf'(?P<chain>{_CHAIN})\s*\|\s*(?:dig|get|hasKey)(?P<keys>(?:\s+"[^"]+")+)'),
)
_LITERAL = re.compile(r'"([A-Za-z_][\w.-]*)"')
_RELATIVE = re.compile(r"(?<![\w.$)])(?:\$\w*)?((?:\.\w+)+)|(?<=\))((?:\.\w+)+)")
_OF_HELM = ("Release", "Chart", "Capabilities", "Files", "Template", "Values")
_ASSIGNED = re.compile(rf"\s*(\$\w+)\s*:?=\s*{_CHAIN}\s*(?:\|\s*default\b[^|]*)?$")
_CALLED = re.compile(r'\b(?:include|template)\s+"([^"]+)"')

_WRITES = r"\b(?:to(?:Yaml|Json|Toml|Pretty\w+|Raw\w+)\w*|tpl|range|must\w+|merge\w*|omit|pick|keys|values|deepCopy)\b"
_WRITING = re.compile(_WRITES)
_PASSING = re.compile(r"\b(?:with|dict|index|list|tuple|default|ternary|coalesce)\b|:?=")
_GOES_THROUGH = re.compile(r"\s*range\b")
_TEST = re.compile(r"\s*(?:else\s+)?if\b")
_WITH = re.compile(r"\s*(?:else\s+)?with\b")
_OPENS = re.compile(r"\s*(if|with|range|define|block)\b")
_REBINDS = re.compile(r"\s*(with|range|define|block)\b")
_ENDS = re.compile(r"\s*end\b")


def reads_of(templates: Mapping[str, str], helpers: Mapping[str, str] | None = None) -> Reads:
    """What the templates of one chart read, by the names of their files.

    Args:
        templates: The chart's own.
        helpers: Those of the charts inside it, which its own may call.
    """
    texts = {name: _plain(text) for name, text in templates.items()}
    others = (_plain(text) for text in (helpers or {}).values())
    defined = {name: body for text in (*others, *texts.values()) for name, body in _definitions(text)}
    reads = Reads()
    for text in texts.values():
        for action in _ACTION.finditer(text):
            _read(action[1], text, action.end(), defined, reads)
    return reads


def _plain(text: str) -> str:
    """A template without comments and raw texts, and `(.Values.a).b` as `.Values.a.b`."""
    text = _ACTION.sub(lambda action: _COMMENT.sub("", action[0]), _RAW.sub("", text))
    while (less := _PARENTHESES.sub(r"\1", text)) != text:
        text = less
    return text


def _read(code: str, text: str, end: int, defined: Mapping[str, str], reads: Reads) -> None:
    """Note what an action reads that ends at a place of a text."""
    looked_up = [found for form in _LOOKED_UP for found in form.finditer(code)]
    for found in looked_up:
        # `range $key, $value := index .Values "grafana.ini"` goes through all that somebody may have written there.
        use = Use.WHOLE if _GOES_THROUGH.match(code) else Use.READ
        reads.add((*_path(found["chain"]), *re.findall(r'"([^"]+)"', found["keys"])), use)
        reads.names.update(_LITERAL.findall(found["keys"]))
    only_looked_up = {found["chain"] for found in looked_up}
    for used in _USED.finditer(code):
        reads.add(_path(used[1]), Use.READ if used[1] in only_looked_up else _use(code, text, end, defined))
    for relative in _RELATIVE.finditer(_USED.sub("", code)):
        names = (relative[1] or relative[2]).strip(".").split(".")
        reads.names.update(names if names[0] not in _OF_HELM else ())
    if re.search(r"\b(?:hasKey|get|dig|index|pluck|list)\b", code):
        reads.names.update(_LITERAL.findall(code))


def _use(code: str, text: str, end: int, defined: Mapping[str, str]) -> Use:
    """How an action takes the values that it names."""
    called = _CALLED.findall(code)
    if called:
        return max(_use_by(defined.get(name), _LITERAL.findall(code.partition(f'"{name}"')[2])) for name in called)
    if _TEST.match(code):
        return Use.READ
    if _WRITING.search(code):
        return Use.WHOLE
    assigned = _ASSIGNED.match(code)
    if _WITH.match(code) and _is_written(r"\.", _of_one_dot(_block(text, end))):
        return Use.WHOLE
    if assigned is not None and _is_written(re.escape(assigned[1]), text):
        return Use.WHOLE
    return Use.PASSED if _PASSING.search(code) else Use.READ


def _use_by(body: str | None, named: Sequence[str]) -> Use:
    """How a template takes what it is given, under names or as its dot; one that is not seen might write it out."""
    if body is None:
        return Use.WHOLE
    if named:
        return Use.WHOLE if any(_is_written(rf"\.{name}", body) for name in named) else Use.PASSED
    return Use.WHOLE if _is_written(r"\.", _of_one_dot(body)) else Use.PASSED


def _is_written(subject: str, text: str) -> bool:
    """Return whether a text writes a subject out as it is, rather than parts of it."""
    whole = rf"(?<![\w.$)]){subject}(?![\w.])"
    return any(
        re.search(rf"{_WRITES}[^|]*{whole}", action) or re.search(rf"{whole}\s*\)*\s*\|[^|]*{_WRITES}", action)
        for action in _ACTION.findall(text)
    )


def _of_one_dot(text: str) -> str:
    """A text without the blocks in which the dot is another."""
    kept, at = [], 0
    for action in _ACTION.finditer(text):
        if action.start() >= at and _REBINDS.match(action[1]):
            kept.append(text[at : action.end()])
            at = action.end() + len(_block(text, action.end()))
    return "".join([*kept, text[at:]])


def _block(text: str, start: int) -> str:
    """What a block holds that begins before `start`."""
    depth = 1
    for action in _ACTION.finditer(text, start):
        depth += bool(_OPENS.match(action[1])) - bool(_ENDS.match(action[1]))
        if depth == 0:
            return text[start : action.start()]
    return text[start:]


def _definitions(text: str) -> Iterator[tuple[str, str]]:
    for action in _ACTION.finditer(text):
        named = re.match(r'\s*define\s+"([^"]+)"', action[1])
        if named is not None:
            yield named[1], _block(text, action.end())


def _path(chain: str) -> Path:
    return tuple(part for part in chain.rpartition(".Values")[2].split(".") if part)
