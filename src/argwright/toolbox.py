"""Tools by name: declared to a provider, resolved when called, run when valid.

A toolbox is a value: immutable, thread-safe, picklable. It owns no step of its own;
`pipeline` resolves, `wire` declares, `execution` runs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from argwright import declarations, pipeline, rules
from argwright.errors import DeclarationError
from argwright.model import InvalidCall, Json, Outcome, ToolCall, ToolResult, Turn, Value
from argwright.observing import Hooks
from argwright.policy import Limits, Policy
from argwright.rules import Rule, RuleSet
from argwright.rules.null_optional import RULE as NULL_OPTIONAL
from argwright.tool import Tool, made_from
from argwright.wire import find
from argwright.wire.declaring import Adjustment, Declared, declare
from argwright.wire.names import originals

if TYPE_CHECKING:
    from argwright.execution import Settings


@dataclass(frozen=True, repr=False)
class Toolbox(Value):
    """Declared tools.

    Args:
        tools: functions, pydantic models, dataclasses, TypedDicts, `Tool`s, MCP tools, OpenAI declarations.
        policy: which repairs are accepted, for tools and calls that do not say otherwise.
        limits: what one call may cost.
        rules: rules of one's own, beside the built-in ones and those of installed distributions.
        without: names of rules to switch off.
        monitor: who sees every call that is resolved or run here; see `Observer`. In a run, the run's own does.

    Raises:
        DeclarationError: something declares no tool, two tools share a name or an alias, or a rule is unknown.
    """

    tools: Iterable[Any] = ()
    policy: Policy = field(default=Policy.STANDARD, kw_only=True)
    limits: Limits = field(default=Limits(), kw_only=True)  # a frozen value
    rules: Collection[Rule] = field(default=(), kw_only=True)
    without: Collection[str] = field(default=frozenset(), kw_only=True)
    monitor: Any = field(default=None, kw_only=True, compare=False)

    def __post_init__(self) -> None:
        keep = partial(object.__setattr__, self)
        keep("tools", tuple(made_from(source) for source in self.tools))
        keep("rules", tuple(self.rules))
        keep("without", frozenset(self.without))
        _ = self._by_name, self._ruleset

    @classmethod
    def from_declarations(cls, form: str, tools: Any, **options: Any) -> Toolbox:
        """Tools from what is sent to a provider already.

        Args:
            form: the format's name.
            tools: the request's `tools` (or `toolConfig`): dicts or SDK objects. What the provider runs itself is
                passed over.
            options: as of `Toolbox`.

        Raises:
            UnknownFormatError: no format has this name.
            DeclarationError: a declaration is wrong; the text names the tool and the place.
        """
        find(form)
        return cls(declarations.tools_from(tools), **options)

    def extended(self, *more: Any, policy: Policy | None = None) -> Toolbox:
        """This toolbox with further tools, and with another policy if one is given.

        Raises:
            DeclarationError: as for a new one.
        """
        return replace(self, tools=(*self.tools, *more), policy=policy or self.policy)

    @cached_property
    def _by_name(self) -> Mapping[str, Tool]:
        """Every tool by its name, by its old names, and by the names under which a provider may know it."""
        found: dict[str, Tool] = {}
        for tool in self:
            for name in (tool.name, *tool.name_aliases):
                if name in found:
                    raise DeclarationError(
                        f"two tools answer to the name {name!r}: {found[name].name!r} and {tool.name!r}"
                    )
                found[name] = tool
        return {wire: found[name] for wire, name in originals(self._names).items()} | found

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(tool.name for tool in self)

    @cached_property
    def _ruleset(self) -> RuleSet:
        return rules.load(self.rules, without=self.without)

    @property
    def names(self) -> tuple[str, ...]:
        """The declared names, in order; aliases are not among them."""
        return self._names

    @property
    def all_names(self) -> Collection[str]:
        """Every name that leads to a tool: the declared one, old ones, and the one that a provider may know it by."""
        return self._by_name.keys()

    def get(self, name: str | None) -> Tool | None:
        """The tool of this name, of this declared alias, or of the name under which it is declared to a provider."""
        return self._by_name.get(name) if name is not None else None

    def __getitem__(self, name: str) -> Tool:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.names)

    def resolve(self, call: ToolCall, policy: Policy | None = None) -> Outcome:
        """What became of one call.

        Args:
            call: the call as the model wrote it.
            policy: for this call alone; goes before the tool's and the toolbox's.
        """
        outcome = pipeline.resolve(
            call, self, policy=policy, default=self.policy, limits=self.limits, rules=self._ruleset
        )
        if self.monitor is not None:
            Hooks(self.monitor, None).call("observe", outcome)
        return outcome

    def resolve_turn(self, turn: Turn, policy: Policy | None = None) -> tuple[Outcome, ...]:
        """What became of the calls of one reply, in order."""
        outcomes = pipeline.resolve_turn(
            turn, self, policy=policy, default=self.policy, limits=self.limits, rules=self._ruleset
        )
        if self.monitor is not None:
            hooks = Hooks(self.monitor, turn.model)
            for outcome in outcomes:
                hooks.call("observe", outcome)
        return outcomes

    def run(self, outcome: Outcome, *, inject: Mapping[str, Any] | None = None) -> ToolResult:
        """Run a valid call and wait for its result; an invalid one is answered with what is wrong.

        Args:
            outcome: what a call was resolved to.
            inject: values of injected parameters, by name.

        Raises:
            ArgwrightError: the function is async and an event loop is running; `arun` is meant.
            DeclarationError: the tool has no function, or an injected parameter no value.
        """
        if isinstance(outcome, InvalidCall):
            return outcome.result()
        from argwright import execution  # noqa: PLC0415  # who only resolves calls needs no event loop

        return execution.run(outcome, self._settings(inject))

    async def arun(self, outcome: Outcome, *, inject: Mapping[str, Any] | None = None) -> ToolResult:
        """As `run`, without blocking: a sync function runs in a thread.

        Raises:
            DeclarationError: the tool has no function, or an injected parameter no value.
        """
        if isinstance(outcome, InvalidCall):
            return outcome.result()
        from argwright import execution  # noqa: PLC0415  # as above

        return await execution.arun(outcome, self._settings(inject))

    def _settings(self, inject: Mapping[str, Any] | None) -> Settings:
        from argwright.execution import Settings  # noqa: PLC0415  # as above

        return Settings(inject=inject or {}, executing=Hooks(self.monitor, None).executing)

    def declare(self, form: str, *, strict: bool = False, service: str | None = None) -> Json:
        """What goes into the request's `tools`.

        Args:
            form: the format's name.
            strict: hold the model to the schema where the provider can.
            service: the service behind the format, if it takes less than the format's own.

        Raises:
            UnknownFormatError: no format has this name.
            LookupError: no service has this name.
        """
        return self._declared(form, strict=strict, service=service).tools

    def declaration_report(
        self, form: str, *, strict: bool = False, service: str | None = None
    ) -> tuple[Adjustment, ...]:
        """Everything that `declare` does not say as it was declared, tool by tool.

        Raises:
            UnknownFormatError: no format has this name.
            LookupError: no service has this name.
        """
        return self._declared(form, strict=strict, service=service).adjustments

    def _declared(self, form: str, *, strict: bool, service: str | None) -> Declared:
        return declare(form, self, strict=strict, service=service, reads_null=self._reads_null)

    def _reads_null(self, tool: Any) -> bool:
        """Whether null of an optional field is read as none: strict mode has no other way to leave a field out."""
        applied = isinstance(tool, Tool) and tool.effective_policy(self.policy).allows(NULL_OPTIONAL.certainty)
        return applied and NULL_OPTIONAL.name not in self.without

    def to_dict(self) -> dict[str, Any]:
        """The declarations as plain JSON data; rules are named, the monitor is left out."""
        shown = super().to_dict() | {"rules": [rule.name for rule in self.rules], "without": sorted(self.without)}
        del shown["monitor"]
        return shown

    def __hash__(self) -> int:
        return hash(self.tools)

    def __repr__(self) -> str:
        return f"Toolbox({list(self.names)!r})"

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
