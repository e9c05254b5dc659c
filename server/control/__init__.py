"""Administration of a running server, over a Unix socket in its state folder.

:mod:`~server.control.words` is what can be asked, :mod:`~server.control.office` does it,
:mod:`~server.control.desk` is the socket of the server, and :mod:`~server.control.command` is
``senro-server ctl``, which talks to it from another process.
"""
