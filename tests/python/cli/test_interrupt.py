"""Ctrl-C ends a command even if the program swallows it, and does not disturb cleanup."""

import signal
import sys

import children
import pytest

from imbcore._cli.interrupt import repeat_interrupts

RUN = """
import sys, time
import click
from imbcore._cli.console import run_command

{lines}

def begin():
    print("begun", flush=True)
    # A signal just before a sleep is handled after it.
    for _ in range(200):
        time.sleep(0.1)

@click.command()
def command():
    work()

sys.exit(run_command(command, []))
"""

CAUGHT = """
def work():
    try:
        begin()
    except BaseException:
        pass
    time.sleep(20)
"""

# As during imports; exceptions raised there are printed and dropped.
FORGOTTEN = """
import weakref

class Thing:
    pass

def work():
    thing = Thing()
    watched = weakref.ref(thing, lambda _: begin())
    del thing
    time.sleep(20)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a signal is sent")
@pytest.mark.parametrize("lines", [CAUGHT, FORGOTTEN], ids=["caught", "forgotten"])
def test_swallowed_ctrl_c_is_raised_again(lines):
    with children.running(RUN.format(lines=lines)) as child:
        assert child.stdout.readline() == "begun\n"
        child.send_signal(signal.SIGINT)
        stderr = child.communicate(timeout=10)[1]
    assert (child.returncode, stderr.strip()) == (130, "imbcore: error: stopped")


CLEARS_UP = """
def work():
    try:
        begin()
    finally:
        try:
            raise OSError
        except OSError:
            time.sleep(0.5)
        print("cleared up", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a signal is sent")
def test_ctrl_c_is_not_raised_again_during_cleanup():
    with children.running(RUN.format(lines=CLEARS_UP)) as child:
        assert child.stdout.readline() == "begun\n"
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=10)[0] == "cleared up\n"
    assert child.returncode == 130


def test_other_signal_handlers_are_kept():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with repeat_interrupts():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    hook = sys.unraisablehook
    with repeat_interrupts():
        pass
    assert (signal.getsignal(signal.SIGINT), sys.unraisablehook) == (before, hook)
