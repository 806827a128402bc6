"""The API of a cluster: objects go in as `kubectl apply --server-side` sends them, and come out as they are."""

from __future__ import annotations

import json
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

Object = Mapping[str, Any]
"""A manifest, or an object as the server has it."""

_MANAGER: Final = "penstock-tests"
_NOT_FOUND: Final = 404
_PATIENCE: Final = 100
"""As many looks at what the server serves."""


class Refused(Exception):
    """The server refuses, in its own words."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Api:
    """One API server, and a token that it lets in."""

    def __init__(self, server: str, token: str) -> None:
        self.server, self._token = server, token
        self._context = ssl.create_default_context()
        self._context.check_hostname = False
        self._context.verify_mode = ssl.CERT_NONE  # its certificate is its own, and it listens on loopback only
        self._resources: dict[str, Mapping[str, tuple[str, bool]]] = {}

    def answers(self, path: str) -> bool:
        """Return whether the server is there and has something at a path."""
        try:
            self._send("GET", path)
        except (OSError, Refused):
            return False
        return True

    def apply(self, manifest: Object, *, dry_run: bool = False, strict: bool = True) -> Object:
        """Apply an object as its only owner; if `strict`, with every field held to the schema.

        Raises:
            Refused: the server or a webhook does not take it.
        """
        query = {"fieldManager": _MANAGER, "fieldValidation": "Strict" if strict else "Ignore", "force": "true"}
        if dry_run:
            query["dryRun"] = "All"
        path = f"{self._path(manifest)}?{urlencode(query)}"
        applied: Object = self._send("PATCH", path, manifest, content="application/apply-patch+yaml")
        return applied

    def as_who_has(self, token: str) -> Api:
        """The same server, as whoever has another token reaches it."""
        return Api(self.server, token)

    def token_of(self, pod: Object) -> str:
        """The token that a kubelet hands to a pod: bound to it, and so to its node."""
        name, namespace = pod["metadata"]["name"], pod["metadata"]["namespace"]
        bound = {"apiVersion": "v1", "kind": "Pod", "name": name, "uid": pod["metadata"]["uid"]}
        owner = {"name": pod["spec"]["serviceAccountName"], "namespace": namespace}
        account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": owner}
        asked = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"boundObjectRef": bound}}
        return str(self._send("POST", f"{self._path(account)}/token", asked)["status"]["token"])

    def try_merge(self, manifest: Object, change: Object) -> None:
        """Have the server judge a change of an object that is there, as a JSON merge patch; nothing is changed.

        Raises:
            Refused: the server or a webhook does not take it.
        """
        path = f"{self._path(manifest)}?dryRun=All"
        self._send("PATCH", path, change, content="application/merge-patch+json")

    def create(self, manifest: Object, *, dry_run: bool = False) -> Object:
        """Create an object that is not there yet, with every field held to the schema.

        Raises:
            Refused: the server or a webhook does not take it.
        """
        query = {"fieldManager": _MANAGER, "fieldValidation": "Strict"} | ({"dryRun": "All"} if dry_run else {})
        path = f"{self._path(manifest, named=False)}?{urlencode(query)}"
        created: Object = self._send("POST", path, manifest)
        return created

    def get(self, api_version: str, kind: str, name: str, namespace: str = "") -> Object | None:
        """An object; None where there is none."""
        return self.find({"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": namespace}})

    def find(self, manifest: Object) -> Object | None:
        """The object of a manifest's kind and name, as the server has it; None where there is none."""
        try:
            found: Object = self._send("GET", self._path(manifest))
        except Refused as refused:
            if refused.code == _NOT_FOUND:
                return None
            raise
        return found

    def objects(self, api_version: str, kind: str, namespace: str = "") -> list[Object]:
        """All objects of a kind, in one namespace or in all."""
        resource, namespaced = self._resource(api_version, kind)
        inside = f"/namespaces/{namespace}" if namespaced and namespace else ""
        found: list[Object] = self._send("GET", f"{_root(api_version)}{inside}/{resource}")["items"]
        return found

    def delete(self, manifest: Object, *, grace_s: int | None = None) -> None:
        """Delete an object, and in the background what belongs to it; one that is not there is fine."""
        query = {"propagationPolicy": "Background"} | ({} if grace_s is None else {"gracePeriodSeconds": str(grace_s)})
        try:
            self._send("DELETE", f"{self._path(manifest)}?{urlencode(query)}")
        except Refused as refused:
            if refused.code != _NOT_FOUND:
                raise

    def serves(self, manifest: Object) -> bool:
        """Return whether there is a manifest's kind in its version."""
        try:
            self._resource(manifest["apiVersion"], manifest["kind"])
        except Refused:
            return False
        return True

    def has_namespace(self, manifest: Object) -> bool:
        """Return whether objects of a kind are in namespaces; of a kind that nobody serves, whether this one is."""
        if not self.serves(manifest):
            return "namespace" in manifest["metadata"]
        return self._resource(manifest["apiVersion"], manifest["kind"])[1]

    def kinds(self) -> list[tuple[str, str]]:
        """The API version and kind of all that can be listed and deleted."""
        versions = [
            "v1",
            *(group["preferredVersion"]["groupVersion"] for group in self._send("GET", "/apis")["groups"]),
        ]
        return [
            (version, each["kind"])
            for version in versions
            for each in self._served(version)
            if "/" not in each["name"] and {"list", "delete"} <= set(each["verbs"])
        ]

    def _served(self, version: str) -> list[Object]:
        """What a version has; nothing where its last definition has just gone."""
        try:
            found: list[Object] = self._send("GET", _root(version))["resources"]
        except Refused as refused:
            if refused.code != _NOT_FOUND:
                raise
            return []
        return found

    def ensure_namespace(self, manifest: Object) -> None:
        """Create the namespace of an object, where it is not there."""
        name = manifest["metadata"].get("namespace")
        if name and self.get("v1", "Namespace", name) is None:
            self.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})

    def await_kind(self, api_version: str, kind: str) -> None:
        """Wait until a kind is served that somebody has just defined.

        Raises:
            Refused: that takes too long.
        """
        for _ in range(_PATIENCE):
            self._resources.pop(api_version, None)
            if self.serves({"apiVersion": api_version, "kind": kind}):
                return
            time.sleep(0.2)
        self._resource(api_version, kind)

    def _path(self, manifest: Object, *, named: bool = True) -> str:
        version, kind = manifest["apiVersion"], manifest["kind"]
        resource, namespaced = self._resource(version, kind)
        metadata = manifest.get("metadata") or {}
        inside = f"/namespaces/{quote(metadata.get('namespace') or 'default')}" if namespaced else ""
        name = f"/{quote(str(metadata.get('name')), safe='')}" if named else ""
        return f"{_root(version)}{inside}/{resource}{name}"

    def _resource(self, api_version: str, kind: str) -> tuple[str, bool]:
        if api_version not in self._resources:
            found = self._send("GET", _root(api_version))["resources"]
            self._resources[api_version] = {
                each["kind"]: (each["name"], each["namespaced"]) for each in found if "/" not in each["name"]
            }
        try:
            return self._resources[api_version][kind]
        except KeyError:
            raise Refused(_NOT_FOUND, f'no matches for kind "{kind}" in version "{api_version}"') from None

    def _send(self, method: str, path: str, body: Object | None = None, *, content: str = "application/json") -> Any:
        request = urllib.request.Request(
            f"{self.server}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self._token}", "Content-Type": content},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, context=self._context, timeout=60) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            raise Refused(error.code, _message(error.read())) from None
        return json.loads(text) if text[:1] in (b"{", b"[") else text


def _root(api_version: str) -> str:
    return f"/api/{api_version}" if "/" not in api_version else f"/apis/{api_version}"


def _message(answer: bytes) -> str:
    try:
        return str(json.loads(answer)["message"])
    except (ValueError, KeyError, TypeError):
        return answer.decode(errors="replace")
