"""Workloads that are right by the documentation of Kubernetes and seldom seen."""

from __future__ import annotations

from typing import Any

import pulumi
import pulumi_kubernetes as k8s
import pulumi_random as random

_INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']"


def _pod(name: str, **spec: Any) -> None:
    given: Any = {"containers": [{"name": "a", "image": "busybox:1.37"}], **spec}
    k8s.core.v1.Pod(name, spec=given)


def probes_by_names_of_ports() -> None:
    """<https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/>."""
    _pod(
        "probed",
        containers=[
            {
                "name": "a",
                "image": "nginx",
                "ports": [
                    {"name": "liveness-port", "container_port": 8080},
                    {"container_port": 8080, "protocol": "UDP"},
                ],
                "liveness_probe": {"http_get": {"path": "/healthz", "port": "liveness-port"}},
                "startup_probe": {"failure_threshold": 30, "tcp_socket": {"port": 8080}},
                "readiness_probe": {"grpc": {"port": 2379, "service": ""}, "success_threshold": 3},
                "lifecycle": {"pre_stop": {"sleep": {"seconds": 5}}, "post_start": {"exec_": {"command": ["true"]}}},
            }
        ],
    )


def containers_that_start_first_and_stay() -> None:
    """<https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/>."""
    k8s.batch.v1.Job(
        "sidecar",
        spec={
            "template": {
                "spec": {
                    "restart_policy": "Never",
                    "init_containers": [
                        {
                            "name": "logs",
                            "image": "alpine",
                            "restart_policy": "Always",
                            "command": ["tail", "-F", "/l"],
                            "startup_probe": {"exec_": {"command": ["true"]}},
                        }
                    ],
                    "containers": [{"name": "a", "image": "alpine"}],
                }
            }
        },
    )


def jobs_by_index_with_rules_for_failures() -> None:
    """<https://kubernetes.io/docs/tasks/job/pod-failure-policy/>."""
    k8s.batch.v1.Job(
        "indexed",
        spec={
            "completions": 8,
            "parallelism": 3,
            "completion_mode": "Indexed",
            "backoff_limit_per_index": 1,
            "max_failed_indexes": 5,
            "ttl_seconds_after_finished": 0,
            "pod_failure_policy": {
                "rules": [
                    {
                        "action": "FailJob",
                        "on_exit_codes": {"container_name": "main", "operator": "In", "values": [42]},
                    },
                    {"action": "Ignore", "on_pod_conditions": [{"type": "DisruptionTarget", "status": "True"}]},
                ]
            },
            "template": {
                "spec": {
                    "restart_policy": "Never",
                    "subdomain": "workers",
                    "containers": [
                        {
                            "name": "main",
                            "image": "bash:5",
                            "env": [{"name": "I", "value_from": {"field_ref": {"field_path": _INDEX}}}],
                        }
                    ],
                }
            },
        },
    )
    k8s.batch.v1.Job(
        "queue",
        spec={
            "parallelism": 2,
            "suspend": True,
            "active_deadline_seconds": 100,
            "manual_selector": False,
            "template": {"spec": {"restart_policy": "OnFailure", "containers": [{"name": "c", "image": "a/b"}]}},
        },
    )
    k8s.batch.v1.Job(
        "success",
        spec={
            "completions": 10,
            "parallelism": 10,
            "completion_mode": "Indexed",
            "success_policy": {"rules": [{"succeeded_indexes": "0,2-3", "succeeded_count": 1}]},
            "template": {"spec": {"restart_policy": "Never", "containers": [{"name": "c", "image": "a/b"}]}},
        },
    )


def times_in_unusual_words() -> None:
    """<https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/>."""
    for n, when in enumerate(
        [
            "@hourly",
            "@yearly",
            "0 3 * * 1-5",
            "*/15 0,12 1 JAN,JUL ?",
            "0 0 13 * 5",
            "5-59/10 * * * SUN",
            "@every 1h30m",
        ]
    ):
        k8s.batch.v1.CronJob(
            f"c{n}",
            spec={
                "schedule": when,
                "time_zone": "Etc/UTC",
                "concurrency_policy": "Replace",
                "successful_jobs_history_limit": 0,
                "starting_deadline_seconds": 0,
                "job_template": {
                    "spec": {
                        "backoff_limit": 0,
                        "template": {
                            "spec": {"restart_policy": "Never", "containers": [{"name": "a", "image": "busybox"}]}
                        },
                    }
                },
            },
        )


def sets_with_storage_of_their_own() -> None:
    """<https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/>."""
    service = k8s.core.v1.Service(
        "web",
        spec={
            "cluster_ip": "None",
            "selector": {"app": "nginx"},
            "ports": [{"port": 80, "name": "web"}],
            "publish_not_ready_addresses": True,
        },
    )
    k8s.apps.v1.StatefulSet(
        "web",
        spec={
            "service_name": service.metadata.name,
            "replicas": 2,
            "ordinals": {"start": 5},
            "pod_management_policy": "Parallel",
            "min_ready_seconds": 10,
            "selector": {"match_labels": {"app": "nginx"}},
            "update_strategy": {"type": "RollingUpdate", "rolling_update": {"partition": 7, "max_unavailable": "40%"}},
            "persistent_volume_claim_retention_policy": {"when_deleted": "Retain", "when_scaled": "Delete"},
            "template": {
                "metadata": {"labels": {"app": "nginx"}},
                "spec": {
                    "termination_grace_period_seconds": 0,
                    "containers": [
                        {
                            "name": "nginx",
                            "image": "registry.k8s.io/nginx-slim:0.24",
                            "volume_mounts": [{"name": "www", "mount_path": "/x", "sub_path_expr": "$(HOSTNAME)"}],
                            "env": [{"name": "HOSTNAME", "value": "h"}],
                        }
                    ],
                },
            },
            "volume_claim_templates": [
                {
                    "metadata": {"name": "www"},
                    "spec": {
                        "access_modes": ["ReadWriteOncePod"],
                        "storage_class_name": "",
                        "volume_mode": "Filesystem",
                        "resources": {"requests": {"storage": "1Gi"}},
                    },
                }
            ],
        },
    )


def volumes_of_many_kinds() -> None:
    """<https://kubernetes.io/docs/concepts/storage/volumes/>."""
    mounts = [{"name": f"v{n}", "mount_path": f"/v{n}", "read_only": n > 1} for n in range(7)]
    _pod(
        "volumes",
        containers=[
            {
                "name": "a",
                "image": "busybox",
                "volume_mounts": mounts,
                "volume_devices": [{"name": "raw", "device_path": "/dev/xvda"}],
            }
        ],
        volumes=[
            {"name": "v0", "empty_dir": {"medium": "Memory", "size_limit": "500Mi"}},
            {"name": "v1", "host_path": {"path": "/var/log", "type": ""}},
            {
                "name": "v2",
                "projected": {
                    "sources": [
                        {"service_account_token": {"path": "t", "audience": "vault", "expiration_seconds": 600}},
                        {"downward_api": {"items": [{"path": "l", "field_ref": {"field_path": "metadata.labels"}}]}},
                        {"config_map": {"name": "kube-root-ca.crt"}},
                    ]
                },
            },
            {
                "name": "v3",
                "ephemeral": {
                    "volume_claim_template": {
                        "spec": {"access_modes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
                    }
                },
            },
            {"name": "v4", "image": {"reference": "quay.io/crio/artifact:v2", "pull_policy": "IfNotPresent"}},
            {"name": "v5", "nfs": {"server": "10.0.0.1", "path": "/"}},
            {"name": "v6", "csi": {"driver": "inline.example.com", "volume_attributes": {"a": "b"}}},
            {"name": "raw", "persistent_volume_claim": {"claim_name": "block"}},
        ],
    )


def one_volume_in_two_paths() -> None:
    """<https://kubernetes.io/docs/concepts/storage/volumes/#using-subpath>."""
    _pod(
        "paths",
        volumes=[{"name": "site"}],
        containers=[
            {
                "name": "mysql",
                "image": "mysql:8",
                "env": [{"name": "MYSQL_ROOT_PASSWORD", "value": "rootpasswd"}],
                "volume_mounts": [{"mount_path": "/var/lib/mysql", "name": "site", "sub_path": "mysql"}],
            },
            {
                "name": "php",
                "image": "php:8-apache",
                "volume_mounts": [
                    {"mount_path": "/var/www/html", "name": "site", "sub_path": "html"},
                    {"mount_path": "/var/www", "name": "site", "recursive_read_only": "Disabled"},
                ],
            },
        ],
    )


def pods_on_every_machine() -> None:
    """<https://kubernetes.io/docs/tasks/manage-daemon/update-daemon-set/>."""
    k8s.apps.v1.DaemonSet(
        "agent",
        metadata={"namespace": "kube-system"},
        spec={
            "selector": {"match_expressions": [{"key": "name", "operator": "Exists"}]},
            "update_strategy": {"type": "RollingUpdate", "rolling_update": {"max_surge": "30%", "max_unavailable": 0}},
            "template": {
                "metadata": {"labels": {"name": "agent"}},
                "spec": {
                    "host_network": True,
                    "dns_policy": "ClusterFirstWithHostNet",
                    "priority_class_name": "system-node-critical",
                    "tolerations": [
                        {"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"},
                        {"effect": "NoExecute", "operator": "Exists"},
                    ],
                    "containers": [{"name": "a", "image": "fluentd", "security_context": {"privileged": True}}],
                },
            },
        },
    )
    k8s.apps.v1.DaemonSet(
        "manual",
        spec={
            "selector": {"match_labels": {"a": "b"}},
            "update_strategy": {"type": "OnDelete"},
            "template": {
                "metadata": {"labels": {"a": "b"}},
                "spec": {
                    "containers": [
                        {
                            "name": "a",
                            "image": "x",
                            "ports": [{"container_port": 9100, "host_port": 9100, "host_ip": "127.0.0.1"}],
                        }
                    ]
                },
            },
        },
    )


def places_wanted_and_shunned() -> None:
    """<https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/>."""
    _pod(
        "placed",
        affinity={
            "node_affinity": {
                "required_during_scheduling_ignored_during_execution": {
                    "node_selector_terms": [
                        {
                            "match_expressions": [
                                {"key": "cores", "operator": "Gt", "values": ["4"]},
                                {"key": "x", "operator": "DoesNotExist"},
                            ]
                        },
                        {"match_fields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]},
                    ]
                }
            },
            "pod_anti_affinity": {
                "preferred_during_scheduling_ignored_during_execution": [
                    {
                        "weight": 100,
                        "pod_affinity_term": {
                            "topology_key": "kubernetes.io/hostname",
                            "namespace_selector": {},
                            "label_selector": {"match_labels": {"a": "b"}},
                            "match_label_keys": ["pod-template-hash"],
                        },
                    }
                ]
            },
        },
        topology_spread_constraints=[
            {
                "max_skew": 1,
                "topology_key": "topology.kubernetes.io/zone",
                "when_unsatisfiable": "ScheduleAnyway",
                "label_selector": {},
            },
            {
                "max_skew": 2,
                "min_domains": 3,
                "topology_key": "rack",
                "when_unsatisfiable": "DoNotSchedule",
                "node_taints_policy": "Honor",
                "label_selector": {"match_labels": {"a": "b"}},
            },
        ],
        scheduling_gates=[{"name": "example.com/foo"}],
        tolerations=[{"key": "k", "operator": "Exists", "effect": "NoExecute", "toleration_seconds": 0}],
    )


def rights_of_containers() -> None:
    """<https://kubernetes.io/docs/tasks/configure-pod-container/security-context/>."""
    _pod(
        "rights",
        security_context={
            "run_as_user": 0,
            "fs_group": 2000,
            "supplemental_groups": [4000],
            "fs_group_change_policy": "OnRootMismatch",
            "sysctls": [
                {"name": "kernel.shm_rmid_forced", "value": "0"},
                {"name": "net/ipv4/ip_local_port_range", "value": "1024 65535"},
            ],
            "seccomp_profile": {"type": "Localhost", "localhost_profile": "p/a.json"},
        },
        host_users=False,
        containers=[
            {
                "name": "a",
                "image": "busybox",
                "security_context": {
                    "run_as_non_root": True,
                    "run_as_user": 1000,
                    "capabilities": {"add": ["NET_ADMIN", "ALL"], "drop": ["ALL"]},
                    "proc_mount": "Default",
                    "app_armor_profile": {"type": "Unconfined"},
                },
            }
        ],
        os={"name": "linux"},
        share_process_namespace=True,
        dns_policy="None",
        dns_config={
            "nameservers": ["192.0.2.1"],
            "searches": ["ns1.svc.cluster-domain.example", "."],
            "options": [{"name": "ndots", "value": "2"}],
        },
        host_aliases=[{"ip": "::1", "hostnames": ["a.b"]}],
        enable_service_links=False,
    )


def names_with_random_ends() -> None:
    """<https://kubernetes.io/docs/concepts/overview/working-with-objects/names/>."""
    pet = random.RandomPet("pet", length=2)
    end = random.RandomString("end", length=5, special=False, upper=False)
    space = k8s.core.v1.Namespace(
        "space",
        metadata={
            "name": pulumi.Output.format("team-{0}-{1}", pet.id, end.result),
            "labels": {"kubernetes.io/metadata.name": pulumi.Output.format("team-{0}-{1}", pet.id, end.result)},
        },
    )
    k8s.core.v1.Secret(
        "s",
        metadata={"namespace": space.metadata["name"], "name": end.result.apply(lambda text: f"a.{text}.0")},
        string_data={"k": pulumi.Output.secret("v")},
        type="example.com/own",
        immutable=True,
    )
    k8s.core.v1.ServiceAccount("a", metadata={"namespace": space.id, "name": "0"}, image_pull_secrets=[{"name": "s"}])
