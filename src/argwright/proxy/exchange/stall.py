"""Whether a text announces an action that it does not take: a guess, from how it ends.

A model that stops behind "Let me check the weather:" meant to go on. Only the last sentence counts. It announces if it
ends with a colon, or if it begins, in one of some languages, with the words for what the speaker is about to do. A
question, an offer and a condition announce nothing.
"""

from __future__ import annotations

import re

_LAST = 300  # characters of the end that are looked at
_ENDS = ".!?…。！？\n"
_COLON = re.compile(r"[:：]\s*[*_`]*$")
_QUESTION = re.compile(r"[?？؟]\s*[*_`\"'”’)）]*$")
_OFFER = re.compile(
    r"(?=[liaouw如若请是只告随等])(?:"  # few places of a text are looked at closely
    r"\b(?:let me know|let us know|i'll be (?:happy|glad|here|able)|i will be (?:happy|glad|here|able)|if you|once you"
    r"|after you|when you|unless|would you|i'll wait|i will wait|i won't|i will not)\b"
    r"|如果|若您|若你|请告诉|请提供|是否|只要|告诉我|随时|等你|等您)",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    r"^[\W_]*(?:(?:ok|okay|sure|great|alright|right|now|next|first|then|so|good|perfect|understood|certainly|of course"
    r"|好的?|那么|现在|接下来|首先|然后|下面|明白了?|没问题|当然)[\s,.!，。！、：:—-]*)*"
    r"(?:let me(?! know)|let's|i'll|i will|i'm going to|i am going to|i'm about to|i need to|going to|we'll|we will"
    r"|je vais|laissez-moi|voy a|déjame|ich werde|lass mich|vou|deixe-me|sto per|сейчас я|я сейчас|давайте"
    r"|我来|让我|我将|我会|我先|我这就|我现在|我马上|我要|我去|我需要先|正在为您|正在为你|马上为|来查|来看"
    r"|確認します|調べます|調べてみます|それでは|確認해|확인해|제가)"
    r"(?=[\s\W\w])",
    re.IGNORECASE,
)


def announces(text: str) -> bool:
    """Whether the text ends by announcing an action."""
    end = text.rstrip()[-_LAST:]
    last = end[max(end.rfind(mark, 0, len(end) - 1) for mark in _ENDS) + 1 :]
    if not last or not (_COLON.search(last) or _ANNOUNCES.match(last.strip())):
        return False
    return not (_QUESTION.search(last) or _OFFER.search(last))
