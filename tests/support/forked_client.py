"""Let the server of `tests.support.forked` start a program; end as the program ends.

It imports only what it needs: a fresh interpreter of its own is all that it costs.
"""

import json
import os
import signal
import socket
import sys

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def main() -> None:
    """Hand the order over, pass signals on, and wait for the exit code."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.connect(sys.argv[1])
    order = {
        "arguments": sys.argv[2:],
        "environment": dict(os.environ),
        "folder": os.getcwd(),  # noqa: PTH109 - pathlib takes long to import
    }
    # A signal that comes before the program has been started is passed on to it then.
    signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED)
    socket.send_fds(connection, [json.dumps(order).encode()], [0, 1, 2])
    program = int(connection.recv(20))
    for number in FORWARDED:
        signal.signal(number, lambda number, _frame: os.kill(program, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
    code = int(connection.recv(20) or 1)
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


main()
