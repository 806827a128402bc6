"""The codes of findings that no rule of a provider or a policy has: the sentence beside each holds when all is well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from penstock.core.findings import Severity
from penstock.policies import state_rules

PROGRAM_CODES: Final[Mapping[str, str]] = {
    "TYPE-001": "A property is one that the provider's SDK declares for the resource.",
    "TYPE-002": "A property that the SDK requires is given.",
    "TYPE-003": "A property has the type that the SDK declares, and is one of its values where it lists them.",
    "TYPE-004": "An SDK that the program uses declares the type of each resource.",
    "URN-001": "No two resources have the same type, name and parent.",
    "RUN-001": "There is a Pulumi project with a program in Python, and it has the stack.",
    "RUN-002": "The program runs to its end.",
    "RUN-003": "The report can be written to the file of `--out`.",
    "RUN-004": "The catalogue has what the program needs of it.",
    "RUN-005": "The state can be read, and is of this project and stack.",
    "RUN-006": "git has the revision, and the stack can be rehearsed as it was there.",
    "RUN-007": "For `--engine pulumi` there is a Pulumi CLI, new enough, that accepts the stack.",
    "RUN-008": "The rehearsal ends by itself, with a result: nothing kills it, and it is done in time.",
    "RUN-009": "Penstock does not fail, and the machine has the memory and the disk space that it needs.",
    "RUN-010": "The outputs of other stacks that are supplied can be read: each stack has a JSON object of them.",
    "RUN-012": "A pool of the platform can hold the job that is asked for.",
    "RUN-013": "The price service of the cloud can be reached, and answers in its documented form.",
    "RUN-014": "The library of an optional extra that a command needs is installed.",
    "RUN-015": "`PENSTOCK_SDK_HOOKS` names hooks that exist.",
    "RUN-018": "The host of a pull request accepts what `penstock comment` posts, with the token in the environment.",
    "RUN-016": "The parts of a report are complete, each is given once, and all are of the same change.",
    "RUN-017": "The baseline of known findings can be read, and has the form that `--write-baseline` writes.",
    "RUN-020": "The SDK of a cloud that a preflight asks is installed, and the cloud accepts the credentials.",
    "RUN-011": "The program's virtual environment is there, and has Pulumi's SDK.",
    "QUOTA-001": "`penstock:quotas` in a stack's configuration is a block of known quota codes and numbers.",
    "PROGRAM-001": "No other program creates resources: what a packaged component holds is not rehearsed.",
    "PROGRAM-002": "No provider is part of the program itself: it is not called, and its outputs are unknown.",
    "PROGRAM-003": "The stack imports no Pulumi ESC environment: they are not read.",
    "PROGRAM-004": "Manifests come from the program and its files: charts and kustomizations are not rendered.",
    "PROGRAM-005": "The program does not ask `is_dry_run()`: what it does only in `pulumi up` is left out.",
    "PROGRAM-006": "Functions of outputs take values as the cloud gives them. One failed on a simulated value.",
    "PROGRAM-007": "The outputs of other stacks are supplied, by `--stack-output` or `penstock:stackOutputs`.",
    "PROGRAM-008": "Encrypted configuration is decrypted, with the passphrase of the stack. Others have stand-ins.",
    "PROGRAM-009": "Penstock's own Python can import the SDKs of the program: else their types are not checked.",
    "PROGRAM-010": "The program prints values inside `apply()`: the text of an Output itself is not its value.",
    "PROGRAM-011": "The stack has a program, which `pulumi up` needs; a rehearsal runs Penstock's own instead.",
    "PROGRAM-012": "A preview in JSON lists unchanged resources, too: others are not judged.",
    "PROGRAM-013": "A preview in JSON has no error: a failed preview lacks resources.",
    "TEXT-001": "Inputs, names and outputs hold values, not the text of an Output or another object of the program.",
    "TEXT-002": "The program compares and tests values inside `apply()`: an Output is always true, and equals none. "
    "A warning.",
}
"""Of the resources of a program, and of what keeps it from being run. PROGRAM-00x are notes: they block nothing."""

RULE_CODES: Final[Mapping[str, str]] = {
    "INTERNAL": "A rule ends with a verdict. It raised, returned something else, or took too long on a resource.",
    "RULE-001": "A file of [rules of your own](../guides/custom-rules.md) can be used: it loads, and its ids are free.",
    "RULE-002": "A rule of your own names types and property paths that an SDK declares.",
}
"""Of rules that cannot be evaluated."""

CHANGE_CODES: Final[Mapping[str, str]] = {
    "DIFF-001": "Nothing that holds data is replaced or deleted.",
    "DIFF-002": "Nothing that is protected is replaced or deleted: the engine refuses it.",
    "DIFF-003": "What is only renamed has an alias; the finding shows the one to write. A warning.",
    "DIFF-004": "What is replaced under a fixed name is deleted first: a name is taken once. A warning.",
    "DIFF-005": "A provider is deleted with the cluster that it reaches, and the engine stops there. A warning.",
    "DIFF-006": "An update of machines ends before its provider stops waiting, by the 95th percentile. A warning.",
    "DIFF-007": "A reservation has room for the machines that start before old ones stop.",
    "DIFF-008": "No further machines start in a reservation outside the program: its room is not known. A warning.",
    "DIFF-009": "An update leaves a number alone that an autoscaler or a person may have changed. A warning.",
    "DIFF-010": "Storage does not shrink, and grows by the least step, where the cloud changes it in place.",
    "DIFF-011": "Nothing goes back to an older version where the cloud refuses it.",
    "DIFF-012": "A control plane goes one minor version further at a time.",
    "DIFF-013": "What is changed only when asked for, such as a major version, is asked for.",
    "DIFF-014": "A subnet is not replaced by one over its own range: both exist for a while.",
    "DIFF-015": "Nothing changes where the provider then does nothing, such as a lower version. A warning.",
    "DIFF-016": "Nothing goes that something else still uses, so that the cloud refuses to delete it.",
    "DIFF-017": "Old and new machines are not needed at once. A warning; an error beyond a declared quota.",
    "DIFF-018": "Machines match their reservation, and a placement group is in one zone.",
    "DIFF-019": "A setting does not go back where the cloud takes it only one way.",
    "DIFF-020": "Nothing is replaced under a name that the cloud keeps after the deletion.",
    "DIFF-021": "Running machines have the setting that new ones get: the MTU of their network. A warning.",
    "DIFF-022": "No change loosens the settings that judge it: rules, packs, waivers, budgets. A warning; an "
    "error with `--block-loosened`.",
    "DIFF-023": "Machines stay in their reservation outside the program, which is also billed without them. A warning.",
    "DIFF-024": "A feature is not turned off while resources use it, which go only afterwards. A warning.",
    "DIFF-025": "Storage that grows is slower for a while, and cannot shrink or change again at once. A note.",
    "DIFF-026": "No entry moves between a list and a resource of its own in one change, which drops it. A warning.",
    "DIFF-027": "The base of a review can be rehearsed: otherwise its changes are unknown. A warning.",
    "DIFF-028": "A stack is destroyed before its file is deleted. A warning: a review does not see the state.",
    "DIFF-029": "No change edits the pipeline, rules, packages or code owners that review it. A warning.",
}
"""Of changes, by `penstock diff` and `penstock review`."""

SIZE_CODES: Final[Mapping[str, str]] = {
    "SIZE-001": "A sizing request has the fields that its task needs, each in its form, with names of the catalogue.",
}
"""Of what is asked of `penstock size`."""

INIT_CODES: Final[Mapping[str, str]] = {
    "INIT-001": "The options of `penstock init` name a cloud, an accelerator it offers there, and a CI system.",
}
"""Of what is asked of `penstock init`."""

IMPORT_CODES: Final[Mapping[str, str]] = {
    "IMPORT-001": "Each field of an imported file has a counterpart in the description. A warning.",
    "IMPORT-002": "Each value of an imported file is literal and has one meaning. A note on the value that is assumed.",
    "IMPORT-003": "Each field that a platform needs is in the imported file. A warning on the example to replace.",
    "IMPORT-004": "An imported file has no secrets in clear. A warning: they are not copied.",
    "IMPORT-005": "A file to import can be read, and has a known format. The exit status is 2.",
}
"""Of `penstock import`."""

FAULT_CODES: Final[Mapping[str, str]] = {
    "FAULT-001": "A fault rule has the form KIND:PATTERN or seed=N, and matches something in the program.",
    "FAULT-002": "No resource fails in the faults of `--faults`.",
    "FAULT-003": "No resource is being created when the engine is killed.",
}
"""Of faults, with `--faults`."""

ENGINE_CODES: Final[Mapping[str, str]] = {
    "ENGINE-001": "The engine and the embedded rehearsal agree on every resource, property and output.",
    "ENGINE-002": "No step of the Pulumi CLI fails where the embedded rehearsal found nothing wrong.",
    "ENGINE-003": "A second up and a refresh change nothing; nothing is orphaned, doubled, or left after destroy.",
}
"""Of the real engine, with `--engine pulumi`."""

POLICY_CODES: Final[Mapping[str, str]] = {
    "POLICY-001": "A waiver names a rule that exists.",
    "POLICY-002": "A waiver has not expired. A warning: what it excused is reported again by its own rule.",
    "POLICY-003": "A waiver excuses something. A warning.",
    "POLICY-004": "A waiver names its resources, and ends within a year. A warning; an error for what a pack binds.",
    "BASELINE-001": "Each known finding of the baseline still exists. A note: remove the others.",
    **{rule.id: rule.title for rule in state_rules.RULES},
}
"""Of waivers, and of secrets in clear in a state."""

COST_CODES: Final[Mapping[str, str]] = {
    "BUDGET-001": "The platform, as it is started, costs no more in a month than its budget allows. A warning for a "
    "budget that is not that of a description.",
    "BUDGET-002": "The platform stays within its budget with all pools at their most. A note.",
    "BUDGET-003": "The budget can be judged: each machine that is started has a price. A warning for a budget that is "
    "not that of a description, a note for one in another currency.",
    "PRICE-001": "Each row of a price file has a price, for a region and a machine type of its cloud. A warning for "
    "unknown names, and for rows that are given twice.",
    "USAGE-001": "What `penstock:usage` declares belongs to something in the program. A warning.",
    "USAGE-002": "What is declared to run is no more than the machines that its pool may have.",
    "USAGE-003": "A declared job runs in a pool of the program.",
    "USAGE-004": "Work on spot machines ends in spite of the declared interruptions.",
    "USAGE-005": "The declared hours of work on spot machines, with what interruptions lose, are no more than those of "
    "a month. A warning.",
    "USAGE-006": "The bill reads what `penstock:usage` declares of a resource. A warning.",
}
"""Of what a platform costs."""

_EITHER: Final = (Severity.ERROR, Severity.WARNING)
_OF_VALUES: Final = (Severity.ERROR, Severity.WARNING, Severity.INFO)

SEVERITIES: Final[Mapping[str, tuple[Severity, ...]]] = {
    "TYPE-001": _OF_VALUES,
    "TYPE-002": _OF_VALUES,
    "TYPE-003": _OF_VALUES,
    "TYPE-004": (Severity.WARNING, Severity.INFO),
    "TEXT-002": (Severity.WARNING,),
    "POLICY-004": (Severity.WARNING, Severity.ERROR),
    **{code: (Severity.INFO,) for code in PROGRAM_CODES if code.startswith("PROGRAM-")},
    "PROGRAM-012": (Severity.WARNING,),
    "PROGRAM-013": (Severity.ERROR,),
    **dict.fromkeys(("DIFF-003", "DIFF-004", "DIFF-005", "DIFF-006", "DIFF-008", "DIFF-009"), (Severity.WARNING,)),
    **dict.fromkeys(
        (
            "DIFF-015",
            "DIFF-021",
            "DIFF-024",
            "DIFF-026",
            "DIFF-027",
            "DIFF-028",
            "DIFF-029",
            "DIFF-023",
            "POLICY-002",
            "POLICY-003",
        ),
        (Severity.WARNING,),
    ),
    **dict.fromkeys(
        ("USAGE-001", "USAGE-005", "USAGE-006"),
        (Severity.WARNING,),
    ),
    "DIFF-017": _EITHER,
    "DIFF-022": _EITHER,
    "SPEC-202": (Severity.WARNING,),
    "SPEC-203": (Severity.WARNING,),
    "SPEC-204": (Severity.WARNING,),
    **dict.fromkeys(("IMPORT-001", "IMPORT-003", "IMPORT-004"), (Severity.WARNING,)),
    "IMPORT-002": (Severity.INFO,),
    "BUDGET-001": _EITHER,
    "BUDGET-002": (Severity.INFO,),
    "BASELINE-001": (Severity.INFO,),
    "DIFF-025": (Severity.INFO,),
    "BUDGET-003": _OF_VALUES,
    "PRICE-001": _EITHER,
}
"""How severe a finding of a code may be, the worst first; of codes that are not here it is an error."""

ADVICE: Final[Mapping[str, tuple[str, str]]] = {
    "DIFF-022": (
        (
            "The settings of the base judge this change, but after the merge the loosened settings judge every change "
            "and deployment."
        ),
        (
            "Revert the setting, or merge it in a change of its own after a review. To block such changes, run "
            "`penstock review --block-loosened`."
        ),
    ),
}
"""Why a code matters and how to fix it, where its sentence does not say so."""

WITHOUT_RESULT: Final = ("RUN-", "FAULT-001", "QUOTA-", "SIZE-", "INIT-", "IMPORT-005")
"""What the codes begin with that keep a command from its result: the exit status is 2."""
