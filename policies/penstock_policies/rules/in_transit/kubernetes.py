"""Encryption in transit on Kubernetes: what comes in from outside."""

from __future__ import annotations

from penstock_policies.checks import Either, Given
from penstock_policies.rule import MEDIUM, Concern, Rules

RULES = Rules(Concern.IN_TRANSIT)

_CERTIFICATES = (
    "alb.ingress.kubernetes.io/certificate-arn",
    "networking.gke.io/managed-certificates",
    "networking.gke.io/certmap",
    "ingress.gcp.kubernetes.io/pre-shared-cert",
    "appgw.ingress.kubernetes.io/appgw-ssl-certificate",
)
"""Annotations by which a cloud's own load balancer gets its certificate, without a Secret in `spec.tls`."""

RULES.row(
    "k8s-ingress-tls",
    "An Ingress has a certificate.",
    on="kubernetes:networking.k8s.io/v1:Ingress",
    check=Either(Given("spec.tls"), *(Given(f'metadata.annotations."{key}"') for key in _CERTIFICATES)),
    weight=MEDIUM,
    why="Prompts, answers and session tokens cross the network in clear, and anyone on the way reads or changes them.",
    fix="Set spec.tls with a secretName, or the annotation by which the cloud's controller takes a certificate.",
)
