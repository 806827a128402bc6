"""The files that a program depends on: whatever it may import or read counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.simulate.program_files import ProgramFiles, files_of_program
from penstock.simulate.project import project_at

FILES = {
    "infra/Pulumi.yaml": "name: shop\nruntime: python\n",
    "infra/Pulumi.dev.yaml": "config: {shop:values: chart/values.txt}\n",
    "infra/__main__.py": (
        "import json; import tools.text as text, helpers\nfrom shared.network import vpc\n"
        "print(open(f'sizes/{stack}.csv'), list(here.glob('*.tpl')))\n"
    ),
    "infra/helpers.py": "import lazily\n",
    "infra/lazily.py": "",
    "infra/sizes/dev.csv": "",
    "infra/user-data.tpl": "",
    "infra/chart/values.txt": "",
    "infra/requirements.txt": "",
    "infra/notes.md": "",
    "infra/.github/dev.csv": "",
    "infra/test_infra.py": "",
    "infra/penstock_rules/acme.py": "",
    "libs/shared/__init__.py": "",
    "libs/shared/network.py": "from . import names\n",
    "libs/shared/names.py": "",
    "libs/shared/data/ranges.json": "",
    "tools/text.py": "",
    "web/json.py": "",
    "web/app.py": "",
    "README.md": "",
}


@pytest.fixture
def program(tmp_path: Path) -> ProgramFiles:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return files_of_program(project_at(tmp_path / "infra"), tmp_path.resolve(), tuple(FILES))


def test_what_a_program_imports_or_mentions_counts_and_nothing_else(program: ProgramFiles) -> None:
    decides = {name for name in FILES if program.decide(name, FILES["infra/Pulumi.dev.yaml"])}

    assert set(FILES) - decides == {
        "infra/Pulumi.dev.yaml",  # the stack's own file is not the program's
        "infra/notes.md",
        "infra/.github/dev.csv",
        "infra/test_infra.py",
        "web/json.py",
        "web/app.py",
        "README.md",
    }


def test_a_file_that_is_gone_counts_like_one_that_is_there(program: ProgramFiles) -> None:
    assert program.decide("libs/shared/gone.py", "")
    assert not program.decide("web/gone.py", "")


def test_files_of_packages_are_known(program: ProgramFiles) -> None:
    assert program.packages(FILES) == ("infra/requirements.txt",)
