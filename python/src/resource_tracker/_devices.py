"""Disks, filesystems and networks of the machine, each byte counted once."""
import os
import re
import threading
from contextlib import suppress
from typing import Dict, List, NamedTuple, Optional, Tuple

from .helpers import get_zfs_pools_space, is_partition

SYS = "/sys"
SECTOR_BYTES = 512      # of /proc/diskstats, whatever the disk's own are
STATVFS_SECONDS = 0.25
HIDDEN = ("/proc", "/sys", "/dev", "/run")
NO_DISK = {"tmpfs", "ramfs", "overlay", "squashfs", "iso9660", "erofs",
           "devtmpfs", "proc", "sysfs", "cgroup", "cgroup2", "autofs"}
CAN_HANG = re.compile(r"nfs|cifs|smb|fuse|9p|ceph|afs|lustre|gluster|beegfs")


def _entries(*path: str) -> List[str]:
    try:
        return os.listdir(os.path.join(SYS, *path))
    except OSError:
        return []


def is_counted_disk(name: str) -> bool:
    """No partition, no memory, and on no other disk that is counted."""
    if name.startswith(("loop", "ram", "zram")) or is_partition(name):
        return False
    return not _entries("class/block", name.replace("/", "!"), "slaves")


def disk_io(diskstats: str) -> Dict[str, Dict[str, int]]:
    """{disk: {read_bytes, write_bytes}} since boot."""
    disks = {}
    for line in diskstats.splitlines():
        words = line.split()
        if len(words) < 10 or not is_counted_disk(words[2]):
            continue
        disks[words[2]] = {"read_bytes": int(words[5]) * SECTOR_BYTES,
                           "write_bytes": int(words[9]) * SECTOR_BYTES}
    return disks


class Mount(NamedTuple):
    """A line of mountinfo."""

    device: str
    point: str
    kind: str
    source: str


def _unescaped(text: str) -> str:
    """Octal escapes such as \\040 are how the kernel writes a blank."""
    return re.sub(r"\\([0-7]{3})",
                  lambda found: chr(int(found.group(1), 8)), text)


def _mount(line: str) -> Optional[Mount]:
    before, separator, after = line.partition(" - ")
    left, right = before.split(" "), after.split(" ")
    if not separator or len(left) < 5 or len(right) < 2:
        return None
    return Mount(left[2], _unescaped(left[4]), right[0],
                 _unescaped(right[1]))


def _is_left_out(mount: Mount) -> bool:
    if mount.point == "/":
        return False
    below = mount.point + "/"
    return (mount.kind in NO_DISK or mount.source.startswith("/dev/loop")
            or any(below.startswith(hidden + "/") for hidden in HIDDEN))


def _statvfs(mount: Mount) -> Optional[os.statvfs_result]:
    """None if it fails, or a server does not answer soon."""
    answer: List[os.statvfs_result] = []

    def ask() -> None:
        with suppress(OSError):
            answer.append(os.statvfs(mount.point))

    if CAN_HANG.search(mount.kind):
        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        thread.join(STATVFS_SECONDS)
    else:
        ask()
    return answer[0] if answer else None


def disk_spaces(mountinfo: str) -> Dict[str, Dict[str, int]]:
    """{mount point or `zfs:POOL`: {total, used, free}} in bytes.

    Each filesystem once.  What is reserved for root counts as used.
    """
    spaces, seen, zfs = {}, set(), False
    for mount in filter(None, map(_mount, mountinfo.splitlines())):
        zfs = zfs or mount.kind == "zfs"
        by_disk = mount.source.startswith("/dev/")
        filesystem = mount.source if by_disk else mount.device
        if (mount.kind == "zfs" or filesystem in seen
                or _is_left_out(mount)):
            continue
        found = _statvfs(mount)
        if found is None or found.f_blocks == 0:
            continue
        seen.add(filesystem)
        total = found.f_blocks * found.f_frsize
        free = found.f_bavail * found.f_frsize
        spaces[mount.point] = {"total": total, "used": total - free,
                               "free": free}
    if zfs:
        spaces.update({f"zfs:{name}": space for name, space
                       in get_zfs_pools_space().items()})
    return spaces


def _is_stacked(interface: str) -> bool:
    """A bridge, bond or VLAN: its bytes pass another interface too."""
    entries = _entries("class/net", interface)
    return any(name.startswith("lower_") or name in ("bridge", "bonding")
               for name in entries)


def network_bytes(net_dev: str) -> Tuple[int, int]:
    """(received, sent) since boot, without loopback.

    Cards count where there are any: what bridges, tunnels and veths carry
    to other machines passes them.  Else, as in a container, all but stacked.
    """
    counted = {}
    for line in net_dev.splitlines():
        name, colon, rest = line.partition(":")
        words = rest.split()
        if colon and len(words) >= 9 and name.strip() != "lo":
            counted[name.strip()] = int(words[0]), int(words[8])
    cards = [name for name in counted
             if "device" in _entries("class/net", name)]
    names = cards or [name for name in counted if not _is_stacked(name)]
    return (sum(counted[name][0] for name in names),
            sum(counted[name][1] for name in names))
