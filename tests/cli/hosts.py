"""hosts.py - two hosts on this machine: each a network and a name of its own (network_namespaces(7), uts_namespaces(7))."""
import os
import pathlib
import shutil
import subprocess

from processes import wait_for

NAMES = "rt-host-a", "rt-host-b"
PROGRAMS = "ip", "nsenter", "unshare"


def missing():
    """Why there cannot be two hosts here; None: there can be."""
    absent = [name for name in PROGRAMS if not shutil.which(name)]
    return f"needs {' '.join(absent)}" if absent else None if os.geteuid() == 0 else "namespaces need root"


class Hosts:
    """Two hosts with a cable between them; what runs there sees the same files and processes."""

    def __init__(self):
        self.holders = [subprocess.Popen(["unshare", "-n", "-u", "sh", "-c", f"hostname {name} && exec sleep infinity"])
                        for name in NAMES]
        self.addresses = [f"10.77.{os.getpid() % 256}.{i + 1}" for i in range(len(NAMES))]
        for holder in self.holders:
            wait_for(lambda: pathlib.Path(f"/proc/{holder.pid}/comm").read_text() == "sleep\n", "no namespace")
        self.do(0, "ip", "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", str(self.holders[1].pid))
        for i, address in enumerate(self.addresses):
            self.do(i, "ip", "address", "add", f"{address}/24", "dev", "cable")
            for device in ("lo", "cable"):
                self.do(i, "ip", "link", "set", device, "up")

    def words(self, host):
        """Before a command: it runs on that host."""
        return ["nsenter", "-t", str(self.holders[host].pid), "-n", "-u", "--"]

    def do(self, host, *words):
        subprocess.run([*self.words(host), *words], check=True)

    def agent(self, path):
        """A program that stands for ssh: PROGRAM [OPTION...] ADDRESS COMMAND."""
        cases = "".join(f"{address}) exec {' '.join(self.words(i))} sh -c \"$*\";;\n" for i, address in enumerate(self.addresses))
        path.write_text(f'#!/bin/sh\nwhile [ "${{1#-}}" != "$1" ]; do shift; done\nhost=$1; shift\ncase $host in\n{cases}esac\nexit 255\n')
        path.chmod(0o755)
        return path

    def close(self):
        for holder in self.holders:
            holder.kill()
            holder.wait()
