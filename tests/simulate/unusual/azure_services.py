"""Services of Azure that are right by its documentation and seldom seen."""

from __future__ import annotations

import base64
import json

import pulumi
import pulumi_azure_native as azure

_HERE = "/subscriptions/0282681f-7a9e-424b-80b2-96babd57a8a1/resourceGroups/central"


def apps_in_containers() -> None:
    """<https://learn.microsoft.com/en-us/azure/container-apps/scale-app>."""
    place = azure.app.ManagedEnvironment(
        "e",
        resource_group_name="central",
        workload_profiles=[
            {"name": "Consumption", "workload_profile_type": "Consumption"},
            {"name": "gpu", "workload_profile_type": "NC24-A100", "minimum_count": 0, "maximum_count": 1},
        ],
    )
    azure.app.ContainerApp(
        "a",
        resource_group_name="central",
        managed_environment_id=place.id,
        configuration={
            "secrets": [{"name": "q", "value": pulumi.Output.secret("x")}],
            "ingress": {
                "external": False,
                "target_port": 80,
                "transport": "http2",
                "traffic": [{"latest_revision": True, "weight": 100}],
            },
        },
        template={
            "containers": [
                {
                    "name": "c",
                    "image": "mcr.microsoft.com/k8se/quickstart@sha256:" + "a1" * 32,
                    "resources": {"cpu": 0.25, "memory": "0.5Gi"},
                }
            ],
            "scale": {
                "min_replicas": 0,
                "max_replicas": 1000,
                "rules": [
                    {
                        "name": "q",
                        "custom": {
                            "type": "azure-queue",
                            "metadata": {"queueLength": "5"},
                            "auth": [{"secret_ref": "q", "trigger_parameter": "connection"}],
                        },
                    }
                ],
            },
        },
    )


def sites_and_functions() -> None:
    """<https://learn.microsoft.com/en-us/azure/azure-functions/flex-consumption-how-to>."""
    plan = azure.web.AppServicePlan(
        "flex",
        resource_group_name="central",
        kind="functionapp",
        reserved=True,
        sku={"tier": "FlexConsumption", "name": "FC1"},
    )
    azure.web.WebApp(
        "f",
        resource_group_name="central",
        kind="functionapp,linux",
        server_farm_id=plan.id,
        identity={"type": "SystemAssigned"},
        function_app_config={
            "runtime": {"name": "python", "version": "3.12"},
            "scale_and_concurrency": {"maximum_instance_count": 40, "instance_memory_mb": 2048},
            "deployment": {
                "storage": {
                    "type": "blobContainer",
                    "value": "https://a.blob.core.windows.net/c",
                    "authentication": {"type": "SystemAssignedIdentity"},
                }
            },
        },
        site_config={
            "app_settings": [{"name": "A__b", "value": ""}],
            "linux_fx_version": "",
            "cors": {"allowed_origins": ["*"]},
        },
        client_cert_mode="Optional",
        https_only=True,
    )


def models_of_language() -> None:
    """<https://learn.microsoft.com/en-us/azure/ai-services/openai/how-to/quota>."""
    account = azure.cognitiveservices.Account(
        "ai",
        resource_group_name="central",
        kind="AIServices",
        sku={"name": "S0"},
        location="swedencentral",
        identity={"type": "SystemAssigned"},
        properties={
            "custom_sub_domain_name": "acme-ai",
            "disable_local_auth": True,
            "public_network_access": "Disabled",
            "network_acls": {"default_action": "Deny"},
        },
    )
    azure.cognitiveservices.Deployment(
        "m",
        resource_group_name="central",
        account_name=account.name,
        deployment_name="gpt-4o.mini",
        sku={"name": "GlobalStandard", "capacity": 1},
        properties={
            "model": {"format": "OpenAI", "name": "gpt-4o-mini", "version": "2024-07-18"},
            "rai_policy_name": "Microsoft.DefaultV2",
            "version_upgrade_option": "OnceCurrentVersionExpired",
        },
    )


def a_place_to_learn() -> None:
    """<https://learn.microsoft.com/en-us/azure/machine-learning/how-to-configure-private-link>."""
    hub = azure.machinelearningservices.Workspace(
        "w",
        resource_group_name="central",
        identity={"type": "SystemAssigned"},
        sku={"name": "Basic", "tier": "Basic"},
        kind="Default",
        storage_account=f"{_HERE}/providers/Microsoft.Storage/storageAccounts/a",
        key_vault=f"{_HERE}/providers/Microsoft.KeyVault/vaults/v",
        application_insights=f"{_HERE}/providers/microsoft.insights/components/i",
        v1_legacy_mode=False,
        managed_network={"isolation_mode": "AllowOnlyApprovedOutbound"},
    )
    azure.machinelearningservices.Compute(
        "c",
        resource_group_name="central",
        workspace_name=hub.name,
        compute_name="gpu-1",
        properties={
            "compute_type": "AmlCompute",
            "properties": {
                "vm_size": "STANDARD_NC6s_v3",
                "vm_priority": "LowPriority",
                "scale_settings": {
                    "min_node_count": 0,
                    "max_node_count": 4,
                    "node_idle_time_before_scale_down": "PT120S",
                },
            },
        },
    )


def queues_and_streams() -> None:
    """<https://learn.microsoft.com/en-us/azure/service-bus-messaging/message-sessions>."""
    bus = azure.servicebus.Namespace(
        "b",
        resource_group_name="central",
        sku={"name": "Premium", "tier": "Premium", "capacity": 16},
        zone_redundant=True,
        premium_messaging_partitions=1,
        disable_local_auth=True,
    )
    azure.servicebus.Queue(
        "q",
        resource_group_name="central",
        namespace_name=bus.name,
        queue_name="a/b.c-d_e",
        requires_session=True,
        lock_duration="PT5M",
        default_message_time_to_live="P10675199DT2H48M5.4775807S",
        max_message_size_in_kilobytes=102400,
    )
    hubs = azure.eventhub.Namespace(
        "e",
        resource_group_name="central",
        sku={"name": "Standard", "tier": "Standard", "capacity": 1},
        is_auto_inflate_enabled=True,
        maximum_throughput_units=40,
    )
    azure.eventhub.EventHub(
        "h",
        resource_group_name="central",
        namespace_name=hubs.name,
        partition_count=32,
        message_retention_in_days=7,
        retention_description={"cleanup_policy": "Delete", "retention_time_in_hours": 168},
    )
    azure.eventhub.ConsumerGroup(
        "g", resource_group_name="central", namespace_name=hubs.name, event_hub_name="h", consumer_group_name="$Default"
    )


def images_shared_by_regions() -> None:
    """<https://learn.microsoft.com/en-us/azure/container-registry/container-registry-geo-replication>."""
    registry = azure.containerregistry.Registry(
        "r",
        resource_group_name="central",
        registry_name="acmeRegistry01",
        sku={"name": "Premium"},
        admin_user_enabled=False,
        anonymous_pull_enabled=False,
        policies={"quarantine_policy": {"status": "disabled"}, "retention_policy": {"days": 0, "status": "enabled"}},
        zone_redundancy="Enabled",
    )
    azure.containerregistry.Replication(
        "r",
        resource_group_name="central",
        registry_name=registry.name,
        location="northeurope",
        replication_name="northeurope",
    )
    azure.containerregistry.Task(
        "t",
        resource_group_name="central",
        registry_name=registry.name,
        platform={"os": "Linux"},
        step={"type": "EncodedTask", "encoded_task_content": base64.b64encode(b"steps: []").decode()},
        trigger={"timer_triggers": [{"name": "t", "schedule": "0 3 * * *"}]},
    )


def names_for_the_world() -> None:
    """<https://learn.microsoft.com/en-us/azure/dns/dns-zones-records>."""
    zone = azure.dns.Zone("z", resource_group_name="central", zone_name="example.com", location="Global")
    azure.dns.RecordSet(
        "a",
        resource_group_name="central",
        zone_name=zone.name,
        record_type="A",
        relative_record_set_name="@",
        ttl=1,
        a_records=[{"ipv4_address": "203.0.113.1"}],
    )
    azure.dns.RecordSet(
        "w",
        resource_group_name="central",
        zone_name=zone.name,
        record_type="CNAME",
        relative_record_set_name="*",
        ttl=3600,
        target_resource={"id": f"{_HERE}/providers/Microsoft.Cdn/profiles/p/afdEndpoints/e"},
    )
    azure.dns.RecordSet(
        "t",
        resource_group_name="central",
        zone_name=zone.name,
        record_type="TXT",
        relative_record_set_name="_dmarc",
        ttl=60,
        txt_records=[{"value": ["v=DMARC1;", "p=none"]}],
    )


def balancers_of_two_kinds() -> None:
    """<https://learn.microsoft.com/en-us/azure/load-balancer/load-balancer-ha-ports-overview>."""
    name = f"{_HERE}/providers/Microsoft.Network/loadBalancers/lb"
    azure.network.LoadBalancer(
        "lb",
        resource_group_name="central",
        load_balancer_name="lb",
        sku={"name": "Standard"},
        frontend_ip_configurations=[
            {
                "name": "f",
                "subnet": {"id": f"{_HERE}/providers/Microsoft.Network/virtualNetworks/v/subnets/s"},
                "private_ip_allocation_method": "Static",
                "private_ip_address": "10.0.0.4",
                "zones": ["1", "2", "3"],
            }
        ],
        backend_address_pools=[{"name": "b"}],
        probes=[
            {
                "name": "p",
                "protocol": "Https",
                "port": 443,
                "request_path": "/",
                "interval_in_seconds": 5,
                "number_of_probes": 1,
            }
        ],
        load_balancing_rules=[
            {
                "name": "all",
                "protocol": "All",
                "frontend_port": 0,
                "backend_port": 0,
                "frontend_ip_configuration": {"id": f"{name}/frontendIPConfigurations/f"},
                "backend_address_pool": {"id": f"{name}/backendAddressPools/b"},
                "enable_floating_ip": True,
            }
        ],
    )
    azure.network.PublicIPAddress(
        "six",
        resource_group_name="central",
        sku={"name": "Standard"},
        public_ip_allocation_method="Static",
        public_ip_address_version="IPv6",
        ddos_settings={"protection_mode": "VirtualNetworkInherited"},
        idle_timeout_in_minutes=30,
    )


def watchers_and_alerts() -> None:
    """<https://learn.microsoft.com/en-us/azure/azure-monitor/alerts/alerts-create-log-alert-rule>."""
    place = azure.operationalinsights.Workspace(
        "w",
        resource_group_name="central",
        sku={"name": "PerGB2018"},
        retention_in_days=730,
        workspace_capping={"daily_quota_gb": -1},
        features={"enable_log_access_using_only_resource_permissions": True},
    )
    azure.monitor.DiagnosticSetting(
        "d",
        resource_uri=_HERE + "/providers/Microsoft.KeyVault/vaults/v",
        workspace_id=place.id,
        logs=[{"category_group": "audit", "enabled": True}],
        metrics=[{"category": "AllMetrics", "enabled": False}],
    )
    azure.monitor.ScheduledQueryRule(
        "q",
        resource_group_name="central",
        scopes=[place.id],
        severity=0,
        enabled=False,
        evaluation_frequency="PT5M",
        window_size="PT1H",
        criteria={
            "all_of": [
                {
                    "query": "Heartbeat | count",
                    "time_aggregation": "Count",
                    "operator": "GreaterThan",
                    "threshold": 0,
                    "failing_periods": {"number_of_evaluation_periods": 1, "min_failing_periods_to_alert": 1},
                }
            ]
        },
        auto_mitigate=False,
    )


def files_that_are_fast() -> None:
    """<https://learn.microsoft.com/en-us/azure/azure-managed-lustre/create-file-system-resource-manager>."""
    azure.storagecache.AmlFilesystem(
        "l",
        resource_group_name="central",
        aml_filesystem_name="fast",
        sku={"name": "AMLFS-Durable-Premium-250"},
        storage_capacity_ti_b=8,
        zones=["1"],
        filesystem_subnet=f"{_HERE}/providers/Microsoft.Network/virtualNetworks/v/subnets/amlfs",
        maintenance_window={"day_of_week": "Friday", "time_of_day_utc": "22:00"},
    )
    pool = azure.netapp.CapacityPool(
        "p",
        resource_group_name="central",
        account_name="a",
        service_level="Ultra",
        size=1099511627776,
        qos_type="Manual",
    )
    azure.netapp.CapacityPoolVolume(
        "v",
        resource_group_name="central",
        account_name="a",
        pool_name=pool.name.apply(lambda text: text.split("/")[-1]),
        creation_token="v-1",
        service_level="Ultra",
        usage_threshold=53687091200,
        subnet_id=f"{_HERE}/providers/Microsoft.Network/virtualNetworks/v/subnets/n",
        protocol_types=["NFSv4.1"],
        throughput_mibps=16,
    )


def templates_and_policies_as_json() -> None:
    """<https://learn.microsoft.com/en-us/azure/governance/policy/concepts/definition-structure-basics>."""
    rule = {"if": {"field": "location", "notIn": "[parameters('places')]"}, "then": {"effect": "deny"}}
    policy = azure.authorization.PolicyDefinition(
        "p",
        policy_type="Custom",
        mode="Indexed",
        policy_rule=rule,
        parameters={
            "places": {"type": "Array", "metadata": {"strongType": "location"}, "default_value": ["westeurope"]}
        },
        metadata={"category": "Own"},
    )
    azure.authorization.PolicyAssignment(
        "p",
        scope=_HERE,
        policy_definition_id=policy.id,
        enforcement_mode="DoNotEnforce",
        parameters={"places": {"value": ["westeurope", "northeurope"]}},
        not_scopes=[],
    )
    azure.resources.Deployment(
        "d",
        resource_group_name="central",
        properties={
            "mode": "Incremental",
            "template": {
                "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
                "contentVersion": "1.0.0.0",
                "resources": [],
                "outputs": {"x": {"type": "string", "value": "1"}},
            },
            "parameters": {},
        },
    )
    azure.portal.Dashboard(
        "b",
        resource_group_name="central",
        properties={"lenses": [{"order": 0, "parts": []}]},
        tags={"hidden-title": "b"},
    )


def one_program_for_two_subscriptions() -> None:
    """<https://www.pulumi.com/registry/packages/azure-native/installation-configuration/>."""
    other = azure.Provider(
        "other", subscription_id="11111111-2222-3333-4444-555555555555", location="eastus", use_oidc=True
    )
    there = pulumi.ResourceOptions(provider=other)
    group = azure.resources.ResourceGroup("there", opts=there)
    vnet = azure.network.VirtualNetwork(
        "there", resource_group_name=group.name, address_space={"address_prefixes": ["172.16.0.0/12"]}, opts=there
    )
    azure.network.VirtualNetworkPeering(
        "pair",
        resource_group_name="central",
        virtual_network_name="v",
        remote_virtual_network={"id": vnet.id},
        allow_forwarded_traffic=True,
        use_remote_gateways=False,
    )
    pulumi.export("ids", pulumi.Output.json_dumps({"group": group.id, "net": vnet.id, "again": json.dumps({"a": 1})}))


def values_that_come_late() -> None:
    """<https://www.pulumi.com/docs/iac/concepts/inputs-outputs/apply/>."""
    base = pulumi.StackReference("organization/base/prod")
    group = base.get_output("group")
    subnet = azure.network.get_subnet_output(resource_group_name=group, virtual_network_name="v", subnet_name="s")
    card = azure.network.NetworkInterface(
        "n",
        resource_group_name=group,
        ip_configurations=[
            {"name": "i", "primary": True, "private_ip_allocation_method": "Dynamic", "subnet": {"id": subnet.id}}
        ],
        enable_accelerated_networking=True,
    )
    azure.resources.TagAtScope(
        "t", scope=card.id, properties={"tags": {"net": subnet.name.apply(lambda name: f"{name}")}}
    )
