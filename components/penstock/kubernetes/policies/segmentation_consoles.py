"""Segmentation on Kubernetes: consoles without a login, and what leads to them from outside of the cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from penstock.catalog.records import records
from penstock.graph.verdict import (
    NOT_APPLICABLE,
    PASS,
    UNKNOWN,
    NotKnown,
    Outcome,
    TypeMismatch,
    Verdict,
    allow,
    asked,
    each,
    fail,
    together,
)
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.model import namespaces
from penstock.kubernetes.model.pods.containers import RAY_CLUSTERS, containers, label_paths
from penstock.kubernetes.policies.segmentation import annotations_of, judge_balancer, judge_ingress
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_DATA: Final = Path(__file__).parent / "data"
_SERVICE: Final = "kubernetes:core/v1:Service"
_INGRESS: Final = "kubernetes:networking.k8s.io/v1:Ingress"
_HOLDERS: Final = (
    "kubernetes:apps/v1:Deployment",
    "kubernetes:apps/v1:StatefulSet",
    "kubernetes:apps/v1:DaemonSet",
    "kubernetes:core/v1:Pod",
)
_PROXY: Final = re.compile(r"oauth2?-proxy|rbac-proxy|auth-proxy|pomerium|authelia", re.IGNORECASE)
"""Images of sidecars that ask for a login before they pass a request on."""
_LOGIN: Final = re.compile(r"auth|middleware|oidc|jwt|\biap\b", re.IGNORECASE)
"""Annotations by which the controllers of Ingresses ask for a login: NGINX's auth-url, ALB's auth-type, Traefik's."""
_BY_SERVICE: Final = ("cloud.google.com/backend-config", "beta.cloud.google.com/backend-config")
"""Annotations of a Service with an object that may turn on Google's Identity-Aware Proxy."""
_ENV: Final = "template.spec.containers[].env[]"
_API: Final = (
    "KubeRay docs, Ingress: anyone with access can execute code "
    "<https://docs.ray.io/en/latest/cluster/kubernetes/k8s-ecosystem/ingress.html>"
)


@dataclass(frozen=True, slots=True)
class _Console:
    """A tool that asks for no login.

    Attributes:
        command: The form of the command that starts it.
        login: The variable that gives it a login; empty for none.
    """

    of: str
    command: re.Pattern[str]
    login: str


@RULES.rule(
    on=(_SERVICE, *RAY_CLUSTERS),
    joins=True,
    severity=HIGH,
    rationale=(
        "Ray and Dask run code for anyone who reaches them, and TensorBoard and MLflow show and change what a team "
        "trained."
    ),
    fix="Turn the login on (spec.authOptions.mode of Ray, --app-name basic-auth of MLflow), ask for one at the Ingress "
    "or by an OAuth proxy in the pod, or set spec.type to ClusterIP and use kubectl port-forward.",
    sources=(_API,),
)
def k8s_console_inside(it: View, _: Settings) -> Verdict:
    """A console without a login is only reached from inside the cluster."""
    if it.type in RAY_CLUSTERS:
        return each(it.locations(RAY_CLUSTERS[it.type]), lambda place: _of_ray(it, it.within(place)))
    spec, found = it.block("spec"), it.site.once(_consoles)
    selector = None if spec is None else spec.block("selector")
    if spec is None or selector is None or not found:
        return NOT_APPLICABLE
    consoles = sorted((name for workload, name in found if _selects(it, selector, workload)), key=bool, reverse=True)
    if not consoles:
        return NOT_APPLICABLE
    said = _is_inside(it, spec, consoles[0])
    return said if consoles[0] or not said.failures else UNKNOWN


def _of_ray(it: View, cluster: Block) -> Verdict:
    """The Service and the Ingress that KubeRay makes for a head."""
    head = cluster.block("headGroupSpec")
    if head is None:
        return NOT_APPLICABLE
    has_login = cluster.text("authOptions.mode") == "token"
    if has_login or any(variable.text("name") == "RAY_AUTH_MODE" for variable in head.blocks_at(_ENV)):
        return PASS
    has_ingress = bool(head.flag("enableIngress")) and not _asks_for_a_login(annotations_of(it))
    ingress = allow(
        not has_ingress, f"{head.at('enableIngress')} leads to Ray's dashboard", path=head.at("enableIngress")
    )
    return together((ingress, _of_type(head, "serviceType", cluster.block("headServiceAnnotations"), "Ray")))


def _is_inside(service: View, spec: Block, console: str) -> Verdict:
    own = _of_type(spec, "type", annotations_of(service), console)
    if own.outcome is Outcome.FAIL:
        return own
    beside, perhaps = namespaces.objects_beside(service, _INGRESS)
    ways = [asked(lambda way: _of_ingress(way, service, console), ingress) for ingress in beside]
    said = together((own, *ways))
    return UNKNOWN if perhaps and said.outcome is Outcome.PASS else said


def _of_type(spec: Block, key: str, annotations: Block | None, console: str) -> Verdict:
    kind = spec.text(key)
    message = f"{spec.at(key)} is {kind}, and leads to {console}, which asks for no login"
    if kind == "NodePort":
        return fail(message, path=spec.at(key))
    is_open = judge_balancer(spec, key, annotations).outcome is Outcome.FAIL
    return allow(not is_open, message, path=spec.at(key))


def _of_ingress(ingress: View, service: View, console: str) -> Verdict:
    spec, annotations = ingress.block("spec"), annotations_of(ingress)
    if spec is None or not _leads_to(spec, ingress, service) or _asks_for_a_login(annotations):
        return PASS
    if judge_ingress(spec, annotations) is PASS:
        return PASS
    if any(key in annotations_of(service) for key in _BY_SERVICE):
        return UNKNOWN
    return fail(f"the Ingress {ingress.name} leads to {console}, which asks for no login", path="spec.selector")


def _leads_to(spec: Block, ingress: View, service: View) -> bool:
    if service.urn in {each_.urn for each_ in ingress.sources("spec", _SERVICE)}:
        return True
    paths = ("defaultBackend.service", "rules[].http.paths[].backend.service")
    names = {backend.text("name") for path in paths for backend in spec.blocks_at(path)}
    return bool(names) and namespaces.name_of(service) in names


def _asks_for_a_login(annotations: Block) -> bool:
    return any(_LOGIN.search(key) for key in annotations)


def _selects(service: View, selector: Block, workload: View) -> bool:
    if not list(selector) or not namespaces.are_together(service, workload):
        return False
    places = [place for path in label_paths(workload) for place in workload.locations(path) if place.value is not None]
    return any(
        all(labels.text(key) == selector.text(key) for key in selector) for labels in map(workload.within, places)
    )


def _consoles(site: Site) -> tuple[tuple[View, str], ...]:
    """The workloads of a program that run a console without a login; without a name where that is not known."""

    def found() -> Iterator[tuple[View, str]]:
        for workload in site.of_type(*_HOLDERS):
            try:
                name = _console_in(containers(workload))
            except NotKnown:
                name = ""
            except TypeMismatch:
                continue
            if name is not None:
                yield workload, name

    return tuple(found())


def _console_in(inside: list[Block]) -> str | None:
    if any(_PROXY.search(container.text("image") or "") for container in inside):
        return None
    for container in inside:
        words = [*container.texts("command"), *container.texts("args")]
        variables = {variable.text("name") for variable in container.blocks("env")} if words else set()
        for console in records(_Console, "open_consoles", folder=_DATA):
            if console.command.search(" ".join(words)) and console.login not in variables:
                return console.of
    return None
