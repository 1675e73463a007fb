"""Commands for gdb and lldb that show the run loops of a program: `runloop list` and `runloop dump`.

    (gdb) source …/crunloop_debugger.py
    (lldb) command script import …/crunloop_debugger.py

They read memory by the engine's debug information and call no function of the program. So they work
on a program that is stopped anywhere, on one that hangs or has crashed, and on a core file.
"""

import datetime
import itertools
import struct

SECONDS_FROM_1970_TO_2001 = 978307200
ACTIVITIES = {1: "Entry", 2: "BeforeTimers", 4: "BeforeSources", 32: "BeforeWaiting", 64: "AfterWaiting", 128: "Exit"}
# Callbacks of the engine's that call the block which is their info.
HANDLERS = ("call_timer_block", "call_observer_block")


class Failure(Exception):
    """Why nothing can be shown."""


class Record:
    """A structure of the engine's, whose fields are numbers and pointers to other records."""

    def __init__(self, debugger, kind, address):
        self.debugger, self.kind, self.address = debugger, kind, address

    def __getitem__(self, path):
        """An integer, with its sign; `path` leads through structures within this one."""
        offset, width = self.debugger.field(self.kind, path)
        first, size = self.address + offset // 8, (offset % 8 + width + 7) // 8
        number = int.from_bytes(self.debugger.read(first, size), "little") >> offset % 8
        number &= (1 << width) - 1
        return number - (1 << width) if width >= 32 and number >> width - 1 else number

    def place(self, path):
        """The address of a field."""
        return self.address + self.debugger.field(self.kind, path)[0] // 8

    def pointer(self, path):
        return self[path] & (1 << self.debugger.field(self.kind, path)[1]) - 1

    def has(self, path):
        try:
            return self.debugger.field(self.kind, path) is not None
        except Failure:
            return False

    def record(self, path, kind, index=0):
        """The record that a pointer leads to, of an array the one at an index; None for null."""
        address = self.pointer(path)
        return Record(self.debugger, kind, address + index * self.debugger.size(kind)) if address else None

    def chain(self, path, link, kind):
        """The records of a list, as far as it is one: memory may be damaged."""
        known, record = set(), self.record(path, kind)
        while record and record.address > 1 and record.address not in known:
            known.add(record.address)
            yield record
            record = record.record(link, kind)


# --- The engine's structures ---------------------------------------------------------------------


def all_loops(debugger):
    """The table of loops, in the order of their threads."""

    def subtree(loop, known):
        if loop and loop.address not in known:
            known.add(loop.address)
            try:
                left, right = (loop.record(f"table_node.rbe_{side}", "rl_loop") for side in ("left", "right"))
            except Failure:
                # Said again by whoever shows it; the others can be.
                left, right = None, None
            yield from subtree(left, known)
            yield loop
            yield from subtree(right, known)

    root = debugger.root()
    return list(subtree(Record(debugger, "rl_loop", root) if root else None, set()))


def modes_of(loop):
    return (mode for mode in loop.chain("modes.tqh_first", "link.tqe_next", "rl_mode") if mode["exists"])


def members(mode, items, kind):
    """The sources or observers of a mode, each with its membership."""
    for member in mode.chain(f"{items}s.tqh_first", "link.tqe_next", f"rl_{items}_membership"):
        yield member, member.record("common.item", kind)


def timers_of(mode):
    """The timers of a mode, the next one first."""
    timers = []
    # One after the other, as damaged numbers may be of any size.
    places = itertools.chain(
        (("heap.entries", index) for index in range(mode["timers.heap.count"])),
        (("due", index) for index in range(mode["timers.due_first"], mode["timers.due_end"])),
    )
    for array, index in places:
        entry = mode.record(f"timers.{array}", "rl_timer_entry", index)
        member = entry.record("membership", "rl_timer_membership")
        if member:
            timer = member.record("common.item", "rl_timer")
            timers.append((entry["deadline_ns"], member["placement"], timer.address, timer))
    return [timer for *_, timer in sorted(timers, key=lambda timer: timer[:3])]


def blocks_of(loop):
    """The blocks: those that a pass has taken, with the one that runs; the queue; what came since."""
    queued = list(loop.chain("blocks.detached.stqh_first", "link.stqe_next", "rl_block"))
    queued += loop.chain("blocks.list.stqh_first", "link.stqe_next", "rl_block")
    return queued + list(loop.chain("incoming_blocks", "link.stqe_next", "rl_block"))[::-1]


# --- What is shown -------------------------------------------------------------------------------


def mode_name(mode):
    if not mode:
        return "-"
    characters, address = b"", mode.pointer("c_name")
    while b"\0" not in characters and len(characters) < 256:
        begin = address + len(characters)
        # Not beyond the end of a page.
        characters += mode.debugger.read(begin, 16 - begin % 16)
    return characters.split(b"\0")[0].decode(errors="replace")


def phase_name(loop):
    names = loop.debugger.constants("RLRunLoopPhase")
    return names.get(loop["statistics.phase"], "?").replace("kRLRunLoopPhase", "")


def function_name(debugger, address, info=0):
    """A function with its line; of a handler, the function of its block."""
    name = debugger.symbol(address) if address else "nothing"
    if name.startswith(HANDLERS) and info:
        return "block " + debugger.symbol(Record(debugger, "rl_block_layout", info).pointer("invoke"))
    return name


def line_of_source(mode, member, source):
    version, words = source["version"], []
    if version == 0:
        function = source.pointer("perform")
        words += [f"order {source['more.order'] if source['has_more'] else 0}"]
    else:
        function = source.pointer(f"more.context.v{version}.perform")
        slot, count = member["slot"], mode["wait_set.slot_count"]
        if 0 <= slot < count:
            words += [f"descriptor {mode.record('wait_set.slots', 'rl_wait_slot', slot)['fd']}"]
    words += ["signalled"] if source["signal_state"] else []
    return f"source {version}   {source.address:#x}  {', '.join(words)}: " + \
        function_name(mode.debugger, function)


def line_of_observer(observer):
    wanted = observer["activities"]
    names = [name for bit, name in ACTIVITIES.items() if wanted & bit]
    what = "all activities" if len(names) == len(ACTIVITIES) else " ".join(names)
    function = function_name(observer.debugger, observer.pointer("callout"), observer.pointer("info"))
    return f"observer   {observer.address:#x}  {what}, order {observer['order']}: {function}"


def date_text(seconds):
    try:
        return datetime.datetime.fromtimestamp(seconds + SECONDS_FROM_1970_TO_2001).isoformat(" ", "milliseconds")
    except (OSError, OverflowError, ValueError):
        return f"{seconds:g} s since 2001"


def line_of_timer(timer):
    read = timer.debugger.read
    date, = struct.unpack("<d", read(timer.place("fire_date"), 8))
    interval, = struct.unpack("<d", read(timer.place("interval"), 8))
    every = f", every {interval:g} s" if interval > 0 else ""
    called = ", is called" if timer["item.is_called"] else ""
    function = function_name(timer.debugger, timer.pointer("callout"), timer.pointer("info"))
    return f"timer      {timer.address:#x}  next {date_text(date)}{every}{called}: {function}"


def line_of_block(block):
    debugger, body = block.debugger, block.pointer("body")
    if body:
        function = Record(debugger, "rl_block_layout", body).pointer("invoke")
    else:
        function = block.pointer("storage.call.words" if block["passes_words"] else "storage.call.function")
    return f"block      {block.address:#x}  {function_name(debugger, function)}"


def lines_of_mode(mode):
    yield f"  mode {mode_name(mode)}{' (common)' if mode['is_common'] else ''}"
    for member, source in members(mode, "source", "rl_source"):
        yield "    " + line_of_source(mode, member, source)
    for _, observer in members(mode, "observer", "rl_observer"):
        yield "    " + line_of_observer(observer)
    for timer in timers_of(mode):
        yield "    " + line_of_timer(timer)


def lines_of_loop(loop):
    tid, mode = loop["thread_id"], loop.record("current_mode", "rl_mode")
    thread = loop.debugger.threads().get(tid, "no thread of it is left")
    function = loop.pointer("statistics.callout")
    yield (
        f"run loop {loop.address:#x} of {'main ' if loop['is_main'] else ''}thread {tid} ({thread}): "
        f"{phase_name(loop)}" + (f" in mode {mode_name(mode)}" if mode else "")
        + (f", calls {function_name(loop.debugger, function)}" if function else "")
    )
    for each in modes_of(loop):
        yield from lines_of_mode(each)
    for block in blocks_of(loop):
        yield "  " + line_of_block(block)


def row_of_loop(loop):
    modes = list(modes_of(loop))
    counts = [
        len({source.address for mode in modes for _, source in members(mode, "source", "rl_source")}),
        len({observer.address for mode in modes for _, observer in members(mode, "observer", "rl_observer")}),
        len({timer.address for mode in modes for timer in timers_of(mode)}),
        len(blocks_of(loop)),
    ]
    tid, mode = loop["thread_id"], loop.record("current_mode", "rl_mode")
    row = [f"{tid}{' main' if loop['is_main'] else ''}", loop.debugger.threads().get(tid, "-"), f"{loop.address:#x}"]
    return row + [phase_name(loop), mode_name(mode)] + [str(count) for count in counts]


def aligned(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def show_list(debugger, _):
    """Lists the run loops: thread, what it does, current mode, how many items and blocks."""
    rows = [["THREAD", "DEBUGGER", "LOOP", "PHASE", "MODE", "SOURCES", "OBSERVERS", "TIMERS", "BLOCKS"]]
    failures = []
    for loop in all_loops(debugger):
        try:
            rows.append(row_of_loop(loop))
        except Failure as failure:
            failures.append(f"run loop {loop.address:#x}: {failure}")
    yield from aligned(rows) + failures


def show_dump(debugger, argument):
    """Shows what run loops hold: all of them, or that of a thread, by the system's number of it."""
    wanted, found = argument.strip(), False
    for loop in all_loops(debugger):
        try:
            if wanted in ("", str(loop["thread_id"])):
                found = True
                yield from lines_of_loop(loop)
        except Failure as failure:
            yield f"run loop {loop.address:#x}: {failure}"
    if wanted and not found:
        raise Failure(f"there is no run loop of a thread {wanted}; `runloop list` shows the threads that have one")


COMMANDS = {"list": show_list, "dump": show_dump}


def show(debugger, command, argument, write):
    """Writes as many lines as can be read."""
    try:
        for line in COMMANDS[command](debugger, argument):
            # A name may have any characters.
            write("".join(each if each.isprintable() else "?" for each in line) + "\n")
    except Failure as failure:
        write(f"runloop {command}: {failure}\n")


# --- gdb and lldb --------------------------------------------------------------------------------


class Debugger:
    """What both have in common. Each has functions for its types, its memory and its symbols."""

    def __init__(self):
        self.fields = {}

    def field(self, kind, path):
        """The offset and the size of a field in bits."""
        if (kind, path) not in self.fields:
            offset, member = 0, self.kind(kind)
            for name in path.split("."):
                found = self.member(self.element(member), name)
                if not found:
                    raise Failure(f"these commands are for another engine: no {path} in {kind}")
                begin, width, member = found
                offset += begin
            self.fields[kind, path] = offset, width or 8 * self.size_of(self.element(member))
        return self.fields[kind, path]

    def size(self, kind):
        return self.size_of(self.kind(kind))


class GDB(Debugger):
    def kind(self, name):
        try:
            return gdb.lookup_type("struct " + name)
        except gdb.error:
            raise Failure(f"there is no debug information of the engine's ({name})") from None

    def root(self):
        for symbol in gdb.lookup_static_symbols("table"):
            kind = self.element(symbol.type)
            if kind.code == gdb.TYPE_CODE_STRUCT and self.member(kind, "main_thread"):
                try:
                    return int(symbol.value()["tree"]["rbh_root"])
                except gdb.error as error:
                    raise Failure(error) from None
        raise Failure("there is no debug information of the engine's table of loops")

    def element(self, kind):
        """A type without its names; of an array, that of its elements."""
        kind = kind.strip_typedefs()
        return self.element(kind.target()) if kind.code == gdb.TYPE_CODE_ARRAY else kind

    def member(self, kind, name):
        """The offset of a field in bits, its size if it has not that of its type, and its type."""
        found = next((field for field in kind.fields() if field.name == name), None)
        return found and (found.bitpos, found.bitsize, found.type)

    def size_of(self, kind):
        return kind.sizeof

    def constants(self, name):
        try:
            return {field.enumval: field.name for field in gdb.lookup_type(name).strip_typedefs().fields()}
        except gdb.error:
            return {}

    def read(self, address, size):
        try:
            return bytes(gdb.selected_inferior().read_memory(address, size))
        except (gdb.error, OverflowError):
            raise Failure(f"there is no memory at {address:#x}") from None

    def symbol(self, address):
        found = gdb.find_pc_line(address)
        block = gdb.block_for_pc(address)
        described = gdb.execute(f"info symbol {address:#x}", to_string=True)
        symbol = described.split(" in section")[0] if " in section" in described else ""
        name = block.function.name if block and block.function else symbol.split(" + ")[0]
        if name and found.symtab:
            return f"{name} at {found.symtab.filename}:{found.line}"
        return symbol or f"{address:#x}"

    def threads(self):
        return {thread.ptid[1] or thread.ptid[0]: f"gdb {thread.num}" for thread in gdb.selected_inferior().threads()}


class LLDB(Debugger):
    def __init__(self, target):
        super().__init__()
        self.target, self.process = target, target.GetProcess()

    def kind(self, name):
        kind = self.target.FindFirstType(name)
        if not kind.IsValid():
            raise Failure(f"there is no debug information of the engine's ({name})")
        return kind

    def root(self):
        for value in self.target.FindGlobalVariables("table", 1000):
            if value.GetChildMemberWithName("main_thread").IsValid():
                return value.GetChildMemberWithName("tree").GetChildMemberWithName("rbh_root").GetValueAsUnsigned()
        raise Failure("there is no debug information of the engine's table of loops")

    def element(self, kind):
        """A type without its names; of an array, that of its elements."""
        kind = kind.GetCanonicalType()
        return self.element(kind.GetArrayElementType()) if kind.IsArrayType() else kind

    def member(self, kind, name):
        """The offset of a field in bits, its size if it has not that of its type, and its type."""
        found = next((field for field in kind.fields if field.name == name), None)
        return found and (found.GetOffsetInBits(), found.GetBitfieldSizeInBits(), found.type)

    def size_of(self, kind):
        return kind.GetByteSize()

    def constants(self, name):
        return {each.signed: each.name for each in self.target.FindFirstType(name).GetCanonicalType().enum_members}

    def read(self, address, size):
        error = lldb.SBError()
        memory = self.process.ReadMemory(address, size, error)
        if not error.Success():
            raise Failure(f"there is no memory at {address:#x}")
        return memory

    def symbol(self, address):
        found = self.target.ResolveLoadAddress(address)
        line = found.GetLineEntry()
        name = found.GetFunction().GetName() or found.GetSymbol().GetName()
        if name and line.IsValid():
            return f"{name} at {line.GetFileSpec().fullpath}:{line.GetLine()}"
        return name or f"{address:#x}"

    def threads(self):
        return {thread.GetThreadID(): f"lldb {thread.GetIndexID()}" for thread in self.process}


def lldb_list(lldb_debugger, argument, result, _):
    """Lists the run loops: thread, what it does, current mode, how many items and blocks."""
    show(LLDB(lldb_debugger.GetSelectedTarget()), "list", argument, result.write)


def lldb_dump(lldb_debugger, argument, result, _):
    """Shows what run loops hold: all of them, or that of a thread, by the system's number of it."""
    show(LLDB(lldb_debugger.GetSelectedTarget()), "dump", argument, result.write)


def __lldb_init_module(lldb_debugger, _):
    lldb_debugger.HandleCommand("command container add --overwrite runloop")
    for command in COMMANDS:
        lldb_debugger.HandleCommand(f"command script add --overwrite -f {__name__}.lldb_{command} runloop {command}")


# --- Which of the two it is ----------------------------------------------------------------------

try:
    import gdb
except ImportError:
    import lldb
else:
    gdb.Command("runloop", gdb.COMMAND_STATUS, prefix=True)

    def add_command(command):
        class Command(gdb.Command):
            __doc__ = COMMANDS[command].__doc__

            def invoke(self, argument, _):
                show(GDB(), command, argument, gdb.write)

        Command(f"runloop {command}", gdb.COMMAND_STATUS)

    for each in COMMANDS:
        add_command(each)
