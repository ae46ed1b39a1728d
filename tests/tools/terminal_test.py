#!/usr/bin/env python3
"""terminal_test.py CITESTREAM: colours, the progress line, and what is said about input if somebody types it."""

import contextlib
import errno
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.realpath(sys.argv.pop())
PATIENCE_S = 60
ERASE = "\r\033[K"
PLAIN = "\033[0m"
TEXT = "Sales grew [R](f1), costs fell [S](f2)."
WAITING = "citestream: filter: reading from the terminal; end the input with Ctrl-D"


def event(content, finish="null"):
    return ('data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"finish_reason":' + finish +
            ',"delta":{"role":"assistant","content":"' + content + '","graph_data":{}}}]}\n\n')


FAINT = f"Sales grew\033[2m[R](f1){PLAIN}, costs fell\033[2m[S](f2){PLAIN}."
STREAM = event("Sales grew [R](") + event("f1), costs fell [S](f2).", '"stop"') + "data: [DONE]\n\n"


class Terminal:
    """A run of citestream with chosen standard files on a new terminal, which controls it."""

    def __init__(self, *arguments, on=(0, 1, 2), given=None, **environment):
        self.shown = ""
        self.terminal, other = pty.openpty()
        files = [other if each in on else subprocess.PIPE for each in (0, 1, 2)]
        variables = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process = subprocess.Popen([PROGRAM, *arguments], stdin=files[0], stdout=files[1], stderr=files[2],
                                        env={**variables, "TERM": "xterm", **environment}, start_new_session=True,
                                        preexec_fn=lambda: self.take_control(other))
        os.close(other)
        if given is not None:
            self.process.stdin.write(given.encode())
            self.process.stdin.close()

    @staticmethod
    def take_control(terminal):
        import fcntl  # pylint: disable=import-outside-toplevel
        import termios  # pylint: disable=import-outside-toplevel
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def watch(self, text=None):
        """Reads what is shown until it has the text, or to the end."""
        while text is None or text not in self.shown:
            if not select.select([self.terminal], [], [], PATIENCE_S)[0]:
                raise AssertionError(f"nothing more is shown than {self.shown!r}")
            try:
                more = os.read(self.terminal, 65536)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                more = b""
            if not more:
                break
            self.shown += more.decode()
        return self.shown.replace("\r\n", "\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait(PATIENCE_S)
        for file in (self.process.stdin, self.process.stdout, self.process.stderr):
            if file:
                with contextlib.suppress(BrokenPipeError):
                    file.close()
        os.close(self.terminal)


def shown(*arguments, **how):
    with Terminal(*arguments, **how) as run:
        return run.watch()


class Colours(unittest.TestCase):
    def test_citations_are_cyan_and_removed_markers_faint_wherever_the_input_is_cut(self):
        forms = {"numeric": "Sales grew \033[36m[1]{0}, costs fell \033[36m[2]{0}.",
                 "keep": TEXT,
                 "strip": FAINT}
        for style, text in forms.items():
            for source, given in (("sse", STREAM), ("text", TEXT)):
                for cut in ("1", "7", "100000"):
                    out = shown("filter", "--from", source, "--to", "text", "--style", style, "--split", cut, on=(1, 2),
                                given=given)
                    self.assertEqual(out, text.format(PLAIN) + "\n", (style, source, cut))

    def test_there_are_none_in_pipes_and_with_NO_COLOR(self):
        command = ("filter", "--from", "text", "--to", "text", "--style", "numeric")
        plain = "Sales grew [1], costs fell [2]."
        self.assertEqual(shown(*command, on=(1, 2), given=TEXT, NO_COLOR="1"), plain + "\n")
        self.assertEqual(shown(*command, on=(1, 2), given=TEXT, TERM="dumb"), plain + "\n")
        self.assertIn("\033[36m", shown(*command, on=(1, 2), given=TEXT, NO_COLOR=""))
        piped = subprocess.run([PROGRAM, *command], input=TEXT, capture_output=True, text=True, check=True)
        self.assertEqual(piped.stdout, plain)

    def test_the_start_of_an_error_is_red(self):
        self.assertEqual(shown("filter", "no.sse"), f"\033[31mcitestream: filter:{PLAIN} no.sse: No such file or directory\n")
        self.assertEqual(shown("filter", "no.sse", NO_COLOR="1"), "citestream: filter: no.sse: No such file or directory\n")
        piped = subprocess.run([PROGRAM, "filter", "no.sse"], capture_output=True, text=True, check=False)
        self.assertEqual(piped.stderr, "citestream: filter: no.sse: No such file or directory\n")


class Input(unittest.TestCase):
    def test_a_command_that_reads_the_terminal_says_so(self):
        with Terminal("filter", "--from", "text") as run:
            run.watch(WAITING)
            run.type("It grew [R](f1).\n\004")
            self.assertIn("It grew\033[2m[R](f1)" + PLAIN + ".", run.watch())
        for arguments, name in ((("check", "claims"), "check"), (("filter", "-"), "filter")):
            with Terminal(*arguments) as run:
                run.watch(f"citestream: {name}: reading from the terminal")
                run.type("\004")
                run.watch()

    def test_a_pipe_and_a_file_are_read_silently(self):
        with tempfile.NamedTemporaryFile("w", suffix=".sse") as file:
            file.write(STREAM)
            file.flush()
            for out in (shown("filter", "--to", "text", on=(1, 2), given=STREAM), shown("filter", "--to", "text", file.name)):
                self.assertEqual(out, FAINT + "\n")


class Progress(unittest.TestCase):
    def test_ctrl_c_erases_the_progress_line_and_ends_the_run(self):
        with Terminal("filter", "--to", "text", on=(2,)) as run:
            while "MB/s" not in run.shown:
                run.process.stdin.write(event("text ").encode())
                run.process.stdin.flush()
                if select.select([run.terminal], [], [], 0.05)[0]:
                    run.shown += os.read(run.terminal, 65536).decode()
            run.type("\003")
            self.assertEqual(run.process.wait(PATIENCE_S), -signal.SIGINT)
            self.assertTrue(run.watch().endswith(ERASE), run.shown)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
