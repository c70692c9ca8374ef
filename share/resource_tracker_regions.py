"""Name the parts of a Python program: what did each of them use?

    from resource_tracker_regions import region, mark, value

    with region("load data"):           # ends however the block is left
        ...

    @region                             # or @region("a name"): each call, by the function's name
    def step(): ...

    mark("checkpoint written")
    value("loss", 0.12)

monitor_region and monitor_function are the same in the forms that py-resource-monitor has.

Run the program as `resource-tracker -- python program.py`.  Run alone, all of it does nothing.  One file without
dependencies: copy it, or put its folder on PYTHONPATH.  Python 3.8 or later.

An entry is two lines, written as it begins and as it ends.  A region with entries of less than 0.1 ms would have too
many lines: its entries are counted here, and written together every 0.2 s, and when the region around them ends.  Around
entries of 10 ms or more the memory of the program is written as well: /proc/self/statm is opened five times a second at
most.
"""
import atexit
import functools
import os
import threading
from time import monotonic_ns, thread_time_ns

__all__ = ["region", "mark", "value", "monitor_region", "monitor_function"]

SHORT_NS, FLUSH_NS, CARRY_NS = 100_000, 200_000_000, 10_000
LONG_NS, MEMORY_NS, MEMORY_CREDIT = 10_000_000, 200_000_000, 32
FEW = 8                                 # so many entries are written one by one before it is known how long they take
NODES = 2000                            # of a thread; beyond, a region is written but not remembered
LOWEST = 9                              # bits of the first bucket: 8 an octave, from 256 ns, as in the C header
BUCKETS = 40 * 8
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")

_path = os.environ.get("RESOURCE_TRACKER_REGIONS")
_fd = -1
_fast = None                            # within the package: its module in C, which counts entries of short regions
_memory_next = _memory_written = 0


def _open():
    """Again after a fork is not needed: lines are appended."""
    global _fd
    try:
        if _path:
            _fd = os.open(_path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        _fd = -1
    _listen()


def _listen():
    if _fast:
        _fast.regions_listen(_fd >= 0)


def _write(text):
    """By one write; a tracker that is gone costs nothing."""
    global _fd
    try:
        os.write(_fd, text.encode("utf-8", "replace"))
    except OSError:
        _fd = -1
        _listen()


def _seconds(ns):
    return "%d.%09d" % divmod(ns, 1_000_000_000)


def _memory(now):
    """The line with the memory of this process, now and then; "": it is not known, or not all of it: it has children."""
    global _memory_next, _memory_written
    if now < _memory_next or now - _memory_written < SHORT_NS:
        return ""
    _memory_next = max(_memory_next, now - MEMORY_CREDIT * MEMORY_NS) + MEMORY_NS
    try:
        statm = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
        try:
            begin = monotonic_ns()
            pages = int(os.read(statm, 64).split()[1])
            end = monotonic_ns()
        finally:
            os.close(statm)
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        if end - begin < SHORT_NS:              # else other threads may have had their turn
            _memory_written = end
            return "t=%s rss %d %d\n" % (_seconds(begin), os.getpid(), pages * PAGE_BYTES)
    except (OSError, ValueError, IndexError):
        pass
    return ""


def _plain(text):
    return str(text).replace("\n", " ").strip() or "?"


class _Node:
    """A place in the tree of names of one thread; sums of the short entries that were not written yet."""
    __slots__ = ("region", "parent", "children", "again", "hot", "written", "written_ns",
                 "dirty", "wall", "cpu", "least", "most", "buckets", "recursed")

    def __init__(self, owner, parent):
        self.region, self.parent, self.children = owner, parent, {}
        self.again = self.hot = self.dirty = False      # again: within itself, part of the outermost one's time
        self.written = self.written_ns = 0              # entries by lines
        self.clear()

    def clear(self):
        self.dirty = False
        self.wall = self.cpu = self.most = self.recursed = 0
        self.least = 1 << 62
        self.buckets = [0] * BUCKETS

    def path_below(self, above):
        names = []
        while self is not above and self.parent is not None:
            if not self.again:
                names.append(self.region.name)
            self = self.parent
        return "/".join(reversed(names))


class _Thread:
    """What a thread has open: frames of [node, begin, CPU time then, whether its begin was written]."""

    def __init__(self, base=""):
        self.tid = threading.get_native_id()
        self.pid = os.getpid()
        self.node = _Node(None, None)
        self.stack, self.dirty, self.nodes = [], [], 0
        self.cpu = self.cpu_at = self.flush_at = 0
        self.base = base                        # of a child of fork: the path that it was born in

    def words(self, at, cpu, verb, name):
        if self.base and self.above() is self.node:
            name = self.base + "/" + name
        return "t=%s tid=%d cpu=%s %s %s\n" % (_seconds(at), self.tid, _seconds(cpu), verb, name)

    def learn(self, owner, node):
        """Below `node`; a region around us of the same name takes it in, and what is in it stays where it is."""
        new = _Node(owner, node)
        outer = node
        while outer is not None and outer.region is not owner:
            outer = outer.parent
        if outer is not None:
            new.again, new.children = outer.again or outer, node.children
        if self.nodes < NODES:
            self.nodes += 1
            node.children[owner] = new
        return new

    def recursed(self, outer):
        """An entry within it has ended."""
        outer.recursed += 1
        if not outer.dirty:
            outer.dirty = True
            self.dirty.append(outer)

    def above(self):
        """The innermost region with a line of its begin."""
        return next((frame[0] for frame in reversed(self.stack) if frame[3]), self.node)

    def begin_lines(self, memory=""):
        """The lines of all that is open and was not written."""
        text = memory + self.flush()
        for frame in self.stack:
            if not frame[3] and not frame[0].again:
                text += self.words(frame[1], frame[2], "begin", frame[0].region.name)
                frame[3] = True
        _write(text)

    def end_line(self, frame, now, cpu):
        """After a long entry that was written at its begin, or that was not expected to be long."""
        node, begin, begin_cpu, written = frame
        memory = _memory(now) if now - begin >= LONG_NS else ""
        self.stack.append(frame)
        text = memory + self.flush()
        self.stack.pop()
        if not written:
            text += self.words(begin, begin_cpu, "begin", node.path_below(self.above()))
        # A begin whose clock was carried on is ahead by up to CARRY_NS, if the CPU was another's meanwhile.
        text += "t=%s tid=%d cpu=%s end\n" % (_seconds(now), self.tid, _seconds(max(cpu, begin_cpu)))
        _write(text + self.flush())             # how often it was within itself
        node.written += 1
        node.written_ns += now - begin
        node.hot = node.written >= FEW and node.written_ns < SHORT_NS * node.written

    def take(self):
        """What was counted in C."""
        for node, wall, cpu, least, most, filled in _fast.regions_take(self):
            if not node.dirty:
                node.dirty = True
                self.dirty.append(node)
            node.wall += wall
            node.cpu += cpu
            node.least = min(node.least, least)
            node.most = max(node.most, most)
            for i, n in filled:
                node.buckets[i] += n

    def flush(self):
        """The line of each region with short entries, by its path below what is open."""
        if _fast:
            self.take()
        if not self.dirty:
            return ""
        above, text = self.above(), ""
        written = [frame[0] for frame in self.stack if frame[3]]
        dirty, self.dirty = self.dirty, []
        for node in dirty:
            if node in written:                 # not below what is open: when it has ended
                self.dirty.append(node)
                continue
            name = node.path_below(above)
            if self.base and above is self.node:
                name = self.base + "/" + name
            filled = [(i, n) for i, n in enumerate(node.buckets) if n]
            count = sum(n for _, n in filled)
            node.written += count
            node.written_ns += node.wall
            at = "at=%s " % ",".join("%d:%d" % pair for pair in filled) if filled else ""
            text += "tid=%d count=%d recursed=%d wall=%s min=%s max=%s cpu=%s %sentries %s\n" % (
                self.tid, count, node.recursed, _seconds(node.wall), _seconds(node.least if count else 0),
                _seconds(node.most), _seconds(max(node.cpu, 0)), at, name)
            # A begin whose clock was carried on can be ahead of the end: what that lacks is taken from the next sum.
            ahead = min(node.cpu, 0)
            node.clear()
            node.cpu = ahead
        return text

    def flush_now(self, now):
        self.flush_at = now + FLUSH_NS
        _write(self.flush())

    def __del__(self):                          # the thread has ended
        if _fast:
            self.take()
        # In a child of fork all threads of the parent but one end: they go on there.
        if self.dirty and _fd >= 0 and self.pid == os.getpid():
            _write(self.flush())


_local = threading.local()


def _thread():
    _local.thread = thread = _Thread()
    return thread


def _forked():
    """The child goes on below the region that it was born in, with counts of its own."""
    was = getattr(_local, "thread", None)
    if was is not None:
        if _fast:
            _fast.regions_spill()
            _fast.regions_release(was)
        was.dirty.clear()
        names = [frame[0].region.name for frame in was.stack if not frame[0].again]
        _local.thread = _Thread("/".join(([was.base] if was.base else []) + names))


class _Region:
    """A context manager and a decorator; one object for a name, however often and wherever it is open."""
    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        if _fd < 0:
            return self
        try:
            thread = _local.thread
        except AttributeError:
            thread = _thread()
        stack = thread.stack
        above = stack[-1][0] if stack else thread.node
        node = above.children.get(self) or thread.learn(self, above)
        now = monotonic_ns()
        passed = now - thread.cpu_at
        if passed < CARRY_NS:
            cpu = thread.cpu + passed
        else:
            cpu = thread.cpu = thread_time_ns()
            thread.cpu_at = now
        stack.append([node, now, cpu, False])
        if not node.hot and not node.again:
            memory = _memory(now) if node.written_ns >= LONG_NS * node.written else ""
            if memory:                          # which is no part of it
                stack[-1][1] = thread.cpu_at = monotonic_ns()
                stack[-1][2] = thread.cpu = thread_time_ns()
            thread.begin_lines(memory)
        return self

    def __exit__(self, *exception):
        if _fd < 0:
            return False
        try:
            thread = _local.thread
            frame = thread.stack.pop()
        except (AttributeError, IndexError):    # begun in a parent, or before a recorder was there
            return False
        now = monotonic_ns()
        passed = now - thread.cpu_at
        if passed < CARRY_NS:
            cpu = thread.cpu + passed
        else:
            cpu = thread.cpu = thread_time_ns()
            thread.cpu_at = now
        node, begin, begin_cpu, written = frame
        wall = now - begin
        if node.region is not self:
            thread.stack.append(frame)
            self.end_outer(thread, now, cpu)
        elif node.again:
            thread.recursed(node.again)
        elif written or wall >= SHORT_NS:
            thread.end_line(frame, now, cpu)
        else:
            if not node.dirty:
                node.dirty = True
                thread.dirty.append(node)
            node.wall += wall
            node.cpu += cpu - begin_cpu
            if wall < node.least:
                node.least = wall
            if wall > node.most:
                node.most = wall
            bits = wall.bit_length()
            node.buckets[(bits - LOWEST) * 8 + (wall >> (bits - 4) & 7) if bits >= LOWEST else 0] += 1
            if now > thread.flush_at:
                thread.flush_now(now)
        return False

    def end_outer(self, thread, now, cpu):
        """Not the innermost: what is open in it ends with it.  One that is not open at all is left alone."""
        if any(frame[0].region is self for frame in thread.stack):
            while thread.stack:
                frame = thread.stack.pop()
                if frame[0].again:
                    thread.recursed(frame[0].again)
                else:
                    thread.end_line(frame, now, cpu)
                if frame[0].region is self:
                    break

    def __call__(self, function):
        return _decorated(self, function)


def _decorated(region, function):
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(region(function.__func__))
    plain = function
    while isinstance(plain, functools.partial):
        plain = plain.func
    flags = getattr(getattr(plain, "__code__", None), "co_flags", 0)
    if flags & 0x80:                        # async def
        async def wrapper(*arguments, **named):
            with region:
                return await function(*arguments, **named)
    elif flags & 0x200:                     # an async generator: until it is used up
        async def wrapper(*arguments, **named):
            with region:
                inner = function(*arguments, **named)
                try:
                    item = await inner.__anext__()
                    while True:
                        try:
                            sent = yield item
                        except GeneratorExit:
                            raise
                        except BaseException as error:
                            item = await inner.athrow(error)
                        else:
                            item = await inner.asend(sent)
                except StopAsyncIteration:
                    return
                finally:
                    await inner.aclose()
    elif flags & 0x20:                      # a generator: until it is used up
        def wrapper(*arguments, **named):
            with region:
                return (yield from function(*arguments, **named))
    else:
        def wrapper(*arguments, **named):
            with region:
                return function(*arguments, **named)
    return functools.wraps(function)(wrapper)


def _name_of(function):
    """Method with its class; without the functions that it was written in."""
    while isinstance(function, (staticmethod, classmethod, functools.partial)):
        function = function.func if isinstance(function, functools.partial) else function.__func__
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return name.rpartition("<locals>.")[2]


_regions = {}


def region(name):
    """region("name"): a context manager or a decorator.  @region: a decorator, with the function's name."""
    found = _regions.get(name) if isinstance(name, str) else None
    if found is not None:
        return found
    if callable(name) or isinstance(name, (staticmethod, classmethod)):
        return region(_name_of(name))(name)
    plain = _plain(name)
    new = _regions.get(plain) or (_fast.Region(_Region(plain)) if _fast else _Region(plain))
    if len(_regions) < NODES:
        _regions[name if isinstance(name, str) else plain] = new
    return new


def monitor_function(event_logger=None, function_name=None):
    """region as py-resource-monitor writes it: @monitor_function, @monitor_function(function_name="a name")."""
    if function_name is not None:
        return region(function_name)
    if isinstance(event_logger, (str, staticmethod, classmethod)) or callable(event_logger):
        return region(event_logger)
    return region                               # a logger is not needed


def monitor_region(name=None, event_logger=None, *, region_name=None):
    """region as py-resource-monitor writes it: with monitor_region("a name", event_logger)."""
    if name is None and region_name is None:
        raise TypeError("monitor_region() needs a name")
    return region(region_name if name is None else name)


def _note(words):
    """The open regions have to be written before."""
    if _fast:
        _fast.regions_spill()
    thread = getattr(_local, "thread", None) or _thread()
    thread.begin_lines()
    _write("t=%s tid=%d %s\n" % (_seconds(monotonic_ns()), thread.tid, words))


def mark(text):
    if _fd >= 0:
        _note("mark " + _plain(text))


def value(name, number):
    if _fd >= 0:
        _note("value %s %r" % (_plain(name), float(number)))


@atexit.register
def _flush_all():
    thread = getattr(_local, "thread", None)
    if thread is not None and _fd >= 0:
        _write(thread.flush())


_elsewhere = {}                         # of recorders other than the one that regions go to now: by path, file and threads


def connect(path):
    """
    Regions go there from now on, as to a recorder that was started beside the program; None: to none.  What goes on in
    the one before can be gone on with by another call.
    """
    global _path, _fd, _local
    if path == _path:
        return
    _flush_all()
    for thread in _fast.regions_threads() if _fast else ():
        _write(thread.flush())
        _fast.regions_release(thread)
    _elsewhere[_path] = _fd, _local
    _path = path
    _fd, _local = _elsewhere.pop(path, (-1, None))
    if _local is None:
        _local = threading.local()
        _open()
    _listen()


def forget(path):
    """That recorder has ended; it is not the one that regions go to now."""
    fd, _ = _elsewhere.pop(path, (-1, None))
    if fd >= 0:
        os.close(fd)


if __name__ == "resource_tracker.regions":
    try:
        from . import _library
        if _library.regions_use(_regions, region, lambda: getattr(_local, "thread", None), _decorated):
            _fast, region = _library, _library.region
    except ImportError:                 # no binary fits
        pass
_open()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
