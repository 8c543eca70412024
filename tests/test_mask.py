from __future__ import annotations

import pytest

from argwright.mask import Mask

COVERED = [
    ("password", ("password",)),
    ("password", ("login", "password")),
    ("password", ("users", 0, "password", "deep")),
    ("/token", ("token",)),
    ("/token", ("token", "below", 3)),
    ("/users/*/token", ("users", 7, "token")),
    ("/users/token", ("users", 7, "token")),
    ("/users/0/token", ("users", 0, "token")),
    ("/headers/*", ("headers", "Authorization")),
    ("/a~1b", ("a/b",)),
    ("密码", ("密码",)),
]
OPEN = [
    ("password", ()),
    ("password", ("passwords",)),
    ("/token", ("login", "token")),
    ("/users/*/token", ("users", 7, "name")),
    ("/users/*/token", ("users",)),
    ("/users/0/token", ("users", 1, "token")),
    ("/headers/*", ("headers",)),
]


@pytest.mark.parametrize(("entry", "path"), COVERED)
def test_covers(entry, path):
    assert Mask([entry]).covers(path)


@pytest.mark.parametrize(("entry", "path"), OPEN)
def test_leaves_open(entry, path):
    assert not Mask([entry]).covers(path)


def test_a_mask_without_entries_is_false():
    assert (bool(Mask()), bool(Mask(["a"])), bool(Mask(["/a"]))) == (False, True, True)


def test_keys_below_a_sensitive_place_are_hidden():
    mask = Mask(["/headers", "password"])
    assert [mask.hide(p) for p in ("", "/q", "/headers", "/headers/Bearer abc", "/u/password/x/y")] == [
        "", "/q", "/headers", "/headers/***", "/u/password/***",
    ]  # fmt: skip


def test_masks_a_copy():
    value = {"user": "a", "password": "p", "list": [{"password": {"x": 1}, "y": 2}]}
    assert Mask(["password"]).mask(value) == {"user": "a", "password": "***", "list": [{"password": "***", "y": 2}]}
    assert value["password"] == "p"
