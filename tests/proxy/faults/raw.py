"""A client that reads whatever comes: status, header fields and bytes, and whether the body was cut."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any

from tests.proxy.forms import whole
from tests.proxy.forms.checking import check
from tests.proxy.forms.seen import Seen
from tests.proxy.scripts import PATHS
from tests.proxy.serving import WAIT


@dataclass(frozen=True, kw_only=True)
class Heard:
    """An answer."""

    form: str
    status: int
    headers: dict[str, str]
    body: bytes
    cut: bool = False

    @property
    def seen(self) -> Seen:
        """The stream, judged."""
        return check(self.form, self.body)

    @property
    def whole(self) -> Seen:
        return whole.check(self.form, self.body)

    @property
    def error(self) -> dict[str, Any]:
        """The error in its protocol's form."""
        said = json.loads(self.body)
        if self.form == "anthropic":
            assert said["type"] == "error"
        found: dict[str, Any] = said["error"]
        assert found["message"]
        return found


def connection(root: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(root.removeprefix("http://"), timeout=WAIT)


def hear(root: str, form: str, request: Any, *, path: str | None = None) -> Heard:
    """Ask, and read to the end, whatever that is."""
    data = request if isinstance(request, bytes) else json.dumps(request).encode()
    asking = connection(root)
    try:
        asking.request(
            "POST",
            path or f"/v1/{PATHS[form]}",
            data,
            {"Content-Type": "application/json", "Authorization": "Bearer sk-secret"},
        )
        answer = asking.getresponse()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        try:
            body, cut = answer.read(), False
        except (http.client.IncompleteRead, ConnectionError) as broken:
            body, cut = getattr(broken, "partial", b""), True
        return Heard(form=form, status=answer.status, headers=headers, body=body, cut=cut)
    finally:
        asking.close()
