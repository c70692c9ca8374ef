"""
clouds.py VENDOR|none MANNER LOG - the metadata service of one cloud, or of none, at the addresses of all of them, in a
network namespace that has no way out; run by clouds.sh.

MANNER: true; slow (never answers); words, huge, binary, html, injection (what it answers to everything); partial (only
what proves the vendor is right); redirect (to a server that must not be asked); refuse (403 to everything).
"""
import http.server
import json
import sys
import threading

LINK_LOCAL, ALIBABA, ELSEWHERE = "169.254.169.254", "100.100.100.200", "127.0.0.9"
TOKEN = "AQAEAPl0ken_-=="
AWS, GCP = "/latest/meta-data/", "/computeMetadata/v1/instance/"
TOKENS = {"aws": "X-aws-ec2-metadata-token", "alicloud": "X-aliyun-ecs-metadata-token"}
NEEDED = {"gcp": ("Metadata-Flavor", "Google"), "azure": ("Metadata", "true")}
ANSWERS = {
    "aws": {AWS + "services/domain": "amazonaws.com", AWS + "instance-type": "m7i.large", AWS + "placement/region": "eu-central-1",
            AWS + "placement/availability-zone": "eu-central-1a", AWS + "instance-life-cycle": "spot",
            AWS + "identity-credentials/ec2/info": json.dumps({"Code": "Success", "AccountId": "123456789012"}, indent=2)},
    "gcp": {GCP + "machine-type": "projects/42/machineTypes/e2-small", GCP + "zone": "projects/42/zones/europe-west1-b",
            GCP + "scheduling/preemptible": "FALSE"},
    "azure": {"/metadata/instance": json.dumps({"compute": {"vmSize": "Standard_D2s_v3", "location": "westeurope", "zone": "1",
                                                            "priority": "Spot"}, "network": {}})},
    "hcloud": {"/hetzner/v1/metadata": "availability-zone: hel1-dc2\nhostname: box\ninstance-id: 42\nregion: eu-central\n"
                                       "vendor_data: |\n  #cloud-config\n"},
    "upcloud": {"/metadata/v1.json": json.dumps({"cloud_name": "upcloud", "instance_id": "00798b85", "region": "de-fra1"})},
    "vultr": {"/v1.json": json.dumps({"hostname": "box", "instanceid": "a747bfz6", "region": {"regioncode": "EWR"}})},
    "alicloud": {AWS + "region-id": "cn-hangzhou", AWS + "zone-id": "cn-hangzhou-i", AWS + "instance/instance-type": "ecs.g6.large"},
    "ovh": {"/openstack/latest/network_data.json": json.dumps({"services": [{"type": "dns", "address": "213.186.33.99"}]}),
            "/openstack/latest/meta_data.json": json.dumps({"availability_zone": "eu-west-par-a"}),
            AWS + "instance-type": "b3-8"},
}
PROOFS = {"aws": [AWS + "services/domain"], "gcp": [GCP + "machine-type", GCP + "zone"], "alicloud": [AWS + "region-id", AWS + "instance/instance-type"],
          "ovh": ["/openstack/latest/network_data.json"]}
HOSTILE = {"words": b"OK", "huge": b"a" * (1 << 20), "binary": bytes(range(256)), "html": b"<html><body>Sign in</body></html>",
           "injection": b"x\r\nX-Evil: 1\r\n\r\n"}


def answer_of(vendor, manner, request, address):
    """The status, headers and body."""
    path = request.path.split("?")[0]
    home = ALIBABA if vendor == "alicloud" else LINK_LOCAL
    if address == ELSEWHERE:
        return 200, {}, b"amazonaws.com"
    if manner == "redirect":
        return 302, {"Location": f"http://{ELSEWHERE}{request.path}"}, b""
    if manner == "refuse":
        return 403, {}, b"no"
    if manner in HOSTILE:
        return 200, {}, HOSTILE[manner]
    if address != home or vendor not in ANSWERS:
        return 404, {}, b"not here"
    header = TOKENS.get(vendor)
    if request.command == "PUT":
        fine = header and path == "/latest/api/token" and request.headers.get(header + "-ttl-seconds", "").isdigit()
        return (200, {}, TOKEN.encode()) if fine else (404, {}, b"")
    if header and request.headers.get(header) != TOKEN:
        return 401, {}, b"no token"
    name, value = NEEDED.get(vendor, (None, None))
    if name and request.headers.get(name) != value:
        return 403, {}, b"no header"
    if manner == "partial" and path not in PROOFS.get(vendor, ANSWERS[vendor]):
        return 200, {}, b"<b>\x00\x01</b>"
    text = ANSWERS[vendor].get(path)
    return (404, {}, b"no such page") if text is None else (200, {}, text.encode())


def serve(vendor, manner, log):
    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self):
            address = self.server.server_address[0]
            log.write(f"{address} {self.command} {self.path}\n")
            log.flush()
            if manner == "slow":
                threading.Event().wait()
            status, headers, body = answer_of(vendor, manner, self, address)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
        do_GET = do_PUT = answer

        def log_message(self, *_):
            pass
    class Server(http.server.ThreadingHTTPServer):
        request_queue_size = 64         # all are asked at once
    for address in LINK_LOCAL, ALIBABA, ELSEWHERE:
        server = Server((address, 80), Handler)
        server.daemon_threads = True
        server.handle_error = lambda *_: None   # who asked has gone: the answer was too late, or too long
        threading.Thread(target=server.serve_forever, daemon=True).start()


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2], open(sys.argv[3], "a", encoding="utf-8"))
    print("ready", flush=True)
    sys.stdin.read()
