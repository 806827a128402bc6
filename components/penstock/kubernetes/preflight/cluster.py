"""A cluster that exists, by kubectl, as `penstock jobs --submit` reaches it: reads only."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import Any, Final

from penstock.core.errors import CannotAsk
from penstock.core.wording import quoted
from penstock.preflight.inquiry import Reply, not_asked, not_met
from penstock.preflight.rest import READ_S, Refused, Silent

_REVIEWS: Final = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
"""The one path that is posted to: the server answers, and keeps nothing."""
_LONGEST: Final = 200
_LOGINS: Final = ("Unauthorized", "Forbidden")
_ERROR: Final = re.compile(r"Error from server(?: \((?P<reason>\w+)\))?: (?P<message>.*)", re.DOTALL)
_STATUSES: Final = {"NotFound": 404, "Forbidden": 403, "Unauthorized": 401}


class AskedCluster:
    """One API server, by a kubeconfig and a context; what every question needs is read once."""

    def __init__(self, kubectl: str, flags: Sequence[str], name: str) -> None:
        self._command = [kubectl, *flags, f"--request-timeout={READ_S}s"]
        self.name = name
        self._served: dict[str, Mapping[str, Mapping[str, Any]]] = {}
        self._lock = Lock()

    def get(self, path: str) -> Mapping[str, Any]:
        """Read something by its path.

        Raises:
            Refused: the server answers with an error.
            Silent: the server is not reached.
        """
        return self._run(["get", "--raw", path], None)

    def may(self, verb: str, group: str, resource: str) -> bool:
        """Return whether the caller may do something with a resource in all namespaces; raises as `get`."""
        attributes = {"verb": verb, "group": group, "resource": resource}
        review = {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": attributes},
        }
        answer = self._run(["create", "--raw", _REVIEWS, "-f", "-"], json.dumps(review))
        return bool(answer["status"]["allowed"])

    def items(self, path: str) -> list[Mapping[str, Any]]:
        """Read a list; raises as `get`."""
        with self._lock:
            return self._items(path)

    def served(self, api_version: str) -> Mapping[str, Mapping[str, Any]]:
        """Return the kinds that the server has of a version of a group, each with its resource; raises as `get`."""
        with self._lock:
            if api_version not in self._served:
                path = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
                found = self.get(path).get("resources", ())
                self._served[api_version] = {each["kind"]: each for each in found if "/" not in each["name"]}
            return self._served[api_version]

    @cached_property
    def version(self) -> str:
        """The version of the server, such as v1.35.2; raises as `get`."""
        return str(self.get("/version")["gitVersion"])

    def _items(self, path: str) -> list[Mapping[str, Any]]:
        key = f"list {path}"
        if key not in self._served:
            self._served[key] = {str(number): each for number, each in enumerate(self.get(path).get("items", ()))}
        return list(self._served[key].values())

    def _run(self, arguments: Sequence[str], given: str | None) -> Mapping[str, Any]:
        done = subprocess.run(  # noqa: S603 - kubectl
            [*self._command, *arguments], input=given or "", capture_output=True, text=True, check=False
        )
        if done.returncode:
            printed = done.stderr.strip()
            error = _ERROR.search(printed)
            if error is None:
                raise Silent(printed.splitlines()[-1] if printed else f"kubectl ended with status {done.returncode}")
            reason = error["reason"] or ""
            raise Refused(_STATUSES.get(reason, 500), reason, _first_line(error["message"]))
        answer: Mapping[str, Any] = json.loads(done.stdout)
        return answer


def _first_line(message: str) -> str:
    """The start of an error: a proxy before the server may answer with a whole page."""
    line = message.strip().partition("\n")[0]
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} …"


def open_cluster(kubeconfig: str, context: str) -> AskedCluster:
    """Return the cluster of a kubeconfig and a context; empty ones are those that kubectl takes by itself.

    Raises:
        CannotAsk: there is no kubectl, or the server is not reached or lets nobody in.
    """
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        raise CannotAsk("To ask a cluster takes kubectl on the PATH: https://kubernetes.io/docs/tasks/tools.")
    flags = [f"--kubeconfig={kubeconfig}"] if kubeconfig else []
    flags += [f"--context={context}"] if context else []
    cluster = AskedCluster(kubectl, flags, f"context {quoted(context)}" if context else "the current context")
    try:
        cluster.version  # noqa: B018 - the first question, which needs no rights
    except Silent as silent:
        raise CannotAsk(f"The cluster of {cluster.name} is not reached: {silent}") from None
    except Refused as refusal:
        if refusal.reason in _LOGINS:
            raise CannotAsk(f"The cluster of {cluster.name} accepts no credentials of the kubeconfig.") from None
        raise CannotAsk(f"The cluster of {cluster.name} answers {refusal}") from None
    return cluster


def reply_to(refusal: Refused) -> Reply:
    """The answer where a question ends with an error."""
    if refusal.reason == "NotFound":
        return not_met("There is none.")
    if refusal.reason == "Forbidden":
        return not_asked(f"Forbidden: {refusal.message}", "Bind a ClusterRole that may get and list it, such as view.")
    return not_asked(f"The server answered {refusal}")
