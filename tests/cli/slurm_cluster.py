"""
slurm_cluster.py - Slurm on this host, with folders and ports of its own: munged, slurmctld, and three slurmd as nodes;
or with a node on each of several hosts (hosts.py).

It runs as root, because slurmd starts a step as the user of the job; jobs are submitted by an ordinary user.
"""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import typing

USER = 65534
NODES = 3
DAEMONS = ("munged", "slurmctld", "slurmd")
CONFIG = """\
ClusterName=test
SlurmctldHost={controller}
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PlugStackConfig={folder}/plugstack.conf
MpiDefault=pmi2
ReturnToService=2
SchedulerParameters=bf_interval=1,sched_interval=1,sched_min_interval=100000
KillWait=20
MessageTimeout=100
BatchStartTimeout=300
OverTimeLimit=0
SlurmdTimeout=3600
InactiveLimit=0
TmpFS={folder}/spool-%n
NodeName=DEFAULT CPUs=4 RealMemory=16000 State=UNKNOWN
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO DefMemPerCPU=100
"""


def program(name):
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


def missing():
    """Why there is no cluster here; None: there can be."""
    absent = [name for name in (*DAEMONS, "srun", "sbatch", "setpriv") if not program(name)]
    return f"needs {' '.join(absent)}" if absent else None if os.geteuid() == 0 else "slurmd needs root"


def free_ports(n, after=None):
    """n consecutive ports; the daemons bind them later, so each process begins its search at another place."""
    for first in range(after or 20011 + os.getpid() % 1000 * 10, 32000, n):
        with contextlib.ExitStack() as bound:
            try:
                for port in range(first, first + n):
                    bound.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            return first
    raise RuntimeError("no ports are free")


class Host(typing.NamedTuple):
    """Where a node is; its words stand before a command that runs there."""
    name: str
    address: str
    words: list


class Cluster:
    """hosts: one a node; slurmctld and the users are on the first."""

    def __init__(self, folder, plugstack="", hosts=None):
        self.hosts = hosts or [Host(socket.gethostname().partition(".")[0], "127.0.0.1", [])] * NODES
        self.folder = pathlib.Path(folder)
        self.folder.chmod(0o755)
        self.work = self.folder / "work"
        self.daemons = []
        self.first = free_ports(len(self.hosts) + 1)
        for name in ("state", "work", *(f"spool-n{i}" for i, _ in enumerate(self.hosts, 1))):
            (self.folder / name).mkdir(mode=0o755)
        os.chown(self.work, USER, USER)
        (self.folder / "plugstack.conf").write_text(plugstack)
        self.config = self.folder / "slurm.conf"
        nodes = [f"NodeName=n{i} NodeHostname={host.name} NodeAddr={host.address} Port={self.first + i}" for i, host in enumerate(self.hosts, 1)]
        self.config.write_text(CONFIG.format(folder=self.folder, controller=f"{self.hosts[0].name}({self.hosts[0].address})",
                                             port=self.first, nodes="\n".join(nodes)))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM", "SBATCH", "SRUN"))}
        self.environment |= {"SLURM_CONF": str(self.config), "HOME": str(self.work), "XDG_STATE_HOME": str(self.work / "state"),
                             "XDG_CONFIG_HOME": str(self.work / "config"), "PATH": f"{os.environ['PATH']}:/usr/sbin"}

    @contextlib.contextmanager
    def users_folder(self):
        """An empty folder of the ordinary user."""
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            os.chown(folder, USER, USER)
            yield pathlib.Path(folder)

    def start(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        munge = {what: f"--{what}-file={self.folder}/munge.{what}" for what in ("key", "pid", "log", "seed")}
        self.daemon("munged", "--foreground", f"--socket={self.folder}/munge.sock", *munge.values())
        self.wait(lambda: (self.folder / "munge.sock").exists(), "munged")
        self.start_accounts()
        self.daemon("slurmctld", "-D", "-f", self.config)
        for i, host in enumerate(self.hosts, 1):
            self.daemon("slurmd", "-D", "-f", self.config, "-N", f"n{i}", on=host)
        self.wait(lambda: self.root("sinfo", "-h", "-t", "idle", "-o", "%D").stdout.strip() == str(len(self.hosts)), "idle nodes")

    def start_accounts(self):
        """None: see slurm_accounts.py."""

    def daemon(self, name, *words, on=None):
        log = open(self.folder / f"{name}.out", "ab")
        self.daemons.append(subprocess.Popen([*(on or self.hosts[0]).words, program(name), *map(str, words)], env=self.environment, stdin=subprocess.DEVNULL,
                                             stdout=log, stderr=log, cwd=self.folder, start_new_session=True))
        log.close()

    def wait(self, happened, what):
        while not happened():
            for daemon in self.daemons:
                assert daemon.poll() is None, f"waiting for {what}: {daemon.args} ended\n{self.logs()}"
            time.sleep(0.1)

    def logs(self):
        return "\n".join(f"{path.name}: {path.read_text(errors='replace')[-2000:]}" for path in sorted(self.folder.glob("*.log")))

    def root(self, *words):
        return subprocess.run([*self.hosts[0].words, *words], env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def user(self, *words, env=None, **more):
        """A command of the ordinary user, over."""
        more.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run(self.as_user(*words), env=self.environment | (env or {}), cwd=self.work, capture_output=True, text=True,
                              **more)

    def as_user(self, *words):
        return [*self.hosts[0].words, "setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *map(str, words)]

    def batch(self, script, *options):
        """Submits a batch job, waits for its end; its id and its output, without srun's words while the step before still ends."""
        done = self.user("sbatch", "--wait", "--parsable", "-o", "out-%A_%a.txt", *options, "--wrap", script)
        job = re.match(r"\d+", done.stdout)
        assert job, done.stderr
        output = "".join(path.read_text() for path in sorted(self.work.glob(f"out-{job[0]}_*.txt")))
        return job[0], re.sub(rf"^srun: (Job|Step created for job) {job[0]}( step creation temporarily disabled, .*)?\n", "", output, flags=re.M)

    def stop(self):
        if len(self.daemons) > 1:
            self.root("scancel", "--user=nobody", "--signal=KILL")
            self.root("scancel", "--user=nobody")
            while self.root("squeue", "-h").stdout.strip():
                time.sleep(0.2)
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
        for daemon in self.daemons:
            daemon.wait()


@contextlib.contextmanager
def running(kind, tracker, words="", hosts=None):
    """A cluster of that class with the recorder and, where it is built, the plugin, which gets the words."""
    plugin = pathlib.Path(tracker).parent / "spank_resource_tracker.so"
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="resource-tracker-slurm-") as folder:
        line = f"optional {folder}/{plugin.name} program={folder}/{pathlib.Path(tracker).name} {words}\n"
        cluster = kind(folder, line if plugin.exists() else "", hosts)
        cluster.tracker = pathlib.Path(shutil.copy(tracker, folder))
        cluster.plugin = plugin.exists() and pathlib.Path(shutil.copy(plugin, folder))
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()
