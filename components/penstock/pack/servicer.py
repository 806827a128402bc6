"""The Pulumi policy pack: serves every rule to the Pulumi CLI, over the protocol of its policies.

The CLI starts `policies/` by its language host, which reads a port from the first line of output and then speaks the
protocol of https://github.com/pulumi/pulumi/blob/master/proto/pulumi/analyzer.proto. The SDK of policies speaks it too,
but decodes a resource anew for each policy, hides which values are secret, and gives all that a policy says one level.
Here a resource is decoded once, so that each rule can be a policy with a name and a level of its own.

A resource is judged by its inputs, as it is registered, before anything is created. What spans resources, and what is
undetermined for one by itself, is judged at the end: only then the engine shows what is made from what.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from functools import cache, wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc
import pulumi.runtime
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import analyzer_pb2 as rpc
from pulumi.runtime.proto import plugin_pb2
from pulumi.runtime.proto.analyzer_pb2_grpc import AnalyzerServicer, add_AnalyzerServicer_to_server
from typing_extensions import override

from penstock.app.judge import evaluate_policy, judge_policies
from penstock.catalog.former_types import present
from penstock.core.findings import Finding
from penstock.graph.values import ENCRYPTED
from penstock.graph.verdict import Outcome
from penstock.graph.view import Site, View
from penstock.pack import config as configuration
from penstock.pack import records, words
from penstock.pack.config import OWN
from penstock.pack.words import spans
from penstock.policies import exemptions
from penstock.rules import packs, registry
from penstock.rules.custom import load_custom_rules
from penstock.rules.judge import Answer, findings_of
from penstock.rules.levels import RuleKind
from penstock.rules.rule import Rule
from penstock.rules.settings import KEY, Settings
from penstock.simulate.wire import to_wire

Request = TypeVar("Request", rpc.AnalyzeRequest, rpc.AnalyzeStackRequest)

_LARGEST_MESSAGE: Final = 400 * 1024 * 1024  # bytes; the CLI's own limit
_LOOK_FOR_ENGINE_S: Final = 1


def _in_words(
    answer: Callable[[Pack, Request, grpc.ServicerContext], rpc.AnalyzeResponse],
) -> Callable[[Pack, Request, grpc.ServicerContext], rpc.AnalyzeResponse]:
    """A defect of ours is reported and stops nothing. It is named by its kind: a text may quote a secret."""

    @wraps(answer)
    def answered(self: Pack, request: Request, context: grpc.ServicerContext) -> rpc.AnalyzeResponse:
        try:
            return answer(self, request, context)
        except Exception as error:  # noqa: BLE001 - the engine would end, with a traceback and no resource's name
            message = f"this was not judged, for the pack itself failed: {type(error).__name__}"
            return rpc.AnalyzeResponse(diagnostics=[words.own_diagnostic(message)])

    return answered


class Pack(AnalyzerServicer):
    """All rules in force, as one policy pack. Its methods are named as Pulumi's service names them."""

    def __init__(self, config: Mapping[str, str], rule_problems: tuple[Finding, ...] = ()) -> None:
        self._rule_problems = rule_problems
        self._stack_config = config
        self._stack = self._config = configuration.of_stack(config)
        self._start()

    def _start(self) -> None:
        self._reported_problems = False
        self._inputs: dict[str, Mapping[str, Any]] = {}
        self._reported: dict[str, frozenset[tuple[str, str]]] = {}
        self._by_type: dict[str, tuple[tuple[Rule, ...], rpc.AnalyzeResponse]] = {}
        self._alone = _of_single_resources(self._config.settings)
        self._unremedied = rpc.RemediateResponse(not_applicable=_left_out(self._alone))

    # ------------------------------------------------------------------ the pack itself

    @override
    def GetPluginInfo(self, _: Empty, __: grpc.ServicerContext) -> plugin_pb2.PluginInfo:
        """The version is in PulumiPolicy.yaml."""
        return plugin_pb2.PluginInfo()

    @override
    def GetAnalyzerInfo(self, _: Empty, __: grpc.ServicerContext) -> rpc.AnalyzerInfo:
        """The policies: a rule in force is one, with the level that the stack's configuration gives it."""
        return words.info(self._stack, registry.rules_of(RuleKind.POLICY))

    @override
    def ConfigureStack(
        self, request: rpc.AnalyzerStackConfigureRequest, _: grpc.ServicerContext
    ) -> rpc.AnalyzerStackConfigureResponse:
        """Takes the configuration of the stack."""
        self._stack_config = _for_people(request)
        self._stack = self._config = configuration.of_stack(self._stack_config)
        self._start()
        return rpc.AnalyzerStackConfigureResponse()

    @override
    def Configure(self, request: rpc.ConfigureAnalyzerRequest, _: grpc.ServicerContext) -> Empty:
        """Takes what `--policy-pack-config` says."""
        self._config = configuration.overridden(self._stack, self._stack_config, request.policyConfig)
        self._start()
        return Empty()

    @override
    def Cancel(self, _: Empty, __: grpc.ServicerContext) -> Empty:
        """Nothing is ever under way for longer than an answer."""
        return Empty()

    # ------------------------------------------------------------------ one resource

    @override
    @_in_words
    def Analyze(self, request: rpc.AnalyzeRequest, _: grpc.ServicerContext) -> rpc.AnalyzeResponse:
        """Answer what is certainly wrong with a resource. The rest waits for `AnalyzeStack`."""
        settings = self._config.settings
        if settings is None:
            return self._problems()
        inputs = records.properties(request.properties)
        self._inputs[request.urn] = inputs
        asked, elsewhere = self._rules_on(present(request.type))
        if not asked:
            return elsewhere
        response = rpc.AnalyzeResponse()
        response.CopyFrom(elsewhere)
        view = _view(request, inputs)
        reported: set[tuple[str, str]] = set()
        for rule in asked:
            answer = evaluate_policy(rule, view, settings)
            if _is_broken(answer):
                found = list(findings_of(answer, settings))
                reported.update((rule.id, each.message) for each in found)
                response.diagnostics.extend(words.violation(each, rule) for each in found)
            elif answer.outcome != Outcome.PASS:
                response.not_applicable.append(words.not_applicable(answer))
        self._reported[request.urn] = frozenset(reported)
        return response

    @override
    def Remediate(self, request: rpc.AnalyzeRequest, _: grpc.ServicerContext) -> rpc.RemediateResponse:
        """The resource's properties with the remedies that a person has asked for, and that it needs."""
        settings = self._config.settings
        remedied = [rule for rule in self._rules_on(present(request.type))[0] if self._config.remedies(rule)]
        if settings is None or not remedied:
            return self._unremedied
        response = rpc.RemediateResponse()
        current = rpc.AnalyzeRequest()
        current.CopyFrom(request)
        for rule in remedied:
            try:
                changed = _remedied(rule, current, settings)
            except Exception as error:  # noqa: BLE001 - what stays broken is reported by `Analyze`
                said = rpc.Remediation(diagnostic=f"the remediation failed: {type(error).__name__}")
            else:
                if not changed:
                    continue
                for key, value in to_wire(changed).fields.items():
                    current.properties.fields[key].CopyFrom(value)
                said = rpc.Remediation(properties=current.properties)
            said.policyName, said.policyPackName, said.description = rule.id, OWN, rule.title
            response.remediations.append(said)
        return response

    # ------------------------------------------------------------------ the whole stack

    @override
    @_in_words
    def AnalyzeStack(self, request: rpc.AnalyzeStackRequest, _: grpc.ServicerContext) -> rpc.AnalyzeResponse:
        """Answer what is wrong with resources together, and which policies are undetermined."""
        settings = self._config.settings
        if settings is None:
            return self._problems()
        report = judge_policies(records.graph(request, self._inputs), settings)
        response = rpc.AnalyzeResponse()
        for answer in report.answers:
            rule, reported = answer.rule, self._reported.get(answer.resource.urn, ())
            found = [each for each in findings_of(answer, settings) if (rule.id, each.message) not in reported]
            response.diagnostics.extend(words.violation(each, rule) for each in found)
        if self._config.own != rpc.DISABLED:
            response.diagnostics.extend(words.of_rules(self._rule_problems, self._config.own))
            response.diagnostics.extend(words.of_waivers(report))
            response.diagnostics.extend(words.of_undetermined(report))
        return response

    # ------------------------------------------------------------------ what both need

    def _problems(self) -> rpc.AnalyzeResponse:
        """Answer once what is wrong with the configuration, be its policy disabled: no rule is evaluated."""
        if self._reported_problems:
            return rpc.AnalyzeResponse()
        self._reported_problems = True
        level = rpc.ADVISORY if self._config.own == rpc.DISABLED else self._config.own
        return rpc.AnalyzeResponse(diagnostics=[words.own_diagnostic(self._config.problems, level)])

    def _rules_on(self, type_: str) -> tuple[tuple[Rule, ...], rpc.AnalyzeResponse]:
        """The rules to ask of a single resource of a type, and an answer that leaves out all others."""
        if type_ not in self._by_type:
            asked = tuple(rule for rule in self._alone if rule in registry.rules_on(type_, RuleKind.POLICY))
            others = [rule for rule in self._alone if rule not in asked]
            self._by_type[type_] = asked, rpc.AnalyzeResponse(not_applicable=_left_out(others))
        return self._by_type[type_]


def _for_people(request: rpc.AnalyzerStackConfigureRequest) -> dict[str, str]:
    """A stack's configuration, in which settings of policies that hold a secret read so: messages quote them."""
    readable = dict(request.config)
    if KEY in request.config_secret_keys:
        readable[KEY] = ENCRYPTED
    return readable


def _of_single_resources(settings: Settings | None) -> tuple[Rule, ...]:
    """The rules in force that can be evaluated on a resource by itself."""
    if settings is None:
        return ()
    return packs.enabled((rule for rule in registry.rules_of(RuleKind.POLICY) if not spans(rule)), settings)


def _left_out(others: Iterable[Rule]) -> list[rpc.PolicyNotApplicable]:
    """Rules that the engine must not count among those that hold."""
    return [rpc.PolicyNotApplicable(policy_name=rule.id) for rule in others]


def _view(request: rpc.AnalyzeRequest, inputs: Mapping[str, Any]) -> View:
    site = Site(records.site(request, inputs))
    return View(site.graph[request.urn], site)


def _is_broken(answer: Answer) -> bool:
    """Return whether a rule is broken for certain: no other resource that is still to come can excuse it."""
    if answer.outcome == Outcome.FAIL:
        return not _may_be_excused(answer.rule.id, answer.resource.type)
    return bool(answer.defect)


@cache
def _may_be_excused(rule: str, type_: str) -> bool:
    """Return whether an exemption looks at what a resource has to do with others."""
    return any(
        exemption.relation and rule in exemption.rules and any(fnmatchcase(type_, each) for each in exemption.types)
        for exemption in exemptions.all_exemptions()
    )


def _remedied(rule: Rule, request: rpc.AnalyzeRequest, settings: Settings) -> dict[str, Any]:
    """The properties that a rule's remedy changes; all others stay as they came, secret or unknown."""
    inputs = records.properties(request.properties)
    view = _view(request, inputs)
    broken = _is_broken(evaluate_policy(rule, view, settings))
    if rule.remedy is None or not broken or view.resource.inputs is not inputs:
        return {}  # what goes by a former name has other properties than the remedy knows
    wanted = rule.remedy(inputs, settings)
    return {key: value for key, value in wanted.items() if key not in inputs or value != inputs[key]}


def serve() -> None:
    """Serve the pack until the engine ends it, or has ended itself.

    Rules of a user's own come from packages beside this one, and from the folder that is beside the pack; a pack
    that is installed gets the project's folder from PENSTOCK_PROJECT.
    """
    problems = load_custom_rules(Path(os.environ.get("PENSTOCK_PROJECT") or Path(sys.argv[0]).resolve().parents[1]))
    engine = os.getppid()
    # One thread answers: an answer takes a millisecond, and so nothing is shared between threads.
    server = grpc.server(
        ThreadPoolExecutor(max_workers=1),
        options=[
            ("grpc.max_receive_message_length", _LARGEST_MESSAGE),
            ("grpc.max_send_message_length", _LARGEST_MESSAGE),
        ],
    )
    add_AnalyzerServicer_to_server(Pack(pulumi.runtime.get_config_env(), problems), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)  # noqa: T201 - what the engine reads
    while server.wait_for_termination(_LOOK_FOR_ENGINE_S) and os.getppid() == engine:
        pass
    server.stop(None).wait()
