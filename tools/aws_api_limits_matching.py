"""Which API request serves a Pulumi resource of AWS, and what is not sent to it as it was written."""

from __future__ import annotations

import re

SERVICES = {
    "alb": ("elbv2",),
    "appautoscaling": ("application-autoscaling",),
    "applicationloadbalancing": ("elbv2",),
    "bcmdata": ("bcm-data-exports",),
    "bedrock": ("bedrock", "bedrock-agent", "bedrock-agentcore-control"),
    "cfg": ("config",),
    "cloudwatch": ("cloudwatch", "logs", "events"),
    "cognito": ("cognito-idp", "cognito-identity"),
    "costexplorer": ("ce",),
    "directoryservice": ("ds",),
    "ebs": ("ec2",),
    "ec2clientvpn": ("ec2",),
    "ec2transitgateway": ("ec2",),
    "elasticsearch": ("es",),
    "lb": ("elbv2",),
    "lex": ("lexv2-models",),
    "macie": ("macie2",),
    "msk": ("kafka",),
    "mskconnect": ("kafkaconnect",),
    "opensearchingest": ("osis",),
    "resourceexplorer": ("resource-explorer-2",),
    "opensearch": ("opensearch", "opensearchserverless"),
    "route53": ("route53", "route53resolver", "route53profiles"),
    "serverlessrepository": ("serverlessrepo",),
    "sfn": ("stepfunctions",),
    "verifiedaccess": ("ec2",),
    "vpc": ("ec2",),
    "vpn": ("ec2",),
}
"""The API of a module of the SDK, where its name is another."""

VERBS = (
    "create",
    "put",
    "register",
    "allocate",
    "request",
    "import",
    "start",
    "run",
    "enable",
    "set",
    "update",
    "modify",
)

PREFIXES = {
    "cloudwatch": ("log", "event"),
    "ec2": ("vpc",),
    "opensearch": ("serverless",),
    "route53": ("resolver", "profiles"),
}
"""What the SDK puts before the API's own name, by module."""

REQUESTS = {
    "aws:autoscaling/group:Group": (("autoscaling", "CreateAutoScalingGroupType"),),
    "aws:autoscaling/policy:Policy": (("autoscaling", "PutScalingPolicyType"),),
    "aws:autoscaling/schedule:Schedule": (("autoscaling", "PutScheduledUpdateGroupActionType"),),
    "aws:backup/plan:Plan": (("backup", "BackupPlanInput"),),
    "aws:backup/vault:Vault": (("backup", "CreateBackupVaultInput"),),
    "aws:cloudfront/distribution:Distribution": (("cloudfront", "DistributionConfig"),),
    "aws:cloudfront/originAccessControl:OriginAccessControl": (("cloudfront", "OriginAccessControlConfig"),),
    "aws:cloudwatch/logGroup:LogGroup": (("logs", "CreateLogGroupRequest"), ("logs", "PutRetentionPolicyRequest")),
    "aws:ec2/instance:Instance": (("ec2", "RunInstancesRequest"),),
    "aws:ec2/launchTemplate:LaunchTemplate": (("ec2", "RequestLaunchTemplateData"),),
    "aws:elasticache/cluster:Cluster": (("elasticache", "CreateCacheClusterMessage"),),
    "aws:fsx/lustreFileSystem:LustreFileSystem": (
        ("fsx", "CreateFileSystemRequest"),
        ("fsx", "CreateFileSystemLustreConfiguration"),
    ),
    "aws:fsx/ontapFileSystem:OntapFileSystem": (
        ("fsx", "CreateFileSystemRequest"),
        ("fsx", "CreateFileSystemOntapConfiguration"),
    ),
    "aws:fsx/ontapStorageVirtualMachine:OntapStorageVirtualMachine": (("fsx", "CreateStorageVirtualMachineRequest"),),
    "aws:fsx/ontapVolume:OntapVolume": (("fsx", "CreateVolumeRequest"), ("fsx", "CreateOntapVolumeConfiguration")),
    "aws:fsx/openZfsFileSystem:OpenZfsFileSystem": (
        ("fsx", "CreateFileSystemRequest"),
        ("fsx", "CreateFileSystemOpenZFSConfiguration"),
    ),
    "aws:fsx/openZfsVolume:OpenZfsVolume": (
        ("fsx", "CreateVolumeRequest"),
        ("fsx", "CreateOpenZFSVolumeConfiguration"),
    ),
    "aws:fsx/windowsFileSystem:WindowsFileSystem": (
        ("fsx", "CreateFileSystemRequest"),
        ("fsx", "CreateFileSystemWindowsConfiguration"),
    ),
    "aws:kinesis/firehoseDeliveryStream:FirehoseDeliveryStream": (("firehose", "CreateDeliveryStreamInput"),),
    "aws:lambda/functionUrl:FunctionUrl": (("lambda", "CreateFunctionUrlConfigRequest"),),
    "aws:lambda/layerVersion:LayerVersion": (("lambda", "PublishLayerVersionRequest"),),
    "aws:lambda/permission:Permission": (("lambda", "AddPermissionRequest"),),
    "aws:lb/listenerRule:ListenerRule": (("elbv2", "CreateRuleInput"),),
    "aws:rds/cluster:Cluster": (("rds", "CreateDBClusterMessage"),),
    "aws:rds/instance:Instance": (("rds", "CreateDBInstanceMessage"),),
    "aws:route53/record:Record": (("route53", "ResourceRecordSet"),),
    "aws:route53/zone:Zone": (("route53", "CreateHostedZoneRequest"),),
    "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration": (("s3", "BucketLifecycleConfiguration"),),
    "aws:s3/bucketOwnershipControls:BucketOwnershipControls": (("s3", "OwnershipControls"),),
    "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration": (
        ("s3", "ServerSideEncryptionConfiguration"),
    ),
    "aws:sagemaker/endpointConfiguration:EndpointConfiguration": (("sagemaker", "CreateEndpointConfigInput"),),
}
"""The API's structures behind resources that it calls otherwise."""

NEVER = ("tags", "tagsAll", "region", "id", "arn")
"""Properties that the provider handles by itself."""

DEPTH = 4
"""How many objects deep a path may lead; statements of firewalls nest without end."""

GROWING = re.compile(r"InstanceType$|Region|^BucketLocationConstraint$")
"""Enumerations that are longer every month."""

DOCUMENT = re.compile(
    r"(policy|policies|document|json|definition|userdata|body|template|dashboardbody)(\[\])?$", re.IGNORECASE
)
"""Texts that the provider writes anew before it sends them, so that their length and form are not those given."""

OTHERWISE = {
    "aws:cloud9/environmentMembership:EnvironmentMembership permissions": "the provider takes owner too",
    "aws:codebuild/project:Project secondarySources[].auth.type": "the provider takes more than the request's model",
    "aws:codebuild/project:Project source.auth.type": "the provider takes more than the request's model",
    "aws:cognito/userPoolDomain:UserPoolDomain domain": "a whole domain name is taken too",
    "aws:dataexchange/eventAction:EventAction action.exportRevisionToS3.encryption.type": "the SDK names other words",
    "aws:dms/endpoint:Endpoint kafkaSettings.messageFormat": "the provider writes JSON_UNFORMATTED",
    "aws:dms/endpoint:Endpoint kinesisSettings.messageFormat": "the provider writes JSON_UNFORMATTED",
    "aws:dms/endpoint:Endpoint mongodbSettings.authMechanism": "the provider writes mongodb-cr",
    "aws:dms/endpoint:Endpoint redshiftSettings.encryptionMode": "the provider writes SSE_S3",
    "aws:ec2/fleet:Fleet onDemandOptions.allocationStrategy": "the provider writes lowestPrice",
    "aws:ec2/fleet:Fleet spotOptions.allocationStrategy": "the provider writes lowestPrice",
    "aws:ec2/spotFleetRequest:SpotFleetRequest excessCapacityTerminationPolicy": "the provider writes Default",
    "aws:lightsail/distribution:Distribution cacheBehaviorSettings.forwardedHeaders.option": "there is default too",
    "aws:networkflowmonitor/monitor:Monitor localResources[].type": "the SDK names other words",
    "aws:networkflowmonitor/monitor:Monitor remoteResources[].type": "the SDK names other words",
    "aws:s3/bucket:Bucket acl": "there are log-delivery-write and aws-exec-read too",
    "aws:s3/bucketAcl:BucketAcl acl": "there are log-delivery-write and aws-exec-read too",
    "aws:s3/bucketVersioning:BucketVersioning versioningConfiguration.status": "Disabled is the provider's own",
    "aws:sagemaker/trainingJob:TrainingJob serverlessJobConfig.jobType": "the SDK names other words",
    "aws:ssm/association:Association complianceSeverity": "the provider takes INFORMATIONAL too",
    "aws:transcribe/languageModel:LanguageModel languageCode": "the provider takes more languages",
}
"""Fields whose words the provider's own validation does not hold to, or that it translates, with what differs."""

ANY_CASE = {
    "aws:alb/listener:Listener": ("defaultActions[].type", "protocol"),
    "aws:apigatewayv2/domainName:DomainName": ("domainNameConfiguration.endpointType",),
    "aws:batch/computeEnvironment:ComputeEnvironment": (
        "computeResources.allocationStrategy",
        "computeResources.type",
        "state",
        "type",
    ),
    "aws:batch/jobDefinition:JobDefinition": ("retryStrategy.evaluateOnExits[].action", "type"),
    "aws:batch/jobQueue:JobQueue": ("state",),
    "aws:lb/listener:Listener": ("defaultActions[].type", "protocol"),
    "aws:lb/listenerRule:ListenerRule": ("actions[].type",),
    "aws:mq/broker:Broker": (
        "authenticationStrategy",
        "deploymentMode",
        "engineType",
        "maintenanceWindowStartTime.dayOfWeek",
        "storageType",
    ),
    "aws:mq/configuration:Configuration": ("authenticationStrategy", "engineType"),
}
"""Fields whose words the provider takes in any case."""

PATTERNS_LEFT_OUT = (
    r"[a-zA-Z](?:-?[a-zA-Z0-9]+)*",
    r"(?:[\._\-/#A-Za-z0-9]+|\$\{[A-Za-z]+(?:\.[A-Za-z]+){1,2}\})+",
)
"""Patterns that take Python a time that doubles with every character."""

RENAMED = {("aws:kms/key:Key", "customerMasterKeySpec"): "KeySpec"}
"""Properties of resources that the API calls otherwise."""


def left_out(type_: str, path: str, kind: str) -> bool:
    """Whether what the provider sends may be another value than the one given."""
    return f"{type_} {path}" in OTHERWISE or (kind in ("text", "pattern") and bool(DOCUMENT.search(path)))
