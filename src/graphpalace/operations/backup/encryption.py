"""Encrypt a file piece by piece, so that it is written and read in bounded memory and in any order.

A file has a header and then pieces of 64 KiB, each encrypted and authenticated with AES-256-GCM. Its key is derived
from the user's and a random salt, so the number of a piece never counts twice as the nonce under one key. The last
piece is marked in its nonce: a file that was cut off is noticed, as in the STREAM construction of age.
"""

from __future__ import annotations

import io
import os
import re
import secrets
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from graphpalace.errors import InvalidInput, NotFound

MAGIC = b"graphpalace-backup-aes256gcm-1\n"
_SALT, _CHECK, _TAG = 32, 16, 16
_HEADER = len(MAGIC) + _SALT + _CHECK
_PIECE = 64 * 2**10
_MAKE_KEY = "make one with `openssl rand -hex 32 > FILE`, and keep it in another place than the backups"


def read_key(path: Path) -> bytes:
    """Return the key in a file.

    Raises:
        NotFound: If there is no such file.
        InvalidInput: If it has anything but 64 hexadecimal digits.
    """
    try:
        text = path.expanduser().read_text("ascii").strip()
    except OSError as error:
        message = f"the key file {path} cannot be read: {error.strerror}; {_MAKE_KEY}"
        raise NotFound(message, field="key_file") from None
    except UnicodeDecodeError:
        text = ""
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise InvalidInput(f"the key file {path} must have 64 hexadecimal digits; {_MAKE_KEY}", field="key_file")
    return bytes.fromhex(text)


def _derived(key: bytes, salt: bytes) -> tuple[AESGCM, bytes]:
    """Return what encrypts the file, and what tells whether a key is the right one."""
    made = HKDF(SHA256(), 32 + _CHECK, salt, b"graphpalace backup").derive(key)
    return AESGCM(made[:32]), made[32:]


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + (b"\1" if last else b"\0")


class EncryptingFile(io.RawIOBase):
    """Encrypts what is written to it."""

    def __init__(self, inner: BinaryIO, key: bytes) -> None:
        self._inner = inner
        salt = secrets.token_bytes(_SALT)
        self._cipher, check = _derived(key, salt)
        inner.write(MAGIC + salt + check)
        self._waiting = bytearray()
        self._number = 0

    def writable(self) -> bool:
        return True

    def write(self, data, /) -> int:
        self._waiting += data
        while len(self._waiting) > _PIECE:
            self._send(bytes(self._waiting[:_PIECE]), last=False)
            del self._waiting[:_PIECE]
        return len(data)

    def finish(self) -> None:
        """Write the last piece."""
        self._send(bytes(self._waiting), last=True)

    def _send(self, piece: bytes, *, last: bool) -> None:
        self._inner.write(self._cipher.encrypt(_nonce(self._number, last=last), piece, None))
        self._number += 1


class DecryptingFile(io.RawIOBase):
    """Reads what an `EncryptingFile` wrote.

    Raises:
        InvalidInput: If the key is another one, or the file was changed or cut off.
    """

    def __init__(self, inner: BinaryIO, key: bytes, *, path: str) -> None:
        self._inner, self._path = inner, path
        inner.seek(0)
        header = inner.read(_HEADER)
        if len(header) < _HEADER:
            raise self._damaged()
        self._cipher, check = _derived(key, header[len(MAGIC) : len(MAGIC) + _SALT])
        if not secrets.compare_digest(header[len(MAGIC) + _SALT :], check):
            raise InvalidInput(f"{path} was encrypted with another key than that of the key file", field="key_file")
        body = inner.seek(0, os.SEEK_END) - _HEADER
        self._pieces = max(-(-body // (_PIECE + _TAG)), 1)
        self._size = body - self._pieces * _TAG
        self._at = 0
        self._known: tuple[int, bytes] | None = None
        self._piece(self._pieces - 1)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        return self._at

    def readinto(self, buffer, /) -> int:
        if self._at >= self._size:
            return 0
        number, within = divmod(self._at, _PIECE)
        view = memoryview(buffer)
        found = self._piece(number)[within : within + len(view)]
        view[: len(found)] = found
        self._at += len(found)
        return len(found)

    def _piece(self, number: int) -> bytes:
        if self._known is None or self._known[0] != number:
            self._inner.seek(_HEADER + number * (_PIECE + _TAG))
            sealed = self._inner.read(_PIECE + _TAG)
            try:
                piece = self._cipher.decrypt(_nonce(number, last=number == self._pieces - 1), sealed, None)
            except InvalidTag:
                raise self._damaged() from None
            self._known = number, piece
        return self._known[1]

    def _damaged(self) -> InvalidInput:
        return InvalidInput(f"{self._path} is damaged: it was changed or cut off", field="file")
