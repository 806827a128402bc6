"""EFA: layouts of interfaces that AWS has, and those that it has not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.awsprograms import Parts, fabric, template
from tests.rules.cases import RuleCase
from tests.rules.verdicts import verdict

from penstock.aws.facts.machines import AwsMachine
from penstock.aws.rules import efa, network_interfaces
from penstock.catalog import machines
from penstock.graph.verdict import Outcome


def it(machine_type: Any, *interfaces: dict[str, Any], **inputs: Any) -> Parts:
    """A launch template for a machine, with these interfaces."""
    return template("it", instanceType=machine_type, networkInterfaces=list(interfaces), **inputs)


@pytest.mark.parametrize(
    "machine", [each for each in machines.machine_types(AwsMachine) if each.efa_max], ids=lambda each: each.machine_type
)
def test_the_layout_that_aws_recommends_passes_every_rule(machine: AwsMachine) -> None:
    program = it(machine.machine_type, *fabric(machine.machine_type))
    codes = [rule.id for rule in (*efa.RULES, *network_interfaces.RULES) if "launchTemplate" in rule.on[0]]

    for code in codes:
        assert verdict(RuleCase(code, Outcome.PASS, program)).outcome in (Outcome.PASS, Outcome.NOT_APPLICABLE), code
