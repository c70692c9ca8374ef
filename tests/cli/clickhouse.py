"""clickhouse.py - a server of ClickHouse on loopback, with a folder of its own."""
import json
import os
import shutil
import signal
import urllib.error
import urllib.parse
import urllib.request

import pytest

from receivers import Receiver, free_port

PASSWORD = "it's \\ \"secret\" <&>"

CONFIG = """<yandex>
<logger><level>warning</level><console>1</console></logger>
<http_port>{http}</http_port><tcp_port>{tcp}</tcp_port><listen_host>127.0.0.1</listen_host>
<path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path><users_config>{folder}/users.xml</users_config>
<mark_cache_size>67108864</mark_cache_size><default_profile>default</default_profile><default_database>default</default_database>{more}
</yandex>
"""

USERS = """<yandex><profiles><default></default><reader><readonly>1</readonly></reader></profiles>
<quotas><default></default></quotas>
<users>
<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
<guarded><password>it's \\ "secret" &lt;&amp;&gt;</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
<quota>default</quota></guarded>
<reader><password></password><networks><ip>127.0.0.1</ip></networks><profile>reader</profile><quota>default</quota></reader>
</users></yandex>
"""


# Only clients with that certificate are let in.
SECURE = """<https_port>{port}</https_port><openSSL><server><certificateFile>{certificate}</certificateFile>
<privateKeyFile>{key}</privateKeyFile><caConfig>{client}</caConfig><loadDefaultCAFile>false</loadDefaultCAFile>
<verificationMode>strict</verificationMode></server></openSSL>"""

# Debian has it in sbin.
PROGRAM = shutil.which("clickhouse-server", path=os.environ["PATH"] + ":/usr/sbin")


class ClickHouse(Receiver):
    ready = "/ping"

    def __init__(self, folder):
        super().__init__(folder)
        self.tcp = free_port()
        (folder / "users.xml").write_text(USERS)
        self.configure("")

    def configure(self, more):
        (self.folder / "config.xml").write_text(CONFIG.format(http=self.port, tcp=self.tcp, folder=self.folder, more=more))

    def words(self):
        return [PROGRAM, f"--config-file={self.folder}/config.xml"]

    def execute(self, sql):
        """The text that it answers."""
        query = urllib.parse.urlencode({"wait_end_of_query": 1, "output_format_json_quote_64bit_integers": 0})
        try:
            with urllib.request.urlopen(f"{self.url}/?{query}", data=sql.encode()) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from error

    def rows(self, sql):
        return json.loads(self.execute(sql + " FORMAT JSON"))["data"]

    def store(self, database, port=None):
        return f"clickhouse://127.0.0.1:{port or self.port}/{database}"


@pytest.fixture(scope="module")
def clickhouse(tmp_path_factory):
    if not PROGRAM:
        pytest.skip("clickhouse-server is not installed")
    server = ClickHouse(tmp_path_factory.mktemp("clickhouse") / "server")
    yield server.start()
    server.stop(signal.SIGKILL)
