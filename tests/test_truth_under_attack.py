"""No program decides its own verdict, and nothing that it starts or writes is left when its command has ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.patience import LONGEST_S, becomes, timeouts

pytestmark = pytest.mark.slow

COMMAND = (sys.executable, "-m", "penstock")
FOREVER = "import time\nwhile True:\n    time.sleep(0.1)\n"
DAEMON = """
import os, pathlib, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        pathlib.Path('daemon.new').write_text(str(os.getpid()))
        pathlib.Path('daemon.new').rename('daemon')
        time.sleep(300)
    os._exit(0)
os.wait()
while not pathlib.Path('daemon').exists():
    time.sleep(0.01)
"""
BROKEN = "from pulumi_aws import ec2\nec2.Vpc('v', cidr_block='10.0.0.0/8')\n"
"""A VPC of this size is refused."""
FORGED = '{"ok": true, "findings": []}'
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands over the processes that leave")


def checked(program: str, folder: Path, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, "check", str(written(program, folder)), "--stack", "dev", *arguments]
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        command, cwd=folder, check=False, text=True, timeout=LONGEST_S, capture_output=True, **options
    )


def written(program: str, folder: Path) -> Path:
    (folder / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (folder / "__main__.py").write_text(program)
    return folder


def started(folder: Path, mark: str, *arguments: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [*COMMAND, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert becomes((folder / mark).exists)
    return process


def has_ended(number: str) -> bool:
    try:
        return Path("/proc", number, "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@on_linux
@pytest.mark.parametrize(
    ("after", "status"),
    [("", 0), ("raise ValueError", 2), ("os._exit(0)", 2), ("os.abort()", 2), (FOREVER, 2)],
    ids=["it ends", "it fails", "it leaves", "it crashes", "it never ends"],
)
def test_a_daemon_of_a_program_ends_with_its_command(tmp_path: Path, after: str, status: int) -> None:
    for seconds in timeouts():
        done = checked(DAEMON + after, tmp_path, "--timeout", str(seconds))
        if "did not end within" not in done.stderr or (after == FOREVER and (tmp_path / "daemon").exists()):
            break

    assert (done.returncode, has_ended((tmp_path / "daemon").read_text())) == (status, True)


@on_linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_so_it_does_when_the_command_is_ended(tmp_path: Path, number: int) -> None:
    process = started(written(DAEMON + FOREVER, tmp_path), "daemon", "check", ".", "--stack", "dev")

    process.send_signal(number)
    process.communicate(timeout=LONGEST_S)

    assert becomes(lambda: has_ended((tmp_path / "daemon").read_text()))


@on_linux
def test_what_a_shell_leaves_to_the_command_is_not_ended(tmp_path: Path) -> None:
    written(DAEMON, tmp_path)
    command = f"sleep {LONGEST_S} & echo $! > beside; exec {' '.join(COMMAND)} check . --stack dev"

    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, check=False, stdout=subprocess.DEVNULL)

    beside = (tmp_path / "beside").read_text().strip()
    assert (done.returncode, has_ended(beside)) == (0, False)
    os.kill(int(beside), signal.SIGKILL)


@pytest.mark.parametrize(
    "way",
    [
        "os.write(each, FORGED)",
        "os.pwrite(each, FORGED, 0)",
        "os.write(each, b'\\nverdict 0\\n')",
        "os.ftruncate(each, 0)",
    ],
)
@pytest.mark.parametrize("end", ["", "os._exit(0)"])
def test_what_a_program_writes_to_descriptors_is_no_result(tmp_path: Path, way: str, end: str) -> None:
    forge = f"FORGED = {FORGED.encode()!r}\nfor each in range(3, 64):\n    try: {way}\n    except OSError: pass\n"

    done = checked(f"{BROKEN}import os\n{forge}{end}\n", tmp_path, "--format", "json")

    assert (done.returncode, json.loads(done.stdout)["ok"]) == (2 if end else 1, False)


@on_linux
def test_nor_is_what_a_process_of_it_writes_at_the_end(tmp_path: Path) -> None:
    forge = (
        f"import os\nif os.fork() == 0:\n    os.setsid()\n    while True:\n"
        f"        for each in range(3, 64):\n            try: os.pwrite(each, {FORGED.encode()!r}, 0)\n"
        "            except OSError: pass\n"
    )

    done = checked(BROKEN + forge, tmp_path, "--format", "json")

    assert (done.returncode, json.loads(done.stdout)["ok"]) == (1, False)


def test_closed_descriptors_are_no_success(tmp_path: Path) -> None:
    done = checked("import os\nos.closerange(3, 256)\n", tmp_path)

    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert "descriptor" in done.stderr


def test_threads_that_go_on_printing_are_not_in_the_result(tmp_path: Path) -> None:
    program = (
        "import sys, threading\ndef go():\n    while True: print('noise'); print('noise', file=sys.__stdout__)\n"
        "threading.Thread(target=go, daemon=True).start()\n"
    )

    done = checked(program, tmp_path, "--format", "json", "--timeout", str(LONGEST_S))

    assert (done.returncode, json.loads(done.stdout)["ok"]) == (0, True)


def test_an_audit_has_a_time(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["sh", "-c", f"exec sleep {LONGEST_S} > pipe"], cwd=tmp_path) as writer:
        command = [*COMMAND, "audit", "pipe", "--timeout", "3", "--format", "json"]
        done = subprocess.run(command, cwd=tmp_path, check=False, text=True, timeout=LONGEST_S, capture_output=True)
        writer.kill()

    assert (done.returncode, json.loads(done.stdout)["ok"]) == (2, False)
    assert "did not end within 3 s" in done.stderr


def test_the_next_command_removes_what_killed_ones_have_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setenv("MARK", str(tmp_path / "running"))
    written(f"import os, pathlib\npathlib.Path(os.environ['MARK']).write_text(str(os.getpid()))\n{FOREVER}", tmp_path)
    (tmp_path / ".gitignore").write_text("tmp\n")
    for command in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm first"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True, capture_output=True)
    process = started(tmp_path, "running", "diff", ".", "--stack", "dev", "--base", "HEAD")
    assert becomes(lambda: (tmp_path / "running").read_text() != "")
    child = int((tmp_path / "running").read_text())
    mine = temporary / "penstock-mine"
    mine.mkdir()
    os.kill(child, signal.SIGSTOP)
    process.kill()
    os.kill(child, signal.SIGKILL)
    process.communicate()
    assert len(list(temporary.iterdir())) == 2

    checked("", tmp_path)

    assert list(temporary.iterdir()) == [mine]


CANARY = "c4naRy-Vq8zT2mWx7"
SECRET = f"import pulumi, sys, threading, time\nsecret = pulumi.Output.secret({CANARY[:8]!r} + {CANARY[8:]!r})\n"


@pytest.mark.parametrize(
    "ended",
    ["sys.exit(v)", "sys.exit(3)", "(_ for _ in ()).throw(KeyboardInterrupt)", "(_ for _ in ()).throw(SystemExit)"],
)
def test_a_program_that_ends_itself_in_a_function_of_an_output_is_not_waited_for(tmp_path: Path, ended: str) -> None:
    done = checked(f"{SECRET}secret.apply(lambda v: {ended})\n", tmp_path, "--timeout", str(LONGEST_S))

    assert "did not end" not in done.stderr
    assert CANARY not in done.stdout + done.stderr
    assert done.returncode == (0 if "SystemExit" in ended else 2)


@pytest.mark.parametrize(
    "printed",
    [
        "print(v, file=sys.__stderr__)",
        "print(v, file=sys.__stdout__)",
        "sys.stdout.buffer.write(v.encode())",
        "sys.stderr.buffer.write(v.encode())",
        "print(v, end='')",
    ],
)
def test_no_way_of_python_to_print_shows_a_secret(tmp_path: Path, printed: str) -> None:
    done = checked(f"{SECRET}secret.apply(lambda v: {printed} and None)\n", tmp_path)

    assert (done.returncode, CANARY in done.stdout + done.stderr) == (0, False)


def test_nor_does_a_thread_that_goes_on_after_the_end_of_the_program(tmp_path: Path) -> None:
    program = (
        f"{SECRET}def go(v):\n    while True:\n        print(v)\n        print(v, file=sys.stderr)\n"
        "secret.apply(lambda v: threading.Thread(target=go, args=(v,), daemon=True).start())\ntime.sleep(0.2)\n"
    )

    done = checked(program, tmp_path)

    assert (done.returncode, CANARY in done.stdout + done.stderr) == (0, False)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_program_may_close_what_it_prints_to(tmp_path: Path, stream: str) -> None:
    done = checked(f"import sys\nsys.{stream}.close()\n{BROKEN}", tmp_path, "--format", "json")

    assert (done.returncode, json.loads(done.stdout)["ok"]) == (1, False)


def test_temporary_files_that_cannot_be_written_are_no_success(tmp_path: Path) -> None:
    written("import pulumi\npulumi.export('x', 'y' * 100_000)\n", tmp_path)
    command = f"ulimit -f 2; exec {' '.join(COMMAND)} rehearse . --stack dev --format json"

    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=LONGEST_S
    )

    assert (done.returncode, json.loads(done.stdout)["ok"]) == (2, False)
    assert "temporary files cannot be written: File too large" in done.stderr
