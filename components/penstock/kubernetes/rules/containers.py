"""Containers: names, images, ports, variables and probes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.node_labels import TAINT_EFFECTS
from penstock.kubernetes.model.pods.templates import OWN_WORKLOADS, PodTemplate, templates
from penstock.kubernetes.rules.names import named_in_a_pod
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


_IMAGE = re.compile(
    r"(([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:\d+)?/)?[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*"
    r"(:\w[\w.-]{0,127})?(@[A-Za-z][\w.+-]*:[0-9a-fA-F]{32,})?"
)
_PORT_NAME = re.compile(r"(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?")
_LARGEST_PORT = 65535
_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc")
_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_COUNTS = ("periodSeconds", "timeoutSeconds", "successThreshold", "failureThreshold")
_WORDS = {
    "imagePullPolicy": ("Always", "IfNotPresent", "Never"),
    "terminationMessagePolicy": ("File", "FallbackToLogsOnError"),
}
_POD_WORDS = {
    "dnsPolicy": ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
    "preemptionPolicy": ("Never", "PreemptLowerPriority"),
}
_SCHEMES = ("HTTP", "HTTPS")


@RULES.rule(
    on=OWN_WORKLOADS,
    each_of=templates,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix=(
        "List a container, and give each a name of up to 63 small letters, digits and '-' that no other container of "
        "the pod has."
    ),
    sources=("kubernetes/kubernetes validation: ValidatePodSpec",),
)
def k8s_container_names_unique(pods: PodTemplate) -> Verdict:
    """A pod has at least one container, and each container has a unique name that is a DNS label."""
    if not pods.spec.count("containers"):
        return fail("containers is empty", hint="List one at least.", path=pods.spec.at("containers"))
    seen: set[str] = set()
    return each(pods.containers, lambda container: named_in_a_pod(container, "container", seen))


@RULES.rule(
    on=OWN_WORKLOADS,
    severity=HIGH,
    rationale=(
        "The API server rejects a container without an image, and the node cannot pull an image whose reference it "
        "cannot parse."
    ),
    fix="Set image to a reference such as nvcr.io/nvidia/pytorch:25.06-py3.",
    sources=("kubernetes/kubernetes validation: ValidatePodSpec", "distribution/reference grammar"),
)
def k8s_container_image_reference(workload: View) -> Verdict:
    """Each container has an image reference: a path in small letters, then a tag or a digest."""
    return _each_container(workload, _image)


@RULES.rule(
    on=OWN_WORKLOADS,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix=(
        "Set containerPort and hostPort to a number from 1 to 65535, and give each port a short name of its own with "
        "at least one letter."
    ),
    sources=("kubernetes/kubernetes validation: ValidatePodSpec",),
)
def k8s_container_ports_valid(workload: View) -> Verdict:
    """Container ports are 1 to 65535; their names are unique, with at most 15 small letters, digits and '-'."""
    return _each_container(workload, _ports)


@RULES.rule(
    on=OWN_WORKLOADS,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Correct the name, and keep either value or valueFrom.",
    sources=("kubernetes/kubernetes validation: ValidatePodSpec",),
)
def k8s_container_env_valid(workload: View) -> Verdict:
    """Each environment variable has a printable name without '=' and either value or valueFrom, not both."""
    return _each_container(workload, lambda one: each(one.blocks("env"), _variable))


@RULES.rule(
    on=OWN_WORKLOADS,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix=(
        "Keep exactly one of exec, httpGet, tcpSocket and grpc, use counts of 0 or more, and set successThreshold to 1 "
        "outside of readinessProbe."
    ),
    sources=("kubernetes/kubernetes validation: ValidatePodSpec",),
)
def k8s_probe_fields_valid(workload: View) -> Verdict:
    """A probe has one handler and no negative counts; liveness and startup probes succeed at once."""
    return _each_container(workload, lambda one: each(_PROBES, lambda kind: _probe(one, kind)))


@RULES.rule(
    on=OWN_WORKLOADS,
    each_of=templates,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Set imagePullPolicy, terminationMessagePolicy, dnsPolicy and preemptionPolicy to a value of the API.",
    sources=("Kubernetes API reference, PodSpec and Container",),
)
def k8s_pod_policy_values(pods: PodTemplate) -> Verdict:
    """Policies of pods and containers (image pulls, DNS, preemption, termination) are values of the API."""
    return together([_words(pods.spec, _POD_WORDS), *(_words(container, _WORDS) for container in pods.containers)])


@RULES.rule(
    on=OWN_WORKLOADS,
    each_of=templates,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix=(
        "Set operator to Exists without a value, or to Equal with key and value, and leave tolerationSeconds out "
        "unless effect is NoExecute."
    ),
    sources=("Kubernetes API reference, Toleration",),
)
def k8s_pod_tolerations_valid(pods: PodTemplate) -> Verdict:
    """A toleration has an operator and effect of the API, and no value beside Exists."""
    return each(pods.spec.blocks("tolerations"), _toleration)


@RULES.rule(
    on=OWN_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="On nodes with other RDMA devices, libfabric then finds no EFA device and NCCL silently uses TCP.",
    fix="Leave the hostPath volume for /dev/infiniband out.",
    sources=("EKS user guide, EFA", "aws-do-eks pull request 63"),
)
def k8s_efa_no_infiniband_mount(pods: PodTemplate) -> Verdict:
    """Pods get EFA devices from the device plugin and do not mount /dev/infiniband of the host."""
    if "vpc.amazonaws.com/efa" not in pods.requests:
        return NOT_APPLICABLE
    for volume in pods.spec.blocks("volumes"):
        host = volume.block("hostPath")
        if host is not None and (host.text("path") or "").startswith("/dev/infiniband"):
            return fail(
                "the pod mounts the host's /dev/infiniband beside its EFA devices",
                hint="Leave the volume out: the device plugin brings the devices.",
                path=host.at("path"),
            )
    return PASS


@RULES.rule(
    on=OWN_WORKLOADS,
    severity=MEDIUM,
    rationale=(
        "The object is accepted, and the probe fails each time, so the container is restarted or never becomes ready."
    ),
    fix="Set port of the probe to the name of a port in ports of the container, or to a number.",
    sources=("Kubernetes documentation, liveness, readiness and startup probes: named ports",),
)
def k8s_probe_port_declared(workload: View) -> Verdict:
    """A port that a probe names is a named port of its container."""
    return _each_container(workload, lambda one: each(_PROBES, lambda kind: _named_port(one, kind)))


def _each_container(workload: View, check: Callable[[Block], Verdict]) -> Verdict:
    return each(templates(workload), lambda pods: each(pods.containers, check))


def _image(container: Block) -> Verdict:
    image = container.text("image")
    if not image:
        return fail("the container has no image", hint="Name one.", path=container.at("image"))
    return allow(
        _IMAGE.fullmatch(image),
        f"{image!r} is not a reference to an image",
        hint="Such as nvcr.io/nvidia/pytorch:25.06-py3: small letters in the path, then a tag or a digest.",
        path=container.at("image"),
    )


def _ports(container: Block) -> Verdict:
    seen: set[str] = set()
    return each(container.blocks("ports"), lambda port: _port(port, seen))


def _port(port: Block, seen: set[str]) -> Verdict:
    for key in ("containerPort", "hostPort"):
        number = port.integer(key)
        if number is None and key == "containerPort":
            return fail("the port has no number", hint="Give containerPort.", path=port.at(key))
        if number is not None and not (key == "hostPort" and number == 0) and not 0 < number <= _LARGEST_PORT:
            return fail(f"{number} is not a port", hint=f"1 to {_LARGEST_PORT}.", path=port.at(key))
    name = port.text("name")
    if not name:
        return PASS
    if not _PORT_NAME.fullmatch(name):
        return fail(
            f"{name!r} is not a name for a port",
            hint="Up to 15 small letters, digits and single '-', with one letter at least.",
            path=port.at("name"),
        )
    if name in seen:
        return fail(f"two ports have the name {name}", hint="Rename one.", path=port.at("name"))
    seen.add(name)
    return PASS


def _variable(variable: Block) -> Verdict:
    name = variable.text("name") or ""
    if not name or "=" in name or not name.isprintable() or not name.isascii():
        return fail(f"{name!r} is not a name for a variable", hint="Such as NCCL_DEBUG.", path=variable.at("name"))
    if "valueFrom" not in variable:
        return PASS
    return allow(
        "value" not in variable or variable.text("value") == "",
        f"{name} has both a value and a source of one",
        hint="Keep value or valueFrom.",
        path=variable.at("valueFrom"),
    )


def _probe(container: Block, kind: str) -> Verdict:
    probe = container.block(kind)
    if probe is None:
        return NOT_APPLICABLE
    handlers = [handler for handler in _HANDLERS if handler in probe]
    if len(handlers) != 1:
        return fail(
            f"the probe has {len(handlers)} handlers",
            hint=f"Give exactly one of {', '.join(_HANDLERS)}.",
            path=container.at(kind),
        )
    for key in _COUNTS:
        value = probe.integer(key)
        if value is not None and value < 0:
            return fail(f"{key} is {value}", hint="1 or more; 0 means the default.", path=probe.at(key))
    http = probe.block("httpGet")
    scheme = http.text("scheme") if http is not None else None
    if http is not None and scheme and scheme not in _SCHEMES:
        return fail(f"{scheme!r} is not a scheme", hint="HTTP or HTTPS, in capitals.", path=http.at("scheme"))
    return allow(
        kind == "readinessProbe" or probe.integer("successThreshold") in (None, 0, 1),
        f"successThreshold of a {kind} is {probe.integer('successThreshold')}",
        hint="Only 1 is possible here.",
        path=probe.at("successThreshold"),
    )


def _named_port(container: Block, kind: str) -> Verdict:
    probe = container.block(kind)
    handlers = [probe.block(way) for way in ("httpGet", "tcpSocket")] if probe is not None else []
    handler = next((one for one in handlers if one is not None), None)
    port = handler.value("port") if handler is not None else None
    if handler is None or not isinstance(port, str) or port.isdigit():
        return NOT_APPLICABLE
    names = [name for one in container.blocks("ports") if (name := one.text("name"))]
    hint = f"Its ports: {', '.join(names) or 'none has a name'}."
    return allow(port in names, f"the container declares no port called {port}", hint=hint, path=handler.at("port"))


def _words(block: Block, words: dict[str, tuple[str, ...]]) -> Verdict:
    return each((key for key in words if key in block), lambda key: word(block, key, words[key]))


def word(block: Block, key: str, allowed: Sequence[str]) -> Verdict:
    """Return the verdict on a property: absent, or one of the values that Kubernetes takes."""
    value = block.text(key)
    if value is None:
        return NOT_APPLICABLE
    return allow(
        value in allowed,
        f"{value!r} is not a value that Kubernetes allows",
        hint=f"One of {', '.join(allowed)}.",
        path=block.at(key),
    )


def _toleration(toleration: Block) -> Verdict:
    words = together(
        [
            word(toleration, "operator", ("Exists", "Equal", "Lt", "Gt")),
            word(toleration, "effect", (*TAINT_EFFECTS, "")),
        ]
    )
    if words.failures:
        return words
    exists = toleration.text("operator") == "Exists"
    if exists and toleration.text("value"):
        return fail(
            "a toleration with operator Exists has a value",
            hint="Leave value out, or use Equal.",
            path=toleration.at("value"),
        )
    if not toleration.text("key") and not exists:
        return fail("the toleration has no key", hint="Set operator to Exists.", path=toleration.at("key"))
    return allow(
        "tolerationSeconds" not in toleration or toleration.text("effect") == "NoExecute",
        "tolerationSeconds needs the effect NoExecute",
        hint="Leave tolerationSeconds out.",
        path=toleration.at("tolerationSeconds"),
    )
