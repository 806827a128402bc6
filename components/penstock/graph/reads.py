"""Property reads: which inputs of which resources rules look at, recorded by a copy of the Graph.

Only who wants to know it judges such a copy, so that recording costs other runs nothing.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import replace
from typing import Any, SupportsIndex

from typing_extensions import override

from penstock.graph.graph import Graph
from penstock.graph.values import Asset

Steps = tuple[str | int, ...]
"""A path from the inputs of a resource: keys of objects and indexes of lists."""


class RecordedReads:
    """A copy of a Graph, and the reads of its inputs since the last `clear`: the URN of the resource and the path.

    A read of an absent property counts. Whoever walks through an object or a list, compares it or asks for its length
    has read it, and each thing that is directly in it.
    """

    def __init__(self, graph: Graph) -> None:
        self._reads: set[tuple[str, Steps]] = set()
        resources = {
            urn: replace(resource, inputs=self._recorded(resource.inputs, urn, ()))
            for urn, resource in graph.resources.items()
        }
        self.graph = replace(graph, resources=resources)

    def __contains__(self, read: tuple[str, Steps]) -> bool:
        return read in self._reads

    def __iter__(self) -> Iterator[tuple[str, Steps]]:
        return iter(self._reads)

    def clear(self) -> None:
        """Forget what has been read."""
        self._reads.clear()

    def _recorded(self, value: Any, urn: str, steps: Steps) -> Any:
        if isinstance(value, Mapping) and not isinstance(value, Asset):
            items = {key: self._recorded(item, urn, (*steps, key)) for key, item in value.items()}
            return _RecordedObject(items, self._reads, urn, steps)
        if isinstance(value, list | tuple):
            parts = [self._recorded(item, urn, (*steps, index)) for index, item in enumerate(value)]
            return _RecordedList(parts, self._reads, urn, steps)
        return value


class _RecordedObject(dict[str, Any]):
    """An object that records each look into it."""

    __slots__ = ("_reads", "_steps", "_urn")
    __hash__ = None

    def __init__(self, items: dict[str, Any], reads: set[tuple[str, Steps]], urn: str, steps: Steps) -> None:
        super().__init__(items)
        self._reads, self._urn, self._steps = reads, urn, steps

    @override
    def get(self, key: str, default: Any = None, /) -> Any:
        self._read(key)
        return super().get(key, default)

    @override
    def __getitem__(self, key: str, /) -> Any:
        self._read(key)
        return super().__getitem__(key)

    @override
    def __contains__(self, key: object, /) -> bool:
        self._read(str(key))
        return super().__contains__(key)

    @override
    def __iter__(self) -> Iterator[str]:
        self._read_all()
        return super().__iter__()

    @override
    def keys(self) -> KeysView[str]:  # type: ignore[override]
        self._read_all()
        return super().keys()

    @override
    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        self._read_all()
        return super().values()

    @override
    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        self._read_all()
        return super().items()

    @override
    def __len__(self) -> int:
        self._read_all()
        return super().__len__()

    @override
    def __eq__(self, other: object, /) -> bool:
        self._read_all()
        return super().__eq__(other)

    def _read(self, key: str) -> None:
        self._reads.add((self._urn, (*self._steps, key)))

    def _read_all(self) -> None:
        self._reads.add((self._urn, self._steps))
        self._reads.update((self._urn, (*self._steps, key)) for key in super().__iter__())


class _RecordedList(list[Any]):
    """A list that records each look into it."""

    __slots__ = ("_reads", "_steps", "_urn")
    __hash__ = None

    def __init__(self, items: list[Any], reads: set[tuple[str, Steps]], urn: str, steps: Steps) -> None:
        super().__init__(items)
        self._reads, self._urn, self._steps = reads, urn, steps

    @override
    def __getitem__(self, index: SupportsIndex | slice, /) -> Any:
        self._read_all()
        return super().__getitem__(index)

    @override
    def __iter__(self) -> Iterator[Any]:
        self._read_all()
        return super().__iter__()

    @override
    def __contains__(self, item: object, /) -> bool:
        self._read_all()
        return super().__contains__(item)

    @override
    def __len__(self) -> int:
        self._read_all()
        return super().__len__()

    @override
    def __eq__(self, other: object, /) -> bool:
        self._read_all()
        return super().__eq__(other)

    def _read_all(self) -> None:
        self._reads.add((self._urn, self._steps))
        self._reads.update((self._urn, (*self._steps, index)) for index in range(super().__len__()))
