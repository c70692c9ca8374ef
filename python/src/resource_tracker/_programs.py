"""The recorder: RESOURCE_TRACKER_PROGRAM, else that of the package, else on PATH; and the programs beside it."""
import os
import stat
import sys
from typing import Mapping, NoReturn, Optional, Sequence

from ._errors import RecorderError

VARIABLE = "RESOURCE_TRACKER_PROGRAM"
_BUNDLED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")


def find(name: str = "resource-tracker") -> str:
    """Its path; RecorderError: there is none that can be run."""
    named = os.environ.get(VARIABLE) if name == "resource-tracker" else None
    if named is not None:
        if os.access(named, os.X_OK):
            return named
        raise RecorderError(f"{VARIABLE}: {named} cannot be run")
    bundled = os.path.join(_BUNDLED, name)
    _mend_modes(bundled)
    if os.access(bundled, os.X_OK):
        return bundled
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, name)
        # The command of the package itself is a script that asks here.
        if folder and os.access(path, os.X_OK) and os.path.isfile(path) and not _is_script(path):
            return path
    if os.path.exists(bundled):
        raise RecorderError(f"{bundled} is not executable: chmod +x {bundled}")
    raise RecorderError(f"{name} is neither in {_BUNDLED} nor on PATH")


def _mend_modes(bundled: str) -> None:
    """Some unpackers of archives forget that programs can be executed; the recorder starts the others beside it."""
    if not os.path.exists(bundled) or os.access(bundled, os.X_OK):
        return
    for entry in os.scandir(os.path.dirname(bundled)):
        try:
            os.chmod(entry.path, 0o111 | stat.S_IMODE(entry.stat().st_mode))
        except OSError:                                 # another's: find() says so
            pass


def recorder() -> Optional[str]:
    """The recorder's path; None: there is none that can be run."""
    try:
        return find()
    except RecorderError:
        return None


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def output(words: Sequence[str], environment: Optional[Mapping[str, str]] = None, apart: bool = False,
           descriptors: Sequence[int] = ()) -> str:
    """
    What the recorder, or a program beside it, writes; RecorderError has its sentence.

    apart: ^C does not reach it.  descriptors: it inherits these.
    """
    import subprocess

    try:
        done = subprocess.run([find(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=environment, pass_fds=descriptors, encoding="utf-8", errors="replace",
                              start_new_session=apart)
    except OSError as error:
        raise RecorderError(f"cannot run {error.filename}: {error.strerror}") from None
    if done.returncode != 0:
        raise RecorderError(_sentence(done.stderr) or f"the recorder ended with status {done.returncode}")
    return done.stdout


def _sentence(text: str) -> str:
    """Of its last line what follows the program's name."""
    line = text.strip().rpartition("\n")[2]
    name, colon, sentence = line.partition(": ")
    return sentence if colon and name.startswith("resource-tracker") else line


def main() -> NoReturn:
    """The command `resource-tracker` of the package: the bundled program takes its place."""
    try:
        path = find()
        os.execv(path, [path, *sys.argv[1:]])
    except RecorderError as error:
        sentence = str(error)
    except OSError as error:                            # of another machine
        sentence = f"cannot run {path}: {error.strerror}"
    print(f"resource-tracker: {sentence}", file=sys.stderr)
    sys.exit(125)                                       # as the program itself says that it could not start
