"""Records: the detail is made when it is read, and a record without it holds nothing of it."""

from __future__ import annotations

import gc
import weakref

from argwright.making import later
from argwright.proxy.record import CallDetail, CallRecord


def record() -> CallRecord:
    return CallRecord(request_id="r", at=1.0, protocol="p", upstream="u", model="m", tool="t", status="valid")


class Said(str):  # noqa: SLOT000  # to be told apart from other text
    pass


def test_a_detail_is_made_when_it_is_read():
    made = []
    one = later(record(), "detail", lambda: made.append(1) or CallDetail(arguments_text="{}", arguments={}))
    assert made == []
    assert (one.detail, one.detail.arguments_text) == (CallDetail(arguments_text="{}", arguments={}), "{}")
    assert made == [1]


def test_without_its_detail_nothing_of_the_call_is_kept():
    said = Said("Möwe 🐦")
    gone = weakref.ref(said)
    one = later(record(), "detail", lambda kept=said: CallDetail(arguments_text=kept, arguments=None))
    bare = one.without_detail()
    del one, said
    gc.collect()
    assert gone() is None
    assert bare == record()
    assert bare.detail is None
