"""What a missing sign leaves: the blank that this text writes behind it, or proof that more than the sign is missing.

Who forgets a comma still writes the blank or the line break that he writes behind commas. A lost piece of the text
takes it along, and with it what stood around it: digits of the number before, letters of the text behind.
"""

from __future__ import annotations

import re

from argwright.decode.scan import Frame, Scan

_BEHIND_COLON = re.compile(r'"[ \t]*+:([ \t]*+)(?=["\d\[{-])')
_BEHIND_COMMA = re.compile(r'["\d\]}e][ \t\r\n]*+,([ \t\r\n]*+)"')
_BLANK = " \t\r\n"


def is_torn_at_colon(scan: Scan, pos: int) -> bool:
    """Whether a value begins right behind its key or colon, where this text writes a blank."""
    return scan.text[pos - 1] not in _BLANK and bool(_gaps(scan)[0])


def is_torn_at_comma(scan: Scan, pos: int, frame: Frame) -> bool:
    """Whether a member begins nearer to what stands before it than members of this object do."""
    text, end = scan.text, pos
    while end and text[end - 1] in _BLANK:
        end -= 1
    if end == pos:
        return bool(_gaps(scan)[1])
    return "\n" not in text[end:pos] and text[frame.start + 1 : frame.start + 2] in "\r\n"


def _gaps(scan: Scan) -> tuple[str, str]:
    """What stands behind the first colon and the first comma of the text."""
    if scan.gaps is None:
        colon, comma = _BEHIND_COLON.search(scan.text), _BEHIND_COMMA.search(scan.text)
        scan.gaps = (colon[1] if colon else "", comma[1] if comma else "")
    return scan.gaps
