"""clickhouse_cluster.py - four servers of ClickHouse as two shards of two replicas, with ZooKeeper, on loopback."""
import os
import pathlib
import re
import shutil
import signal
import socket

import pytest

from clickhouse import PROGRAM, ClickHouse
from receivers import Receiver, free_port

JAR = pathlib.Path("/usr/share/java/zookeeper.jar")

# A replica that was killed after it wrote a part, and before ZooKeeper knew of it, starts only if most of its parts are in order:
# in tables of two parts they need not be.
MORE = """
<merge_tree><replicated_max_ratio_of_wrong_parts>1</replicated_max_ratio_of_wrong_parts></merge_tree>
<interserver_http_port>{between}</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
<zookeeper><node><host>127.0.0.1</host><port>{zookeeper}</port></node></zookeeper>
<macros><shard>{shard}</shard><replica>{replica}</replica></macros><distributed_ddl><path>/clickhouse/ddl</path></distributed_ddl>
<remote_servers><fleet>{shards}</fleet></remote_servers>"""


# What ClickHouse 18.16 says of a defect of its own that lasts until it is started again: its thread of statements ON CLUSTER ended, when
# both replicas of a shard began to alter a table at once ("Node exists"); or a fetch from a replica that was killed left its folder, and
# no other fetch of that part begins (ClickHouse's issue 14197, mended in 21.4).
STUCK = re.compile(rb"DDLWorker: Unexpected ZooKeeper error|/tmp_fetch_\w+/ already exists")


class ZooKeeper(Receiver):
    def words(self):
        (self.folder / "zoo.cfg").write_text(f"tickTime=500\ndataDir={self.folder}/data\nclientPort={self.port}\n"
                                             "clientPortAddress=127.0.0.1\nadmin.enableServer=false\n")
        return ["java", "-Xmx128m", "-XX:+UseSerialGC", "-Dzookeeper.jmx.log4j.disable=true", "-cp", str(JAR),
                "org.apache.zookeeper.server.quorum.QuorumPeerMain", "zoo.cfg"]

    def answers(self):
        assert self.process.poll() is None, "ZooKeeper has ended"
        try:
            with socket.create_connection(("127.0.0.1", self.port)) as s:
                s.sendall(b"srvr")
                return b"Mode:" in s.recv(4096)
        except OSError:
            return False


class Cluster:
    """servers[shard][replica]"""

    def __init__(self, folder):
        folder.mkdir()
        self.zookeeper = ZooKeeper(folder / "zookeeper").start()
        self.servers = [[ClickHouse(folder / f"{shard}-{replica}") for replica in range(2)] for shard in range(2)]
        shards = "".join("<shard><internal_replication>true</internal_replication>" + "".join(
            f"<replica><host>127.0.0.1</host><port>{server.tcp}</port></replica>" for server in shard) + "</shard>"
            for shard in self.servers)
        for i, shard in enumerate(self.servers):
            for k, server in enumerate(shard):
                server.configure(MORE.format(between=free_port(), zookeeper=self.zookeeper.port, shard=i, replica=k, shards=shards))
        for server in self.all():
            server.start()

    def all(self):
        return [server for shard in self.servers for server in shard]

    def start_stuck_again(self):
        """As their user would; returns which were stuck.  A server that is killed stays so."""
        stuck = [server for server in self.all() if server.process.poll() is None and STUCK.search((server.folder / "stderr").read_bytes())]
        for server in stuck:
            server.stop()
            (server.folder / "stderr").unlink()
            server.start()
        return stuck

    def stop(self):
        for server in [*self.all(), self.zookeeper]:
            server.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    if not PROGRAM or not JAR.exists() or not shutil.which("java", path=os.environ["PATH"]):
        pytest.skip("clickhouse-server or zookeeper is not installed")
    made = Cluster(tmp_path_factory.mktemp("cluster") / "cluster")
    yield made
    made.stop()
