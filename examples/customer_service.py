"""A customer-service agent: looks products up, informs a colleague exactly once, answers by a final tool.

    python examples/customer_service.py --model gpt-4o-mini
    python examples/customer_service.py --api anthropic --model claude-haiku-4-5 "台灯可以调光吗？"

What it shows:

- the answer is a tool of its own, beside the real ones, in one flow of requests: reply, tags, transfer, confidence;
- no answer is taken before a product was looked up (`requires`);
- a notification is no query: made again with the same content, it is answered and not sent again;
- a model that answers in plain text is reminded once; then the text is taken, with a confidence that says so;
- failures in a row are told to whoever is on duty.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from connecting import connect
from pydantic import BaseModel, Field

import argwright as aw

CATALOGUE = [
    {"sku": "L-100", "name": "护眼台灯", "price": 199, "stock": 12, "note": "三档调光"},
    {"sku": "L-200", "name": "落地灯", "price": 399, "stock": 0, "note": "预计下周到货"},
    {"sku": "C-010", "name": "人体工学椅", "price": 899, "stock": 3, "note": "可调扶手"},
]


class Answer(BaseModel):
    """给客户的答复。"""

    reply: str = Field(min_length=1, description="给客户的完整回复")
    tags: list[str] = Field(description="问题的分类，例如：库存、价格、售后")
    transfer: bool = Field(description="是否转人工")
    confidence: float = Field(ge=0, le=1, description="对答复的把握，0 到 1")


@dataclass
class Desk:
    """Where notifications go: here a list, elsewhere a queue or a chat."""

    sent: list[tuple[str, str]] = field(default_factory=list)


@aw.tool(annotations={"readOnlyHint": True}, aliases={"q": "keyword"})
def query_product(keyword: str) -> list[dict[str, Any]]:
    """按关键词查询商品的价格与库存。

    Args:
        keyword: 商品名称中的词，例如：台灯
    """
    return [product for product in CATALOGUE if keyword in str(product["name"])]


@aw.tool(annotations={"readOnlyHint": False, "idempotentHint": False})
def notify_staff(topic: str, message: str, desk: Annotated[Desk, aw.Injected]) -> str:
    """通知人工客服跟进。

    Args:
        topic: 事由
        message: 需要人工处理的内容
        desk: filled in by the program; the model never sees it
    """
    desk.sent.append((topic, message))
    return "已通知"


FINAL = aw.FinalTool(
    Answer,
    name="format_response",
    lang="zh",
    requires=("query_product",),
    on_text=aw.Fallback(field="reply", fixed={"tags": [], "transfer": True, "confidence": 0.3}),
)
SYSTEM = "你是一家家居店的客服。先查询商品，再答复；不确定时通知人工客服。"


def serve(
    client: Any, question: str, *, model: str, format: str | None = None, desk: Desk, monitor: aw.Monitor | None = None
) -> aw.RunResult:
    """Answer one customer."""
    return aw.run(
        client,
        [{"role": "system", "content": SYSTEM}, {"role": "user", "content": question}],
        model=model,
        format=format,
        tools=[query_product, notify_staff],
        final=FINAL,
        budget=aw.Budget(steps=8),
        inject={"desk": desk},
        monitor=monitor,
    )


def on_duty(alert: aw.Alert) -> None:
    """Tell whoever is on duty."""
    print(f"{alert.count} × {alert.kind} ({alert.tool or '未注册的工具'}): {alert.action}", file=sys.stderr)


def main(argv: Sequence[str] | None = None) -> None:
    """Answer one customer and print what they get."""
    asked = connect(__doc__, "台灯还有货吗？多少钱？", argv)
    desk = Desk()
    monitor = aw.Monitor(on_alert=on_duty)
    result = serve(asked.client, asked.question, model=asked.model, format=asked.format, desk=desk, monitor=monitor)
    answer = result.output
    if answer is None:
        print(f"没有答复（{result.stop}）")
        return
    print(answer.reply)
    tags, transfer = "、".join(answer.tags) or "无", "是" if answer.transfer else "否"
    print(f"标签：{tags}；转人工：{transfer}；把握：{answer.confidence}")
    for topic, message in desk.sent:
        print(f"已通知人工（{topic}）：{message}")


if __name__ == "__main__":
    main()
