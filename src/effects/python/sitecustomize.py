"""Reports what a Python child does to the file that USHER_EFFECTS_REPORT names, one JSON line for each effect.

Python imports this by itself, because its folder stands first on PYTHONPATH. It watches with an audit hook (PEP 578), which cannot be taken
out again. Where USHER_EFFECTS_SCOPE names a file, the call that it tells of holds this child back: what it may not do raises PermissionError
before it happens. For the rest it never changes what the program does: whatever goes wrong in here is dropped, and the child then counts as not
reporting.
Another sitecustomize further down the path is run as if this one were not there.
"""
import os
import sys


class _Stopped(PermissionError):
    """An effect that the call in flight may not have."""


def _watch(report, scope_file):
    import json
    import threading
    import time

    here = threading.local()
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    nowhere = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/stdout", "/dev/stderr")
    # Of the module object only what cannot go away while the interpreter shuts down.
    os_open, os_read, os_write, os_close, getpid, now = os.open, os.read, os.write, os.close, os.getpid, time.time

    def text(value):
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        return str(value)

    def path(value, folder=None):
        """An absolute path, or None for a descriptor."""
        if isinstance(value, int) or value is None:
            return None
        name = text(os.fspath(value))
        if isinstance(folder, int) and folder >= 0 and not os.path.isabs(name):
            try:
                name = os.path.join(os.readlink("/proc/self/fd/%d" % folder), name)
            except OSError:
                pass
        return os.path.abspath(name)

    def place(address):
        """`host:port`, IPv6 in brackets; `unix:path`."""
        if isinstance(address, tuple) and len(address) >= 2:
            host = text(address[0]) or "*"
            return ("[%s]:%s" if ":" in host else "%s:%s") % (host, address[1])
        if isinstance(address, (str, bytes)):
            return "unix:" + text(address)
        return None

    def append(line):
        # Opened for each line: a program that closes every descriptor, or reuses the number, must not be hit.
        file = os_open(report, os.O_WRONLY | os.O_APPEND | getattr(os, "O_CLOEXEC", 0))
        try:
            os_write(file, (json.dumps(line) + "\n").encode("utf-8", "replace"))
        finally:
            os_close(file)

    def covers(pattern, target):
        """`*` stands for any characters."""
        pieces = pattern.split("*")
        if len(pieces) == 1:
            return pattern == target
        if not target.startswith(pieces[0]) or len(target) < len(pieces[0]) + len(pieces[-1]):
            return False
        at = len(pieces[0])
        for piece in pieces[1:-1]:
            found = target.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        return target.endswith(pieces[-1]) and len(target) - len(pieces[-1]) >= at

    def within(rules, kind, target):
        names = [target, target.rpartition("/")[2]] if kind == "process.start" else [target]
        if any(rule[0] == kind and all(any(covers(part, name) for name in names) for part in rule[1:]) for rule in rules):
            return True
        return kind == "http.request" and within(rules, "http.place", http_place(target))

    def http_place(target):
        scheme, _, host = target.partition(" ")[2].partition("://")
        return host if ":" in host.rpartition("]")[2] else "%s:%d" % (host, 443 if scheme == "https" else 80)

    def real(kind, target):
        """Where a path really leads; what does not follow a link itself follows those of its folders."""
        if kind in ("fs.write", "fs.chmod"):
            return os.path.realpath(target)
        return os.path.join(os.path.realpath(os.path.dirname(target)), os.path.basename(target))

    def refused(kind, targets):
        """Why the call in flight may not have this effect; None: it may, or no call is in flight that holds back."""
        if not scope_file:
            return None
        try:
            with_rules = json.loads(read_all(scope_file))
            lists = with_rules["rules"] if with_rules and with_rules["mode"] == "enforce" else []
        except (OSError, ValueError, KeyError, TypeError):
            return None
        places = targets + [real(kind, target) for target in targets if kind.startswith("fs.")]
        for nth, rules in enumerate(lists):
            if not all(within(rules, kind, target) for target in places):
                return "not-declared" if nth == 1 else "not-allowed"
        return None

    def follow(name):
        # The name is a link: its file may go between following it and opening it.
        for tried in range(5):
            try:
                return os_open(name, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
            except FileNotFoundError:
                if tried == 4:
                    raise

    def read_all(name):
        file = follow(name)
        try:
            parts = []
            while True:
                part = os_read(file, 65536)
                if not part:
                    return b"".join(parts)
                parts.append(part)
        finally:
            os_close(file)

    def tell(kind, target, api, also=(), judged=None, **detail):
        if target is None or target in nowhere:
            return
        if "/__pycache__/" in target:
            detail["cache"] = True
        detail["api"] = api
        why = refused(kind, [judged or target, *also])
        line = {"pid": getpid(), "watcher": "python-child", "kind": kind, "target": target[:4096], "at": int(now() * 1000), "detail": detail}
        if why:
            line["blocked"] = True
            detail["reason"] = why
        append(line)
        if why:
            import errno
            raise _Stopped(errno.EPERM, "usher: %s was stopped before it happened (%s)" % (kind, why), target)

    def program(name, args, api):
        words = [text(part)[:500] for part in (args if isinstance(args, (list, tuple)) else [args or name])]
        # A start without a file name runs the first word; a shell line is one word that the reader of the report takes apart.
        target = text(os.fspath(name)) if name is not None else words[0]
        plain = first_word(words[2]) if len(words) == 3 and words[1] == "-c" and target.rpartition("/")[2] in ("sh", "bash", "dash", "zsh", "ash", "ksh") else None
        tell("process.start", target, api, argv=words[:20], judged=plain)

    def shell(command, api):
        tell("process.start", "/bin/sh", api, argv=["sh", "-c", text(command)[:2000]], judged=first_word(text(command)))

    def first_word(line):
        """The program of a command line that no shell could read as anything but one plain command."""
        if any(sign in line for sign in "$`\\!;&|<>(){}*?[]#~\n\"'"):
            return None
        words = line.split()
        return words[0] if words and "=" not in words[0] else None

    def opened(args):
        name, mode, flags = args
        if isinstance(flags, int) and flags & writing:
            tell("fs.write", path(name), "open")

    def request(args):
        connection, data = args
        head = bytes(data[:64]) if isinstance(data, (bytes, bytearray, memoryview)) else b""
        method, _, rest = head.partition(b" ")
        if rest and method.isalpha() and method.isupper():
            scheme, usual = ("https", 443) if "HTTPS" in type(connection).__name__ else ("http", 80)
            host = "[%s]" % connection.host if ":" in connection.host else connection.host
            port = "" if connection.port in (None, usual) else ":%d" % connection.port
            tell("http.request", "%s %s://%s%s" % (method.decode(), scheme, host, port), "http.client")

    def database(args):
        name = text(args[0])
        if name not in ("", ":memory:") and "mode=ro" not in name and "mode=memory" not in name:
            tell("fs.write", path(name[5:].partition("?")[0] if name.startswith("file:") else name), "sqlite3.connect")

    def signal(args):
        pid, number = args
        if number != 0 and pid != getpid():
            tell("process.signal", str(pid), "os.kill", signal=int(number))

    def lookup(args):
        host = args[0]
        if host is not None and text(host) != "":
            import ipaddress
            try:
                ipaddress.ip_address(text(host).partition("%")[0])
            except ValueError:
                tell("dns.lookup", text(host), "socket.getaddrinfo")

    def moved(args):
        source = path(args[0], args[2])
        tell("fs.rename", path(args[1], args[3]), "os.rename", also=[] if source is None else [source], **({} if source is None else {"from": source}))

    def linked(args):
        source = path(args[0], args[2])
        tell("fs.write", path(args[1], args[3]), "os.link", also=[] if source is None else [source])

    # Address -> the name that was looked up for it: a connection is judged by the name that the program meant.
    names = {}

    def named(address):
        if isinstance(address, tuple) and len(address) >= 2 and text(address[0]) in names:
            return (names[text(address[0])],) + tuple(address[1:2])
        return address

    def connected(args):
        where = named(args[1])
        detail = {} if where is args[1] else {"address": text(args[1][0])}
        if args[0].type & 0xF == 1:
            tell("net.connect", place(where), "socket.connect", **detail)
        else:
            tell("udp.send", place(where), "socket.connect", **detail)

    def remember_names():
        import _socket
        look_up = _socket.getaddrinfo

        def getaddrinfo(host, *args, **more):
            found = look_up(host, *args, **more)
            if host is not None and len(names) < 10000:
                for entry in found:
                    names.setdefault(entry[4][0], text(host))
            return found

        getaddrinfo.__doc__ = look_up.__doc__
        _socket.getaddrinfo = getaddrinfo

    handlers = {
        "subprocess.Popen": lambda args: program(args[0], args[1], "subprocess.Popen"),
        "os.system": lambda args: shell(args[0], "os.system"),
        "os.exec": lambda args: program(args[0], args[1], "os.exec"),
        "os.posix_spawn": lambda args: program(args[0], args[1], "os.posix_spawn"),
        "os.spawn": lambda args: program(args[1], args[2], "os.spawn"),
        "os.startfile": lambda args: program(args[0], [args[0]], "os.startfile"),
        "pty.spawn": lambda args: program(None, args[0], "pty.spawn"),
        "socket.connect": connected,
        "socket.sendto": lambda args: tell("udp.send", place(args[1]), "socket.sendto"),
        "socket.sendmsg": lambda args: tell("udp.send", place(args[1]), "socket.sendmsg"),
        "socket.bind": lambda args: tell("net.listen", place(args[1]), "socket.bind"),
        "socket.getaddrinfo": lookup,
        "socket.gethostbyname": lookup,
        "http.client.send": request,
        "open": opened,
        "sqlite3.connect": database,
        "os.remove": lambda args: tell("fs.delete", path(args[0], args[1]), "os.remove"),
        "os.rmdir": lambda args: tell("fs.delete", path(args[0], args[1]), "os.rmdir"),
        "os.rename": moved,
        "os.mkdir": lambda args: tell("fs.write", path(args[0], args[2]), "os.mkdir"),
        "os.link": linked,
        "os.symlink": lambda args: tell("fs.write", path(args[1], args[2]), "os.symlink"),
        "os.truncate": lambda args: tell("fs.write", path(args[0]), "os.truncate"),
        "os.chmod": lambda args: tell("fs.chmod", path(args[0], args[2]), "os.chmod"),
        "os.chown": lambda args: tell("fs.chmod", path(args[0], args[3]), "os.chown"),
        "os.utime": lambda args: tell("fs.chmod", path(args[0], args[3]), "os.utime"),
        "os.kill": signal,
        "os.killpg": signal,
        "ctypes.dlopen": lambda args: tell("native.load", text(args[0]), "ctypes.dlopen") if args[0] else None,
    }

    def hook(event, args):
        handler = handlers.get(event)
        if handler is None or getattr(here, "busy", False):
            return
        here.busy = True
        try:
            handler(args)
        except _Stopped:
            raise
        except Exception:  # The program must not notice: a lost line is the lesser harm, and the other watchers see the effect.
            pass
        finally:
            here.busy = False

    try:
        remember_names()
    except Exception:  # Without names a connection is told by its address.
        pass
    append({"pid": getpid(), "ppid": os.getppid(), "watcher": "python-child", "hello": 1, "argv": [text(part)[:500] for part in getattr(sys, "orig_argv", sys.argv)][:20], "at": int(now() * 1000)})
    sys.addaudithook(hook)


def _next():
    """Runs the sitecustomize that Python would have found without this one."""
    import importlib.machinery
    import importlib.util

    mine = os.path.dirname(os.path.abspath(__file__))
    rest = [entry for entry in sys.path if os.path.abspath(entry or ".") != mine]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", rest)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


_report = os.environ.get("USHER_EFFECTS_REPORT")
if _report and hasattr(sys, "addaudithook"):
    try:
        _watch(_report, os.environ.get("USHER_EFFECTS_SCOPE"))
    except Exception:  # As above: no hello line, and the child shows up as not reporting.
        pass
_next()
