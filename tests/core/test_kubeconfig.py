"""Kubeconfigs: reading one from its text, and writing one of a single context."""

from __future__ import annotations

import pytest

from penstock.core.kubeconfig import entries, parsed, text_of

SERVER = {"server": "https://10.0.0.1"}


def test_a_written_kubeconfig_can_be_read() -> None:
    read = parsed(text_of("train", SERVER, {"token": "t"}))

    assert entries(read, "clusters") == [("train", SERVER)]
    assert entries(read, "users") == [("train", {"token": "t"})]
    assert entries(read, "contexts") == [("train", {"cluster": "train", "user": "train"})]


def test_yaml_is_read_as_well() -> None:
    read = parsed("clusters:\n- name: train\n  cluster:\n    server: https://10.0.0.1\n")

    assert entries(read, "clusters") == [("train", SERVER)]


@pytest.mark.parametrize("text", ["", "~/.kube/config", "[1, 2]", "a: [", "12"])
def test_other_texts_are_not_kubeconfigs(text: str) -> None:
    assert parsed(text) is None


def test_entries_without_content_are_empty() -> None:
    assert entries({"clusters": [{"name": "a"}, {"cluster": SERVER}, "b"]}, "clusters") == [("a", {}), ("", SERVER)]
    assert entries({"clusters": "none"}, "clusters") == []
    assert entries(None, "clusters") == []
