"""The rules on a state itself: what it holds in clear or as the text of an object, and how it seals the rest."""

from __future__ import annotations

from typing import Final

from penstock.graph.verdict import NOT_APPLICABLE
from penstock.rules.checks import Custom
from penstock.rules.levels import CRITICAL, MEDIUM, Category, RuleSeverity
from penstock.rules.rule import Rule

_OF_STATE: Final = Custom(lambda *_: NOT_APPLICABLE)
"""Of a resource they have nothing to say: `state_audit` reads the state as it is."""

_SEAL_IT: Final = (
    "Mark it as secret in the program (pulumi.Output.secret, additional_secret_outputs), and then replace the value: "
    "who has read the state knows it."
)


def _rule(
    id_: str,
    what: str,
    severity: RuleSeverity,
    why: str,
    fix: str,
    *,
    in_production: bool = False,
    category: Category = Category.SECRETS,
) -> Rule:
    return Rule(id_, what, (), _OF_STATE, severity, why, fix, category, in_production=in_production)


RESOURCE: Final = _rule(
    "state-secret-in-properties",
    "No secret is in clear text among the properties of a resource.",
    CRITICAL,
    "The state goes into backends, exports and logs of pipelines, and the secret goes with it.",
    _SEAL_IT,
)
EXPORT: Final = _rule(
    "state-secret-in-outputs",
    "No secret is in clear text among the outputs of the stack.",
    CRITICAL,
    "Outputs are printed at the end of each `pulumi up`, and every stack that refers to this one reads them.",
    _SEAL_IT,
)
UNSEALED: Final = _rule(
    "state-secrets-encrypted",
    "The state's secrets are encrypted.",
    CRITICAL,
    "What the program marks as secret is only written in another form: who has the file has all of them.",
    "Choose one with `pulumi stack change-secrets-provider`, and replace the secrets that were there.",
)
PASSPHRASE: Final = _rule(
    "state-secrets-key",
    "In production a key of the cloud or of Pulumi seals secrets.",
    MEDIUM,
    "A passphrase is passed around, outlives the people who knew it, and leaves no trace of who used it.",
    "Move to a key with `pulumi stack change-secrets-provider awskms://…`, `gcpkms://…` or `azurekeyvault://…`.",
    in_production=True,
)
COPY: Final = _rule(
    "state-secret-copy",
    "A value that is encrypted in one place is in clear text in no other.",
    MEDIUM,
    "A seal protects nothing while a copy lies open beside it, such as in a connection string made of it.",
    _SEAL_IT,
)
SHOWN: Final = _rule(
    "state-export-sealed",
    "The export keeps its secrets sealed.",
    MEDIUM,
    "The file opens everything that the stack has: whoever finds it needs no key.",
    "Delete it, and every copy of it; `pulumi stack export` without the option is enough for an audit.",
)
FORMATTED: Final = _rule(
    "state-text-of-object",
    "Properties and outputs hold values, not the text of an Output or another object of the program.",
    MEDIUM,
    "A program formatted the object itself, so that a name, a policy or a reference is a sentence instead of a value.",
    "Use pulumi.Output.concat or pulumi.Output.format in the program, and update the stack.",
    category=Category.RESILIENCE,
)

RULES: Final = (RESOURCE, EXPORT, UNSEALED, PASSPHRASE, COPY, SHOWN, FORMATTED)
