"""An agent whose tool was renamed, in the middle of conversations that know the old one.

    python examples/renamed_tool.py --model gpt-4o-mini

Last quarter the tool was `find_items(q, max, sort_by="cheap")`; now it is
`search_products(query, limit, order="price")`. Prompts, stored conversations and fine-tuned models go on with the old
words for months.

What it shows:

- one table says what the old words mean; they are mapped because they were declared, never because they look alike;
- only the new words are declared to the model, run, logged and stored;
- old and new name at once, with two values, is a contradiction: it is refused, and the model is told;
- what the table does not know is refused as well: `find_item` is a suggestion to the model, and no call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from connecting import connect

import argwright as aw

GOODS = [("desk lamp", 19.0), ("floor lamp", 49.0), ("lamp shade", 9.5)]


@aw.tool(
    name_aliases=("find_items",),
    aliases={"q": "query", "max": "limit", "sort_by": "order"},
    value_aliases={"order": {"cheap": "price", "alpha": "name"}},
)
def search_products(query: str, limit: int = 10, order: Literal["price", "name"] = "name") -> list[dict[str, Any]]:
    """Search the catalogue.

    Args:
        query: words to look for
        limit: how many at most
        order: by what the result is sorted
    """
    found = [{"name": name, "price": price} for name, price in GOODS if query in name]
    return sorted(found, key=lambda product: product[order])[:limit]


BOX = aw.Toolbox([search_products])
STORED: list[dict[str, Any]] = [
    {"role": "system", "content": "You know the catalogue by find_items(q, max, sort_by)."},
    {"role": "user", "content": "Which lamps do you have?"},
]


def ask(client: Any, question: str, *, model: str, format: str | None = None) -> aw.RunResult:
    """Go on with a conversation that began before the tool was renamed."""
    return aw.run(client, [*STORED, {"role": "user", "content": question}], model=model, format=format, tools=BOX)


def main(argv: Sequence[str] | None = None) -> None:
    """Ask, and print what the model called and what ran."""
    asked = connect(__doc__, "And the cheapest two?", argv)
    result = ask(asked.client, asked.question, model=asked.model, format=asked.format)
    for outcome in result.outcomes:
        match outcome:
            case aw.ValidCall(arguments):
                renamed = [f"{one.pointer or 'name'} ({one.rule})" for one in outcome.repairs]
                print(f"{outcome.call.name} → {outcome.tool.name} {arguments}; {', '.join(renamed) or 'as it was'}")
            case aw.InvalidCall(kind, reason):
                print(f"{outcome.call.name}: {kind}/{reason}: {outcome.summary}")
    print(result.text)


if __name__ == "__main__":
    main()
