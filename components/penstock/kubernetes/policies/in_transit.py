"""Encryption in transit on Kubernetes: what comes in from outside."""

from __future__ import annotations

from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import Block, View
from penstock.kubernetes.policies.entrances import CERTIFICATES, LISTEN_PORTS
from penstock.rules.checks import Absent, All, ByType, Given, IsNot, NoneOf, Unlike, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IN_TRANSIT)

_VOLUME = "kubernetes:core/v1:PersistentVolume"
_CLASS = "kubernetes:storage.k8s.io/v1:StorageClass"
_INGRESS = "kubernetes:networking.k8s.io/v1:Ingress"

_GATEWAYS = tuple(f"kubernetes:gateway.networking.k8s.io/{version}:Gateway" for version in ("v1", "v1beta1"))

_ISTIO_GATEWAYS = tuple(
    f"kubernetes:networking.istio.io/{version}:Gateway" for version in ("v1", "v1beta1", "v1alpha3")
)
_IN_CLEAR = ("HTTP", "HTTP2", "GRPC", "GRPC-WEB")
"""Protocols of Istio's servers that have no TLS of their own (Istio API v1, Port)."""

RULES.row(
    "k8s-ingress-tls",
    "An Ingress has a certificate.",
    on=_INGRESS,
    check=Where(
        All(
            *(Absent(f'metadata.annotations."{key}"') for key in CERTIFICATES),
            IsNot('metadata.annotations."traefik.ingress.kubernetes.io/router.tls"', value="true"),
            Unlike(f'metadata.annotations."{LISTEN_PORTS}"', ".*HTTPS.*"),  # found by the host
        ),
        Given("spec.tls"),
    ),
    severity=MEDIUM,
    rationale=(
        "Prompts, answers and session tokens cross the network in clear, and anyone on the way reads or changes them."
    ),
    fix="Set spec.tls with a secretName, or the annotation by which the cloud's controller takes a certificate.",
    peers="C-0263",
)


@RULES.rule(
    on=(*_GATEWAYS, *_ISTIO_GATEWAYS),
    severity=MEDIUM,
    rationale=(
        "Prompts, answers and session tokens cross the network in clear, and anyone on the way reads or changes them."
    ),
    fix="Add a listener of protocol HTTPS with tls.certificateRefs to spec.listeners, and let that of HTTP redirect; "
    "on Istio's own Gateway set tls.httpsRedirect of each server of HTTP.",
)
def k8s_gateway_tls(gateway: View, _: Settings) -> Verdict:
    """A Gateway that takes HTTP takes HTTPS, too, or passes TLS on."""
    spec = gateway.block("spec")
    if spec is None:
        return NOT_APPLICABLE
    if gateway.type in _ISTIO_GATEWAYS:
        selector = spec.block("selector")
        leads_out = selector is not None and selector.text("istio") == "egressgateway"
        return NOT_APPLICABLE if leads_out else each(spec.blocks("servers"), _server_redirects)
    protocols = {listener.text("protocol") for listener in spec.blocks("listeners")}
    if not protocols & {"HTTP", "HTTPS"}:
        return NOT_APPLICABLE
    return allow(protocols & {"HTTPS", "TLS"}, "every listener of HTTP is in clear", path="spec.listeners")


def _server_redirects(server: Block) -> Verdict:
    port, tls = server.block("port"), server.block("tls")
    protocol = None if port is None else port.text("protocol")
    if protocol is None:
        return NOT_APPLICABLE
    redirects = tls is not None and tls.flag("httpsRedirect")
    is_safe = protocol.upper() not in _IN_CLEAR or redirects
    return allow(is_safe, f"{server.at('port')} takes {protocol} in clear", path=server.at("port"))


_MESH = tuple(f"kubernetes:security.istio.io/{version}:PeerAuthentication" for version in ("v1", "v1beta1"))
_ROUTES = tuple(
    f"kubernetes:networking.istio.io/{version}:DestinationRule" for version in ("v1", "v1beta1", "v1alpha3")
)
_OUTSIDE = r".+\..+\.(?!svc$|local$)[^.]+"
"""A host of three labels or more that is not a Service, such as a database's, which may have TLS of its own."""
RULES.row(
    "k8s-mesh-mtls",
    "No policy of Istio turns TLS between pods off.",
    on=(*_MESH, *_ROUTES),
    check=ByType(
        {
            **dict.fromkeys(_MESH, NoneOf("spec.mtls.mode", ("DISABLE",))),
            **dict.fromkeys(
                _ROUTES,
                Where(Unlike("spec.host", _OUTSIDE), NoneOf("spec.trafficPolicy.tls.mode", ("DISABLE",))),
            ),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "Prompts and answers between the gateway and the model cross nodes in clear, and a pod does not know who calls."
    ),
    fix="Set spec.mtls.mode to STRICT, and the tls.mode of a DestinationRule to ISTIO_MUTUAL.",
)
RULES.row(
    "k8s-mesh-tls-verified",
    "A proxy of Istio verifies the certificates of the servers that it calls.",
    on=_ROUTES,
    check=IsNot("spec.trafficPolicy.tls.insecureSkipVerify", value=True),
    severity=MEDIUM,
    rationale="Whoever gets between the mesh and the server answers in its place, and reads prompts and tokens.",
    fix="Remove insecureSkipVerify, and set caCertificates and subjectAltNames in spec.trafficPolicy.tls.",
    sources=(
        (
            "Istio docs, destination rule: ClientTLSSettings "
            "<https://istio.io/latest/docs/reference/config/networking/destination-rule/>"
        ),
    ),
)
RULES.row(
    "k8s-mesh-mtls-strict",
    "A policy of Istio accepts only TLS between pods.",
    on=_MESH,
    check=NoneOf("spec.mtls.mode", ("PERMISSIVE",)),
    severity=LOW,
    rationale="PERMISSIVE also takes requests in clear, from pods outside the mesh that are not authenticated.",
    fix="Set mode to STRICT once all callers have a sidecar or an ambient proxy.",
)
RULES.row(
    "k8s-apiservice-verified",
    "The API server knows who answers for an API.",
    on="kubernetes:apiregistration.k8s.io/v1:APIService",
    check=IsNot("spec.insecureSkipTLSVerify", value=True),
    severity=MEDIUM,
    rationale="Whoever gets between the API server and that Service answers in its place, to administrators, too.",
    fix="Remove insecureSkipTLSVerify and set caBundle, as cert-manager's injector does.",
)
RULES.row(
    "k8s-volume-in-transit",
    "No volume gives up encryption on the way to its file system.",
    on=(_VOLUME, _CLASS),
    check=ByType(
        {
            _VOLUME: IsNot("spec.csi.volumeAttributes.encryptInTransit", value="false"),
            _CLASS: IsNot("parameters.encryptInTransit", value="false"),
        }
    ),
    severity=MEDIUM,
    rationale="Data sets and checkpoints cross the network in clear, and anyone on the way reads or changes them.",
    fix="Remove encryptInTransit: EFS then uses TLS; for Azure Files set it to true. The volume or the class is "
    "replaced; the data stays with a reclaim policy of Retain.",
)
