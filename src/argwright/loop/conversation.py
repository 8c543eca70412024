"""The agent loop as a generator: it yields what is to be done and is told what came of it.

    loop = converse(Setup(…))
    command = next(loop)            # CallModel or RunTools
    command = loop.send(reply)      # a Turn, or Ran; the RunResult comes with StopIteration

There is no I/O in it. What is sent to the model can always be replayed: every call of
the history has one result, effective arguments, and an id of its own, and a service's
own wishes are met. What a call means is decided by the toolbox, what to do about it by
the session; here stands what a turn leads to.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from argwright import history
from argwright.errors import NoFinalAnswerError
from argwright.final import FinalTool, cut_reply
from argwright.loop import request as requests
from argwright.loop.commands import CallModel, Cancelled, Command, Ran, Refused, RunTools
from argwright.loop.result import RunResult, added, deviations, normalized
from argwright.model import InvalidCall, Outcome, ToolCall, ToolResult, Turn, ValidCall
from argwright.session import Counted, Session, Stop
from argwright.toolbox import Toolbox
from argwright.wire import find, write
from argwright.wire.services import Service

_ECHO: Final = "reasoning_content"


@dataclass(frozen=True, kw_only=True, repr=False)
class Setup:
    """What a run starts with.

    Args:
        form: the wire format's name.
        messages: the conversation so far, in the provider's form.
        box: the tools, the final one among them.
        session: the run's own.
        request: what goes into the provider's call besides messages and tools.
        final: the tool for the answer.
        service: the service behind the format, if it is known.
    """

    form: str
    messages: Sequence[dict[str, Any]]
    box: Toolbox
    session: Session
    request: Mapping[str, Any] = field(default_factory=dict[str, Any])
    final: FinalTool | None = None
    service: Service | None = None


def converse(setup: Setup) -> Generator[Command, Any, RunResult]:
    """Hold a conversation until there is an answer, or no way to one.

    Raises:
        NoFinalAnswerError: it ended in text, and the final tool wants that to raise.
    """
    return (yield from _Conversation(setup).run())


class _Conversation:
    """One conversation as it goes on; it belongs to one run."""

    def __init__(self, setup: Setup) -> None:
        self._form, self._box, self._session = setup.form, setup.box, setup.session
        self._final, self._service = setup.final, setup.service
        self._messages, self._request = tuple(setup.messages), requests.completed(setup.form, setup.request)
        if setup.final is not None:
            told = (setup.final.system, setup.final.name)
            self._messages, self._request = requests.instructed(self._form, self._messages, self._request, told)
        name = None if setup.service is None else setup.service.name
        self._tools = setup.box.declare(setup.form, service=name)
        self._forcible = requests.may_force(setup.request, setup.service)
        self._ids = set(requests.ids(self._messages))
        self._outcomes: list[Outcome] = []
        self._submissions: list[Outcome] = []
        self._usage: dict[str, Any] = {}
        self._steps = 0
        self._text = ""
        self._answer: ValidCall | None = None

    def run(self) -> Generator[Command, Any, RunResult]:
        """Step by step, to the end."""
        while (stop := self._limit()) is None:
            turn = yield from self._ask()
            if turn is None:
                stop = "cancelled"
                break
            stop = yield from self._take(turn)
            if stop is not None:
                break
        return self._result(stop)

    def _limit(self) -> Stop | None:
        budget = self._session.budget
        if self._steps >= budget.steps:
            return "steps"
        return "budget" if budget.tokens is not None and self._tokens >= budget.tokens else None

    @property
    def _tokens(self) -> int:
        return int(self._usage.get("total_tokens", 0))

    # --- asking

    def _ask(self) -> Generator[Command, Any, Turn | None]:
        """The next reply; `None` if the run is cancelled. What a service refuses is asked once more without it."""
        self._steps += 1
        while True:
            choice = self._choice()
            reply = yield CallModel(messages=self._messages, tools=self._tools, choice=choice, request=self._request)
            match reply:
                case Turn():
                    return reply
                case Cancelled():
                    return None
                case Refused(error=error) if self._can_echo(error):
                    self._echo()
                case Refused() if choice is not None:
                    self._forcible = False
                case Refused(error=error):
                    raise error
                case _:
                    raise TypeError(f"a call of the model is answered by a Turn, not by {type(reply).__name__}")

    def _choice(self) -> Any:
        """The final tool, forced on the last step, if it may be called now."""
        final = self._final
        last = self._steps == self._session.budget.steps
        if final is None or not last or not self._forcible or not self._session.may_submit():
            return None
        return requests.forced(self._form, find(self._form).names.apply(final.name))

    def _can_echo(self, error: Exception) -> bool:
        """Whether a service wants reasoning back that the history lacks, whatever service it is."""
        if self._form != "openai-chat" or _ECHO not in str(error):
            return False
        return any(message.get("tool_calls") and _ECHO not in message for message in self._messages)

    def _echo(self) -> None:
        """Send reasoning back from now on, and beside the calls that were made so far."""
        known = self._service or Service(name="unknown")
        self._service = replace(known, reasoning=_ECHO, echo_reasoning=True)
        self._messages = tuple(history.effective(self._form, self._messages, service=self._service).messages)

    # --- a turn

    def _take(self, turn: Turn) -> Generator[Command, Any, Stop | None]:
        if turn.usage:
            self._usage = added(self._usage, {**turn.usage, **normalized(turn.usage)})
        self._text = turn.text or self._text
        if turn.calls:
            return (yield from self._called(turn))
        return self._said(turn)

    def _called(self, turn: Turn) -> Generator[Command, Any, Stop | None]:
        verdict = self._session.judge(self._box.resolve_turn(turn))
        self._outcomes += verdict.outcomes
        if self._final is not None:
            name = self._final.name
            self._submissions += [one for one in verdict.outcomes if getattr(one.tool, "name", None) == name]
        ran = Ran(results=())
        if verdict.run:
            ran = yield RunTools(calls=verdict.run)
            self._session.ran(verdict.run, ran.results)
        self._append(turn, verdict.outcomes, verdict.results(ran.results))
        if verdict.cut:
            self._request = requests.grown(self._form, self._request, self._session.budget.grow_output)
        if verdict.final is not None:
            self._answer = verdict.final
            return "final"
        return "cancelled" if ran.cancelled else verdict.stop

    def _append(self, turn: Turn, outcomes: Sequence[Outcome], results: Sequence[ToolResult]) -> None:
        """Put a turn and its results into the history, as the service takes them."""
        own = [*map(self._with_own_id, outcomes)]
        self._messages += tuple(write(self._form, turn, own, results, service=self._service))

    def _with_own_id(self, outcome: Outcome) -> Outcome:
        """The outcome with an id that no call of this conversation had."""
        call: ToolCall = outcome.call
        number, own = 1, call.id if call.id is not None else f"call_{self._steps}"
        made = own
        while made in self._ids:
            number += 1
            made = f"{own}_{number}"
        self._ids.add(made)
        return outcome if made == call.id else replace(outcome, call=replace(call, id=made))

    # --- a turn without calls

    def _said(self, turn: Turn) -> Stop | None:
        if turn.finish.reason == "pause":  # the provider is not done; it goes on when it is asked again
            self._keep(turn)
            return None
        if turn.finish.truncated:
            return self._cut(turn)
        if self._final is None:
            self._keep(turn)
            return "text"
        return self._in_place_of(self._final, turn)

    def _keep(self, turn: Turn, answer: str = "") -> None:
        """Put a turn without calls into the history, and what is said about it."""
        if turn.text or turn.reasoning or turn.extra:
            self._append(turn, (), ())
        if answer:
            self._messages += (requests.spoken(answer),)

    def _cut(self, turn: Turn) -> Stop | None:
        again = self._session.cut_text()
        lang = "en" if self._final is None else self._final.lang
        self._keep(turn, cut_reply(lang) if again else "")
        self._request = requests.grown(self._form, self._request, self._session.budget.grow_output)
        return None if again else "budget"

    def _in_place_of(self, final: FinalTool, turn: Turn) -> Stop | None:
        """A text where the final tool should have been called."""
        found = self._submitted(final, turn.text)
        self._submissions += [] if found is None else [found]
        if isinstance(found, ValidCall):
            return self._submission(turn, found)
        issues = [] if found is None else [f"{issue.pointer or '(root)'} {issue.message}" for issue in found.issues[:5]]
        if self._session.remind():
            self._keep(turn, final.reminder(issues, self._session.missing))
            return None
        self._keep(turn)
        if final.fallback is None:
            raise NoFinalAnswerError(f"the run ended in text; {final.name!r} was not called", self._result("text"))
        self._fall_back(final, turn.text)
        return "text"

    def _submitted(self, final: FinalTool, text: str) -> Outcome | None:
        """What the JSON in a text is as an answer; `None` if there is none in it."""
        if "{" not in text:
            return None
        outcome = self._box.resolve(ToolCall(None, final.name, text, origin="text:json"))
        match outcome:
            case ValidCall(arguments):
                return outcome if arguments else None
            case InvalidCall():
                return outcome if outcome.issues else None

    def _submission(self, turn: Turn, found: ValidCall) -> Stop | None:
        verdict = self._session.judge((found,))
        self._outcomes.append(found)
        if verdict.final is not None:
            self._keep(turn)
            self._answer = found
            return "final"
        told = verdict.results(())[0].content
        self._keep(turn, f"{told['error']}: {told['instruction']}")
        return verdict.stop

    # --- the end

    def _fall_back(self, final: FinalTool, text: str | None) -> None:
        self._answer = final.answer(text)
        if self._answer is not None:
            self._session.notice(Counted.FALLBACK, final.name)

    def _result(self, stop: Stop) -> RunResult:
        final = self._final
        fixed = None if final is None or final.fallback is None else final.fallback.text
        if final is not None and self._answer is None and fixed is not None and stop in ("budget", "steps"):
            self._fall_back(final, None)
        return RunResult(
            output=None if self._answer is None or final is None else final.output(self._answer),
            text=self._text,
            messages=list(self._messages),
            outcomes=tuple(self._outcomes),
            steps=self._steps,
            usage=self._usage,
            stop=stop,
            deviations=tuple(deviations(self._submissions)),
            counters=self._session.counters,
        )
