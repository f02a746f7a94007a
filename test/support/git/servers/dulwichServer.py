"""Serves the bare repositories below a folder with dulwich's web server, on a free port of loopback that it prints.

Arguments: the folder, then user and password where every request needs them. It ends with its standard input, so with who started it.
"""

import base64
import os
import sys
import threading
from socketserver import ThreadingMixIn
from wsgiref.simple_server import make_server

from dulwich.server import FileSystemBackend
from dulwich.web import WSGIRequestHandlerLogger, WSGIServerLogger, make_wsgi_chain

root, *login = sys.argv[1:]
expected = "Basic " + base64.b64encode(":".join(login).encode()).decode() if login else None


class Repositories(FileSystemBackend):
    def open_repository(self, path):
        return super().open_repository(os.fsdecode(path).lstrip("/"))


application = make_wsgi_chain(Repositories(root))


def guarded(environ, start_response):
    if expected is None or environ.get("HTTP_AUTHORIZATION") == expected:
        return application(environ, start_response)
    start_response("401 Unauthorized", [("WWW-Authenticate", 'Basic realm="git"'), ("Content-Length", "0")])
    return []


class Server(ThreadingMixIn, WSGIServerLogger):
    daemon_threads = True


server = make_server("127.0.0.1", 0, guarded, server_class=Server, handler_class=WSGIRequestHandlerLogger)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
