"""Uses the installed Linnet as a desktop user does, through the accessibility tree, the pointer and the keyboard.

A debugger cannot drive it, because the package rejects every debugger (debugging-switches.ts, fuses). Runs in the clean
root, as an ordinary user, in a separate D-Bus session: drive.py PHASE SCREENSHOT-FOLDER
"""

import email.message
import json
import os
import re
import smtplib
import sqlite3
import subprocess
import sys
import time
import urllib.request

import dbus
import dbus.mainloop.glib
import dbus.service
import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

PATIENCE = 40
# A thread in the demo mailbox, and how its first message starts.
SUBJECT = r"Can two people share one shift\?"
WORDS = r"^Hello"
MAILTO = "mailto:ben@pier.example?subject=Ropes"
DISPLAY = ":7"


class Fault(Exception):
    """Behaviour that a user would not expect."""


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def start(*command):
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def turn():
    """Handles pending D-Bus messages."""
    context = GLib.MainContext.default()
    while context.iteration(False):
        pass


def eventually(what, look, patience=PATIENCE):
    """Retries `look` until it returns a value. Ignores accessibility and command errors."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        turn()
        try:
            found = look()
        except (GLib.Error, subprocess.CalledProcessError):
            found = None
        if found:
            return found
        time.sleep(0.2)
    raise Fault(what)


class Desktop:
    """A display, a window manager, the accessibility bus and a notification service."""

    def __init__(self, pictures):
        self.pictures = pictures
        os.environ.update(DISPLAY=DISPLAY, ACCESSIBILITY_ENABLED="1")
        self.programs = [start("Xvfb", DISPLAY, "-screen", "0", "1440x900x24", "-nolisten", "tcp")]
        # Without the socket, clients try TCP and wait a long time, because there is no network.
        eventually("no display", lambda: os.path.exists(f"/tmp/.X11-unix/X{DISPLAY[1:]}"))
        self.programs.append(start("openbox"))
        self.programs.append(start("/usr/libexec/at-spi-bus-launcher", "--launch-immediately"))
        bus = dbus.SessionBus()
        eventually("no assistive technology", lambda: bus.name_has_owner("org.a11y.Bus"))
        status = dbus.Interface(bus.get_object("org.a11y.Bus", "/org/a11y/bus"), "org.freedesktop.DBus.Properties")
        status.Set("org.a11y.Status", "IsEnabled", True)
        Atspi.init()
        self.notices = Notices(bus)

    def picture(self, name):
        run("import", "-window", "root", os.path.join(self.pictures, f"{name}.png"))

    def end(self):
        for program in reversed(self.programs):
            program.terminate()
            program.wait()


class Notices(dbus.service.Object):
    """The desktop's notification service. Records notifications and lets tests click on them."""

    def __init__(self, bus):
        self.told = []
        name = dbus.service.BusName("org.freedesktop.Notifications", bus)
        super().__init__(name, "/org/freedesktop/Notifications")

    @dbus.service.method("org.freedesktop.Notifications", in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, _replaces, _icon, summary, body, actions, hints, _expires):  # noqa: N802
        self.told.append({"app": str(app), "summary": str(summary), "body": str(body), "actions": list(actions), "hints": dict(hints)})
        return len(self.told)

    @dbus.service.method("org.freedesktop.Notifications", in_signature="", out_signature="as")
    def GetCapabilities(self):  # noqa: N802
        return ["actions", "body"]

    @dbus.service.method("org.freedesktop.Notifications", in_signature="", out_signature="ssss")
    def GetServerInformation(self):  # noqa: N802
        return ("notices", "linnet", "1", "1.2")

    @dbus.service.method("org.freedesktop.Notifications", in_signature="u", out_signature="")
    def CloseNotification(self, number):  # noqa: N802
        self.NotificationClosed(number, 3)

    @dbus.service.signal("org.freedesktop.Notifications", signature="us")
    def ActionInvoked(self, number, action):  # noqa: N802
        pass

    @dbus.service.signal("org.freedesktop.Notifications", signature="uu")
    def NotificationClosed(self, number, reason):  # noqa: N802
        pass


def under(node):
    """The node and all its descendants."""
    yield node
    try:
        for index in range(node.get_child_count()):
            child = node.get_child_at_index(index)
            if child is not None:
                yield from under(child)
    except GLib.Error:
        return


def linnet():
    """Linnet's part of the accessibility tree; None if it is not running."""
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(index)
        if child is not None and child.get_name().lower() == "linnet" and child.get_child_count() > 0:
            return child
    return None


def look_for(role, name, within=None):
    root = within or linnet()
    if root is None:
        return None
    for node in under(root):
        try:
            if node.get_role_name() == role and re.search(name, node.get_name() or ""):
                return node
        except GLib.Error:
            continue
    return None


def find(role, name, within=lambda: None):
    return eventually(f"there is no {role} “{name}”", lambda: look_for(role, name, within()))


def dump(node=None, depth=0, out=sys.stdout):
    node = node or linnet()
    if node is None:
        print("nothing", file=out)
        return
    try:
        print("  " * depth, node.get_role_name(), repr(node.get_name()), file=out)
        for index in range(node.get_child_count()):
            child = node.get_child_at_index(index)
            if child is not None:
                dump(child, depth + 1, out)
    except GLib.Error as error:
        print("  " * depth, "?", error, file=out)


def click(node):
    box = node.get_extents(Atspi.CoordType.SCREEN)
    run("xdotool", "mousemove", str(box.x + box.width // 2), str(box.y + box.height // 2), "click", "1")


def press(*keys):
    for key in keys:
        run("xdotool", "key", "--clearmodifiers", key)
        time.sleep(0.3)


def words_of(node):
    """Text of a field."""
    return Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))


def field(role, name, expected):
    """Waits until the text of a field matches. Returns the field."""

    def look():
        node = look_for(role, name)
        return node if node is not None and re.search(expected, words_of(node)) else None

    return eventually(f"the field “{name}” does not say “{expected}”", look)


def processes():
    """IDs and command lines of all Linnet processes."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", encoding="utf8") as file:
                words = file.read().replace("\0", " ")
        except OSError:
            continue
        if words.startswith("/opt/Linnet/"):
            yield int(pid), words


def expect_sandbox():
    """Checks that the renderer processes run in the system's sandbox and that no switch disables it."""
    found = list(processes())
    if os.getuid() == 0:
        raise Fault("this is not an ordinary user")
    for _, words in found:
        if " --no-sandbox" in words or "--disable-seccomp" in words:
            raise Fault(f"the sandbox is off: {words}")
    pages = [pid for pid, words in found if " --type=renderer" in words]
    if not pages:
        raise Fault("there is no process for the pages")
    for pid in pages:
        with open(f"/proc/{pid}/status", encoding="utf8") as file:
            status = dict(line.split(":", 1) for line in file.read().splitlines() if ":" in line)
        held = {name: status[name].strip() for name in ("NoNewPrivs", "Seccomp", "NSpid")}
        if held["NoNewPrivs"] != "1" or held["Seccomp"] != "2":
            raise Fault(f"the pages' process is not held by the system: {held}")
        print("sandbox:", held)


def open_linnet(*words):
    # As with a screen reader: the tests read the accessibility tree.
    return start("linnet", "--force-renderer-accessibility", *words)


def quit_linnet(program=None):
    press("ctrl+q")
    eventually("Linnet does not end", lambda: not list(processes()))
    if program is not None and program.wait() != 0:
        raise Fault(f"Linnet ended with {program.returncode}")


def first(desktop):
    """Opens the demo, reads a message, shares a link to it, and quits."""
    program = open_linnet()
    click(find("push button", "^Try the demo$"))
    click(find("list item", SUBJECT))
    find("heading", f"^{SUBJECT}")
    expect_sandbox()
    find("static", WORDS)
    desktop.picture("reads-a-message")
    click(find("push button", "^Share link$"))
    find("dialog", "^Share link$")
    click(find("push button", "^Create link$"))
    link = words_of(field("entry", "^Link$", r"^http://127\.0\.0\.1:\d+/shared\?token="))
    desktop.picture("shares-it")
    with urllib.request.urlopen(link) as shared:
        if re.search(SUBJECT, shared.read().decode()) is None:
            raise Fault("the link does not open the e-mail")
    press("Escape")
    find("status bar", "")
    eventually("the mail does not all come", lambda: look_for("static", r"^Syncing") is None, 120)
    quit_linnet(program)


def second(desktop):
    """All mail is available without the platform."""
    began = time.monotonic()
    program = open_linnet()
    find("list item", SUBJECT)
    print(f"list: {time.monotonic() - began:.1f} s after the start")
    click(find("list item", SUBJECT))
    find("heading", f"^{SUBJECT}")
    find("static", WORDS)
    find("static", r"(?i)offline|cannot be reached|no connection")
    desktop.picture("without-the-platform")
    click(find("link", "^Share links$"))
    find("static", SUBJECT, within=lambda: look_for("landmark", "^Share links$"))
    desktop.picture("share-links")
    quit_linnet(program)


def thread_link():
    """The `linnet:` link to the thread."""
    cache = os.path.expanduser("~/.config/Linnet/accounts/demo/cache.sqlite")
    with sqlite3.connect(f"file:{cache}?mode=ro", uri=True) as database:
        rows = database.execute(
            "SELECT inboxes.id, threads.id, threads.wire FROM threads JOIN inboxes ON inboxes.key = inbox_key"
        )
        for inbox, thread, wire in rows:
            if re.search(SUBJECT, wire):
                return f"linnet://thread/{inbox}/{thread}"
    raise Fault("the thread is not on the disk")


def tell_of_screen_readers(is_there):
    """Makes the desktop start Linnet with or without the accessibility tree."""
    own = os.path.expanduser("~/.local/share/applications/linnet.desktop")
    if not is_there:
        os.remove(own)
        return
    os.makedirs(os.path.dirname(own), exist_ok=True)
    with open("/usr/share/applications/linnet.desktop", encoding="utf8") as file:
        entry = file.read()
    if "Exec=/opt/Linnet/linnet %U" not in entry:
        raise Fault(f"the desktop file is not as expected:\n{entry}")
    with open(own, "w", encoding="utf8") as file:
        file.write(entry.replace("/linnet %U", "/linnet --force-renderer-accessibility %U"))


def links(desktop):
    """The desktop opens links in Linnet, whether it is running or not."""
    for scheme in ("linnet", "mailto"):
        handler = run("xdg-mime", "query", "default", f"x-scheme-handler/{scheme}")
        if handler != "linnet.desktop":
            raise Fault(f"{scheme}: links are opened by “{handler}”")
    tell_of_screen_readers(True)
    start("xdg-open", thread_link())
    find("heading", f"^{SUBJECT}")
    desktop.picture("cold-thread")
    quit_linnet()
    start("xdg-open", MAILTO)
    field("entry", "^Subject$", "^Ropes$")
    find("push button", r"^ben@pier\.example, remove$")
    desktop.picture("cold-mailto")
    press("Escape")
    quit_linnet()
    program = open_linnet()
    find("list item", SUBJECT)
    tell_of_screen_readers(False)
    start("xdg-open", "linnet://search?query=invoice")
    field("combo box", "^Search mail$", "^invoice$")
    start("xdg-open", thread_link())
    find("heading", f"^{SUBJECT}")
    desktop.picture("warm-thread")
    start("xdg-open", MAILTO)
    field("entry", "^Subject$", "^Ropes$")
    desktop.picture("warm-mailto")
    press("Escape")
    quit_linnet(program)


def ports():
    """IPv4 TCP ports in the listening state."""
    with open("/proc/net/tcp", encoding="ascii") as file:
        for line in file.read().splitlines()[1:]:
            _, local, _, state, *_ = line.split()
            if state == "0A":
                yield int(local.split(":")[1], 16)


def deliver(subject):
    """Delivers an e-mail to the demo inbox by SMTP."""
    for port in ports():
        try:
            with smtplib.SMTP("127.0.0.1", port, timeout=3) as smtp:
                message = email.message.EmailMessage()
                message["From"] = "Ada Quill <ada@quay.example>"
                message["To"] = "support@larkspur.example"
                message["Subject"] = subject
                message.set_content("No ferry before.")
                smtp.send_message(message)
                return
        except (smtplib.SMTPServerDisconnected, OSError):
            continue
    raise Fault("the demo takes no mail")


def notice(desktop):
    """New mail raises a notification while another window has the focus. Clicking on it opens the thread."""
    program = open_linnet()
    find("list item", SUBJECT)
    # Cover only a part of the window: a fully hidden Linnet checks for mail only every five minutes.
    window = run("xdotool", "search", "--onlyvisible", "--name", "Linnet").splitlines()[0]
    other = start("xterm", "-geometry", "20x4-0-0")
    beside = eventually("there is no other window", lambda: run("xdotool", "search", "--onlyvisible", "--class", "xterm"))
    run("xdotool", "windowactivate", "--sync", beside.splitlines()[0])
    eventually("Linnet keeps the focus", lambda: run("xdotool", "getwindowfocus") != window)
    deliver("Fog until noon")
    began = time.monotonic()
    told = eventually("there is no notice", lambda: desktop.notices.told, 120)[0]
    print(f"notice: {time.monotonic() - began:.1f} s after the mail")
    if told["summary"] != "Ada Quill" or "Fog until noon" not in told["body"]:
        raise Fault(f"the notice says {told}")
    desktop.notices.ActionInvoked(dbus.UInt32(1), "default")
    find("heading", "^Fog until noon")
    eventually("the window stays behind", lambda: run("xdotool", "getwindowfocus") == window)
    desktop.picture("notice-opened")
    quit_linnet(program)
    other.terminate()


def commands(_desktop):
    """The packaged command line and MCP server work without a display or an open window."""
    hidden = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}

    def linnet_says(*words, given=""):
        command = ["linnet", "--ozone-platform=headless", *words]
        return subprocess.run(command, input=given, env=hidden, capture_output=True, text=True, timeout=PATIENCE)

    found = linnet_says("search", "share one shift", "--json")
    subjects = [json.loads(line)["subject"] for line in found.stdout.splitlines()]
    if found.returncode != 0 or not any(re.search(SUBJECT, subject) for subject in subjects):
        raise Fault(f"linnet search finds {found.returncode} {found.stdout} {found.stderr}")
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "drive", "version": "1"}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
    answered = linnet_says("mcp", given=json.dumps(asked) + "\n")
    if answered.returncode != 0 or json.loads(answered.stdout)["result"]["serverInfo"]["name"] != "linnet":
        raise Fault(f"linnet mcp answers {answered.returncode} {answered.stdout} {answered.stderr}")
    unseen = subprocess.run(["linnet", "accounts"], env=hidden, capture_output=True, text=True, timeout=PATIENCE)
    if unseen.returncode != 1 or "There is no display here." not in unseen.stderr:
        raise Fault(f"linnet without a display says {unseen.returncode} {unseen.stderr}")
    print("commands: search, mcp")


def doors(_desktop):
    """Other programs of the same user cannot debug Linnet or run code in it."""
    for switch in ("--remote-debugging-port=9222", "--remote-debugging-pipe", "--inspect=9229", "--inspect-brk"):
        ended = subprocess.run(["linnet", switch], capture_output=True, text=True, timeout=PATIENCE)
        if ended.returncode != 1 or "does not start with" not in ended.stderr:
            raise Fault(f"Linnet takes {switch}: {ended.returncode} {ended.stderr}")
    mark = "/tmp/opened"
    script = "/tmp/open.cjs"
    with open(script, "w", encoding="utf8") as file:
        file.write(f"require('node:fs').writeFileSync('{mark}', '')")
    for given in ({"ELECTRON_RUN_AS_NODE": "1"}, {"NODE_OPTIONS": f"--require {script}"}):
        program = subprocess.Popen(
            ["linnet", "--force-renderer-accessibility", script],
            env={**os.environ, **given},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        eventually("Linnet does not start", lambda: program.poll() is not None or look_for("list item", SUBJECT))
        if os.path.exists(mark) or program.poll() is not None:
            raise Fault(f"Linnet runs what {list(given)[0]} says")
        quit_linnet(program)
    print("doors: no debugger, no Node")


if __name__ == "__main__":
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    desktop = Desktop(sys.argv[2])
    try:
        phases = (first, second, links, notice, commands, doors)
        {phase.__name__: phase for phase in phases}[sys.argv[1]](desktop)
    except Fault as fault:
        desktop.picture(f"fault-{sys.argv[1]}")
        with open(os.path.join(sys.argv[2], f"fault-{sys.argv[1]}.txt"), "w", encoding="utf8") as file:
            dump(out=file)
        sys.exit(f"{sys.argv[1]}: {fault}")
    finally:
        desktop.end()
