"""A relay on loopback whose sockets ask for the smallest receive buffer that the system allows.

usage: small-window.py TARGET_PORT     prints the port it listens on; ends when its standard input does.

Node.js cannot set SO_RCVBUF, and a window that is closed most of the time makes the sender's writes partial in places
that no slow reader with a buffer of megabytes reaches.
"""

import os
import socket
import sys
import threading


def forward(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(1024):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        for one in (source, sink):
            one.close()


def accept(server: socket.socket, target: int) -> None:
    while True:
        client, _ = server.accept()
        worker = socket.create_connection(("127.0.0.1", target))
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        worker.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for pair in ((client, worker), (worker, client)):
            threading.Thread(target=forward, args=pair, daemon=True).start()


def main() -> None:
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    # Small segments fit the window, so that it opens again without the sender's probes.
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    server.bind(("127.0.0.1", 0))
    server.listen(16)
    print(server.getsockname()[1], flush=True)
    threading.Thread(target=accept, args=(server, int(sys.argv[1])), daemon=True).start()
    sys.stdin.read()
    os._exit(0)


main()
