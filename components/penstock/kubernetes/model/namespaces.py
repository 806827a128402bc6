"""Namespaces of Kubernetes: the objects of a program in each of them."""

from __future__ import annotations

from typing import Final

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, Site, View

NAMESPACE: Final = "kubernetes:core/v1:Namespace"

_DEFAULT = "default"


def namespace_of(it: View) -> str:
    """Return the namespace of an object: its own, its provider's, or `default`.

    Raises:
        NotKnown: only the cluster knows it.
    """
    return _of_metadata(it, "namespace") or it.provider.text("namespace") or _DEFAULT


def is_in_namespace(namespace: View, it: View) -> bool:
    """Return whether an object lies in a namespace that the program makes.

    Raises:
        NotKnown: a value is not known yet.
    """
    try:
        home = namespace_of(it)
    except NotKnown:
        return _comes_from(it, namespace)
    try:
        return home == name_of(namespace)
    except NotKnown:
        if is_named_by_pulumi(namespace) and namespace.name not in home:
            return False
        return _comes_from(it, namespace)


def objects_in(namespace: View, *types: str) -> list[View]:
    """Return the objects of these types in a namespace that the program makes.

    Raises:
        NotKnown: the namespace of one is not known, so that the list might lack it.
    """
    return [it for it in namespace.site.of_type(*types) if is_in_namespace(namespace, it)]


def are_together(one: View, other: View) -> bool:
    """Return whether two objects lie in one namespace.

    Raises:
        NotKnown: a value is not known yet.
    """
    try:
        return namespace_of(one) == namespace_of(other)
    except NotKnown:
        shared = set(_sources(one)) & set(_sources(other))
        if not shared:
            raise
        return True


def objects_beside(it: View, type_: str) -> tuple[list[View], list[View]]:
    """Return the objects of a type in the namespace of another object, and those that may be there."""
    by_namespace, elsewhere = it.site.once(_by_namespace).setdefault(type_, ({}, []))
    if not by_namespace and not elsewhere:
        for each in it.site.of_type(type_):
            try:
                by_namespace.setdefault(namespace_of(each), []).append(each)
            except NotKnown:
                elsewhere.append(each)
    try:
        home = namespace_of(it)
    except NotKnown:
        every = [each for found in by_namespace.values() for each in found] + elsewhere
        sources = set(_sources(it))
        beside = [each for each in every if sources & set(_sources(each))]
        return beside, [each for each in every if each not in beside]
    return by_namespace.get(home, []), elsewhere


def _by_namespace(_: Site) -> dict[str, tuple[dict[str, list[View]], list[View]]]:
    """The objects of each type that was asked for by namespace, and those of namespaces that are not known."""
    return {}


def is_of_program(it: View) -> bool:
    """Return whether an object lies in a namespace that the program makes, known by name or not."""
    return bool(_sources(it))


def labels_of(it: View) -> Block:
    """Return the labels of an object; empty where it has none."""
    metadata = it.block("metadata")
    found = None if metadata is None else metadata.block("labels")
    return Block({}, "metadata.labels", it) if found is None else found


def name_of(it: View) -> str:
    """Return the name of an object: the program's, or Pulumi's where the program gives none.

    Raises:
        NotKnown: a value is not known yet.
    """
    given = _of_metadata(it, "name")
    if given is not None:
        return given
    made = it.outputs.block("metadata")
    named = None if made is None else made.text("name")
    if named is None:
        raise NotKnown
    return named


def is_named_by_pulumi(it: View) -> bool:
    """Return whether the program leaves the name of an object to Pulumi, which puts the resource's own name into it.

    Raises:
        NotKnown: the metadata is not known yet.
    """
    return _of_metadata(it, "name") is None


def _comes_from(it: View, namespace: View) -> bool:
    sources = _sources(it)
    if not sources:
        raise NotKnown
    return namespace.urn in sources


def _sources(it: View) -> tuple[str, ...]:
    return tuple(view.urn for view in it.sources("metadata", NAMESPACE))


def _of_metadata(it: View, key: str) -> str | None:
    try:
        metadata = it.block("metadata")
        return None if metadata is None else metadata.text(key) or None
    except TypeMismatch:
        return None
