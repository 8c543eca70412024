"""What the words before a marker say of it."""

from __future__ import annotations

import pytest

from argwright.dialects.introductions import introduces, shows, speaks_for_itself


@pytest.mark.parametrize(
    "line",
    [
        "For example:", "An example of a call:", "As an example,", "for instance, ", "e.g.", "z. B.", "It looks like this:", "Its syntax:", "The notation:",
        "Beispiel:", "Por ejemplo:", "Par exemple :", "Например, пример:", "例如：", "下面是一个示例：", "比如，", "調用語法：", "たとえば、", "예:",
        "Example 1", "**Example**", "### Example", "## 示例", "Example of use", "<summary>Example</summary>", "Sample output:", "Expected reply:",
        "The model printed:", "What the server sent:", "It then emits:", "You wrote:", "I wrote:", "模型会输出：", "Do not send this:", "Never do this:",
        "Wrong:", "不要这样：", "I will show you an example:", "Let me give a sample:", 'text = """', "content: |", "print('''",
    ],
)  # fmt: skip
def test_shows(line):
    assert shows(line)


@pytest.mark.parametrize(
    "line",
    [
        "", "Sure.", "Sure:", "Let me look:", "I will check the weather:", "I'll look for an example of it:", "I don't know, let me see:", "让我查一下：",
        "Never mind, I'll search:", "The example above is wrong.", "An example is below.", "Here you go:", "On it,", "Good morning, everybody,", "Voilà :",
    ],
)  # fmt: skip
def test_does_not_show(line):
    assert not shows(line)


@pytest.mark.parametrize(
    ("line", "introduced"),
    [
        ("Here you go:", True),
        ("The call: ", True),
        ("结果：", True),
        ("Let me look:", False),
        ("我来查：", False),
        ("Sure.", False),
        ("", False),
    ],
)
def test_introduces(line, introduced):
    assert introduces(line) is introduced


@pytest.mark.parametrize(
    ("line", "own"), [("I will", True), ("let me see", True), ("正在查询", True), ("it prints", False), ("", False)]
)
def test_speaks_for_itself(line, own):
    assert speaks_for_itself(line) is own
