"""ARNs, ids and endpoints of AWS, as AWS documents them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import botocore.session
import pytest
from tools.aws_api_limits_matching import SERVICES
from tools.aws_identities import types

from penstock.simulate import sdk_types
from penstock.simulate.clouds import CreateRequest, CreateResponse, simulated

TYPES = {f"{each.split(':')[1].split('/')[0]}.{each.rpartition(':')[2]}": each for each in types()}
BALANCER = "arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/net/edge/50dc6c495c0c9188"
LISTENER = "arn:aws:elasticloadbalancing:us-east-1:123456789012:listener/app/web/50dc6c495c0c9188/f2f7dc8efc522ab2"


@cache
def without_inputs(short: str) -> CreateResponse:
    return made(short)


def made(short: str, *, region: str = "us-east-1", **inputs: Any) -> CreateResponse:
    type_ = TYPES[short]
    return simulated("aws").create(CreateRequest(f"urn:{type_}", type_, "mine", inputs, {"region": region}))


# The right-hand sides are the examples of each service's documentation of its ARNs, with digits as patterns.
DOCUMENTED = [
    ("sqs.Queue", {"name": "q"}, "arn:aws:sqs:us-east-1:123456789012:q"),
    ("sns.Topic", {"name": "t"}, "arn:aws:sns:us-east-1:123456789012:t"),
    ("sns.TopicSubscription", {"topic": "arn:aws:sns:r:1:t"}, r"arn:aws:sns:r:1:t:[0-9a-f-]{36}"),
    ("lambda.Function", {"name": "f"}, "arn:aws:lambda:us-east-1:123456789012:function:f"),
    ("lambda.Alias", {"name": "live", "functionName": "f"}, "arn:aws:lambda:us-east-1:123456789012:function:f:live"),
    ("lambda.LayerVersion", {"layerName": "l"}, "arn:aws:lambda:us-east-1:123456789012:layer:l:1"),
    (
        "lb.LoadBalancer",
        {"name": "web"},
        r"arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/web/[0-9a-f]{16}",
    ),
    (
        "lb.LoadBalancer",
        {"name": "edge", "loadBalancerType": "network"},
        r"arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/net/edge/[0-9a-f]{16}",
    ),
    (
        "lb.Listener",
        {"loadBalancerArn": BALANCER},
        r"arn:aws:elasticloadbalancing:us-east-1:123456789012:listener/net/edge/50dc6c495c0c9188/[0-9a-f]{16}",
    ),
    (
        "lb.ListenerRule",
        {"listenerArn": LISTENER},
        r"arn:aws:elasticloadbalancing:\S+:listener-rule/app/web/50dc6c495c0c9188/f2f7dc8efc522ab2/[0-9a-f]{16}",
    ),
    (
        "lb.TargetGroup",
        {"name": "tg"},
        r"arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/tg/[0-9a-f]{16}",
    ),
    ("cloudwatch.EventRule", {"name": "r"}, "arn:aws:events:us-east-1:123456789012:rule/r"),
    (
        "cloudwatch.EventRule",
        {"name": "r", "eventBusName": "orders"},
        "arn:aws:events:us-east-1:123456789012:rule/orders/r",
    ),
    ("cloudwatch.EventBus", {"name": "b"}, "arn:aws:events:us-east-1:123456789012:event-bus/b"),
    ("cloudwatch.MetricAlarm", {"name": "a"}, "arn:aws:cloudwatch:us-east-1:123456789012:alarm:a"),
    ("cloudwatch.LogGroup", {"name": "/aws/x"}, "arn:aws:logs:us-east-1:123456789012:log-group:/aws/x"),
    ("opensearch.Domain", {"domainName": "d"}, "arn:aws:es:us-east-1:123456789012:domain/d"),
    ("rds.Cluster", {"clusterIdentifier": "c"}, "arn:aws:rds:us-east-1:123456789012:cluster:c"),
    ("rds.ClusterInstance", {"identifier": "i"}, "arn:aws:rds:us-east-1:123456789012:db:i"),
    ("rds.Instance", {"identifier": "i"}, "arn:aws:rds:us-east-1:123456789012:db:i"),
    ("rds.Proxy", {"name": "p"}, r"arn:aws:rds:us-east-1:123456789012:db-proxy:prx-[0-9a-f]{17}"),
    ("docdb.Cluster", {"clusterIdentifier": "c"}, "arn:aws:rds:us-east-1:123456789012:cluster:c"),
    ("neptune.ParameterGroup", {"name": "g"}, "arn:aws:rds:us-east-1:123456789012:pg:g"),
    ("dynamodb.Table", {"name": "t"}, "arn:aws:dynamodb:us-east-1:123456789012:table/t"),
    ("ecs.Cluster", {"name": "c"}, "arn:aws:ecs:us-east-1:123456789012:cluster/c"),
    ("ecs.Service", {"name": "s", "cluster": "c"}, "arn:aws:ecs:us-east-1:123456789012:service/c/s"),
    ("ecs.Service", {"name": "s"}, "arn:aws:ecs:us-east-1:123456789012:service/default/s"),
    ("ecs.TaskDefinition", {"family": "f"}, "arn:aws:ecs:us-east-1:123456789012:task-definition/f:1"),
    ("ecr.Repository", {"name": "r"}, "arn:aws:ecr:us-east-1:123456789012:repository/r"),
    ("iam.Role", {"name": "r", "path": "/team/"}, "arn:aws:iam::123456789012:role/team/r"),
    ("iam.User", {"name": "u"}, "arn:aws:iam::123456789012:user/u"),
    ("iam.InstanceProfile", {"name": "p"}, "arn:aws:iam::123456789012:instance-profile/p"),
    ("s3.Bucket", {"bucket": "b"}, "arn:aws:s3:::b"),
    ("s3.BucketObject", {"bucket": "b", "key": "a/k"}, "arn:aws:s3:::b/a/k"),
    ("kms.Alias", {"name": "alias/a"}, "arn:aws:kms:us-east-1:123456789012:alias/a"),
    ("kinesis.Stream", {"name": "s"}, "arn:aws:kinesis:us-east-1:123456789012:stream/s"),
    ("kinesis.FirehoseDeliveryStream", {"name": "s"}, "arn:aws:firehose:us-east-1:123456789012:deliverystream/s"),
    ("sfn.StateMachine", {"name": "m"}, "arn:aws:states:us-east-1:123456789012:stateMachine:m"),
    ("ssm.Parameter", {"name": "/app/key"}, "arn:aws:ssm:us-east-1:123456789012:parameter/app/key"),
    ("ssm.Parameter", {"name": "key"}, "arn:aws:ssm:us-east-1:123456789012:parameter/key"),
    ("secretsmanager.Secret", {"name": "s"}, r"arn:aws:secretsmanager:us-east-1:123456789012:secret:s-\w{6}"),
    ("route53.Zone", {"name": "example.com"}, r"arn:aws:route53:::hostedzone/Z[0-9A-F]{20}"),
    ("route53.HealthCheck", {"type": "HTTP"}, r"arn:aws:route53:::healthcheck/[0-9a-f-]{36}"),
    ("acm.Certificate", {}, r"arn:aws:acm:us-east-1:123456789012:certificate/[0-9a-f-]{36}"),
    ("cloudfront.Distribution", {}, r"arn:aws:cloudfront::123456789012:distribution/E[0-9A-F]{13}"),
    ("cognito.UserPool", {"name": "p"}, r"arn:aws:cognito-idp:us-east-1:123456789012:userpool/us-east-1_\w{9}"),
    ("apigateway.RestApi", {"name": "a"}, r"arn:aws:apigateway:us-east-1::/restapis/\w{10}"),
    (
        "apigateway.Stage",
        {"restApi": "abc", "stageName": "v1"},
        "arn:aws:apigateway:us-east-1::/restapis/abc/stages/v1",
    ),
    ("apigatewayv2.Api", {"name": "a"}, r"arn:aws:apigateway:us-east-1::/apis/\w{10}"),
    (
        "autoscaling.Group",
        {"name": "g"},
        r"arn:aws:autoscaling:us-east-1:123456789012:autoScalingGroup:[0-9a-f-]{36}:autoScalingGroupName/g",
    ),
    (
        "elasticache.ReplicationGroup",
        {"replicationGroupId": "g"},
        "arn:aws:elasticache:us-east-1:123456789012:replicationgroup:g",
    ),
    ("elasticache.Cluster", {"clusterId": "c"}, "arn:aws:elasticache:us-east-1:123456789012:cluster:c"),
    ("memorydb.Cluster", {"name": "c"}, "arn:aws:memorydb:us-east-1:123456789012:cluster/c"),
    ("msk.Cluster", {"clusterName": "c"}, r"arn:aws:kafka:us-east-1:123456789012:cluster/c/[0-9a-f-]{36}-\d"),
    ("mq.Broker", {"brokerName": "b"}, r"arn:aws:mq:us-east-1:123456789012:broker:b:b-[0-9a-f-]{36}"),
    ("redshift.Cluster", {"clusterIdentifier": "c"}, "arn:aws:redshift:us-east-1:123456789012:cluster:c"),
    ("glue.Job", {"name": "j"}, "arn:aws:glue:us-east-1:123456789012:job/j"),
    ("glue.CatalogDatabase", {"name": "d"}, "arn:aws:glue:us-east-1:123456789012:database/d"),
    ("athena.Workgroup", {"name": "w"}, "arn:aws:athena:us-east-1:123456789012:workgroup/w"),
    ("codebuild.Project", {"name": "p"}, "arn:aws:codebuild:us-east-1:123456789012:project/p"),
    ("codepipeline.Pipeline", {"name": "p"}, "arn:aws:codepipeline:us-east-1:123456789012:p"),
    ("codecommit.Repository", {"repositoryName": "r"}, "arn:aws:codecommit:us-east-1:123456789012:r"),
    ("batch.JobQueue", {"name": "q"}, "arn:aws:batch:us-east-1:123456789012:job-queue/q"),
    ("batch.JobDefinition", {"name": "j"}, "arn:aws:batch:us-east-1:123456789012:job-definition/j:1"),
    ("backup.Vault", {"name": "v"}, "arn:aws:backup:us-east-1:123456789012:backup-vault:v"),
    (
        "wafv2.WebAcl",
        {"name": "w", "scope": "REGIONAL"},
        r"arn:aws:wafv2:us-east-1:123456789012:regional/webacl/w/[0-9a-f-]{36}",
    ),
    (
        "wafv2.WebAcl",
        {"name": "w", "scope": "CLOUDFRONT"},
        r"arn:aws:wafv2:us-east-1:123456789012:global/webacl/w/[0-9a-f-]{36}",
    ),
    ("sagemaker.Endpoint", {"name": "e"}, "arn:aws:sagemaker:us-east-1:123456789012:endpoint/e"),
    ("sagemaker.EndpointConfiguration", {"name": "e"}, "arn:aws:sagemaker:us-east-1:123456789012:endpoint-config/e"),
    ("sagemaker.Domain", {"domainName": "d"}, r"arn:aws:sagemaker:us-east-1:123456789012:domain/d-\w{12}"),
    (
        "bedrock.AgentKnowledgeBase",
        {"name": "k"},
        r"arn:aws:bedrock:us-east-1:123456789012:knowledge-base/[0-9A-Z]{10}",
    ),
    ("ec2.LaunchTemplate", {}, r"arn:aws:ec2:us-east-1:123456789012:launch-template/lt-[0-9a-f]{17}"),
    ("ec2.Ami", {}, r"arn:aws:ec2:us-east-1::image/ami-[0-9a-f]{17}"),
    ("ebs.Volume", {}, r"arn:aws:ec2:us-east-1:123456789012:volume/vol-[0-9a-f]{17}"),
    ("ec2transitgateway.TransitGateway", {}, r"arn:aws:ec2:us-east-1:123456789012:transit-gateway/tgw-[0-9a-f]{17}"),
    ("vpclattice.Service", {"name": "s"}, r"arn:aws:vpc-lattice:us-east-1:123456789012:service/svc-[0-9a-f]{17}"),
    ("ses.ConfigurationSet", {"name": "c"}, "arn:aws:ses:us-east-1:123456789012:configuration-set/c"),
    ("guardduty.Detector", {}, r"arn:aws:guardduty:us-east-1:123456789012:detector/[0-9a-f]{32}"),
    ("transfer.Server", {}, r"arn:aws:transfer:us-east-1:123456789012:server/s-[0-9a-f]{17}"),
    ("scheduler.Schedule", {"name": "s"}, "arn:aws:scheduler:us-east-1:123456789012:schedule/default/s"),
    ("pipes.Pipe", {"name": "p"}, "arn:aws:pipes:us-east-1:123456789012:pipe/p"),
    (
        "globalaccelerator.Accelerator",
        {"name": "a"},
        r"arn:aws:globalaccelerator::123456789012:accelerator/[0-9a-f-]{36}",
    ),
    ("efs.AccessPoint", {}, r"arn:aws:elasticfilesystem:us-east-1:123456789012:access-point/fsap-[0-9a-f]{17}"),
    ("grafana.Workspace", {}, r"arn:aws:grafana:us-east-1:123456789012:/workspaces/g-\w{10}"),
    ("amp.Workspace", {}, r"arn:aws:aps:us-east-1:123456789012:workspace/ws-[0-9a-f-]{36}"),
]


@pytest.mark.parametrize(
    ("short", "inputs", "arn"), DOCUMENTED, ids=[f"{row[0]} {sorted(row[1])}" for row in DOCUMENTED]
)
def test_an_arn_is_the_documented_one(short: str, inputs: Mapping[str, Any], arn: str) -> None:
    assert re.fullmatch(arn, made(short, **inputs).outputs["arn"])


@pytest.mark.parametrize(
    ("short", "inputs", "id_"),
    [
        ("sqs.Queue", {"name": "q"}, "https://sqs.us-east-1.amazonaws.com/123456789012/q"),
        ("sns.Topic", {"name": "t"}, "arn:aws:sns:us-east-1:123456789012:t"),
        ("iam.AccessKey", {"user": "u"}, r"AKIA[0-9A-Z]{16}"),
        ("apigateway.Resource", {"restApi": "a", "parentId": "r"}, r"\w{6}"),
        ("apigateway.Method", {"restApi": "a", "resourceId": "r", "httpMethod": "GET"}, "agm-a-r-GET"),
        ("route53.Record", {"zoneId": "Z1", "name": "www.Example.com", "type": "A"}, "Z1_www.example.com_A"),
        ("ecs.TaskDefinition", {"family": "f"}, "f"),
        ("cognito.UserPoolClient", {"userPoolId": "p", "name": "c"}, r"\w{26}"),
        ("ec2.NetworkAcl", {"vpcId": "v"}, r"acl-[0-9a-f]{17}"),
        ("glue.CatalogTable", {"databaseName": "d", "name": "t"}, "123456789012:d:t"),
        ("autoscaling.Policy", {"name": "p", "autoscalingGroupName": "g"}, "p"),
        (
            "lambda.Alias",
            {"name": "live", "functionName": "f"},
            "arn:aws:lambda:us-east-1:123456789012:function:f:live",
        ),
        ("cloudformation.Stack", {"name": "s"}, r"arn:aws:cloudformation:us-east-1:123456789012:stack/s/[0-9a-f-]{36}"),
        (
            "ssoadmin.PermissionSet",
            {"instanceArn": "arn:i", "name": "p"},
            r"arn:aws:sso:::permissionSet/\S+/ps-\w{16},arn:i",
        ),
    ],
)
def test_an_id_has_the_form_that_the_provider_keeps(short: str, inputs: Mapping[str, Any], id_: str) -> None:
    assert re.fullmatch(id_, made(short, **inputs).id)


@pytest.mark.parametrize(
    ("short", "inputs", "output", "form"),
    [
        ("rds.Cluster", {"clusterIdentifier": "c"}, "endpoint", r"c\.cluster-\w{12}\.eu-west-1\.rds\.amazonaws\.com"),
        ("rds.Cluster", {"clusterIdentifier": "c", "engine": "aurora-mysql"}, "port", "3306"),
        ("rds.Cluster", {"clusterIdentifier": "c"}, "masterUserSecrets", r"\[\]"),
        ("rds.Instance", {"identifier": "i", "engine": "mysql"}, "endpoint", r"i\.\w{12}\.eu-west-1\.rds\.\S+:3306"),
        ("rds.Instance", {"identifier": "i", "engine": "postgres", "port": 5433}, "endpoint", r"i\.\S+:5433"),
        ("s3.Bucket", {"bucket": "b"}, "websiteEndpoint", r"b\.s3-website-eu-west-1\.amazonaws\.com"),
        (
            "elasticache.ReplicationGroup",
            {"replicationGroupId": "g"},
            "primaryEndpointAddress",
            r"g\.\w+\.ng\.0001\.euw1\.cache\.\S+",
        ),
        (
            "elasticache.ReplicationGroup",
            {"replicationGroupId": "g", "transitEncryptionEnabled": True},
            "primaryEndpointAddress",
            r"master\.g\.\w+\.euw1\.cache\.amazonaws\.com",
        ),
        ("opensearch.Domain", {"domainName": "d"}, "endpoint", r"search-d-\w{26}\.eu-west-1\.es\.amazonaws\.com"),
        (
            "msk.Cluster",
            {"clusterName": "k"},
            "bootstrapBrokersTls",
            r"b-1\.k\.\w+\.c2\.kafka\.eu-west-1\.\S+:9094,b-2\S+",
        ),
        ("route53.Zone", {"name": "e.com"}, "nameServers", r"\[('ns-\d+\.awsdns-\d+\.[a-z.]+'(, )?){4}\]"),
        ("lb.LoadBalancer", {"name": "w"}, "dnsName", r"w-\d+\.eu-west-1\.elb\.amazonaws\.com"),
        (
            "lb.LoadBalancer",
            {"name": "w", "internal": True},
            "dnsName",
            r"internal-w-\d+\.eu-west-1\.elb\.amazonaws\.com",
        ),
        ("eks.Cluster", {"name": "c", "version": "1.33"}, "version", r"1\.33"),
        ("eks.Cluster", {"name": "c"}, "version", r"1\.\d\d"),
        (
            "lambda.Function",
            {"name": "f"},
            "invokeArn",
            r"arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/\S+:f/invocations",
        ),
        ("dynamodb.Table", {"name": "t", "streamEnabled": True}, "streamArn", r"\S+:table/t/stream/\S+"),
        (
            "apigatewayv2.Api",
            {"name": "a", "protocolType": "WEBSOCKET"},
            "apiEndpoint",
            r"wss://\w{10}\.execute-api\S+",
        ),
    ],
)
def test_an_endpoint_is_of_the_documented_form(short: str, inputs: Mapping[str, Any], output: str, form: str) -> None:
    outputs = made(short, region="eu-west-1", **inputs).outputs

    assert re.fullmatch(form, str(outputs.get(output, inputs.get(output))))


@pytest.mark.slow
def test_every_arn_is_whole() -> None:
    arns = {short: without_inputs(short).outputs.get("arn") for short in TYPES}
    wrong = {short: arn for short, arn in arns.items() if arn is not None and not _is_whole(arn)}

    assert wrong == {}


def _is_whole(arn: str) -> bool:
    """Return whether an ARN has its six parts, of which the last has no empty one but before a first slash."""
    found = re.fullmatch(r"arn:aws:[a-z0-9-]+:(?:us-east-1)?:(?:123456789012)?:(.+)", arn)
    return found is None or re.search(r"[{}]|//|:$|:/(?!/)$", found[1]) is None


@cache
def patterns(service: str) -> Mapping[str, str]:
    """The patterns of a service's ARNs, by the plain name of what they identify."""
    model = botocore.session.get_session().get_service_model(service)
    shapes = ((name, model.shape_for(name)) for name in model.shape_names if name.lower().endswith("arn"))
    found = {name.lower()[:-3]: shape.metadata.get("pattern") for name, shape in shapes if shape.type_name == "string"}
    return {name: pattern for name, pattern in found.items() if pattern and "arn" in pattern and _compiles(pattern)}


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:  # it is of another language than Python's
        return False
    return True


@pytest.mark.slow
@pytest.mark.nightly
def test_arns_match_the_patterns_of_the_service_models() -> None:
    services = frozenset(botocore.session.get_session().get_available_services())
    compared, wrong = set(), {}
    for short, type_ in TYPES.items():
        module, kind = short.split(".")
        if (
            short in OTHERWISE
            or "arn" not in sdk_types.output_types(type_)
            or "arn" in (sdk_types.input_types(type_) or {})
        ):
            continue
        for service in services & {module, *SERVICES.get(module, ())}:
            pattern = patterns(service).get(kind.lower())
            if pattern is not None:
                arn = made(short, **_required(type_)).outputs["arn"]
                compared.add(short)
                if not re.search(pattern, arn):
                    wrong[short] = (arn, pattern)

    assert wrong == {}
    assert len(compared) > 90


REAL = {
    "notificationConfigurationArn": f"arn:aws:notifications::123456789012:configuration/{'a' * 27}",
    "outpostId": "op-0123456789abcdef0",
    "tableBucketArn": "arn:aws:s3tables:us-east-1:123456789012:bucket/tables",
    "type": "service_control_policy",
    "version": "1.0.0",
    "workspaceId": "ws-0123456789abcdef",
}
OTHERWISE = {
    "controltower.Baseline": "the model has the ARN of a baseline, the resource is one that is enabled",
    "ec2.PlacementGroup": "the pattern of the model has ^ in its middle",
    "sagemaker.Device": "the pattern of the model takes no digits in a region",
    "sagemaker.DeviceFleet": "the pattern of the model is that of a role",
}
"""Types whose pattern in the service model is not that of their ARNs."""


def _required(type_: str) -> dict[str, Any]:
    """A text for each input that ARNs take parts from."""
    known = sdk_types.input_types(type_) or {}
    texts = {key: f"{key.lower()}-1" for key in known if key.endswith(("Name", "Id", "name"))}
    return texts | {key: value for key, value in REAL.items() if key in known}


@pytest.mark.slow
def test_nearly_all_arns_are_of_a_form_that_aws_publishes() -> None:
    of_arns = [short for short, type_ in TYPES.items() if "arn" in sdk_types.output_types(type_)]
    documented = [short for short in of_arns if "arn" in without_inputs(short).documented]

    assert len(documented) > 0.95 * len(of_arns)
