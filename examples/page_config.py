"""A page-config generator: one deep structure, submitted until it fits.

    python examples/page_config.py --model gpt-4o-mini
    python examples/page_config.py --model deepseek-flash --base-url https://api.deepseek.com "做一个订单列表页"

What it shows:

- JSON Schema as it is, without classes: a page has sections, a section has components, a component has a condition,
  a list of options and a map of styles;
- a schema may ask for more under a condition: only a chart needs a data source;
- a submission that is wrong three levels down is answered with that place, and only that place has to be made right;
- afterwards it is on record, place by place, what deviated and what was mended.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from connecting import connect

import argwright as aw

CONDITION = {
    "type": "object",
    "description": "满足条件时才显示",
    "properties": {
        "field": {"type": "string"},
        "operator": {"enum": ["equals", "not_equals", "contains"]},
        "value": {"type": ["string", "number", "boolean"]},
    },
    "required": ["field", "operator", "value"],
    "additionalProperties": False,
}
COMPONENT = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["text", "table", "chart", "select"]},
        "label": {"type": "string", "minLength": 1},
        "visible_when": CONDITION,
        "options": {"type": "array", "items": {"type": "string"}, "description": "下拉框的选项"},
        "style": {"type": "object", "additionalProperties": {"type": "string"}, "description": "CSS 属性 → 值"},
        "data_source": {"type": "string", "description": "接口路径，图表必填"},
    },
    "required": ["kind", "label"],
    "additionalProperties": False,
    "if": {"properties": {"kind": {"const": "chart"}}},
    "then": {"required": ["data_source"]},
}
SECTION = {
    "type": "object",
    "properties": {
        "heading": {"type": "string"},
        "components": {"type": "array", "items": COMPONENT, "minItems": 1},
    },
    "required": ["heading", "components"],
    "additionalProperties": False,
}
PAGE = {
    "type": "object",
    "description": "页面配置",
    "properties": {
        "title": {"type": "string"},
        "route": {"type": "string", "pattern": "^/"},
        "sections": {"type": "array", "items": SECTION, "minItems": 1},
    },
    "required": ["title", "route", "sections"],
    "additionalProperties": False,
}

FINAL = aw.FinalTool(
    aw.Tool.from_schema("submit_page", PAGE, description="提交页面配置", aliases={"name": "title", "path": "route"}),
    name="submit_page",
    lang="zh",
)
SYSTEM = "你是页面配置生成器。根据需求生成配置，并通过函数提交。"


def generate(client: Any, wish: str, *, model: str, format: str | None = None) -> aw.RunResult:
    """Turn a wish into a page."""
    return aw.run(
        client,
        [{"role": "system", "content": SYSTEM}, {"role": "user", "content": wish}],
        model=model,
        format=format,
        final=FINAL,
        budget=aw.Budget(final=3, steps=6),
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Generate one page; print it, and what had to be corrected on the way."""
    asked = connect(__doc__, "做一个销售概览页：一张月度图表，下面是可按地区筛选的表格", argv)
    result = generate(asked.client, asked.question, model=asked.model, format=asked.format)
    if result.output is None:
        print(f"没有生成（{result.stop}）")
        return
    print(json.dumps(result.output, ensure_ascii=False, indent=2))
    for one in result.deviations:
        how = "自动修正" if one.mended else one.message
        print(f"第 {one.submission + 1} 次提交 {one.pointer or '/'}：{one.what}（{how}）")


if __name__ == "__main__":
    main()
