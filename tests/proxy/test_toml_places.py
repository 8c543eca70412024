import tomllib

import pytest

from argwright.proxy.toml_places import places

TEXT = '''# 配置 [not] = "a table"
title = "a # no comment" # one

[server]
port = 1
"quoted.key" = { inner = 1, "deep" = { er = [1, 2] } }
a.b . "c d" = 0x1F

[[upstreams]]
url = "http://a"   # "
models = [
  "gpt-*",  # ]
  'o[1-9]*',
]

  [[upstreams]]
  url = 'http://b'
  text = """
port = 2
\\""" [x]
"""
  raw = \'\'\'
[[upstreams]]''\'\'\'
  after = 1979-05-27T07:32:00Z
  [upstreams.extra]
  x = -1.5e3
[tools."a.b".value_aliases.unit]
c = "celsius"
[[tools.x.list]]
[[tools.x.list]]
y = true
'''

PLACES = {
    ("title",): 2,
    ("server",): 4,
    ("server", "port"): 5,
    ("server", "quoted.key"): 6,
    ("server", "quoted.key", "inner"): 6,
    ("server", "quoted.key", "deep"): 6,
    ("server", "quoted.key", "deep", "er"): 6,
    ("server", "quoted.key", "deep", "er", 0): 6,
    ("server", "quoted.key", "deep", "er", 1): 6,
    ("server", "a"): 7,
    ("server", "a", "b"): 7,
    ("server", "a", "b", "c d"): 7,
    ("upstreams", 0): 9,
    ("upstreams", 0, "url"): 10,
    ("upstreams", 0, "models"): 11,
    ("upstreams", 0, "models", 0): 12,
    ("upstreams", 0, "models", 1): 13,
    ("upstreams", 1): 16,
    ("upstreams", 1, "url"): 17,
    ("upstreams", 1, "text"): 18,
    ("upstreams", 1, "raw"): 22,
    ("upstreams", 1, "after"): 24,
    ("upstreams", 1, "extra"): 25,
    ("upstreams", 1, "extra", "x"): 26,
    ("tools", "a.b", "value_aliases", "unit"): 27,
    ("tools", "a.b", "value_aliases", "unit", "c"): 28,
    ("tools", "x", "list", 0): 29,
    ("tools", "x", "list", 1): 30,
    ("tools", "x", "list", 1, "y"): 31,
}


def test_every_key_has_its_line():
    tomllib.loads(TEXT)
    assert places(TEXT) == PLACES


@pytest.mark.parametrize("text", ["", "\n", "# only a comment", "x=1", "x = [\n\n]\ny = {}", "x = [[1, 2], [3]]"])
def test_small_texts(text):
    data = tomllib.loads(text)
    assert {path[0] for path in places(text)} == set(data)


def test_lines_end_as_they_do():
    assert places("a = 1\r\nb = 2\r\n[c]\r\nd = '''\r\nx = 1\r\n'''\r\ne = 3") == {
        ("a",): 1, ("b",): 2, ("c",): 3, ("c", "d"): 4, ("c", "e"): 7,
    }  # fmt: skip
