#!/usr/bin/python3
"""image.py - an image with the recorder and the programs that read records, from scratch (make image).

    image.py ARCHIVES OUT.tar

ARCHIVES is the folder that archive.py filled.  OUT is an OCI archive (image-spec 1.0: a layout of blobs, in a tar file),
with an image for each architecture in it.  The same archives give the same bytes.
"""
import gzip
import hashlib
import json
import pathlib
import sys
import tarfile
import time

from archive import version
from tarball import epoch, pack

PLATFORMS = {"x86_64": "amd64", "aarch64": "arm64"}
# resource-tracker-gpu needs glibc, and verify and plot are for machines, not for containers.
PROGRAMS = ["bin/resource-tracker", *(f"libexec/resource-tracker/resource-tracker-{name}" for name in ("analysis", "top"))]
DOCUMENTS = "share/doc/resource-tracker/"
USER = "65532:65532"            # no account has it, and it is not root
TYPE = "application/vnd.oci.image"


class Layout:
    """The files of an OCI layout, which are named by what is in them."""

    def __init__(self):
        self.files = {"oci-layout": (b'{"imageLayoutVersion":"1.0.0"}', 0o644)}

    def add(self, kind, data):
        """A blob; returns its descriptor."""
        digest = hashlib.sha256(data).hexdigest()
        self.files[f"blobs/sha256/{digest}"] = (data, 0o644)
        return {"mediaType": f"{TYPE}.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    def add_json(self, kind, value):
        return self.add(kind, json.dumps(value, sort_keys=True).encode())


def contents(archive):
    """{path in the image: (bytes, mode)} of an archive."""
    with tarfile.open(archive) as file:
        found = {entry.name.partition("/")[2]: (file.extractfile(entry).read(), entry.mode) for entry in file if entry.isfile()}
    return {f"usr/local/{name}": kept for name, kept in found.items() if name in PROGRAMS or name.startswith(DOCUMENTS)}


def add_image(layout, archive, platform):
    """The manifest's descriptor."""
    # Records are kept in /records if a volume is there; who may write into it is the volume's affair.
    layer = pack(contents(archive), folders=[("records", 0o1777), ("tmp", 0o1777)])
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch()))
    config = layout.add_json("config.v1+json", {
        "architecture": platform, "os": "linux", "created": created,
        "config": {"User": USER, "Entrypoint": ["/usr/local/bin/resource-tracker"], "Cmd": ["--help"], "WorkingDir": "/records",
                   "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "XDG_STATE_HOME=/records"],
                   "Labels": {"org.opencontainers.image.version": version(), "org.opencontainers.image.licenses": "Apache-2.0"}},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
        "history": [{"created": created, "created_by": "packaging/image.py"}]})
    packed = layout.add("layer.v1.tar+gzip", gzip.compress(layer, mtime=epoch()))
    manifest = {"schemaVersion": 2, "mediaType": f"{TYPE}.manifest.v1+json", "config": config, "layers": [packed]}
    return {**layout.add_json("manifest.v1+json", manifest), "platform": {"architecture": platform, "os": "linux"}}


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: image.py ARCHIVES OUT.tar")
    folder, layout = pathlib.Path(sys.argv[1]), Layout()
    archives = {name: folder / f"resource-tracker-{version()}-{name}.tar.gz" for name in PLATFORMS}
    manifests = [add_image(layout, path, PLATFORMS[name]) for name, path in archives.items() if path.exists()]
    if not manifests:
        sys.exit(f"image.py: {folder} has no archive of version {version()}: make archive")
    # Loaders take what index.json names: an index of platforms, under the name of the image.
    index = layout.add_json("index.v1+json", {"schemaVersion": 2, "mediaType": f"{TYPE}.index.v1+json", "manifests": manifests})
    index["annotations"] = {"org.opencontainers.image.ref.name": version()}
    layout.files["index.json"] = (json.dumps({"schemaVersion": 2, "manifests": [index]}, sort_keys=True).encode(), 0o644)
    pathlib.Path(sys.argv[2]).write_bytes(pack(layout.files))
    print(sys.argv[2])


if __name__ == "__main__":
    main()
