"""Encryption at rest on Google Cloud: jobs, pipelines, functions and tables."""

from __future__ import annotations

from typing import Final

from penstock.gcp.types import (
    BIGQUERY_DATASET,
    CLOUDFUNCTIONS_FUNCTION,
    CLOUDFUNCTIONSV2_FUNCTION,
    CLOUDRUNV2_JOB,
    CLOUDRUNV2_SERVICE,
    COMPOSER_ENVIRONMENT,
    DATAFLOW_FLEX_TEMPLATE_JOB,
    DATAFLOW_JOB,
    DATAFORM_REPOSITORY,
    DATAFUSION_INSTANCE,
    DATAPROC_BATCH,
    DATAPROC_CLUSTER,
    DATAPROC_METASTORE_SERVICE,
    WORKFLOWS_WORKFLOW,
)
from penstock.graph.verdict import UNKNOWN, Verdict, each
from penstock.graph.view import View
from penstock.rules.checks import Absent, All, ByType, Custom, Either, Given, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.AT_REST)

_TABLE: Final = "gcp:bigquery/table:Table"
_KEYS_OF_JOBS: Final = {
    DATAFLOW_JOB: Given("kmsKeyName"),
    DATAFLOW_FLEX_TEMPLATE_JOB: Given("kmsKeyName"),
    DATAPROC_CLUSTER: Where(
        Absent("virtualClusterConfig"),
        Given("clusterConfig.encryptionConfig.kmsKeyName"),
    ),
    DATAPROC_BATCH: Given("environmentConfig.executionConfig.kmsKey"),
    DATAPROC_METASTORE_SERVICE: Given("encryptionConfig.kmsKey"),
    COMPOSER_ENVIRONMENT: Given("config.encryptionConfig.kmsKeyName"),
    DATAFUSION_INSTANCE: Given("cryptoKeyConfig.keyReference"),
    DATAFORM_REPOSITORY: Given("kmsKeyName"),
    "gcp:essentialcontacts/documentAiProcessor:DocumentAiProcessor": Given("kmsKeyName"),
    "gcp:essentialcontacts/documentAiWarehouseLocation:DocumentAiWarehouseLocation": Given("kmsKey"),
}
_KEYS_OF_CODE: Final = {
    CLOUDFUNCTIONS_FUNCTION: Given("kmsKeyName"),
    CLOUDFUNCTIONSV2_FUNCTION: Given("kmsKeyName"),
    WORKFLOWS_WORKFLOW: Given("cryptoKeyName"),
    CLOUDRUNV2_SERVICE: Given("template.encryptionKey"),
    CLOUDRUNV2_JOB: Given("template.template.encryptionKey"),
}

RULES.row(
    "gcp-jobs-cmek",
    "Jobs, pipelines and document processors encrypt their data with a key of the customer's own.",
    on=tuple(_KEYS_OF_JOBS),
    check=ByType(_KEYS_OF_JOBS),
    severity=MEDIUM,
    rationale="Intermediate results and disks of workers lie under a key that nobody outside of Google can withdraw.",
    fix="Set kmsKeyName of Dataflow and Dataform, encryptionConfig of a Dataproc cluster, its metastore and Composer, "
    "environmentConfig.executionConfig.kmsKey of a batch, cryptoKeyConfig.keyReference of Data Fusion, kmsKeyName "
    "of a processor and kmsKey of a warehouse location; the resource is replaced.",
    peers="CKV2_GCP_22 CKV2_GCP_23 CKV_GCP_90 CKV_GCP_91",
    cis=("GCP 4.0: 8.1",),
)
RULES.row(
    "gcp-code-cmek",
    "Functions, workflows and services of Cloud Run are encrypted with a key of the customer's own.",
    on=tuple(_KEYS_OF_CODE),
    check=ByType(_KEYS_OF_CODE),
    severity=LOW,
    rationale="Code, variables and images lie under a key that nobody outside of Google can withdraw.",
    fix="Set kmsKeyName of a function, cryptoKeyName of a workflow, template.encryptionKey of a service.",
)


def _dataset_has_key(table: View, settings: Settings) -> Verdict:
    """Return whether the table's data set gives new tables a key."""
    sources = {source.urn for source in table.sources("datasetId", BIGQUERY_DATASET)}
    given = table.site.of_type(BIGQUERY_DATASET)
    datasets = [it for it in given if it.urn in sources] or [
        it for it in given if it.text("datasetId") == table.text("datasetId")
    ]
    if not datasets:
        return UNKNOWN
    return each(datasets, lambda it: Given("defaultEncryptionConfiguration.kmsKeyName").judge(it, settings))


RULES.row(
    "gcp-bq-table-cmek",
    "A table of BigQuery is encrypted with a key of the customer's own.",
    on=_TABLE,
    check=Where(
        All(Absent("view"), Absent("externalDataConfiguration")),
        Either(Given("encryptionConfiguration.kmsKeyName"), Custom(_dataset_has_key, others=True)),
    ),
    severity=LOW,
    rationale="Rows stay readable as long as Google keeps its key, whatever happened to the project.",
    fix="Set encryptionConfiguration.kmsKeyName, or defaultEncryptionConfiguration.kmsKeyName of its Dataset.",
    peers="CKV_GCP_80",
    cis=("GCP 4.0: 7.2",),
)
