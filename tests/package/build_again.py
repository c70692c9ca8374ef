#!/usr/bin/env python3
"""build_again.py FOLDER - the archives once more: in another folder, under another umask, language and time zone, without a cache."""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
from tarball import epoch, sources  # noqa: E402

folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
copy = folder / "another place"
for name in sources():
    (copy / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / name, copy / name, follow_symlinks=False)
(copy / "build").mkdir()
(copy / "build/debian-arm64").symlink_to(ROOT / "build/debian-arm64")           # libraries that are not built
page = ["--page", os.environ["PAGE"]] if os.environ.get("PAGE") else []
subprocess.run([sys.executable, "packaging/archive.py", *page, folder.resolve() / "out"], cwd=copy, umask=0o077, check=True,
               env=os.environ | {"SOURCE_DATE_EPOCH": str(epoch()), "TZ": "Asia/Kathmandu", "LC_ALL": "C", "CCACHE_DISABLE": "1"})
