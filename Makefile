# `make rehearse` and `make test` each set up all they need on a machine with Python 3.11+, pip and a package index.

PYTHON ?= python3
ENV ?= aws-train
BASE ?= origin/main

LANE ?= -m "not hypothesis and not exhaustive and not nightly and not cluster"

VENV := .venv
PIP := $(PYTHON) -m pip --python $(VENV)/bin/python --disable-pip-version-check --quiet
AZURE := authorization|compute|consumption|containerregistry|containerservice|dbforpostgresql|keyvault|managedidentity|network|privatedns|resources|storage|storagecache
EXTRAS := --extra aws --extra gcp --extra azure --extra kubernetes --extra random --group build --group test --group lint

.PHONY: rehearse check test test-browser test-cluster test-engine pulumi-cli coverage lint docs bench clean

rehearse: $(VENV)/ready  ## run the whole `pulumi up` of ENV against simulated clouds
	@$(VENV)/bin/penstock rehearse $(ENV)

check: $(VENV)/ready  ## check style and run the fast tests, in less than a minute, as you work
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/python -m pytest -n auto --dist loadfile -m "not slow and not exhaustive and not hypothesis and not cluster" --quiet

test: $(VENV)/ready  ## run the tests, but for those that try random cases, every page or all data
	@$(VENV)/bin/python -m pytest -n auto --dist loadfile $(LANE)

test-cluster: $(VENV)/ready  ## build a Kubernetes control plane from Go modules, once, and run what is tested on it
	@PYTHONPATH=. $(VENV)/bin/python -m tests.cluster.binaries
	@PYTHONPATH=. $(VENV)/bin/python -m pytest -m cluster tests/cluster

test-engine: pulumi-cli $(VENV)/ready  ## run the tests under the Pulumi CLI of this machine, against simulated clouds
	@$(VENV)/bin/python -m pytest tests/engine

pulumi-cli:
	@command -v pulumi > /dev/null && command -v pulumi-language-python > /dev/null || \
	  { echo "make test-engine needs the Pulumi CLI and pulumi-language-python on the PATH: https://www.pulumi.com/docs/install/" >&2; exit 2; }

test-browser: $(VENV)/ready  ## look at the HTML report in the Chromium of this machine (apt-get install chromium)
	@$(PIP) install "playwright>=1.65"
	@$(VENV)/bin/python -m pytest tests/report/browser

coverage:  ## run `make test` with every test, and fail where the fast ones run fewer branches than before
	@$(MAKE) --no-print-directory test LANE='-m "not slow and not exhaustive and not hypothesis and not cluster" --cov --cov-report=term'
	@$(MAKE) --no-print-directory test LANE='-m "(slow or exhaustive or hypothesis) and not cluster"'

lint: $(VENV)/ready  ## check style and types
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy

docs: $(VENV)/docs  ## build the site, reference pages included, into site/
	@PYTHONWARNINGS=ignore::DeprecationWarning $(VENV)/bin/mkdocs build --strict

bench: $(VENV)/ready  ## measure the environments, also against BASE, rehearsals beside the SDK's own mocks, what rules, policies and diff cost, which types have rules, which types and machines have prices, and what slips are caught
	@PYTHONPATH=. $(VENV)/bin/python tests/benchmarks/environments.py
	@$(VENV)/bin/python tests/benchmarks/rehearsal.py
	@$(VENV)/bin/python tests/benchmarks/html_report.py
	@PYTHONPATH=. $(VENV)/bin/python tests/benchmarks/judgement.py
	@PYTHONPATH=. $(VENV)/bin/python tests/benchmarks/mutations.py
	@PYTHONPATH=. $(VENV)/bin/python tests/benchmarks/policies.py
	@PYTHONPATH=. $(VENV)/bin/python tests/benchmarks/rule_coverage.py
	@PYTHONPATH=. $(VENV)/bin/python tests/benchmarks/price_coverage.py
	@PYTHONPATH=. $(VENV)/bin/python tests/benchmarks/machine_prices.py
	@PYTHONPATH=. $(VENV)/bin/python tests/benchmarks/weakenings.py
	@PYTHONPATH=. $(VENV)/bin/python tests/benchmarks/checkov.py
	@PYTHONPATH=. $(VENV)/bin/python tests/benchmarks/peers.py
	@PYTHONPATH=. $(VENV)/bin/python tests/benchmarks/sizing_errors.py $(BASE)
	@$(VENV)/bin/python tests/benchmarks/instructions.py $(BASE)

clean:  ## remove the virtual environment
	rm -rf $(VENV)

# pip installs what uv has locked, so that whatever package index pip is set up for is used. The SDKs are compiled here,
# once: they import three times faster so; of Azure's, which has 300 modules, those that our components import.
$(VENV)/ready: pyproject.toml uv.lock
	@echo "Setting up $(VENV): a minute or two, once."
	@$(PYTHON) -m venv --clear --without-pip $(VENV)
	@$(PIP) install pip uv
	@$(VENV)/bin/uv export --quiet --frozen --no-emit-project $(EXTRAS) --output-file $(VENV)/requirements.txt
	@$(PIP) install --no-compile --no-deps --require-hashes --requirement $(VENV)/requirements.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(VENV)/bin/python -m compileall -qq -j 0 -x 'pulumi_azure_native/(?!__init__|($(AZURE))/)' $(VENV)/lib components
	@touch $@

$(VENV)/docs: $(VENV)/ready
	@$(VENV)/bin/uv export --quiet --frozen --only-group docs --output-file $(VENV)/docs.txt
	@$(PIP) install --no-compile --no-deps --require-hashes --requirement $(VENV)/docs.txt
	@touch $@
