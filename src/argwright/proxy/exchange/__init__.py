"""The heart of the gateway, without I/O: bytes of a request and of the model's replies in, bytes for the client out.

    exchange = Exchange("openai-chat", body, mending, request_id="r1", upstream="default", now=time.time)
    exchange.engaged                  False: pass bytes through untouched
    exchange.ask                      the body to send upstream
    exchange.whole(body)              -> Reply | Again
    retold(form, body, asked)         a whole reply as the stream that was asked for
    exchange.feed(data)               -> bytes for the client, whole events
    exchange.end(broken=False)        -> Tail | Again
    exchange.take_records()           calls resolved since the last look

After `Again`, the upstream is asked with its body, and the same exchange takes the reply. A protocol is one module and
one entry in `table`; `protocol` says what it has to know.
"""

from argwright.proxy.exchange.closing import BROKEN_OFF
from argwright.proxy.exchange.exchange import Again, Exchange, Reply, Tail
from argwright.proxy.exchange.protocol import Fault
from argwright.proxy.exchange.retelling import retold

__all__ = ["BROKEN_OFF", "Again", "Exchange", "Fault", "Reply", "Tail", "retold"]
