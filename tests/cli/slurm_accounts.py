"""
slurm_accounts.py - the accounts of a Slurm on this host: MariaDB and slurmdbd on loopback, in folders of the cluster.
"""
import subprocess

import slurm_cluster

DAEMONS = ("mariadbd", "mariadb-install-db", "slurmdbd", "sacct", "sacctmgr")
CONFIG = """\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={port}
AccountingStoragePass={folder}/munge.sock
JobAcctGatherFrequency=task=1
"""
SLURMDBD = """\
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort={port}
SlurmUser=root
PidFile={folder}/slurmdbd.pid
LogFile={folder}/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={database}
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm
"""
FIELDS = ("JobID", "State", "TotalCPU", "MaxRSS", "NTasks")
# A statement a line.
USERS = """\
CREATE USER slurm@'127.0.0.1' IDENTIFIED BY 'slurm';
GRANT ALL ON slurm.* TO slurm@'127.0.0.1';
"""


def missing():
    """Why there are no accounts here; None: there can be."""
    absent = [name for name in DAEMONS if not slurm_cluster.program(name)]
    return slurm_cluster.missing() or (f"needs {' '.join(absent)}" if absent else None)


class Accounts(slurm_cluster.Cluster):
    """A cluster that keeps accounts of its jobs."""

    def __init__(self, folder, plugstack="", hosts=None):
        super().__init__(folder, plugstack, hosts)
        self.port = slurm_cluster.free_ports(2, after=self.first + len(self.hosts) + 1)
        config = self.config.read_text().replace("jobacct_gather/none", "jobacct_gather/linux")
        self.config.write_text(config + CONFIG.format(port=self.port, folder=self.folder))

    def start_accounts(self):
        data, dbd = self.folder / "database", self.folder / "slurmdbd.conf"
        done = subprocess.run([slurm_cluster.program("mariadb-install-db"), "--no-defaults", f"--datadir={data}", "--user=root",
                               "--skip-test-db", "--auth-root-authentication-method=normal"], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        (self.folder / "users.sql").write_text(USERS)
        self.daemon("mariadbd", "--no-defaults", f"--datadir={data}", "--user=root", "--bind-address=127.0.0.1",
                    f"--port={self.port + 1}", f"--socket={data}/socket", f"--pid-file={data}/pid", f"--init-file={self.folder}/users.sql",
                    "--innodb-buffer-pool-size=32M", "--skip-name-resolve")
        self.wait(lambda: (data / "socket").exists(), "mariadbd")
        dbd.write_text(SLURMDBD.format(folder=self.folder, port=self.port, database=self.port + 1))
        dbd.chmod(0o600)
        # It reads slurmdbd.conf beside slurm.conf.
        self.daemon("slurmdbd", "-D")
        self.wait(lambda: self.root("sacctmgr", "-i", "-n", "list", "cluster").returncode == 0, "slurmdbd")
        added = self.root("sacctmgr", "-i", "add", "cluster", "test")
        assert added.returncode == 0, added.stdout + added.stderr

    def sacct(self, job):
        """The steps of a job, all of its attempts, when it is over: each by the fields of FIELDS."""
        def rows():
            done = self.root("sacct", "-n", "-P", "-D", "-j", job, "-o", ",".join(FIELDS))
            return [dict(zip(FIELDS, line.split("|"))) for line in done.stdout.splitlines()]
        self.wait(lambda: rows() and not any(row["State"] in ("RUNNING", "PENDING", "") for row in rows()), f"the accounts of {job}")
        return [row for row in rows() if "." in row["JobID"]]


def seconds_of(text):
    """"1-02:03:04.567", "02:03.456" """
    days, _, rest = text.rpartition("-")
    seconds = 0.0
    for part in rest.split(":"):
        seconds = 60 * seconds + float(part)
    return seconds + 86400 * int(days or 0)


def bytes_of(text):
    """"1234K", as Slurm writes multiples of 1,024."""
    return float(text.rstrip("KMG")) * {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:], 1)
