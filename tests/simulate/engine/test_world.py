"""What the file of a simulated cloud remembers."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.simulate.engine.world import Happening, World

histories = st.lists(
    st.tuples(st.sampled_from(list(Happening)), st.sampled_from(["urn:a", "urn:b\n"]), st.sampled_from(["1", "2"])),
    max_size=12,
)


@given(history=histories)
def test_who_opens_the_file_later_sees_the_same_cloud(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[Happening, str, str]]
) -> None:
    file = tmp_path_factory.mktemp("world") / "world.jsonl"
    world = World(file)
    for happening, urn, id_ in history:
        world.record(happening, urn, id_)

    again = World(file)

    assert list(again.events()) == history
    assert again.existing() == world.existing()
    assert again.was_killed() == world.was_killed()
    for _, urn, id_ in history:
        assert again.is_gone(urn, id_) == world.is_gone(urn, id_)
        assert not (again.is_gone(urn, id_) and again.has(urn, id_))


def test_a_line_that_was_cut_off_did_not_happen_and_harms_no_other(tmp_path: Path) -> None:
    file = tmp_path / "world.jsonl"
    World(file).record(Happening.CREATED, "urn:a", "1")
    with file.open("a", encoding="utf-8") as stream:
        stream.write('\n["created", "urn:b')

    World(file).record(Happening.CREATED, "urn:c", "3")

    assert World(file).existing() == {("urn:a", "1"), ("urn:c", "3")}


def test_only_what_stands_is_settled_and_only_once(tmp_path: Path) -> None:
    world = World(tmp_path / "world.jsonl")
    world.record(Happening.CREATED, "urn:a", "1")

    world.settle([("urn:a", "1"), ("urn:looked-up", "2")])
    world.settle([("urn:a", "1")])

    assert [event.happening for event in world.events()] == [Happening.CREATED, Happening.IN_STATE]
    assert world.in_state("urn:a") == "1"
    assert world.in_state("urn:looked-up") == ""


def test_the_id_of_what_was_deleted_is_not_given_to_what_comes_in_its_place(tmp_path: Path) -> None:
    world = World(tmp_path / "world.jsonl")
    world.record(Happening.CREATED, "urn:a", "1")
    world.settle([("urn:a", "1")])

    world.record(Happening.DELETED, "urn:a", "1")

    assert world.in_state("urn:a") == "1"
    assert not world.existing()


def test_what_is_created_twice_is_reported_and_what_is_asked_for_again_is_not(tmp_path: Path) -> None:
    world = World(tmp_path / "world.jsonl")
    for happening, urn in (
        (Happening.CREATED, "urn:once"),
        (Happening.ASKED_AGAIN, "urn:once"),
        (Happening.CREATED, "urn:twice"),
        (Happening.CREATED, "urn:twice"),
        (Happening.CREATED, "urn:made-anew"),
        (Happening.DELETED, "urn:made-anew"),
        (Happening.CREATED, "urn:made-anew"),
    ):
        world.record(happening, urn, "1")

    assert world.existing_twice() == ("urn:twice",)


def _create_many(file: Path, name: str) -> None:
    world = World(file)
    for number in range(200):
        world.record(Happening.CREATED, f"urn:{name}", str(number))


def test_processes_that_write_at_once_do_not_lose_a_line(tmp_path: Path) -> None:
    file = tmp_path / "world.jsonl"
    with ProcessPoolExecutor(2) as pool:
        for done in [pool.submit(_create_many, file, name) for name in ("a", "b")]:
            done.result()

    assert len(World(file).existing()) == 400
