"""test_capture.py - tools/capture.sh makes a fixture of a machine, without private data."""
import os
import pathlib
import subprocess

CAPTURE = pathlib.Path(__file__).resolve().parents[2] / "tools/capture.sh"

MACHINE = {
    "proc/sys/kernel/hostname": "annas-laptop\n",
    "proc/stat": "cpu  1 2 3 4\n",
    "proc/cpuinfo": "processor\t: 0\nSerial\t\t: 10000000abcdef01\n",
    "proc/meminfo": "MemTotal: 5 kB\n",
    "proc/self/cgroup": "0::/user.slice/annas-laptop.scope\n",
    "proc/self/mountinfo":
        "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
        "29 24 0:26 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw\n"
        "40 22 0:50 / /home rw - nfs4 files.corp.example:/export/anna rw,clientaddr=10.1.2.3\n"
        "41 22 0:51 / /mnt rw - cifs //files/anna rw,username=anna,domain=CORP\n",
    "proc/77/stat": "77 (odd (name) x) S 1 77\n",
    "proc/77/status": "Name:\todd (name) x\nPid:\t77\n",
    "proc/77/comm": "odd (name) x\n",
    "proc/77/cmdline": "python\0--password=hunter2\0",
    "proc/77/environ": "TOKEN=hunter2\0",
    "proc/77/cgroup": "0::/user.slice/annas-laptop.scope\n",
    "sys/block/sda/size": "2048\n",
    "sys/block/sda/device/serial": "S4EWNX0R512345\n",
    "sys/block/sda/device/model": "Disk 860\n",
    "sys/block/loop0/size": "0\n",
    "sys/class/net/eth0/address": "52:54:00:ab:cd:ef\n",
    "sys/fs/cgroup/cpu.stat": "usage_usec 1\n",
    "sys/fs/cgroup/user.slice/memory.max": "max\n",
    "sys/fs/cgroup/user.slice/annas-laptop.scope/memory.max": "7\n",
    "sys/fs/cgroup/elsewhere/memory.max": "8\n",
}
PRIVATE = ["anna", "hunter2", "corp", "10.1.2.3", "S4EW", "ab:cd", "abcdef01", "CORP", "python", "odd"]


def capture(root, *arguments):
    return subprocess.run([CAPTURE, *map(str, arguments)], capture_output=True, text=True,
                          env={**os.environ, "CAPTURE_ROOT": str(root)}, check=False)


def make_machine(root):
    for name, text in MACHINE.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def test_private_data_is_left_out(tmp_path):
    make_machine(tmp_path / "root")
    done = capture(tmp_path / "root", tmp_path / "out", 77)
    assert (done.returncode, done.stderr) == (0, "")
    files = {str(p.relative_to(tmp_path / "out")): p.read_text() for p in (tmp_path / "out").rglob("*") if p.is_file()}
    for name, text in files.items():
        for word in PRIVATE:
            assert word not in text and word not in name, f"{word} in {name}: {text}"
    assert "proc/77/environ" not in files


def test_files_for_parsers_are_there(tmp_path):
    make_machine(tmp_path / "root")
    assert capture(tmp_path / "root", tmp_path / "out", 77).returncode == 0
    out = tmp_path / "out"
    assert (out / "proc/stat").read_text() == MACHINE["proc/stat"]
    assert (out / "proc/77/stat").read_text() == "77 (xxx (xxxx) x) S 1 77\n"
    assert (out / "proc/77/cmdline").read_bytes() == b"xxxxxx\0--xxxxxxxx=xxxxxxx\0"
    assert (out / "sys/block/sda/device/serial").read_text() == "x0xxxx0x000000\n"
    assert (out / "sys/block/sda/device/model").read_text() == "Disk 860\n"
    assert (out / "sys/fs/cgroup/user.slice/host.scope/memory.max").read_text() == "7\n"
    assert (out / "proc/self/cgroup").read_text() == "0::/user.slice/host.scope\n"
    assert (out / "sys/fs/cgroup/user.slice/memory.max").exists()
    assert "/dev/sda1" in (out / "proc/self/mountinfo").read_text()
    assert not (out / "sys/fs/cgroup/elsewhere").exists()
    assert not (out / "sys/block/loop0").exists()
    assert not list(out.rglob("*.raw"))


def test_no_frame_is_overwritten(tmp_path):
    make_machine(tmp_path / "root")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/file").write_text("mine")
    assert capture(tmp_path / "root", tmp_path / "out").returncode == 1
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["file"]
    assert capture(tmp_path / "root").returncode == 2


def test_this_machine(tmp_path):
    done = subprocess.run([CAPTURE, tmp_path / "out"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out/proc/meminfo").read_text().startswith("MemTotal:")
