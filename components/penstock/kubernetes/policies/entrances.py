"""TLS at the entrances of a Kubernetes cluster: Ingresses, Gateways and the settings of AWS's load balancers."""

from __future__ import annotations

from typing import Final

from penstock.graph.view import Block

CERTIFICATES: Final = (
    "alb.ingress.kubernetes.io/certificate-arn",
    "networking.gke.io/managed-certificates",
    "networking.gke.io/certmap",
    "ingress.gcp.kubernetes.io/pre-shared-cert",
    "appgw.ingress.kubernetes.io/appgw-ssl-certificate",
)
"""Annotations by which a cloud's own load balancer gets its certificate, without a Secret in `spec.tls`."""
LISTEN_PORTS: Final = "alb.ingress.kubernetes.io/listen-ports"
_OF_CLASSES: Final = ("certificateArn", "certificateARNs")
"""Certificates of an IngressClassParams: of AWS's controller, and of EKS Auto Mode."""
_WITH_TLS: Final = frozenset({"HTTPS", "TLS"})


def ingress_has_tls(spec: Block, annotations: Block) -> bool:
    """Return whether an Ingress has a certificate."""
    if any(annotations.text(key) for key in CERTIFICATES) or spec.count("tls") > 0:
        return True
    return "HTTPS" in (annotations.text(LISTEN_PORTS) or "")  # AWS's controller finds the certificate by the host


def gateway_has_tls(spec: Block) -> bool:
    """Return whether the listeners of a Gateway serve TLS, beside ones of HTTP that can redirect."""
    protocols = {listener.text("protocol") for listener in spec.blocks("listeners")}
    return bool(protocols & _WITH_TLS) and protocols <= _WITH_TLS | {"HTTP"}


def alb_has_tls(spec: Block) -> bool:
    """Return whether settings of AWS's load balancers bring a certificate, or listeners with TLS."""
    ports = (listener.text("protocolPort") or "" for listener in spec.blocks("listenerConfigurations"))
    return any(spec.count(key) > 0 for key in _OF_CLASSES) or any(port.partition(":")[0] in _WITH_TLS for port in ports)
