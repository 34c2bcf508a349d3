"""The socket that the web server listens on."""

from __future__ import annotations

import socket

from lumbung.errors import SettingsError


def listening_socket(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise SettingsError(
            f"The web server cannot listen on {host}:{port} ({error.strerror}); choose others with LUMBUNG_WEB__HOST and LUMBUNG_WEB__PORT."
        ) from error
