"""The viewer from Python: pages are served on this machine, steps are shown, and recordings become pages."""

import base64
import os
import socket
import struct
import threading
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest

import msd


class Page:
    """As much of a WebSocket as a page of the viewer needs."""

    def __init__(self, url):
        parts = urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=20)
        key = base64.b64encode(os.urandom(16)).decode()
        host = f"{parts.hostname}:{parts.port}"
        lines = [
            "GET /socket HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", "",
        ]  # fmt: skip
        self.socket.sendall("\r\n".join(lines).encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.socket.recv(1)
        assert b"101" in answer.split(b"\r\n")[0]
        self.send('{"type":"hello","token":"%s"}' % parts.fragment)

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        head = bytes([0x81]) + (bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data)))
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self):
        def exactly(count):
            data = b""
            while len(data) < count:
                got = self.socket.recv(count - len(data))
                assert got, "the server closed the connection"
                data += got
            return data

        kind, length = exactly(2)
        if length == 126:
            length = struct.unpack(">H", exactly(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", exactly(8))[0]
        return kind & 15, exactly(length)


def ball():
    world = msd.World(dt=1e-2)
    world.add_plane()
    world.add_sphere("ball", 0.1, mass=1, position=(0, 0, 3))
    return world


def test_a_page_is_served_and_sees_the_world():
    world = ball()
    viewer = world.view(speed=None, open=False)
    assert viewer.url.startswith("http://127.0.0.1:") and viewer.url in viewer._repr_html_()
    with urllib.request.urlopen(viewer.url.split("#")[0]) as page:
        assert b"<title" in page.read() and "localhost" in page.headers["content-security-policy"]
    page = Page(viewer.url)
    kind, header = page.receive()
    assert kind == 1 and b'"ball"' in header
    world.run(0.5)
    seen = b""
    while b'"steps":50' not in seen.replace(b" ", b""):
        seen = page.receive()[1]
    viewer.close()
    assert viewer.closed
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(viewer.url.split("#")[0])
    world.run(0.5)
    assert world.steps == 100, "the world goes on without its viewer"


def test_viewing_changes_no_bit_and_keeps_the_pace():
    plain, viewed = ball(), ball()
    viewer = viewed.view(speed=4.0, open=False)
    began = time.monotonic()
    viewed.run(1.0)
    assert time.monotonic() - began >= 0.2, "a simulated second at 4 times real time"
    plain.run(1.0)
    assert viewed.state_hash == plain.state_hash
    viewed.reset()
    assert viewed.time == 0
    viewer.close()


def test_waiting_for_a_page():
    world = ball()
    viewer = []
    thread = threading.Thread(target=lambda: viewer.append(world.copy().view(speed=None, wait=False, open=False)))
    thread.start()
    thread.join(10)
    assert viewer, "without wait, nothing waits"
    viewer[0].close()


def test_a_body_that_comes_later_ends_the_view():
    world = ball()
    viewer = world.view(speed=None, open=False)
    world.add_sphere("late", 0.1, mass=1, position=(1, 0, 3))
    world.run(0.1)
    viewer.close()
    again = world.view(speed=None, drag=True, open=False)
    world.run(0.1)
    again.close()
    with pytest.raises(ValueError, match="speed must be above 0"):
        world.view(speed=-1, open=False)


def test_recordings_become_pages_and_are_played(tmp_path):
    world = ball()
    with world.record(tmp_path / "ball.msdr"):
        world.run(0.5)
    recording = msd.open(tmp_path / "ball.msdr")
    assert recording.html(tmp_path / "ball.html") is None
    text = (tmp_path / "ball.html").read_text()
    assert text == recording.html() and text.lstrip().lower().startswith("<!doctype html") and '"ball"' in text
    assert len(recording.html(max_frames=5)) < len(text)
    viewer = recording.view(open=False)
    page = Page(viewer.url)
    assert b'"ball"' in page.receive()[1]
    viewer.close()


def test_without_a_desktop_the_address_is_printed(monkeypatch, capfd):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    viewer = ball().view()
    assert viewer.url in capfd.readouterr().err
    viewer.close()
