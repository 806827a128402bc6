"""Rules on load balancers: what shares a frontend."""

from __future__ import annotations

from penstock.azure.types import NETWORK_LOAD_BALANCER
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=NETWORK_LOAD_BALANCER,
    severity=HIGH,
    rationale=(
        "Azure rejects the balancer with "
        "LoadBalancingRuleMustDisableSNATSinceSameFrontendIPConfigurationIsReferencedByOutboundRule."
    ),
    fix="Set disableOutboundSnat of the rule to true, or give the outbound rule a frontend of its own.",
    sources=("Azure Load Balancer documentation, outbound rules",),
)
def az_balancer_outbound(balancer: View) -> Verdict:
    """A rule whose frontend an outbound rule has, too, leaves the way out to that one."""
    outbound = balancer.blocks("outboundRules")
    out = {_last(end) for rule in outbound for end in rule.blocks("frontendIPConfigurations")} - {None}
    if not out:
        return NOT_APPLICABLE

    def check(rule: Block) -> Verdict:
        name = _frontend(rule)
        if name not in out:
            return NOT_APPLICABLE
        message = f"the frontend {name} has an outbound rule, too"
        hint = "Set disableOutboundSnat to true."
        return allow(rule.flag("disableOutboundSnat"), message, hint=hint, path=rule.at("disableOutboundSnat"))

    return each(balancer.blocks("loadBalancingRules"), check)


@RULES.rule(
    on=NETWORK_LOAD_BALANCER,
    severity=HIGH,
    rationale="Azure rejects the second rule: it would not know where to send what arrives.",
    fix="Set frontendPort or protocol of one of the rules to another value, or give it another frontend.",
    sources=("Azure Load Balancer documentation, components",),
)
def az_balancer_port_once(balancer: View) -> Verdict:
    """No two rules have the same frontend, port and protocol."""
    rules = [*balancer.blocks("loadBalancingRules"), *balancer.blocks("inboundNatRules")]
    taken = [
        (_frontend(rule), rule.integer("frontendPort"), (rule.text("protocol") or "").casefold()) for rule in rules
    ]

    def check(at: int) -> Verdict:
        frontend, port, protocol = taken[at]
        if frontend is None or port is None:
            return NOT_APPLICABLE
        message = f"another rule has port {port} of {frontend}, {protocol}, already"
        return allow(taken[at] not in taken[:at], message, hint="Use another port.", path=rules[at].at("frontendPort"))

    return each(range(len(rules)), check)


def _frontend(rule: Block) -> str | None:
    """The name of a rule's frontend: the id that names it ends so."""
    end = rule.block("frontendIPConfiguration")
    return _last(end) if end is not None else None


def _last(end: Block) -> str | None:
    id_ = end.text("id")
    return id_.rpartition("/")[2].casefold() if id_ is not None else None
