"""Controllers that a chart starts by arguments: run beside a control plane as their Deployment says, on loopback."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.cluster.api import Object
from tests.cluster.control_plane import ControlPlane


def start_deployment(
    cluster: ControlPlane, of_chart: list[Object], name: str, program: str, arguments: Mapping[str, str]
) -> None:
    """Start the first container of a chart's Deployment, as its service account: with the rights of the chart.

    `arguments` take the place of those of the same flag. Its words go to a file of the Deployment's name.
    """
    (deployment,) = (each for each in of_chart if (each["kind"], each["metadata"]["name"]) == ("Deployment", name))
    namespace, pod = deployment["metadata"]["namespace"], deployment["spec"]["template"]["spec"]
    container = pod["containers"][0]
    account = pod["serviceAccountName"]
    kubeconfig = cluster.kubeconfig_of(namespace, account)
    fields = {"metadata.namespace": namespace, "metadata.name": f"{name}-0", "spec.serviceAccountName": account}
    cluster.start(
        program,
        *(each for each in container["args"] if each.partition("=")[0] not in arguments),
        *(f"{flag}={value}" for flag, value in arguments.items()),
        called=name,
        variables={**dict(_variables(container, fields)), "KUBECONFIG": str(kubeconfig)},
    )


def _variables(container: Mapping[str, Any], fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for each in container.get("env", ()):
        if "value" in each:
            yield each["name"], str(each["value"])
        elif (path := each.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath")) in fields:
            yield each["name"], fields[path]
