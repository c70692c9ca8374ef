"""tarball.py - tar archives of which the same files always give the same bytes: sorted, root's, with one time for all."""
import io
import os
import pathlib
import stat
import subprocess
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[1]


def epoch():
    """The time of all files: SOURCE_DATE_EPOCH, else that of the newest commit, else 1980; seconds."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    try:
        found = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        found = ""
    return int(found or 315532800)


def sources():
    """The files of this repository, as paths below it: those that git knows or would add."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, text=True, check=True)
    return sorted(name for name in listed.stdout.split("\0") if name and os.path.lexists(ROOT / name))


def read(path):
    """(bytes, mode) of a file, or of a link, which has the bytes of its target; the mode does not depend on the umask."""
    if path.is_symlink():
        return os.readlink(path).encode(), stat.S_IFLNK | 0o777
    return path.read_bytes(), 0o755 if path.stat().st_mode & 0o100 else 0o644


def files_below(folder):
    """{name: (bytes, mode)}"""
    return {str(path.relative_to(folder)): read(path) for path in folder.rglob("*") if path.is_symlink() or path.is_file()}


def pack(files, folders=()):
    """The bytes of a tar archive.  files: {name: (bytes, mode)}; folders: [(name, mode)] beside those that files stand in."""
    modes = {str(parent): 0o755 for name in files for parent in pathlib.PurePath(name).parents if str(parent) != "."}
    modes.update(folders)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name in sorted({*files, *modes}):
            data, mode = files.get(name) or (b"", stat.S_IFDIR | modes[name])
            entry = tarfile.TarInfo(name)
            entry.mtime, entry.uname, entry.gname, entry.mode = epoch(), "root", "root", stat.S_IMODE(mode)
            if stat.S_ISDIR(mode):
                entry.type = tarfile.DIRTYPE
            elif stat.S_ISLNK(mode):
                entry.type, entry.linkname, data = tarfile.SYMTYPE, data.decode(), b""
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()
