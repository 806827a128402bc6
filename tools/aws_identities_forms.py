"""Templates of AWS' ids and ARNs, made out of placeholders and examples."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tools import aws_identities_matching as matching

_PLACEHOLDER = re.compile(r"\$\{(\w+)\}|(\*)")
_WORDS_OF_ALL = {"Partition": "{partition}", "Region": "{region}", "Account": "{account}"}
_UUID = re.compile(r"[0-9a-fA-Fx]{6,8}-[0-9a-fA-Fx]{4}-[0-9a-fA-Fx]{4}-[0-9a-fA-Fx]{4}-[0-9a-zA-Zx]{10,14}", re.ASCII)
_PREFIXED = re.compile(r"([a-z]{1,12}(?:-[a-z]{2,12})*-)(?=[0-9a-fx]*\d)([0-9a-fx]{5,})")
_OF_EC2 = frozenset({"ec2", "vpc", "ebs", "ec2transitgateway", "ec2clientvpn", "vpclattice", "verifiedaccess", "vpn"})
_ACCOUNT = 12  # digits
_SEPARATORS = (",", "|", "/", ":", "#", "+", "_")


@dataclass(frozen=True)
class Subject:
    """A resource type of the SDK, with what its documentation says of ids and ARNs."""

    type: str
    inputs: Mapping[str, Any]
    has_arn: bool
    example: str
    using: str
    arns: tuple[str, ...]

    @property
    def module(self) -> str:
        """The module, such as `sqs`."""
        return self.type.split(":")[1].split("/")[0]

    @property
    def kind(self) -> str:
        """The class, such as `Queue`."""
        return self.type.rpartition(":")[2]

    @property
    def short(self) -> str:
        """Module and class, such as `sqs.Queue`."""
        return f"{self.module}.{self.kind}"

    @cached_property
    def named(self) -> str:
        """The property that bears the physical name: the only part of the id, where there is no `name`."""
        if self.short in matching.NAMED or "name" in self.inputs:
            return matching.NAMED.get(self.short, "name")
        parts = described_parts(self.using)
        key = self.input(parts[0]) if len(parts) == 1 else ""
        return key if key and not self.example.startswith("arn:") else self.input(f"{self.kind}Name")

    def input(self, words: str) -> str:
        """The input that words describe: `data set ID` is dataSetId; empty where none is."""
        wanted = _plain(words)
        return next((key for key in self.inputs if _plain(key) == wanted), "")


def covers(form: str, template: str) -> bool:
    """Return whether the ARNs of a template have a form: service, place and the fixed words of the resource."""
    return matches(form, re.sub(r"\{\w+(?:\[\w+\])?\}", "x", template)) and bool(literal(form).strip(":/"))


def matches(form: str, example: str) -> bool:
    """Return whether an ARN has the form."""
    return re.fullmatch(_pattern(form), example) is not None


def literal(form: str) -> str:
    """A form without its placeholders: the longer, the more it says."""
    return _PLACEHOLDER.sub("", form)


def arn(subject: Subject, form: str) -> str:
    """The template of an ARN, from a form with placeholders or from an example."""
    own = matching.ARNS.get(subject.short)
    if own is not None:
        return own
    if not form:
        return ""
    if "${" not in form:
        return _arn_of_example(subject, form)
    example = next((each for each in subject.arns if matches(form, each)), "")
    shown = re.fullmatch(_pattern(form), example)
    values = list(shown.groups()) if shown else []
    places = list(_PLACEHOLDER.finditer(form))
    last = len(places) - 1
    text, end = "", 0
    for index, place in enumerate(places):
        text += form[end : place.start()]
        text += _placed(subject, place[1] or "", values[index] if values else "", is_last=index == last)
        end = place.end()
    return text + form[end:]


def _placed(subject: Subject, word: str, shown: str, *, is_last: bool) -> str:
    if word in _WORDS_OF_ALL or word in matching.PLACEHOLDERS:
        return {**_WORDS_OF_ALL, **matching.PLACEHOLDERS}[word]
    named, kind = _plain(subject.named), _plain(subject.kind)
    if named and _plain(word) in (named, f"{kind}name", f"{kind}{named}"):
        return "{name}"
    parent = _parent(subject, word)
    if parent:
        return parent
    if is_last and subject.named and word.endswith(("Name", "Alias", "FriendlyName")):
        return "{name}"
    id_ = matching.IDS.get(subject.short) or identity(subject)
    own = _own_part(id_) if is_last else ""
    if own and not (own == "{name}" and word.endswith("Id") and shown):
        return own
    drawn = generalised(subject, shown, word) if shown else ""
    return drawn if drawn and drawn != "{name}" else "{name}" if drawn and subject.named and is_last else "{hex12}"


def _parent(subject: Subject, word: str) -> str:
    """The input that gives a part: a name as it is, of a path or an ARN its end."""
    stem = re.sub(r"(Name|Id|Identifier|Arn)$", "", word)
    if not word or _plain(stem) == _plain(subject.kind):
        return ""
    for ending in (word, f"{stem}Name", f"{stem}Id", f"{stem}Identifier", f"{stem}Arn", stem):
        key = subject.input(ending) if ending else ""
        if key and key != subject.named:
            return f"{{in[{key}]}}" if key.lower().endswith("name") else f"{{end[{key}]}}"
    return ""


def _own_part(id_: str) -> str:
    """The part of an id that the cloud makes up; the name where that is all."""
    if not re.search(r"\{(?:in\[|end\[|account\}|arn\})", id_):
        return id_
    parts = re.split(r"[,/:|](?![^{]*\})", id_)
    made_up = [part for part in parts if re.search(r"\{(?:hex|HEX|uuid|digits)\w*\}", part)]
    return made_up[0] if len(made_up) == 1 else "{name}" if "{name}" in id_ else ""


def _arn_of_example(subject: Subject, example: str) -> str:
    """The template of an ARN that AWS documents nowhere but in an example."""
    _, _, service, region, account, resource = example.split(":", 5)
    parts = re.split(r"([/:])", resource)
    template = "".join(
        part if index < len(parts) - 1 or part in "/:" else generalised(subject, part)
        for index, part in enumerate(parts)
    )
    return f"arn:{{partition}}:{service}:{'{region}' if region else ''}:{'{account}' if account else ''}:{template}"


def identity(subject: Subject) -> str:
    """The template of an id; empty where its documentation does not say enough."""
    example = subject.example
    if not example or "<" in example or "{" in example:
        return ""
    if example.startswith("arn:"):
        return "{arn}" if "," not in example and subject.has_arn else ""
    described = described_parts(subject.using)
    for separator in _SEPARATORS:
        values = example.split(separator)
        if len(values) == len(described) > 1:
            parts = [_part(subject, *pair) for pair in zip(described, values, strict=True)]
            return separator.join(parts) if all(parts) else ""
    if len(described) > 1:
        return ""
    return generalised(subject, example, described[0] if described else "")


def described_parts(using: str) -> list[str]:
    """The parts of an id in the order in which its documentation names them."""
    described = using.partition(" using ")[2] or using
    described = re.split(r",? ?(?:separated?|delimited|concatenated|combined with) (?:by|with|\w+)", described)[0]
    described = re.sub(r"a comma-delimited string (?:\w+ )?(?:combining|of|concatenating)", "", described)
    quoted = [each for each in re.findall(r"`([^`]+)`", described) if re.search(r"\w", each)]
    if len(quoted) == 1 and re.search(r"[,/:|#]", quoted[0]):
        return re.split(r"[,/:|#]", quoted[0])
    if quoted:
        return quoted
    return [re.sub(r"^(?:the|their|its) ", "", each.strip()) for each in re.split(r",? and |, ", described.strip())]


def _part(subject: Subject, described: str, value: str) -> str:
    if _plain(described) in ("awsaccountid", "accountid", "catalogid"):
        return "{account}"
    key = subject.input(described)
    if key and key != subject.named:
        return f"{{in[{key}]}}"
    return generalised(subject, value, described)


def generalised(subject: Subject, example: str, described: str = "") -> str:
    """The template that an example stands for: digits that are made up, an input, or the resource's name."""
    if subject.named and _plain(described) in ("name", _plain(subject.named)):
        return "{name}"
    if _UUID.fullmatch(example):
        return "{uuid}"
    key = subject.input(described) if described else ""
    if key and key != subject.named:
        return f"{{in[{key}]}}"
    drawn = _digits(subject, example, described)
    if drawn:
        return drawn
    is_id = described.lower().endswith(("id", "identifier"))
    return "{hex10}" if is_id else "{name}" if subject.named else ""


def _digits(subject: Subject, example: str, described: str) -> str:
    """The template of an example that is digits, or a place or an account; empty for other words."""
    prefixed = _PREFIXED.fullmatch(example)
    forms = {
        "{account}": example.isdecimal()
        and len(example) == _ACCOUNT
        and "account" in f"{described} {subject.using}".lower(),
        f"{{digits{len(example)}}}": re.fullmatch(r"\d{4,}", example),
        f"{{hex{min(len(example), 32)}}}": re.fullmatch(r"(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{6,}", example),
        f"{{HEX{min(len(example), 32)}}}": re.fullmatch(r"(?=[A-Z]*\d)[0-9A-Z]{6,}", example),
        "{region}": re.fullmatch(r"[a-z]{2}-[a-z]+-\d", example),
    }
    if prefixed and "-id-" not in example:
        return f"{prefixed[1]}{{hex{17 if subject.module in _OF_EC2 else len(prefixed[2])}}}"
    return next((form for form, fits in forms.items() if fits), "")


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _pattern(form: str) -> str:
    text, end = "", 0
    for place in _PLACEHOLDER.finditer(form):
        text += re.escape(form[end : place.start()])
        text += "([^:]*)" if place[1] in _WORDS_OF_ALL else "(.+)"
        end = place.end()
    return text + re.escape(form[end:])
