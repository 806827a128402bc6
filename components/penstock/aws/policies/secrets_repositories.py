"""Secrets in the addresses and settings with which services of AWS fetch code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from penstock.aws.types import (
    AMPLIFY_APP,
    APPRUNNER_SERVICE,
    CODEBUILD_PROJECT,
    CODEPIPELINE_PIPELINE,
    SAGEMAKER_DOMAIN,
    SAGEMAKER_NOTEBOOK_INSTANCE,
)
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import PASS, UNKNOWN, Verdict, each
from penstock.graph.view import Block
from penstock.policies.plain_secrets import NoSecretIn, judge_variable
from penstock.rules.checks import All, ByType, Check, Custom
from penstock.rules.levels import CRITICAL, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SECRETS)

_ACTIONS: Final = "stages[].actions[].configuration"
_MASKED: Final = "OAuthToken"
"""A setting that CodePipeline shows as asterisks, so that its value is safe as a secret of Pulumi."""


def _apps(*settings: str) -> Check:
    """Apps of SageMaker Studio, which clone the repositories that their settings name."""
    return All(
        *(
            NoSecretIn(f"{path}.{app}.codeRepositories[].repositoryUrl")
            for path in settings
            for app in ("jupyterLabAppSettings", "jupyterServerAppSettings")
        )
    )


def _judge_actions(it: Block, _: Settings) -> Verdict:
    def one(setting: tuple[str, Any, str]) -> Verdict:
        name, value, path = setting
        if name == _MASKED and isinstance(value, Secret):
            return PASS
        return judge_variable(name, value, path)

    def configuration(value: Any, path: str) -> Verdict:
        if isinstance(value, Unknown | Secret):
            return UNKNOWN
        return each(_settings(value, path), one)

    return each(it.locations(_ACTIONS), lambda place: configuration(place.value, place.path))


def _settings(value: Any, path: str) -> Iterator[tuple[str, Any, str]]:
    for name, item in value.items() if isinstance(value, dict) else ():
        yield name, item, f"{path}.{name}"


_REPOSITORIES: Final = {
    CODEBUILD_PROJECT: All(NoSecretIn("source.location"), NoSecretIn("secondarySources[].location")),
    CODEPIPELINE_PIPELINE: Custom(_judge_actions),
    AMPLIFY_APP: NoSecretIn("repository"),
    APPRUNNER_SERVICE: NoSecretIn("sourceConfiguration.codeRepository.repositoryUrl"),
    "aws:sagemaker/codeRepository:CodeRepository": NoSecretIn("gitConfig.repositoryUrl"),
    SAGEMAKER_NOTEBOOK_INSTANCE: All(NoSecretIn("defaultCodeRepository"), NoSecretIn("additionalCodeRepositories[]")),
    SAGEMAKER_DOMAIN: _apps("defaultUserSettings", "defaultSpaceSettings"),
    "aws:sagemaker/space:Space": _apps("spaceSettings"),
    "aws:sagemaker/userProfile:UserProfile": _apps("userSettings"),
}

RULES.row(
    "aws-repository-no-secret",
    "The addresses of code repositories, and the settings of pipeline actions, hold no secrets.",
    on=tuple(_REPOSITORIES),
    check=ByType(_REPOSITORIES),
    severity=CRITICAL,
    rationale="Everyone who may look at the build, the notebook or the pipeline reads the token, and clones or pushes "
    "code with it.",
    fix="Take user and token out of the URL; connect the repository through CodeConnections or a secret of Secrets "
    "Manager, then revoke the token, for it has been read.",
)
