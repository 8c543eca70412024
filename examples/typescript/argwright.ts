/**
 * Tool calls that the AI SDK cannot use, mended or refused by `argwright serve`.
 *
 * The SDK calls the function with each call of a tool that it does not know or whose input it cannot read. A call with
 * one certain reading comes back valid, under the declared name (`functions.book_berth` is `book_berth`); for every
 * other the answer is `null`: the SDK then tells the model what was wrong, and nothing runs on a guess. An endpoint
 * that cannot be reached is an exception, which the SDK reports as one.
 */
import type { ToolCallRepairFunction, ToolSet } from "ai";

export interface Valid {
  status: "valid";
  name: string;
  arguments: Record<string, unknown>;
  /** The same as text: here integers beyond 2^53 still have all their digits. */
  arguments_text: string;
  repairs: { rule: string; pointer: string; before: unknown; after: unknown }[];
}

export interface Invalid {
  status: "invalid";
  kind: "unknown_tool" | "json_error" | "schema_error";
  reason: string;
  issues: { pointer: string; message: string }[];
  /** For the model. */
  message: string;
}

export interface Settings {
  /** Where the gateway listens. */
  url?: string;
  /** Its `--token`, if it has one. */
  token?: string;
  /** Milliseconds that an answer may take. */
  timeout?: number;
  /** Sees every answer: for logs. */
  onAnswer?: (answer: Valid | Invalid, called: string) => void;
}

/** The repair callback. */
export function repair(settings: Settings = {}): ToolCallRepairFunction<ToolSet> {
  const { url = "http://127.0.0.1:8790", token, timeout = 5_000, onAnswer } = settings;
  return async ({ toolCall, tools, inputSchema }) => {
    const declared = await Promise.all(
      Object.keys(tools).map(async (toolName) => [toolName, await inputSchema({ toolName })] as const),
    );
    const response = await fetch(new URL("/v1/repair", url), {
      method: "POST",
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({
        name: toolCall.toolName,
        arguments: toolCall.input,
        tools: Object.fromEntries(declared),
      }),
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) {
      throw new Error(`argwright answered ${response.status}: ${await response.text()}`);
    }
    const answer = (await response.json()) as Valid | Invalid;
    onAnswer?.(answer, toolCall.toolName);
    return answer.status === "valid" ? { ...toolCall, toolName: answer.name, input: answer.arguments_text } : null;
  };
}

/** The callback under both of its names: `...repairing()` among the options fits every version of the SDK. */
export function repairing(settings: Settings = {}) {
  const callback = repair(settings);
  return { repairToolCall: callback, experimental_repairToolCall: callback };
}
