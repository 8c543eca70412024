"""Text → value: the strict reader first, the tolerant one where it stopped."""

from argwright.decode.door import Decoded, Undecodable, decode

__all__ = ["Decoded", "Undecodable", "decode"]
