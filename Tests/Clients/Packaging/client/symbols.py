"""A run loop by CF's names, as a binding has them: a timer, a source, and a socket with a read callback.

usage: symbols.py LIBRARY
"""

import ctypes
import socket
import sys

cf = ctypes.CDLL(sys.argv[1])
pointer, index, flags, double = ctypes.c_void_p, ctypes.c_long, ctypes.c_ulong, ctypes.c_double


def function(name, result, *arguments):
    found = getattr(cf, name)
    found.restype, found.argtypes = result, arguments
    return found


current = function("CFRunLoopGetCurrent", pointer)
now = function("CFAbsoluteTimeGetCurrent", double)
make_timer = function("CFRunLoopTimerCreate", pointer, pointer, double, double, flags, index, pointer, pointer)
make_source = function("CFRunLoopSourceCreate", pointer, pointer, index, pointer)
make_socket = function("CFSocketCreateWithNative", pointer, pointer, ctypes.c_int, flags, pointer, pointer)
source_of = function("CFSocketCreateRunLoopSource", pointer, pointer, pointer, index)
add_timer = function("CFRunLoopAddTimer", None, pointer, pointer, pointer)
add_source = function("CFRunLoopAddSource", None, pointer, pointer, pointer)
signal = function("CFRunLoopSourceSignal", None, pointer)
invalidate = function("CFRunLoopTimerInvalidate", None, pointer)
stop = function("CFRunLoopStop", None, pointer)
run = function("CFRunLoopRunInMode", ctypes.c_int, pointer, double, ctypes.c_ubyte)
mode = pointer.in_dll(cf, "kCFRunLoopDefaultMode")

TimerCallBack = ctypes.CFUNCTYPE(None, pointer, pointer)
SocketCallBack = ctypes.CFUNCTYPE(None, pointer, flags, pointer, pointer, pointer)
Perform = ctypes.CFUNCTYPE(None, pointer)


class SourceContext(ctypes.Structure):
    _fields_ = [("version", index), *[(name, pointer) for name in (
        "info", "retain", "release", "copyDescription", "equal", "hash", "schedule", "cancel",
    )], ("perform", Perform)]


left = 3
here, there = socket.socketpair()


@TimerCallBack
def tick(timer, _):
    global left
    left -= 1
    print(left, "to go")
    if left == 0:
        invalidate(timer)
        signal(source)


@Perform
def perform(_):
    there.send(b"stop")


@SocketCallBack
def read(_, kind, address, data, info):
    assert here.recv(100) == b"stop"
    stop(current())


context = SourceContext(perform=perform)
source = make_source(None, 0, ctypes.byref(context))
add_source(current(), source, mode)
add_source(current(), source_of(None, make_socket(None, here.fileno(), 1, read, None), 0), mode)
add_timer(current(), make_timer(None, now(), 0.01, 0, 0, tick, None), mode)
print({2: "stopped"}.get(run(mode, 20, 0), "not stopped"))
