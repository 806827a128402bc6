"""An add-on is one folder: with that folder, everything that lists add-ons has it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
import json, sys
import penstock.addons
import tests.addons.found
penstock.addons.__path__ = [*penstock.addons.__path__, *tests.addons.found.__path__]

from docs.addon_pages import guides
from tests.addon_cases import AddonCase
from tests.descriptions import ONPREM_TRAINING, changed

from penstock import description
from penstock.core.errors import InvalidDescription
from penstock.kubernetes.facts.charts import find_chart
from penstock.platform import Platform
from penstock.testing import rehearse

run = rehearse(lambda: Platform(AddonCase("kubernetes", ("toy",)).spec))
releases = {each.inputs["name"]: each for each in run.graph.of_type("kubernetes:helm.sh/v3:Release")}
try:
    description.parse(changed("addons", {"toy": {"blocks": 0}}, ONPREM_TRAINING))
    codes = []
except InvalidDescription as refused:
    codes = [finding.code for finding in refused.findings]
print(json.dumps({
    "field": description.json_schema()["$defs"]["AddonsSpec"]["properties"]["toy"]["anyOf"][0],
    "values": releases["toy-box"].inputs["values"],
    "needed": "cert-manager" in releases,
    "chart": find_chart("toy-box").version,
    "codes": codes,
    "guide": "guides/kubernetes-toy.md" in guides(),
}))
"""


def test_an_addon_in_one_folder_is_found() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "field": {"$ref": "#/$defs/ToySpec"},
        "values": {"blocks": 1},
        "needed": True,
        "chart": "1.0.0",
        "codes": ["SPEC-999"],
        "guide": True,
    }
