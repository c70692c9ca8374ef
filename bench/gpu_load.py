#!/usr/bin/env python3
"""
gpu_load.py - uses an NVIDIA GPU by a known amount, and writes what it used.

    gpu_load.py [--device N] [--truth FILE] STEP...

Steps, one after the other:
    hold:MIB:SECONDS        allocates so much, which stays allocated, and waits
    spin:PERCENT:SECONDS    a kernel runs for so much of each 100 ms
    up:GIB, down:GIB        copies to the GPU, or from it, by page-locked memory
    child:STEP+STEP         another process does these steps meanwhile; all are waited for at the end

The truth, as lines of JSON: of each step its begin and end (seconds since 1970), the seconds that kernels ran, as the host saw
them, the bytes that were copied and that are allocated, and, by NVML, the memory in use on the whole device, that of this
process, and the energy counter at both ends.  Needs the driver alone: libcuda and libnvidia-ml.
"""
import argparse
import ctypes
import json
import os
import subprocess
import sys
import time

SPIN = b"""
.version 6.3
.target sm_52
.address_size 64
.visible .entry spin(.param .u64 nanoseconds)
{
	.reg .u64 %now, %end, %length;
	.reg .pred %goes_on;
	ld.param.u64 %length, [nanoseconds];
	mov.u64 %now, %globaltimer;
	add.u64 %end, %now, %length;
again:
	mov.u64 %now, %globaltimer;
	setp.lt.u64 %goes_on, %now, %end;
	@%goes_on bra again;
	ret;
}
"""
PERIOD = 0.1
CHUNK = 256 << 20


class Failed(Exception):
    pass


def checked(library, name, *arguments):
    status = getattr(library, name)(*arguments)
    if status:
        raise Failed(f"{name} fails with {status}")


class Cuda:
    """A context on one device."""

    def __init__(self, device):
        self.library = ctypes.CDLL("libcuda.so.1")
        handle, context, module, self.spinner = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self("cuInit", 0)
        self("cuDeviceGet", ctypes.byref(handle), device)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), handle)
        self("cuCtxSetCurrent", context)
        self("cuModuleLoadData", ctypes.byref(module), SPIN)
        self("cuModuleGetFunction", ctypes.byref(self.spinner), module, b"spin")
        self.allocated = 0

    def __call__(self, name, *arguments):
        checked(self.library, name, *arguments)

    def allocate(self, size):
        at = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(size))
        self("cuMemsetD8_v2", at, ctypes.c_ubyte(1), ctypes.c_size_t(size))
        self("cuCtxSynchronize")
        self.allocated += size
        return at

    def spin(self, seconds):
        """How long it took."""
        length = ctypes.c_uint64(int(seconds * 1e9))
        parameters = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.byref(length), ctypes.c_void_p))
        begin = time.monotonic()
        self("cuLaunchKernel", self.spinner, 1, 1, 1, 1, 1, 1, 0, None, parameters, None)
        self("cuCtxSynchronize")
        return time.monotonic() - begin

    def copy(self, upwards, total):
        host = ctypes.c_void_p()
        self("cuMemAllocHost_v2", ctypes.byref(host), ctypes.c_size_t(CHUNK))
        device = self.allocate(CHUNK)
        for _ in range(total // CHUNK):
            if upwards:
                self("cuMemcpyHtoD_v2", device, host, ctypes.c_size_t(CHUNK))
            else:
                self("cuMemcpyDtoH_v2", host, device, ctypes.c_size_t(CHUNK))
        self("cuMemFree_v2", device)
        self("cuMemFreeHost", host)
        self.allocated -= CHUNK
        return total // CHUNK * CHUNK


class Memory(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint), *((name, ctypes.c_ulonglong) for name in ("total", "reserved", "free", "used"))]


class Process(ctypes.Structure):
    _fields_ = [("pid", ctypes.c_uint), ("used", ctypes.c_ulonglong), ("instance", ctypes.c_uint), ("compute", ctypes.c_uint)]


class Nvml:
    """The driver's own figures of a device, read apart from the recorder."""

    def __init__(self, device):
        self.library = ctypes.CDLL("libnvidia-ml.so.1")
        self.handle = ctypes.c_void_p()
        checked(self.library, "nvmlInit_v2")
        checked(self.library, "nvmlDeviceGetHandleByIndex_v2", device, ctypes.byref(self.handle))

    def number(self, name, kind, *arguments):
        """None if the driver does not report it."""
        value = kind()
        if getattr(self.library, name)(self.handle, *arguments, ctypes.byref(value)):
            return None
        return value.value

    def energy_joules(self):
        value = self.number("nvmlDeviceGetTotalEnergyConsumption", ctypes.c_ulonglong)
        return value if value is None else value / 1000

    def used_bytes(self):
        memory = Memory(version=ctypes.sizeof(Memory) | 2 << 24)
        return None if self.library.nvmlDeviceGetMemoryInfo_v2(self.handle, ctypes.byref(memory)) else memory.used

    def process_bytes(self, pid):
        count = ctypes.c_uint(64)
        list_ = (Process * 64)()
        if self.library.nvmlDeviceGetComputeRunningProcesses_v3(self.handle, ctypes.byref(count), list_):
            return None
        return next((p.used for p in list_[:count.value] if p.pid == pid), None)


def facts(nvml, ending):
    return {f"energy_{ending}": nvml.energy_joules(), ending: time.time()}


def hold(cuda, mib, seconds):
    if float(mib):
        cuda.allocate(int(float(mib) * (1 << 20)))
    time.sleep(float(seconds))
    return {}


def spin(cuda, percent, seconds):
    until, busy, part = time.monotonic() + float(seconds), 0, PERIOD * float(percent) / 100
    while (now := time.monotonic()) < until:
        busy += cuda.spin(part)
        time.sleep(max(now + PERIOD - time.monotonic(), 0) if part < PERIOD else 0)
    return {"busy_seconds": busy}


STEPS = {"hold": hold, "spin": spin,
         "up": lambda cuda, gib: {"up_bytes": cuda.copy(True, int(float(gib) * (1 << 30)))},
         "down": lambda cuda, gib: {"down_bytes": cuda.copy(False, int(float(gib) * (1 << 30)))}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", type=int, default=0)
    parser.add_argument("--truth", default="/dev/stdout")
    parser.add_argument("step", nargs="+")
    o = parser.parse_args()
    children = [subprocess.Popen([sys.executable, __file__, "--device", str(o.device), "--truth", o.truth, *step[6:].split("+")])
                for step in o.step if step.startswith("child:")]
    cuda, nvml = Cuda(o.device), Nvml(o.device)
    for step in o.step:
        name, *arguments = step.split(":")
        if name == "child":
            continue
        line = {"step": step, "pid": os.getpid(), **facts(nvml, "begin")}
        line.update(STEPS[name](cuda, *arguments))
        line.update(facts(nvml, "end"), allocated_bytes=cuda.allocated, device_bytes=nvml.used_bytes(),
                    process_bytes=nvml.process_bytes(os.getpid()))
        with open(o.truth, "a") as file:
            file.write(json.dumps(line) + "\n")
    return max((child.wait() for child in children), default=0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Failed, OSError) as problem:
        sys.exit(f"gpu_load.py: {problem}")
