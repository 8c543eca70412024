"""OpenAI Responses: items by `output_index`, everything numbered, and all of it said once more at the end.

Where an item is left out, put in or changed, the events behind are numbered anew, what closes a text says the text that
went out, and the last event's output holds the items that did. A reply that was asked for again keeps the first one's
id where the provider keeps nothing. Where it does, only the last one's id can be gone on from: if text went out under
the first one's, a second `response.created` tells the new one, which clients that keep the first event's id read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from argwright.model import Json
from argwright.proxy.exchange.judging import Written
from argwright.proxy.exchange.ledger import NOTE
from argwright.proxy.exchange.protocol import OTHER, Body, Fault, Place, Protocol, Seen, Whole
from argwright.proxy.exchange.responses_stream import CALLS, ResponsesWriter, call_item, fault_members, message
from argwright.wire.plain import identifier, mapping, number, objects, text

# what a request says


def _declared(body: Body) -> Iterator[Json]:
    yield from body["tools"] if isinstance(body.get("tools"), list) else ()


def _may_call(body: Body) -> bool:
    return body.get("tool_choice") != "none"


def _prose(body: Body) -> bool:
    return mapping(mapping(body.get("text")).get("format")).get("type") in (None, "text")


def _extended(body: Body, messages: list[Body]) -> Body:
    """The request with further items; a conversation that the provider keeps has the reply's own already."""
    if body.get("conversation"):
        return {
            **body,
            "input": [item for item in messages if text(item.get("type")).endswith("_output") or _is_user(item)],
        }
    given = body.get("input")
    said = [{"role": "user", "content": given}] if isinstance(given, str) else objects(given)
    before = given if isinstance(given, list) else said
    return {**body, "input": [*before, *messages]}


def _is_user(item: Body) -> bool:
    return item.get("role") == "user"


def _reminder(told: str) -> list[Body]:
    return [{"role": "user", "content": told}]


# what an event says


def see(name: str | None, data: Body) -> Seen:
    """One event."""
    look = _SEEN.get(text(data.get("type")) or name or "")
    return look(data) if look else OTHER


def _opened(data: Body) -> Seen:
    index = data.get("output_index")
    kind = mapping(data.get("item")).get("type")
    if kind == "message":
        return Seen(place=Place.OPEN, part=index, opens=number(index))
    return Seen(opens=number(index), odd=kind in CALLS and number(index) is None)


def _closed(data: Body) -> Seen:
    if mapping(data.get("item")).get("type") == "message":
        return Seen(place=Place.CLOSE, part=data.get("output_index"))
    return OTHER


def _piece(data: Body) -> Seen:
    return Seen(odd="output_index" not in data, item=identifier(data.get("item_id")))


def _said(data: Body) -> Seen:
    said = text(data.get("delta"))
    place = Place.TEXT if said else Place.OTHER
    return Seen(place=place, part=data.get("output_index"), text=said, reads=False)


def _at(place: Place) -> Callable[[Body], Seen]:
    return lambda data: Seen(place=place, part=data.get("output_index"), reads=False)


def _says_why(data: Body) -> bool:
    """Whether a failed reply has an error with a message: without one the official clients do not notice."""
    return bool(text(mapping(mapping(data.get("response")).get("error")).get("message")))


_END = Seen(finish=True, usage=True, end=True)
_SEEN: dict[str, Callable[[Body], Seen]] = {
    "response.created": lambda _: Seen(begins=True),
    "response.queued": lambda _: Seen(begins=True),
    "response.in_progress": lambda _: Seen(begins=True),
    "response.output_item.added": _opened,
    "response.content_part.added": _at(Place.OPEN),
    "response.output_text.delta": _said,
    "response.refusal.delta": _said,
    "response.output_text.done": _at(Place.CLOSE),
    "response.refusal.done": _at(Place.CLOSE),
    "response.content_part.done": _at(Place.CLOSE),
    "response.output_item.done": _closed,
    "response.function_call_arguments.delta": _piece,
    "response.custom_tool_call_input.delta": _piece,
    "response.completed": lambda _: _END,
    "response.incomplete": lambda _: _END,
    "response.failed": lambda data: Seen(error=True, odd=not _says_why(data)),
    "response.cancelled": lambda _: Seen(error=True, odd=True),  # which the official clients do not know
    "error": lambda _: Seen(error=True),
}


# a whole reply


def _texts_of(item: Body) -> list[Body]:
    return [part for part in objects(item.get("content")) if part.get("type") == "output_text"]


def texts(body: Body) -> list[str]:
    """The texts of its messages."""
    messages = [item for item in objects(body.get("output")) if item.get("type") == "message"]
    return [text(part.get("text")) for item in messages for part in _texts_of(item)]


def shaped(body: Json) -> bool:
    """Whether it has items, or is an error."""
    top = mapping(body)
    return isinstance(top.get("output"), list) or bool(top.get("error"))


def sound(body: Body, _legacy: bool) -> bool:  # noqa: FBT001  # as the table has it
    """Whether each call has an id, and text for arguments."""
    return all(
        identifier(item.get("call_id")) is not None
        and isinstance(item.get("input" if item.get("type") == "custom_tool_call" else "arguments"), str)
        for item in objects(body.get("output"))
        if item.get("type") in CALLS
    )


def rewritten(body: Body, whole: Whole) -> Body:
    """The response with other items."""
    seed = identifier(body.get("id")) or ""
    said = [message(f"msg_{seed}_{at}", one) for at, one in enumerate(whole.said)]
    added = [call_item(call, call.id, f"fc_{call.id}") for call in whole.added]
    made = {**body, "output": [*said, *_items(objects(body.get("output")), whole), *added], NOTE: whole.note}
    return made if whole.usage is None else {**made, "usage": whole.usage}


def _items(items: list[Body], whole: Whole) -> Iterator[Body]:
    calls, said = iter(whole.calls), iter(whole.texts or ())
    for item in items:
        if item.get("type") in CALLS:
            replaced = next(calls, None)
            yield from [item] if replaced is None else (_replaced(item, at, call) for at, call in enumerate(replaced))
        elif item.get("type") == "message" and whole.texts is not None:
            content = [_with_text(part, said) for part in objects(item.get("content"))]
            kept = [part for part in content if part.get("type") != "output_text" or part["text"]]
            if kept:
                yield {**item, "content": kept}
        else:
            yield item


def _replaced(item: Body, at: int, call: Written) -> Body:
    own = identifier(item.get("id"))
    return call_item(call, call.id, own if own is None or not at else f"{own}_{at}")


def _with_text(part: Body, said: Iterator[str]) -> Body:
    return {**part, "text": next(said, "")} if part.get("type") == "output_text" else part


def error(fault: Fault) -> Body:
    """OpenAI's error."""
    return {"error": {**fault_members(fault), "type": fault.kind}, NOTE: fault.note}


OPENAI_RESPONSES = Protocol(
    form="openai-responses",
    history="input",
    id_prefix="call_",
    declared=_declared,
    may_call=_may_call,
    prose=_prose,
    extended=_extended,
    reminder=_reminder,
    textual=True,
    confirms=True,
    see=see,
    writer=ResponsesWriter,
    texts=texts,
    shaped=shaped,
    sound=sound,
    rewritten=rewritten,
    error=error,
)
