"""What the words before a marker say of it: that an example is shown, or that something is done.

A model that makes a call may say so first (`Let me check:`), and then stops. A text about
calls shows them too, and goes on. So a line that speaks of an example, of what somebody
else writes, or of what not to do shows a call; a line that only introduces something, and
not in the first person, leaves it in doubt, and what follows the call decides.
"""

from __future__ import annotations

import re

_EXAMPLE = (
    r"(?:\b(?:examples?|for instance|samples?|illustrat\w+|like (?:this|so)|looks? like|syntax|notation|beispiel\w*"
    r"|ejemplos?|exemples?|exemplos?)\b|\be\.g\.|\bz\. ?b\.|пример|مثال|דוגמה|例|示例|예시|예(?=\s*[:：])|예를 들"
    r"|たとえば|比如|譬如|语法|語法|格式如下|写法|如下所示)"
)
_OTHERS = (
    r"(?:\b(?:models?|assistant|agents?|server|llms?|it|they|user|you|tool)\b[^:.\n]{0,40}\b(?:prints?|printed|emits?"
    r"|emitted|outputs?|wrote|writes?|said|says|repl(?:y|ies|ied)|responds?|responded|generates?|generated|produces?"
    r"|produced|sends?|sent|received|logged|leaks?|leaked|asked for|message was)\b"
    r"|\b(?:I|we) (?:wrote|printed|said|emitted|sent|received|got|saw)\b"
    r"|(?:模型|助手|服务器|用户)[^：:\n]{0,12}(?:输出|返回|生成|写|打印))"
)
_NOT = (
    r"[\W_]*(?:(?:do not|don['’]t|never|avoid|wrong|incorrect|invalid|malformed|broken|bad|expected)\b"
    r"|不要|错误|禁止|切勿)"
)
_SHOWN = re.compile(f"{_EXAMPLE}|{_OTHERS}", re.IGNORECASE)
_AN_EXAMPLE = re.compile(_EXAMPLE, re.IGNORECASE)
_FORBIDDEN = re.compile(_NOT, re.IGNORECASE)
_TITLE = re.compile(
    rf"[\W\d_]*(?:<\w+>\W*)*(?:\w+ ){{0,2}}{_EXAMPLE}(?: \w+){{0,3}}[\s\d:：#*_=~-]*(?:</\w+>\s*)*", re.IGNORECASE
)
_OWN = re.compile(
    r"\b(?:I|let me|let['’]s|we|calling|checking|looking|searching|fetching|using|running|ich|lass mich|je|laissez"
    r"|voy a|d[eé]jame|vou|deixe|я|давайте)\b|我|让我|讓我|正在|現在|现在|私|します",
    re.IGNORECASE,
)
_SHOWS = re.compile(r"\b(?:show|give|demonstrat|illustrat|provid|explain|writ)|展示|演示|给出|举", re.IGNORECASE)
_COLONS = (":", "：")
_COMMAS = (",", "，", "、")
_ABBREVIATED = re.compile(r"(?:\be\.g\.|\bz\. ?b\.|\bp\. ?ex\.)\Z", re.IGNORECASE)
_MAX_ABBREVIATION = 8
_NEAR = 24  # how far before the comma "for example," may begin
_MAX_TITLE = 60
_CODE_ENDS = ('"""', "'''", ": |", ": >", ": |-", ": >-")


def shows(line: str) -> bool:
    """Whether what stands behind this line, or below it, is an example."""
    line = line.rstrip()
    if line.endswith(_COLONS):
        own = _OWN.search(line) is not None
        if own and not _SHOWS.search(line):
            return re.search(_OTHERS, line, re.IGNORECASE) is not None
        return _SHOWN.search(line) is not None or (not own and _FORBIDDEN.match(line) is not None)
    if line.endswith(_COMMAS):
        return _AN_EXAMPLE.search(line, max(0, len(line) - _NEAR)) is not None
    if line.endswith(_CODE_ENDS) or _ABBREVIATED.search(line, max(0, len(line) - _MAX_ABBREVIATION)):
        return True
    return len(line) <= _MAX_TITLE and _TITLE.fullmatch(line) is not None


def introduces(line: str) -> bool:
    """Whether the line says that something follows, and not that its author does it."""
    return line.rstrip().endswith(_COLONS) and _OWN.search(line) is None


def speaks_for_itself(line: str) -> bool:
    """Whether the line speaks in the first person."""
    return _OWN.search(line) is not None
