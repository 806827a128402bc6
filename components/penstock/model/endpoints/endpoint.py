"""The addresses at which one Kubernetes API answers, in the terms that all clouds share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from penstock.graph.verdict import NotKnown
from penstock.graph.view import View
from penstock.model.openings.addresses import has_unknown, public_range

EndpointKind = Literal["public", "private", "dns"]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One address of a Kubernetes API.

    Attributes:
        kind: public has an address of the internet, private one of the cluster's network; dns is a name that is reached
            from anywhere by whom the cloud's IAM lets in.
        admits: The ranges that a public endpoint admits, some perhaps not known yet; None for everybody.
    """

    kind: EndpointKind
    admits: tuple[Any, ...] | None = None

    @property
    def is_reached_from_outside(self) -> bool:
        """Return whether somebody outside the cluster's network reaches it.

        Raises:
            NotKnown: the ranges that it admits are not known, and none of the others is the internet's.
        """
        if self.kind == "private":
            return False
        if self.kind == "dns" or self.admits is None or public_range(self.admits) is not None:
            return True
        if has_unknown(self.admits):
            raise NotKnown
        return False


@dataclass(frozen=True, slots=True)
class ClusterApi:
    """The API of one cluster.

    Attributes:
        cluster: The cluster.
        endpoints: The addresses at which it answers.
        path: The property of the cluster that opens or closes the public endpoint.
        opening: What to set so that it is reached from outside, a clause without a full stop.
        find_network: Finds the network that its private endpoint is in.
        name_suffix: The end of the names of its cloud's DNS endpoints; empty where it has none.
    """

    cluster: View
    endpoints: tuple[Endpoint, ...]
    path: str
    opening: str
    find_network: Callable[[View], View]
    name_suffix: str = ""

    @property
    def network(self) -> View:
        """The network of its private endpoint, which the program creates; the cluster itself where that brings one.

        Raises:
            NotKnown: the network was there before, or it is not known which it is.
        """
        return self.find_network(self.cluster)

    def is_reached_from_outside(self, *, by_name: bool | None) -> bool:
        """Return whether somebody outside its network reaches the API.

        Args:
            by_name: Whether a client uses the endpoint that has a name with IAM before it; None if that is not known.

        Raises:
            NotKnown: it depends on values that are not known yet.
        """
        named = [each for each in self.endpoints if each.kind == "dns"]
        if by_name and named:
            return True
        others = any(each.is_reached_from_outside for each in self.endpoints if each.kind != "dns")
        if by_name is None and named and not others:
            raise NotKnown
        return others
