"""Encryption in transit on Kubernetes: what comes in from outside."""

from __future__ import annotations

from penstock.resources.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.resources.view import View
from penstock_policies.checks import Either, Given, Matches
from penstock_policies.rule import MEDIUM, Concern, Rules
from penstock_policies.settings import Settings

RULES = Rules(Concern.IN_TRANSIT)

_CERTIFICATES = (
    "alb.ingress.kubernetes.io/certificate-arn",
    "networking.gke.io/managed-certificates",
    "networking.gke.io/certmap",
    "ingress.gcp.kubernetes.io/pre-shared-cert",
    "appgw.ingress.kubernetes.io/appgw-ssl-certificate",
)
"""Annotations by which a cloud's own load balancer gets its certificate, without a Secret in `spec.tls`."""

_INGRESS = "kubernetes:networking.k8s.io/v1:Ingress"

_GATEWAYS = tuple(f"kubernetes:gateway.networking.k8s.io/{version}:Gateway" for version in ("v1", "v1beta1"))

RULES.row(
    "k8s-ingress-tls",
    "An Ingress has a certificate.",
    on=_INGRESS,
    check=Either(
        Given("spec.tls"),
        *(Given(f'metadata.annotations."{key}"') for key in _CERTIFICATES),
        Matches('metadata.annotations."alb.ingress.kubernetes.io/listen-ports"', ".*HTTPS.*"),  # found by the host
    ),
    weight=MEDIUM,
    why="Prompts, answers and session tokens cross the network in clear, and anyone on the way reads or changes them.",
    fix="Set spec.tls with a secretName, or the annotation by which the cloud's controller takes a certificate.",
)


@RULES.rule(
    "k8s-gateway-tls",
    on=_GATEWAYS,
    reads=("spec.listeners[].protocol",),
    weight=MEDIUM,
    why="Prompts, answers and session tokens cross the network in clear, and anyone on the way reads or changes them.",
    fix="Add a listener of protocol HTTPS with tls.certificateRefs to spec.listeners, and let that of HTTP redirect.",
)
def _gateway_has_a_certificate(gateway: View, _: Settings) -> Verdict:
    """A Gateway that takes HTTP takes HTTPS, too."""
    spec = gateway.block("spec")
    protocols = set() if spec is None else {listener.text("protocol") for listener in spec.blocks("listeners")}
    if not protocols & {"HTTP", "HTTPS"}:
        return NOT_APPLICABLE
    return allow("HTTPS" in protocols, "every listener of HTTP is in clear", path="spec.listeners")
