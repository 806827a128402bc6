"""New repositories: the files that `penstock init` writes.

`templates/project` has the files of every repository, `templates/ci/NAME` those of one CI system. A new folder below
`templates/ci` is offered by `--ci` without a change to the code.

Every file of a folder is rendered by Jinja and written to the same relative path. GitHub and GitLab use curly braces
themselves, so templates write `[[ variable ]]`, `[% block %]` and `[# comment #]`. In a path, `[[ variable ]]` is
rendered, a part that begins with `dot_` begins with a dot (`dot_github` becomes `.github`), and a final `.jinja` is
dropped. A template that renders to white space only is not written.

| Variable | Example |
|---|---|
| project | acme-ai |
| stack | dev |
| cloud | aws |
| accelerator | h100 |
| region | us-east-1; empty for an existing cluster |
| requirement | penstock-iac[aws,preflight-aws]==0.1.0, what pip installs |
| penstock | 0.1.0, its version |
| python | 3.12 |
"""
