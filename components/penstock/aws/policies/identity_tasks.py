"""Tasks of ECS on AWS: their roles and their root file systems."""

from __future__ import annotations

from typing import Any, Final

from penstock.aws.policies.containers import NoContainer, name_of
from penstock.aws.types import ECS_TASK_DEFINITION
from penstock.graph.values import Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, fail
from penstock.graph.view import View
from penstock.rules.checks import Custom, Unlike, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_ROLES: Final = ("executionRoleArn", "taskRoleArn")
_SAME: Final = "executionRoleArn and taskRoleArn are the same role"


def _complains_of_writable_root(container: dict[str, Any]) -> str | None:
    is_read_only = container.get("readonlyRootFilesystem")
    if isinstance(is_read_only, Unknown):
        raise NotKnown
    return None if is_read_only is True else f"a writable root file system{name_of(container)}"


RULES.row(
    "aws-ecs-ro-rootfs",
    "Containers of a task cannot write to their root file system.",
    on=ECS_TASK_DEFINITION,
    check=Where(
        Unlike("runtimePlatform.operatingSystemFamily", r"WINDOWS.*"),
        NoContainer("containerDefinitions", _complains_of_writable_root),
    ),
    severity=LOW,
    rationale="Whoever exploits the program puts tools beside it, or replaces it, and both stay until the next start.",
    fix="Set readonlyRootFilesystem to true, and mount a volume where the program writes.",
    peers="CKV_AWS_336",
)


def _has_two_roles(task: View, _: Settings) -> Verdict:
    execution, own = (task.given(key) for key in _ROLES)
    if execution is None or own is None:
        return NOT_APPLICABLE
    if isinstance(execution, Unknown) or isinstance(own, Unknown):
        made = [task.resource.property_dependencies.get(key, ()) for key in _ROLES]
        if not all(made):
            return UNKNOWN
        return PASS if made[0] != made[1] else fail(_SAME, path="taskRoleArn")
    return allow(execution != own, _SAME, path="taskRoleArn")


RULES.row(
    "aws-ecs-task-role",
    "A task has another role than the agent that starts it.",
    on=ECS_TASK_DEFINITION,
    check=Custom(_has_two_roles, others=True),
    severity=MEDIUM,
    rationale="The program reads every secret and image that the agent may fetch for it, and the agent's rights grow "
    "with the program's.",
    fix="Set taskRoleArn to a role with the program's rights only, and executionRoleArn to one that pulls images and "
    "reads the secrets of the task.",
    peers="CKV_AWS_249",
)
