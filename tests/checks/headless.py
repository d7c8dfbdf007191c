"""A headless Chromium that is told what to do through two pipes: the DevTools protocol without
anything but Python's own library."""

import json
import os
import select
import subprocess
import tempfile


class Browser:
    """`with Browser(program) as browser`: one page, and every word that it says."""

    def __init__(self, program):
        self.program, self.n_sent, self.session, self.events = program, 0, None, []

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def connect():  # the protocol wants these two numbers
            os.dup2(to_browser, 13)
            os.dup2(from_browser, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            [self.program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}", "about:blank"],
            preexec_fn=connect, pass_fds=(3, 4), stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.unread = b""
        target = self.tell("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.tell("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.tell(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.profile.cleanup()

    def receive(self):
        """The next message; messages end with a zero byte."""
        while b"\0" not in self.unread:
            if not select.select([self.read_end], [], [], 120)[0]:
                raise RuntimeError("the browser is silent")
            piece = os.read(self.read_end, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has gone")
            self.unread += piece
        message, self.unread = self.unread.split(b"\0", 1)
        return json.loads(message)

    def tell(self, method, **parameters):
        """Sends a command and waits for its answer; events on the way are kept."""
        self.n_sent += 1
        message = {"id": self.n_sent, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.n_sent:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, address):
        self.events.clear()
        self.tell("Page.navigate", url=address)
        while not self.heard("Page.loadEventFired"):
            self.events.append(self.receive())

    def heard(self, *methods):
        return [event["params"] for event in self.events if event.get("method") in methods]

    def evaluate(self, expression):
        answer = self.tell("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")
