"""The terminal client: joins a server, shows what it is sent, sends back keys that it was offered.

It runs no rules and imports nothing of the server.  The model merges what arrives, presenters
turn it into plain lines, and a console shows them.
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("senro")
except PackageNotFoundError:  # a checkout that was never installed
    __version__ = "0"
