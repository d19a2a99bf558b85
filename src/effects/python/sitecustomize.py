"""Reports what a Python child does to the file that USHER_EFFECTS_REPORT names, one JSON line for each effect.

Python imports this by itself, because its folder stands first on PYTHONPATH. It watches with an audit hook (PEP 578), which cannot be taken
out again, and never changes what the program does: whatever goes wrong in here is dropped, and the child then counts as not reporting.
Another sitecustomize further down the path is run as if this one were not there.
"""
import os
import sys


def _watch(report):
    import json
    import threading
    import time

    here = threading.local()
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    nowhere = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/stdout", "/dev/stderr")
    # Of the module object only what cannot go away while the interpreter shuts down.
    os_open, os_write, os_close, getpid, now = os.open, os.write, os.close, os.getpid, time.time

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

    def tell(kind, target, api, **detail):
        if target is None or target in nowhere:
            return
        if "/__pycache__/" in target:
            detail["cache"] = True
        detail["api"] = api
        append({"pid": getpid(), "watcher": "python-child", "kind": kind, "target": target[:4096], "at": int(now() * 1000), "detail": detail})

    def program(name, args, api):
        words = [text(part)[:500] for part in (args if isinstance(args, (list, tuple)) else [args or name])]
        # A start without a file name runs the first word; a shell line is one word that the reader of the report takes apart.
        target = text(os.fspath(name)) if name is not None else words[0]
        tell("process.start", target, api, argv=words[:20])

    def shell(command, api):
        tell("process.start", "/bin/sh", api, argv=["sh", "-c", text(command)[:2000]])

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
        tell("fs.rename", path(args[1], args[3]), "os.rename", **({} if source is None else {"from": source}))

    handlers = {
        "subprocess.Popen": lambda args: program(args[0], args[1], "subprocess.Popen"),
        "os.system": lambda args: shell(args[0], "os.system"),
        "os.exec": lambda args: program(args[0], args[1], "os.exec"),
        "os.posix_spawn": lambda args: program(args[0], args[1], "os.posix_spawn"),
        "os.spawn": lambda args: program(args[1], args[2], "os.spawn"),
        "os.startfile": lambda args: program(args[0], [args[0]], "os.startfile"),
        "pty.spawn": lambda args: program(None, args[0], "pty.spawn"),
        "socket.connect": lambda args: tell("net.connect", place(args[1]), "socket.connect") if args[0].type & 0xF == 1 else tell("udp.send", place(args[1]), "socket.connect"),
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
        "os.link": lambda args: tell("fs.write", path(args[1], args[3]), "os.link"),
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
        except Exception:  # The program must not notice: a lost line is the lesser harm, and the other watchers see the effect.
            pass
        finally:
            here.busy = False

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
        _watch(_report)
    except Exception:  # As above: no hello line, and the child shows up as not reporting.
        pass
_next()
