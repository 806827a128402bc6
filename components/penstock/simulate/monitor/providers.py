"""The providers of a run: those that the program configures, and the default ones that the engine adds.

Each is a resource, as in Pulumi's own state. A default one is configured by the stack's configuration and bears the
version of the SDK that asks for it: `pulumi:providers:aws::default_7_51_1`.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pulumi.runtime.proto import resource_pb2 as rpc

from penstock.core.errors import ProgramFailed
from penstock.graph.graph import DEFAULT_OPTIONS, Resource
from penstock.graph.values import Secret
from penstock.simulate.clouds.identity import uuid
from penstock.simulate.monitor.requests import DYNAMIC, Register, Urns

PREFIX: Final = "pulumi:providers:"
"""How the type token of every provider begins."""

_DISABLED: Final = "pulumi:disable-default-providers"

Asks = Register | rpc.ReadResourceRequest | rpc.ResourceInvokeRequest | rpc.ResourceCallRequest
"""A request that some provider has to answer."""


@dataclass(frozen=True, slots=True)
class _Package:
    """The package of a provider. One created out of another (`base`) by a parameter has versions of both."""

    name: str
    version: str
    url: str
    base: str = ""
    base_version: str = ""
    parameter: str = ""

    def inputs(self) -> dict[str, Any]:
        """The inputs that the engine adds to those of the provider."""
        internal = {"pluginDownloadURL": self.url} if self.url else {}
        if self.base:
            internal |= {"name": self.base, "version": self.base_version, "parameterization": self.parameter}
        return {"version": self.version, "__internal": internal} if self.version else {"__internal": internal}


class Providers:
    """Finds the provider of each request; a default one is handed to `keep` when it is first asked for."""

    def __init__(
        self, urns: Urns, config: Mapping[str, str], secret_keys: tuple[str, ...], keep: Callable[[Resource], None]
    ) -> None:
        self._urns, self._config, self._secret_keys, self._keep = urns, config, secret_keys, keep
        self._packages: dict[str, _Package] = {}
        self._defaults: dict[_Package, Resource] = {}

    def register_package(self, request: rpc.RegisterPackageRequest) -> str:
        """Takes note of a package that is made out of a provider by a parameter; answers with a reference to it."""
        made = request.parameterization
        package = _Package(
            name=made.name or request.name,
            version=made.version or request.version,
            url=request.download_url,
            base=request.name if made.name else "",
            base_version=request.version if made.name else "",
            parameter=b64encode(made.value).decode(),
        )
        reference = uuid(repr(package))
        self._packages[reference] = package
        return reference

    def inputs_of(self, request: Register) -> dict[str, Any]:
        """Return what the engine adds to the inputs of a provider that the program configures."""
        return self._package(request.type.removeprefix(PREFIX), request).inputs()

    def default(self, token: str, request: Asks) -> Resource:
        """The default provider for a resource or function.

        Raises:
            ProgramFailed: the stack's configuration allows no default provider for it.
        """
        package = self._package(token.split(":", 1)[0], request)
        if package not in self._defaults:
            self._refuse_disabled(package.name, token)
            self._defaults[package] = self._made(package)
            self._keep(self._defaults[package])
        return self._defaults[package]

    def _package(self, name: str, request: Asks) -> _Package:
        return self._packages.get(request.packageRef) or _Package(name, request.version, request.pluginDownloadURL)

    def _made(self, package: _Package) -> Resource:
        type_ = f"{PREFIX}{package.name}"
        name = "_".join(["default", *re.split(r"[.+-]", package.version)]) if package.version else "default"
        if package.url:
            parts = (re.sub(r"[^A-Za-z0-9_.-]", "_", part) for part in package.url.split("/") if part)
            name = f"{name}_{'/'.join(parts)}"
        urn = self._urns.of(type_, name, "")
        return Resource(
            urn=urn,
            type=type_,
            name=name,
            custom=True,
            id=uuid(urn),
            inputs=self._inputs(package),
            outputs={},
            parent="",
            provider="",
            dependencies=(),
            property_dependencies={},
            options=DEFAULT_OPTIONS,
            place=None,
        )

    def _inputs(self, package: _Package) -> dict[str, Any]:
        """The stack's configuration of a package; all of it, by whole keys, for providers in the program itself."""
        config = {key: Secret(value) if key in self._secret_keys else value for key, value in self._config.items()}
        prefix = f"{package.name}:"
        if prefix == DYNAMIC:
            return config
        own = {key.removeprefix(prefix): value for key, value in config.items() if key.startswith(prefix)}
        return {**own, **package.inputs()}

    def _refuse_disabled(self, package: str, token: str) -> None:
        disabled = json.loads(self._config.get(_DISABLED) or "[]")
        if package != "pulumi" and ("*" in disabled or package in disabled):
            raise ProgramFailed(
                f"{token} names no provider, and {_DISABLED} in the stack's configuration allows no default one for "
                f"{package}; make one and pass it in the resource's options"
            )
