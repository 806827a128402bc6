"""No command ends without a verdict: whatever happens to it, its status is not 0 and a line says what happened."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.patience import LONGEST_S, becomes, timeouts

pytestmark = pytest.mark.slow

FORMATS = ("text", "json", "sarif", "junit", "markdown")
COMMAND = (sys.executable, "-m", "penstock")
FOREVER = "import time\nwhile True:\n    time.sleep(0.1)\n"
Project = Callable[[str], Path]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Writes a project with a program."""

    def write(program: str) -> Path:
        (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
        (tmp_path / "__main__.py").write_text(program)
        return tmp_path

    return write


def run(folder: Path, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    command = [*COMMAND, *arguments]
    return subprocess.run(command, cwd=folder, check=False, text=True, timeout=LONGEST_S, **given)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import os\nos._exit(0)\n", "ended the whole process with status 0"),
        ("import os\nos._exit(1)\n", "ended the whole process with status 1"),
        ("import os\nos.abort()\n", "killed by SIGABRT"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", "where memory runs out"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\nwhile True: pass\n", "killed by SIGTERM"),
    ],
)
def test_a_program_that_takes_the_process_with_it_leaves_no_success(project: Project, program: str, words: str) -> None:
    done = run(project(program), "check", ".", "--stack", "dev")

    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("form", FORMATS)
def test_so_it_is_in_every_format_and_in_a_file(project: Project, form: str, tmp_path: Path) -> None:
    folder = project("import os\nos._exit(0)\n")
    (tmp_path / "old").write_text("no findings")

    done = run(folder, "rehearse", ".", "--stack", "dev", "--format", form, "--out", "old")

    assert done.returncode == 2
    if form != "text":
        assert "RUN-008" in (folder / "old").read_text() or "before there was a result" in (folder / "old").read_text()
    if form in ("json", "sarif"):
        json.loads((folder / "old").read_text())


@pytest.mark.parametrize("program", [FOREVER, "import re\nimport os\nre.match('(a+)+b', 'a' * 60)\n"])
def test_a_program_that_never_ends_is_ended_and_shows_its_line(project: Project, program: str) -> None:
    folder = project(f"import pathlib; pathlib.Path('running').touch(); {program}")
    for seconds in timeouts():
        done = run(folder, "check", ".", "--stack", "dev", "--timeout", str(seconds), "--format", "json")
        (finding,) = json.loads(done.stdout)["findings"]
        assert (done.returncode, finding["code"]) == (2, "RUN-008")
        assert f"did not end within {seconds} s" in done.stderr
        if (folder / "running").exists():
            break

    assert (finding["file"], finding["line"] in (2, 3)) == ("__main__.py", True)


def test_a_thread_that_a_program_leaves_behind_keeps_nothing_waiting(project: Project) -> None:
    program = "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\n"

    assert run(project(program), "check", ".", "--stack", "dev").returncode == 0


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """A command that runs, once its program does."""
    command = [*COMMAND, *arguments]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert becomes((folder / "running").exists), "the program has not begun"
    return process


RUNNING = f"import os, pathlib\npathlib.Path(os.environ.get('MARK', 'running')).touch()\n{FOREVER}"


@pytest.mark.parametrize(
    ("number", "status", "words"), [(signal.SIGINT, 130, "Interrupted"), (signal.SIGTERM, 2, "ended by SIGTERM")]
)
def test_a_signal_ends_a_command_with_a_line(project: Project, number: int, status: int, words: str) -> None:
    process = started(project(RUNNING), "check", ".", "--stack", "dev", "--format", "json")

    process.send_signal(number)
    out, err = process.communicate(timeout=LONGEST_S)

    assert process.returncode == status
    assert words in err
    assert not out or json.loads(out)["ok"] is False


@pytest.fixture
def base(project: Project, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in git, whose program never ends, and a folder of its own for temporary files."""
    folder = project(RUNNING)
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("tmp")))
    monkeypatch.setenv("MARK", str(folder / "running"))
    for command in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm first"):
        subprocess.run(["git", *command.split()], cwd=folder, check=True, capture_output=True)
    return folder


def left() -> list[Path]:
    """The folders of commands among the temporary files."""
    return list(Path(os.environ["TMPDIR"]).glob("penstock-*"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_no_sources_are_left_behind(base: Path, number: int) -> None:
    process = started(base, "diff", ".", "--stack", "dev", "--base", "HEAD")
    during = left()

    process.send_signal(number)
    process.communicate(timeout=LONGEST_S)

    assert during
    assert not left()


def test_nor_by_a_child_that_is_killed(base: Path) -> None:
    process = started(base, "diff", ".", "--stack", "dev", "--base", "HEAD")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        process.kill()
        pytest.skip("the children of a process are not shown here")

    os.kill(int(children.read_text().split()[0]), signal.SIGKILL)
    _, err = process.communicate(timeout=LONGEST_S)

    assert (process.returncode, "SIGKILL" in err) == (2, True)
    assert not left()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("form", FORMATS)
def test_a_full_disk_is_no_success(project: Project, form: str) -> None:
    folder = project("")
    with Path("/dev/full").open("w") as full:
        printed = run(folder, "check", ".", "--stack", "dev", "--format", form, stdout=full)
        both = run(folder, "check", ".", "--stack", "dev", "--format", form, stdout=full, stderr=full)
    written = run(folder, "check", ".", "--stack", "dev", "--format", form, "--out", "/dev/full")

    assert (printed.returncode, both.returncode, written.returncode) == (2, 2, 2)
    assert "no space left on device" in written.stderr
    assert "Traceback" not in written.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("command", ["--help", "--version", "schema", "policy-pack"])
def test_nor_is_it_for_what_rehearses_nothing(tmp_path: Path, command: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = run(tmp_path, command, stdout=full)

    assert done.returncode == 2
    assert "no space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("form", FORMATS)
def test_a_pipe_that_nobody_reads_is_no_success(project: Project, form: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)

    done = run(
        project(""), "check", ".", "--stack", "dev", "--format", form,
        stdout=writer,
    )  # fmt: skip
    os.close(writer)

    assert done.returncode == 2
    assert done.stderr == "standard output cannot be written: broken pipe\n"


@pytest.mark.parametrize("endless", ["/dev/zero", "/dev/urandom"])
def test_an_endless_input_is_refused_at_once(tmp_path: Path, endless: str) -> None:
    named = run(tmp_path, "audit", endless, "--format", "json")
    with Path(endless).open() as stream:
        piped = run(tmp_path, "audit", "-", stdin=stream)

    assert (named.returncode, json.loads(named.stdout)["ok"], piped.returncode) == (2, False, 2)
    assert "Traceback" not in named.stderr + piped.stderr


def test_a_state_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from penstock.core.errors import UnusableState
    from penstock.simulate import exported_state

    file = tmp_path / "state.json"
    file.write_text('{"a": "' + "x" * 5000)
    monkeypatch.setattr(exported_state, "_MOST_CHARACTERS", 4500)

    with pytest.raises(UnusableState, match="larger than"):
        exported_state.read_export(file)


@pytest.mark.parametrize("kind", ["directory", "pipe", "link", "loop"])
def test_a_stack_file_that_cannot_be_read_is_not_taken_for_none(project: Project, kind: str) -> None:
    folder = project("")
    file = folder / "Pulumi.dev.yaml"
    make: dict[str, Callable[[], None]] = {
        "directory": file.mkdir,
        "pipe": lambda: os.mkfifo(file),
        "link": lambda: file.symlink_to("nowhere"),
        "loop": lambda: file.symlink_to(file),
    }
    make[kind]()

    done = run(folder, "check", ".", "--stack", "dev")

    assert done.returncode == 2
    assert "Pulumi.dev.yaml" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_error_without_a_text_and_a_folder_that_is_gone_are_reported(project: Project, tmp_path: Path) -> None:
    folder = project("class Odd(Exception):\n    def __str__(self): raise ValueError\n\nraise Odd\n")
    (tmp_path / "gone").mkdir()
    command = f"rmdir ../gone; exec {' '.join(COMMAND)} check x"

    odd = run(folder, "check", ".", "--stack", "dev", "--format", "json")
    gone = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path / "gone", capture_output=True, text=True, check=False, timeout=LONGEST_S
    )

    assert (odd.returncode, gone.returncode) == (2, 2)
    assert "__main__.py:4" in odd.stderr
    assert json.loads(odd.stdout)["ok"] is False
    assert "Traceback" not in odd.stderr + gone.stderr


def test_a_fault_of_penstock_itself_is_none_of_the_findings(
    penstock: Callable[..., tuple[int, str, str]], project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penstock.simulate.environment.Environment.located", lambda *_: 1 / 0)

    status, out, err = penstock("check", project(""), "--stack", "dev", "--format", "json")

    assert status == 2
    assert [each["code"] for each in json.loads(out)["findings"]] == ["RUN-009"]
    assert "report this as a defect" in err


def checked(folder: Path, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return run(folder, "check", ".", "--stack", "dev", *arguments, **options)


@pytest.mark.parametrize("form", FORMATS)
def test_a_closed_standard_output_is_no_success(project: Project, form: str) -> None:
    command = f"exec {' '.join(COMMAND)} check . --stack dev --format {form} >&-"

    done = subprocess.run(["sh", "-c", command], cwd=project(""), capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (2, "standard output cannot be written: bad file descriptor\n")


@pytest.mark.parametrize("seconds", ["0.01", "0.5", "0.8", "1", "1.2"])
def test_there_is_one_result_whenever_the_time_is_over(project: Project, seconds: str) -> None:
    done = checked(project(""), "--timeout", seconds, "--format", "json")

    assert json.loads(done.stdout)["ok"] is (done.returncode == 0)


@pytest.mark.parametrize("seconds", ["inf", "nan", "1e300", "10000000000", "0", "-1"])
def test_a_time_that_is_none_is_refused(project: Project, seconds: str) -> None:
    done = checked(project(""), "--timeout", seconds)

    assert done.returncode == 2
    assert "--timeout" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["SIGALRM", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGXCPU", "SIGVTALRM", "SIGPROF"])
def test_whatever_signal_ends_a_command_leaves_a_line(project: Project, name: str) -> None:
    process = started(project(RUNNING), "check", ".", "--stack", "dev", "--format", "json")

    process.send_signal(signal.Signals[name])
    out, err = process.communicate(timeout=LONGEST_S)

    assert (process.returncode, json.loads(out)["ok"]) == (2, False)
    assert f"ended by {name}" in err


def test_an_interrupt_of_the_programs_own_is_its_failure(project: Project) -> None:
    done = checked(project("x = 1\nraise KeyboardInterrupt\n"), "--format", "json")

    (finding,) = json.loads(done.stdout)["findings"]
    assert (done.returncode, finding["file"], finding["line"]) == (2, "__main__.py", 2)
    assert "KeyboardInterrupt" in done.stderr


def test_processes_of_a_program_end_with_it(project: Project) -> None:
    begin = "import pathlib, subprocess\nchild = subprocess.Popen(['sleep', '300'])\n"
    folder = project(f"{begin}pathlib.Path('child').write_text(str(child.pid))\n{FOREVER}")

    for seconds in timeouts():
        done = checked(folder, "--timeout", str(seconds))
        if (folder / "child").exists():
            break

    child = Path("/proc", (folder / "child").read_text(), "stat")
    assert done.returncode == 2
    assert not child.exists() or child.read_text().split()[2] == "Z"


def test_a_program_does_not_write_into_the_result(project: Project) -> None:
    program = (
        "import os\nfor each in range(3, 64):\n    try:\n        os.write(each, b'noise')\n    except OSError: pass\n"
    )

    done = checked(project(program), "--format", "json")

    assert "noise" not in done.stdout
    assert json.loads(done.stdout)["ok"] is (done.returncode == 0)


def test_a_pipe_that_nobody_writes_to_is_no_export(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    done = run(tmp_path, "audit", "pipe", "--format", "json")

    assert (done.returncode, json.loads(done.stdout)["ok"]) == (2, False)
    assert "nobody writes" in done.stderr


def test_a_pipe_that_somebody_writes_to_is_read(tmp_path: Path) -> None:
    command = f"{' '.join(COMMAND)} audit <(sleep 2; echo '{{\"version\": 9}}')"

    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert "has version 9" in done.stderr


@pytest.mark.parametrize("module", ["typer", "penstock.simulate.supervision", "yaml"])
def test_ctrl_c_while_the_command_is_still_starting_ends_it_with_a_line(
    project: Project, tmp_path_factory: pytest.TempPathFactory, module: str
) -> None:
    folder = project("")
    pressed = tmp_path_factory.mktemp("pressed")
    (pressed / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "STARTED = os.getpid()\n"  # the one that a person started, whichever process imports the module
        "class Pressing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(STARTED, signal.SIGINT)\n"
        "sys.meta_path.insert(0, Pressing())\n"
    )
    paths = os.pathsep.join([str(pressed), *sys.path])

    done = run(folder, "check", ".", "--stack", "dev", env={**os.environ, "PYTHONPATH": paths})

    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.split() == ["Interrupted.", "Nothing", "was", "created."]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "program",
    [
        "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n",
        (
            "import os, resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
            "try:\n    while True:\n        os.dup(0)\nexcept OSError:\n    pass\n"
        ),
    ],
)
def test_a_program_that_leaves_no_room_for_files_is_reported(project: Project, program: str, form: str) -> None:
    done = run(project(program), "rehearse", ".", "--stack", "dev", "--format", form)

    assert done.returncode == 2
    assert "left no room for open files" in done.stderr
    assert form == "text" or "left no room for open files" in done.stdout


@pytest.mark.parametrize("arguments", [["check", ".", "--stack", "dev"], ["schema"], ["check", "nowhere"]])
def test_a_command_that_can_write_nothing_at_all_ends_with_its_status(project: Project, arguments: list[str]) -> None:
    closed = f"{shlex.join([*COMMAND, *arguments])} >&- 2>&-"

    done = subprocess.run(["sh", "-c", closed], cwd=project(""), check=False, timeout=LONGEST_S)

    assert done.returncode == 2
