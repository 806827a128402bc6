"""Resilience of functions and firewalls on AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.types import LAMBDA_FUNCTION, LAMBDA_PERMISSION, NETWORKFIREWALL_FIREWALL
from penstock.rules.checks import Either, Given, Is, Joined, OneOf, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.RESILIENCE)

_INVOKE_CONFIG: Final = "aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig"
_ASYNCHRONOUS: Final = ("events.amazonaws.com", "s3.amazonaws.com", "sns.amazonaws.com", "logs.amazonaws.com")
"""Services that hand events over and do not wait (Lambda developer guide, "Asynchronous invocation")."""

RULES.row(
    "aws-lambda-failed-events",
    "A function keeps the events that it failed on.",
    on=LAMBDA_FUNCTION,
    check=Where(
        Joined(((LAMBDA_PERMISSION, "function"),), "no service hands it events", OneOf("principal", _ASYNCHRONOUS)),
        Either(
            Given("deadLetterConfig.targetArn"),
            Joined(
                ((_INVOKE_CONFIG, "functionName"),),
                "no failure destination is set for it",
                Given("destinationConfig.onFailure.destination"),
            ),
        ),
    ),
    severity=LOW,
    rationale="After three attempts Lambda drops the event: a file is never processed, and nobody hears of it.",
    fix="Set deadLetterConfig.targetArn to a queue, or add a FunctionEventInvokeConfig with "
    "destinationConfig.onFailure.",
    peers="CKV_AWS_116 KICS:720f44cf",
)
RULES.row(
    "aws-firewall-deletion-protection",
    "A network firewall cannot be deleted by mistake.",
    on=NETWORKFIREWALL_FIREWALL,
    check=Is("deleteProtection", value=True),
    severity=MEDIUM,
    rationale="Without it all routes through the firewall lead nowhere, or past it.",
    fix="Set deleteProtection to true.",
    peers="CKV_AWS_344",
)
