"""What an API server and its controllers add to objects: defaults, addresses of services, the text of secrets as data.

Sources: the Kubernetes API reference, "default" of each field, and pkg/apis/*/v1/defaults.go of kubernetes 1.34.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any, Final

from penstock.graph.values import Secret, Unknown
from penstock.simulate.clouds import CreateRequest
from penstock.simulate.clouds.identity import hexadecimal, uuid

_FIRST_NODE_PORT: Final = 30_000
_NODE_PORTS: Final = 2_768
"""Ports of nodes that services get: 30000 to 32767 (kube-apiserver, --service-node-port-range)."""

_EKS: Final = ("eks.amazonaws.com", "get-token")
"""What a kubeconfig of EKS holds, whose load balancers have a name and no address."""

_REPLICAS: Final = 1
_POD: Final = {
    "restartPolicy": "Always",
    "dnsPolicy": "ClusterFirst",
    "schedulerName": "default-scheduler",
    "terminationGracePeriodSeconds": 30,
    "securityContext": {},
}
_CONTAINER: Final = {
    "resources": {},
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}

Added = dict[str, Any]


def added(request: CreateRequest) -> Added:
    """The outputs of an object that differ from what a program gave: its blocks with the defaults in them."""
    kind = request.type.rpartition(":")[2]
    add = _KINDS.get(kind if kind in _KINDS else kind.removesuffix("Patch"))
    return add(request) if add is not None else {}


def _over(given: Any, defaults: Mapping[str, Any]) -> Any:
    """An object with defaults where it says nothing; what is secret or unknown stays as it is."""
    if given is None:
        return dict(defaults)
    if not isinstance(given, Mapping):
        return given
    known = {key: value for key, value in given.items() if value is not None}
    return {
        **known,
        **{
            key: _over(known.get(key), value) if isinstance(value, Mapping) else known.get(key, value)
            for key, value in defaults.items()
        },
    }


def _block(request: CreateRequest, key: str) -> Mapping[str, Any]:
    given = request.inputs.get(key)
    return given if isinstance(given, Mapping) else {}


def _secret(request: CreateRequest) -> Added:
    texts = request.inputs.get("stringData")
    found: Added = {"type": request.inputs.get("type") or "Opaque"}
    is_secret = isinstance(texts, Secret)
    texts = texts.value if isinstance(texts, Secret) else texts
    if not isinstance(texts, Mapping):
        return found
    data = request.inputs.get("data")
    is_secret = is_secret or isinstance(data, Secret)
    data = data.value if isinstance(data, Secret) else data
    encoded = {**(data if isinstance(data, Mapping) else {}), **{key: _encoded(value) for key, value in texts.items()}}
    return {**found, "data": Secret(encoded) if is_secret else encoded}


def _encoded(text: Any) -> Any:
    if isinstance(text, Secret):
        return Secret(_encoded(text.value))
    return text if isinstance(text, Unknown | None) else b64encode(str(text).encode()).decode()


def _service(request: CreateRequest) -> Added:
    given = _block(request, "spec")
    kind = given.get("type") or "ClusterIP"
    if kind == "ExternalName":
        return {
            "spec": {**given, "sessionAffinity": given.get("sessionAffinity") or "None"},
            "status": {"loadBalancer": {}},
        }
    own = f"10.96.{_number(request.urn, 254, 'third') + 1}.{_number(request.urn, 254, 'fourth') + 1}"
    address = given.get("clusterIP") or own
    reachable = kind in ("NodePort", "LoadBalancer")
    defaults: Added = {
        "type": kind,
        "clusterIP": address,
        "clusterIPs": [address],
        "sessionAffinity": "None",
        "internalTrafficPolicy": "Cluster",
        "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack",
    }
    if reachable:
        defaults["externalTrafficPolicy"] = "Cluster"
    if kind == "LoadBalancer":
        defaults["allocateLoadBalancerNodePorts"] = True
    ports = given.get("ports")
    if isinstance(ports, list):
        ports = [_port(port, request.urn, index, reachable=reachable) for index, port in enumerate(ports)]
    balancer = {"ingress": [_entrance(request)]} if kind == "LoadBalancer" else {}
    spec = _over({**given, **({"ports": ports} if ports is not None else {})}, defaults)
    return {"spec": spec, "status": {"loadBalancer": balancer}}


def _port(port: Any, urn: str, index: int, *, reachable: bool) -> Any:
    if not isinstance(port, Mapping):
        return port
    defaults = {"protocol": "TCP", "targetPort": port.get("port")}
    if reachable:
        defaults["nodePort"] = _FIRST_NODE_PORT + (_number(urn, _NODE_PORTS, "node") + index) % _NODE_PORTS
    return _over(port, defaults)


def _entrance(request: CreateRequest) -> Added:
    """Where a balancer is reached: by name in a cluster of EKS, by address elsewhere."""
    kubeconfig = request.provider.get("kubeconfig")
    text = kubeconfig.value if isinstance(kubeconfig, Secret) else kubeconfig
    if isinstance(text, str) and any(mark in text for mark in _EKS):
        name = f"a{hexadecimal(request.urn, 31, 'balancer')}-{_number(request.urn, 10**9, 'balancer')}"
        return {"hostname": f"{name}.us-east-1.elb.amazonaws.com"}
    return {"ip": f"203.0.113.{_number(request.urn, 254, 'balancer') + 1}"}


def _ingress(request: CreateRequest) -> Added:
    return {"status": {"loadBalancer": {"ingress": [_entrance(request)]}}}


def _claim(request: CreateRequest) -> Added:
    given = _block(request, "spec")
    resources = given.get("resources")
    requests = resources.get("requests") if isinstance(resources, Mapping) else None
    status = {"phase": "Bound", "accessModes": given.get("accessModes") or [], "capacity": requests or {}}
    return {
        "spec": _over(given, {"volumeMode": "Filesystem", "volumeName": f"pvc-{uuid(request.urn)}"}),
        "status": status,
    }


def _pod_spec(given: Any, **defaults: Any) -> Any:
    if not isinstance(given, Mapping):
        return given
    containers = {
        key: [_container(each) for each in given[key]]
        for key in ("containers", "initContainers")
        if isinstance(given.get(key), list)
    }
    return _over({**given, **containers}, {**_POD, **defaults})


def _container(given: Any) -> Any:
    if not isinstance(given, Mapping):
        return given
    image = given.get("image")
    tag = image.rpartition("/")[2].partition(":")[2] if isinstance(image, str) else "latest"
    policy = "Always" if tag in ("", "latest") and "@" not in str(image) else "IfNotPresent"
    ports = given.get("ports")
    ports = [_over(port, {"protocol": "TCP"}) for port in ports] if isinstance(ports, list) else ports
    return _over(
        {**given, **({"ports": ports} if ports is not None else {})}, {**_CONTAINER, "imagePullPolicy": policy}
    )


def _template(given: Any, **defaults: Any) -> Any:
    return {**given, "spec": _pod_spec(given.get("spec"), **defaults)} if isinstance(given, Mapping) else given


def _workload(**defaults: Any) -> Callable[[CreateRequest], Added]:
    def add(request: CreateRequest) -> Added:
        spec = _over(_block(request, "spec"), defaults)
        spec["template"] = _template(spec.get("template"))
        replicas = spec.get("replicas", _REPLICAS)
        ready = dict.fromkeys(("replicas", "readyReplicas", "availableReplicas", "updatedReplicas"), replicas)
        return {"spec": spec, "status": {**ready, "observedGeneration": 1, "conditions": []}}

    return add


def _job(request: CreateRequest) -> Added:
    given = _block(request, "spec")
    defaults = {
        "backoffLimit": 6,
        "completionMode": "NonIndexed",
        "completions": given.get("parallelism") or 1,
        "parallelism": 1,
        "suspend": False,
    }
    spec = _over(given, defaults)
    return {"spec": {**spec, "template": _template(spec.get("template"))}, "status": {"succeeded": spec["completions"]}}


def _pod(request: CreateRequest) -> Added:
    status = {"phase": "Running", "podIP": "10.244.0.10", "hostIP": "10.0.0.10", "conditions": []}
    return {"spec": _pod_spec(_block(request, "spec"), serviceAccountName="default"), "status": status}


def _spec(**defaults: Any) -> Callable[[CreateRequest], Added]:
    return lambda request: {"spec": _over(_block(request, "spec"), defaults)}


def _top(**defaults: Any) -> Callable[[CreateRequest], Added]:
    return lambda request: {key: request.inputs.get(key) or value for key, value in defaults.items()}


def _number(urn: str, below: int, salt: str) -> int:
    return int(hexadecimal(urn, 12, salt), 16) % below


_ROLLING: Final = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}

_KINDS: Final[Mapping[str, Callable[[CreateRequest], Added]]] = {
    "CronJob": _spec(concurrencyPolicy="Allow", suspend=False, successfulJobsHistoryLimit=3, failedJobsHistoryLimit=1),
    "DaemonSet": _workload(
        revisionHistoryLimit=10,
        updateStrategy={"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}},
    ),
    "Deployment": _workload(
        replicas=_REPLICAS, revisionHistoryLimit=10, progressDeadlineSeconds=600, strategy=_ROLLING
    ),
    "Ingress": _ingress,
    "Job": _job,
    "Namespace": lambda _: {"spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"}},
    "PersistentVolume": _spec(persistentVolumeReclaimPolicy="Retain", volumeMode="Filesystem"),
    "PersistentVolumeClaim": _claim,
    "Pod": _pod,
    "Secret": _secret,
    "Service": _service,
    "StatefulSet": _workload(
        replicas=_REPLICAS,
        revisionHistoryLimit=10,
        podManagementPolicy="OrderedReady",
        updateStrategy={"type": "RollingUpdate", "rollingUpdate": {"partition": 0}},
    ),
    "StorageClass": _top(reclaimPolicy="Delete", volumeBindingMode="Immediate"),
}
