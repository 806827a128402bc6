"""The command `penstock jobs`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from penstock.cli.options import HERE, Env, Stack


class ManifestFormat(StrEnum):
    """How manifests are written."""

    YAML = "yaml"
    JSON = "json"


def jobs(
    env: Env = HERE,
    stack: Stack = None,
    *,
    pool: Annotated[str | None, typer.Option(help="The pool; by default the first that fits the template.")] = None,
    template: Annotated[
        str | None,
        typer.Option(metavar="ddp|fsdp|megatron|jax|mpi|neuron", help="What runs; by default what fits the pool."),
    ] = None,
    nodes: Annotated[int | None, typer.Option(help="Nodes; by default as many as the pool always has.")] = None,
    name: Annotated[str, typer.Option(help="The name of the job.")] = "train",
    team: Annotated[str | None, typer.Option(help="The team whose queue it waits in.")] = None,
    namespace: Annotated[
        str | None, typer.Option(help="Where it runs; by default that of the team, or `default` without teams.")
    ] = None,
    image: Annotated[str | None, typer.Option(help="The image; by default that of the template.")] = None,
    checkpoints: Annotated[
        str | None,
        typer.Option(
            metavar="DIRECTORY|ADDRESS",
            help="Where it saves checkpoints, such as /scratch/run or s3://BUCKET/run; by default the best storage.",
        ),
    ] = None,
    tensor: Annotated[int, typer.Option(help="With megatron: GPUs that hold one layer together.")] = 1,
    pipeline: Annotated[int, typer.Option(help="With megatron: groups of layers, one after the other.")] = 1,
    submit: Annotated[bool, typer.Option("--submit", help="Apply it with kubectl instead of printing it.")] = False,
    format_: Annotated[ManifestFormat, typer.Option("--format", help="YAML, or JSON.")] = ManifestFormat.YAML,
) -> None:
    """Print a ready job for a pool of ENV: selectors, tolerations, devices, claims and variables."""
    from penstock.app.description import description_at
    from penstock.jobs import JobRequest, Template, job_manifests, job_notes, namespace_for

    if template is not None and template not in tuple(Template):
        raise typer.BadParameter(f"{template!r} is not a template; use one of {', '.join(Template)}")
    spec = description_at(env, stack)
    request = JobRequest(
        pool=pool,
        template=Template(template) if template is not None else None,
        nodes=nodes,
        name=name,
        namespace=namespace_for(spec, team=team, namespace=namespace),
        image=image,
        checkpoints=checkpoints,
        tensor=tensor,
        pipeline=pipeline,
    )
    text = _written(job_manifests(spec, request), format_)
    if submit:
        from penstock.jobs.submit import submit as apply

        text = apply(spec, text)
    sys.stdout.write(text)
    for note in job_notes(spec, request):
        typer.echo(note, err=True)


def _written(manifests: Sequence[object], format_: ManifestFormat) -> str:
    if format_ is ManifestFormat.JSON:
        import json

        return json.dumps({"apiVersion": "v1", "kind": "List", "items": manifests}, indent=2) + "\n"
    import yaml

    return yaml.safe_dump_all(manifests, sort_keys=False, width=120)
