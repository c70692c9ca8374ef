"""
tcp_load.py KIND [PORT] - uses a known amount of TCP over loopback, and prints it as JSON
when its stdin was closed; before, it prints "begun" when it has used some.

    long    five connections with both ends in this process, open the whole time
    short   such connections, each open for a few milliseconds
    out     three connections to the server at PORT
    passed  one connection to PORT, used by a child that inherited it
    server  prints its PORT: answers each 20,000 bytes with 40,000

"long6" and "short6" use IPv6.  Run with python -c, so that it needs no file that another user could not read.
"""
import json
import os
import select
import socket
import sys
import threading

ASKED, ANSWERED = 20000, 40000


def receive(connection, size):
    got = 0
    while got < size:
        piece = connection.recv(1 << 16)
        if not piece:
            break
        got += len(piece)
    return got


def ask(connection):
    connection.sendall(bytes(ASKED))
    assert receive(connection, ANSWERED) == ANSWERED


def answer(connection):
    while receive(connection, ASKED) == ASKED:
        connection.sendall(bytes(ANSWERED))
    connection.close()


def listen(kind):
    v6 = kind.endswith("6")
    listener = socket.socket(socket.AF_INET6 if v6 else socket.AF_INET)
    listener.bind(("::1" if v6 else "127.0.0.1", 0))
    listener.listen(64)
    return listener


def pair(listener):
    client = socket.socket(listener.family)
    client.connect(listener.getsockname()[:2])
    return client, listener.accept()[0]


def serve():
    listener = listen("server")
    print(listener.getsockname()[1], flush=True)
    while True:
        threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()


def rounds(once):
    """Calls once() every 5 ms until stdin is closed; returns how often."""
    n = 0
    while not select.select([0], [], [], 0.005 if n else 0)[0] or n == 0:
        once()
        if n == 0:
            print("begun", flush=True)
        n += 1
    return n


def main(kind, port=0):
    if kind == "server":
        serve()
    elif kind.startswith("long"):
        listener = listen(kind)
        pairs = [pair(listener) for _ in range(5)]

        def once():
            for client, server in pairs:
                client.sendall(bytes(ANSWERED))
                receive(server, ANSWERED)
        sent = received = rounds(once) * ANSWERED * len(pairs)
    elif kind.startswith("short"):
        listener = listen(kind)

        def once():
            client, server = pair(listener)
            client.sendall(bytes(ASKED))
            receive(server, ASKED)
            server.sendall(bytes(ANSWERED))
            receive(client, ANSWERED)
            client.close()
            server.close()
        sent = received = rounds(once) * (ASKED + ANSWERED)
    elif kind == "out":
        connections = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
        n = rounds(lambda: [ask(c) for c in connections]) * len(connections)
        sent, received = n * ASKED, n * ANSWERED
    elif kind == "passed":
        connection = socket.create_connection(("127.0.0.1", port))
        ask(connection)
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.write(writer, str(rounds(lambda: ask(connection))).encode())
            os._exit(0)
        connection.close()
        n = int(os.read(reader, 20)) + 1
        os.wait()
        sent, received = n * ASKED, n * ANSWERED
    print(json.dumps({"sent": sent, "received": received, "rounds": sent // ASKED}), flush=True)


main(sys.argv[1], *map(int, sys.argv[2:3]))
