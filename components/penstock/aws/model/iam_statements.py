"""Statements of IAM's policy documents: who may do what to which resources, and on which conditions.

Names of elements, actions and condition keys are compared without letter case, as AWS does. Wildcards count by what
they mean: `iam:Pass*` allows iam:PassRole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NotKnown, TypeMismatch

EVERYBODY = "*"

_SAMPLES = ("arn:aws:s3:::a", "arn:aws:iam::000000000000:role/b", "arn:aws:ec2:eu-west-1:000000000000:instance/i-0c")
_EVERY_ONE = re.compile(r"arn:[^:]*:[^:]*(?::[^:]*){0,2}:\*|arn(?::[^:]*){4}:[a-z-]*[/:]?\*(?:[/:]\*)*")
"""Every resource of a kind in an account: arn:aws:iam::000000000000:role/*, arn:aws:iam::*."""
_OF_SERVICE = re.compile(
    r"arn:[^:]*:[^:*?]+:\**(?::\**(?::\*+(?:[/:]\*)*)?)?"
    r"|arn:[^:]*:(?:kms:\**:\**:key/|secretsmanager:\**:\**:secret:|ssm:\**:\**:parameter/?)\*"
)
"""Everything in a service, in any account: arn:aws:s3:::*. All keys, secrets and parameters count for all of theirs."""
_SET_OPERATORS = ("forallvalues:", "foranyvalue:")
_NEGATIVE = ("stringnot", "arnnot", "numericnot", "datenot", "notipaddress")
_WHO = (
    "aws:principalaccount",
    "aws:principalarn",
    "aws:principalorgid",
    "aws:principalorgpaths",
    "aws:sourceaccount",
    "aws:sourcearn",
    "aws:sourceip",
    "aws:sourceorgid",
    "aws:sourceorgpaths",
    "aws:sourceowner",
    "aws:sourcevpc",
    "aws:sourcevpcarn",
    "aws:sourcevpce",
    "aws:userid",
    "aws:vpceaccount",
    "aws:vpceorgid",
    "aws:vpceorgpaths",
    "elasticfilesystem:accessedviamounttarget",
    "kms:calleraccount",
    "s3:dataaccesspointaccount",
    "s3:dataaccesspointarn",
)
"""Condition keys that say who calls; S3's "meaning of public" lists most of them."""
_WHICH = ("aws:resource", "aws:requesttag/", "aws:tagkeys", "aws:calledvia")
"""Beginnings of the global condition keys that say what is touched; each key of a service's own does, too."""
_WIDEST_MASK = 8
_VARIABLE = re.compile(r"\$\{[^}]*\}")
_WILD = re.compile(r"[*?]")
_COLONS_OF_AN_ARN = 5


@dataclass(frozen=True, slots=True)
class Condition:
    """One test of a statement: an operator without its set prefix and IfExists, a key in lower case, and the values."""

    operator: str
    key: str
    values: tuple[str, ...]
    if_exists: bool
    for_all: bool

    @property
    def binds(self) -> bool:
        """Say whether only some requests pass: the key must be there, and have one of several values."""
        if self.operator == "null":
            return set(self.values) == {"false"}
        if self.if_exists or self.for_all or self.operator.startswith(_NEGATIVE):
            return False
        if self.operator == "ipaddress":
            return all(_mask(value) >= _WIDEST_MASK for value in self.values)
        return bool(self.values) and not any(set(value) <= {"*", ":", "?"} for value in self.values)

    @property
    def names_callers(self) -> bool:
        """Say whether it keeps strangers out: each value is of one account, organisation or network.

        That a key is there at all says little: everybody has some organisation, and any account a role of that name.
        """
        if self.key not in _WHO or not self.binds or self.operator == "null":
            return False
        return all(_is_of_one_owner(value) for value in self.values)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a document, by the names of its elements in lower case.

    A part is read when it is asked for, so that an ARN which is not known yet hides no wildcard among the actions.
    """

    elements: Mapping[str, Any]

    @property
    def effect(self) -> str:
        """Its effect as it is written: IAM takes `Allow` and `Deny` in this spelling only."""
        return _text(self.elements.get("effect", ""))

    @property
    def allows(self) -> bool:
        """Say whether it grants something; otherwise it denies."""
        return self.effect.lower() == "allow"

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions that it is about, in lower case."""
        return tuple(action.lower() for action in self.written_actions)

    @property
    def written_actions(self) -> tuple[str, ...]:
        """The actions that it is about, as they are written."""
        return _texts(self.elements.get("action"))

    @property
    def not_actions(self) -> tuple[str, ...]:
        """The actions that it is not about, where it is about all others."""
        return tuple(action.lower() for action in _texts(self.elements.get("notaction")))

    @property
    def resources(self) -> tuple[str, ...]:
        """The resources that it is about."""
        return _texts(self.elements.get("resource"))

    @property
    def principals(self) -> tuple[tuple[str, str], ...]:
        """The principals that it is for, in pairs such as (`AWS`, `*`); a star alone is (`*`, `*`)."""
        return tuple(_principals(self.elements.get("principal")))

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The tests that a request must pass, all of them."""
        return tuple(_conditions(self.elements.get("condition")))

    @property
    def names_all_actions(self) -> bool:
        """Say whether it is about every action of every service: `*`, `*:*`, or all but some."""
        return bool(self.not_actions) or any(set(action) <= {"*", ":"} for action in self.actions)

    @property
    def is_for_everybody(self) -> bool:
        """Say whether it is for everyone who has an AWS account, or everyone at all."""
        return "notprincipal" in self.elements or any(
            who == EVERYBODY and kind in (EVERYBODY, "AWS") for kind, who in self.principals
        )

    @property
    def names_all_resources(self) -> bool:
        """Say whether it is about everything there is."""
        return "notresource" in self.elements or any(
            all(covers(resource, sample) for sample in _SAMPLES) for resource in self.resources
        )

    @property
    def names_all_of_a_service(self) -> bool:
        """Say whether it is about everything there is, or about everything that its service has: arn:aws:s3:::*."""
        return self.names_all_resources or any(_OF_SERVICE.fullmatch(resource) for resource in self.resources)

    @property
    def names_all_of_a_kind(self) -> bool:
        """Say whether it is about everything there is, or about all roles, all users, all functions of an account."""
        return self.names_all_resources or any(_EVERY_ONE.fullmatch(resource) for resource in self.resources)

    @property
    def limits_who(self) -> bool:
        """Say whether a condition keeps strangers out."""
        return any(condition.names_callers for condition in self.conditions)

    @property
    def limits_what(self) -> bool:
        """Return whether a condition distinguishes resources: by their tags, or by a key of the service."""
        return any(
            condition.binds and (condition.key.startswith(_WHICH) or not condition.key.startswith("aws:"))
            for condition in self.conditions
        )

    def named(self, kind: str) -> tuple[str, ...]:
        """The principals of one kind, such as `Service`, whom it is for."""
        return tuple(who for each, who in self.principals if each == kind)

    def gives(self, element: str) -> bool:
        """Say whether it has an element, be it empty or not known yet."""
        return element.lower() in self.elements

    def is_about(self, action: str) -> bool:
        """Say whether it is about an action, by name or by wildcard."""
        wanted = action.lower()
        if self.not_actions:
            return not any(covers(pattern, wanted) for pattern in self.not_actions)
        return any(covers(pattern, wanted) for pattern in self.actions)


@cache
def covers(pattern: str, text: str) -> bool:
    """Say whether a pattern of AWS, where `*` is any text and `?` any letter, has a text among its own."""
    if "*" not in pattern and "?" not in pattern:
        return pattern == text
    return _form(pattern).fullmatch(text) is not None


@cache
def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


def _principals(written: Any) -> Iterator[tuple[str, str]]:
    if isinstance(_known(written), Mapping):
        for kind, named in written.items():
            yield from ((kind, who) for who in _texts(named))
    else:
        yield from ((EVERYBODY, who) for who in _texts(written))


def _conditions(written: Any) -> Iterator[Condition]:
    for name, tests in ({} if _known(written) is None else lower_keys(written)).items():
        operator = name
        for prefix in _SET_OPERATORS:
            operator = operator.removeprefix(prefix)
        for key, values in lower_keys(tests).items():
            yield Condition(
                operator=operator.removesuffix("ifexists"),
                key=key,
                values=_texts(values),
                if_exists=operator.endswith("ifexists"),
                for_all=name.startswith(_SET_OPERATORS[0]),
            )


def _texts(written: Any) -> tuple[str, ...]:
    """Texts that stand alone or in a list; figures and truth values as JSON writes them."""
    known = _known(written)
    if known is None:
        return ()
    return tuple(_text(each) for each in known) if isinstance(known, list | tuple) else (_text(known),)


def _text(written: Any) -> str:
    known = _known(written)
    if isinstance(known, str):
        return known
    if isinstance(known, bool | int | float):
        return json.dumps(known)
    raise TypeMismatch


def lower_keys(written: Any) -> dict[str, Any]:
    """An object by the names of its members in lower case.

    Raises:
        NotKnown: it is not known yet.
        TypeMismatch: it is not an object.
    """
    known = _known(written)
    if not isinstance(known, Mapping):
        raise TypeMismatch
    return {str(key).lower(): value for key, value in known.items()}


def _known(written: Any) -> Any:
    if isinstance(written, Unknown | Secret):
        raise NotKnown
    return written


def _is_of_one_owner(value: str) -> bool:
    """Say whether a value of a condition names its owner, before any wildcard.

    Of an ARN that is the account; where it has none, as those of buckets, the name is the owner's alone.
    """
    text = _VARIABLE.sub("variable", value)
    if not text.startswith("arn:"):
        return _WILD.search(re.split("[:/]", text)[0]) is None
    if text.count(":") < _COLONS_OF_AN_ARN:
        return _WILD.search(text) is None
    _, _, service, _, account, name = text.split(":", _COLONS_OF_AN_ARN)
    of_bucket = service == "s3" and not name.startswith("accesspoint")
    return _WILD.match(name if of_bucket else account or name) is None


def _mask(address: str) -> int:
    """The prefix length of an address range; an address alone has the longest."""
    length = address.rpartition("/")[2] if "/" in address else "128"
    return int(length) if length.isdigit() else 0
