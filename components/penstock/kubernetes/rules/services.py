"""Services, and what sends traffic to them."""

from __future__ import annotations

from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, each, fail, together
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.model.pods.templates import PodTemplate, texts
from penstock.kubernetes.rules import gathered, inventory
from penstock.kubernetes.rules.containers import word
from penstock.kubernetes.rules.names import LABEL
from penstock.kubernetes.rules.types import INGRESS, SERVICE
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_LARGEST_PORT = 65535
_NODE_PORTS = (30000, 32767)
_PROTOCOLS = ("TCP", "UDP", "SCTP")
_TYPES = ("ClusterIP", "NodePort", "LoadBalancer", "ExternalName")
_PATH_TYPES = ("Exact", "Prefix", "ImplementationSpecific")


@RULES.rule(
    on=SERVICE,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix=(
        "List a port in spec.ports with a number from 1 to 65535 and a name of its own, and set spec.type to a value "
        "of the API."
    ),
    sources=("kubernetes/kubernetes validation: ValidateService",),
)
def k8s_service_ports_valid(service: View) -> Verdict:
    """Service ports are 1 to 65535, with unique names where there are several, and a type of the API."""
    spec = service.block("spec")
    if spec is None:
        return NOT_APPLICABLE
    said = [word(spec, "type", _TYPES)]
    ports = spec.blocks("ports")
    if not ports and spec.text("type") != "ExternalName" and spec.text("clusterIP") != "None":
        said.append(fail("the service has no port", hint="List one at least.", path="spec.ports"))
    seen: set[str] = set()
    return together([*said, each(ports, lambda port: _port(port, seen, several=len(ports) > 1))])


@RULES.rule(
    on=SERVICE,
    severity=MEDIUM,
    rationale="An API server with the default range rejects the service.",
    fix="Set nodePort to a number from 30000 to 32767, or leave it out.",
    sources=("Kubernetes documentation, Service: type NodePort, with the API server's default range",),
)
def k8s_service_node_port_range(service: View) -> Verdict:
    """An explicit nodePort is from 30000 to 32767, the default range of API servers."""
    spec = service.block("spec")
    ports = [port for port in spec.blocks("ports") if "nodePort" in port] if spec is not None else []
    return each(ports, _node_port)


@RULES.rule(
    on=SERVICE,
    severity=MEDIUM,
    rationale="The service is accepted, has no endpoints, and refuses all connections.",
    fix="Set spec.selector to labels of the pod template that the service is for.",
    joins=True,
    sources=("Kubernetes documentation, Service: selectors",),
)
def k8s_service_selects_pods(service: View) -> Verdict:
    """The selector of a service matches pods of a workload in its namespace."""
    selector = texts(service.block("spec"), "selector")
    if not selector:
        return NOT_APPLICABLE
    if chosen_pods(service, selector):
        return PASS
    here = service.site.once(gathered.pods).get(gathered.place(service), [])
    if not here or service.site.once(gathered.others_make_pods):
        raise NotKnown
    wanted = ", ".join(f"{key}={value}" for key, value in selector.items())
    return fail(
        f"no pod in the namespace {inventory.namespace(service)} has the labels {wanted}",
        hint=f"Take the labels of a template, such as {gathered.shown(here[0])}.",
        path="spec.selector",
    )


@RULES.rule(
    on=SERVICE,
    severity=MEDIUM,
    rationale="The service is accepted and has no endpoint for this port.",
    fix="Set targetPort to the name of a port of the containers, or to a number.",
    joins=True,
    sources=("Kubernetes documentation, Service: port definitions",),
)
def k8s_service_target_port_exists(service: View) -> Verdict:
    """A named targetPort of a service is a named port of the containers that it selects."""
    spec = service.block("spec")
    selector = texts(spec, "selector")
    if spec is None or not selector:
        return NOT_APPLICABLE
    named = [port for port in spec.blocks("ports") if isinstance(port.value("targetPort"), str)]
    named = [port for port in named if not str(port.value("targetPort")).isdigit()]
    if not named:
        return NOT_APPLICABLE
    chosen = chosen_pods(service, selector)
    if not chosen:
        return UNKNOWN
    names = {one.text("name") for pods in chosen for each_ in pods.containers for one in each_.blocks("ports")}
    return each(
        named,
        lambda port: allow(
            port.text("targetPort") in names,
            f"no container has a port {port.text('targetPort')!r}",
            hint=f"Their ports: {', '.join(sorted(filter(None, names))) or 'none has a name'}.",
            path=port.at("targetPort"),
        ),
    )


def _paths(ingress: View) -> list[Block]:
    spec = ingress.block("spec")
    hosts = [rule_.block("http") for rule_ in spec.blocks("rules")] if spec is not None else []
    return [path for host in hosts if host is not None for path in host.blocks("paths")]


@RULES.rule(
    on=INGRESS,
    each_of=_paths,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Set pathType to Exact, Prefix or ImplementationSpecific, and begin path with '/'.",
    sources=("Kubernetes API reference, Ingress networking.k8s.io/v1",),
)
def k8s_ingress_paths_valid(path: Block) -> Verdict:
    """Each path of an ingress has a pathType of the Kubernetes API, and an Exact or Prefix path begins with '/'."""
    type_, value = path.text("pathType"), path.text("path")
    if type_ is None:
        return fail("pathType is not set", hint=f"One of {', '.join(_PATH_TYPES)}.", path=path.at("pathType"))
    if value is not None and type_ in ("Exact", "Prefix") and not value.startswith("/"):
        return fail(f"{value!r} is not a path", hint="Begin with '/'.", path=path.at("path"))
    return word(path, "pathType", _PATH_TYPES)


@RULES.rule(
    on=INGRESS,
    severity=MEDIUM,
    rationale="The ingress is accepted, and its controller has no backend to send the traffic to.",
    fix=(
        "Set backend.service.name and port to a service and port of the same namespace, or create the ingress in the "
        "namespace of the service."
    ),
    joins=True,
    sources=("Kubernetes documentation, Ingress: backends",),
)
def k8s_ingress_backends_exist(ingress: View) -> Verdict:
    """The backends of an ingress are services of its namespace, with ports that those services have."""
    blocks = [path.block("backend") for path in _paths(ingress)]
    spec = ingress.block("spec")
    blocks.append(spec.block("defaultBackend") if spec is not None else None)
    services = [block.block("service") for block in blocks if block is not None]
    return each((block for block in services if block is not None), lambda block: _backend(ingress, block))


def _port(port: Block, seen: set[str], *, several: bool) -> Verdict:
    number, name, target = port.integer("port"), port.text("name") or "", port.value("targetPort")
    if number is None or not 0 < number <= _LARGEST_PORT:
        return fail(f"{number} is not a port", hint=f"1 to {_LARGEST_PORT}.", path=port.at("port"))
    if isinstance(target, int) and not 0 < target <= _LARGEST_PORT:
        return fail(f"{target} is not a port", hint=f"1 to {_LARGEST_PORT}.", path=port.at("targetPort"))
    if (several and not name) or (name and not LABEL.fullmatch(name)):
        return fail(
            f"{name!r} is not a name for a port" if name else "of several ports, each needs a name",
            hint="Such as http: small letters, digits and '-'.",
            path=port.at("name"),
        )
    if name and name in seen:
        return fail(f"two ports have the name {name}", hint="Rename one.", path=port.at("name"))
    seen.add(name)
    said = word(port, "protocol", _PROTOCOLS)
    return PASS if said is NOT_APPLICABLE else said


def _node_port(port: Block) -> Verdict:
    number, (least, most) = port.integer("nodePort") or 0, _NODE_PORTS
    return allow(
        number == 0 or least <= number <= most,
        f"{number} is outside of the node port range",
        hint=f"{least} to {most}, or none, and Kubernetes chooses.",
        path=port.at("nodePort"),
    )


def chosen_pods(service: View, selector: dict[str, str]) -> list[PodTemplate]:
    """The pods of the program that a service sends traffic to.

    Raises:
        NotKnown: the labels of some pods in its namespace are not known.
    """
    here = service.site.once(gathered.pods)
    anywhere = (inventory.server(service), "")
    if None in here.get(gathered.place(service), []) or anywhere in here:
        raise NotKnown
    labelled = service.site.once(_pods_by_label)
    candidates = [labelled.get((*gathered.place(service), *label), []) for label in selector.items()]
    return [pods for pods in min(candidates, key=len) if selector.items() <= pods.labels.items()]


def _pods_by_label(site: Site) -> dict[tuple[str, str, str, str], list[PodTemplate]]:
    """Pods by cluster, namespace, and key and value of each of their labels."""
    found: dict[tuple[str, str, str, str], list[PodTemplate]] = {}
    for place, there in site.once(gathered.pods).items():
        for pods in filter(None, there):
            for label in pods.labels.items():
                found.setdefault((*place, *label), []).append(pods)
    return found


def _backend(ingress: View, backend: Block) -> Verdict:
    service = inventory.find(ingress, SERVICE, inventory.namespace(ingress), backend.text("name") or "")
    if service is None:
        elsewhere = inventory.lies_in(ingress, SERVICE, backend.text("name") or "")
        if not elsewhere:
            return UNKNOWN
        return fail(
            f"the service {backend.text('name')} is in the namespace {elsewhere[0]}",
            hint="An ingress reaches services of its own namespace only: make it there.",
            path=backend.at("name"),
        )
    port, spec = backend.block("port"), service.block("spec")
    ports = spec.blocks("ports") if spec is not None else []
    if port is None:
        return fail("the backend has no port", hint="Give port.number.", path=backend.at("port"))
    wanted = port.text("name") or port.integer("number")
    return allow(
        wanted in {one.text("name") for one in ports} | {one.integer("port") for one in ports},
        f"the service {backend.text('name')} has no port {wanted}",
        hint=f"Its ports: {', '.join(str(one.integer('port')) for one in ports)}.",
        path=backend.at("port"),
    )
