"""Which files review and deploy a change."""

from __future__ import annotations

import pytest

from penstock.changes.pipeline_files import pipeline_files


@pytest.mark.parametrize(
    "file",
    [
        ".github/workflows/deploy.yml",
        ".github/actions/penstock-review/action.yml",
        ".github/CODEOWNERS",
        "CODEOWNERS",
        ".gitlab-ci.yml",
        "ci/deploy.gitlab-ci.yml",
        "templates/penstock-review/template.yml",
        "Jenkinsfile",
        "infra/penstock_rules/tags.py",
        "requirements.txt",
        "infra/requirements-dev.txt",
        "uv.lock",
        "vendor/penstock_iac-0.1.0-py3-none-any.whl",
    ],
)
def test_a_file_that_reviews_or_deploys_is_found(file: str) -> None:
    assert pipeline_files([file]) == (file,)


@pytest.mark.parametrize(
    "file", ["README.md", "Pulumi.dev.yaml", "__main__.py", ".github/ISSUE_TEMPLATE/bug.yml", "docs/requirements.md"]
)
def test_another_file_is_not(file: str) -> None:
    assert pipeline_files([file]) == ()
