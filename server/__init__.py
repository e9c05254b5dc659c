"""The server: a Trio shell around the engine and the protocol.

The way of one action: :mod:`server.connection` turns bytes into messages, :mod:`server.requests`
finds who answers them, :mod:`server.hall` keeps the tables, :mod:`server.play` owns a game,
:mod:`server.journal` writes it down before anyone is told, and :mod:`server.audience` tells each
audience what it may know.
"""
