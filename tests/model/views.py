"""Resources of small programs, as models read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.programs import IT, Program, graph_of, urn_of

from penstock.graph.view import Site, View


def view_of(program: Program, name: str = IT, *, preview: bool = False) -> View:
    """The resource of a name."""
    site = Site(graph_of(program, preview=preview))
    return View(site.graph[urn_of(name, program)], site)


def it(type_: str, **inputs: Any) -> View:
    """A resource with these inputs."""
    given: Mapping[str, Any] = inputs
    return view_of({IT: (type_, given)})
