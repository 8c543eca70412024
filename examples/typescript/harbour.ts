/**
 * A model that writes four bad calls, and what the tools of a harbour get to see of them.
 *
 * The model is the SDK's own stand-in, so that the example runs without a key:
 * `node build/harbour.js http://127.0.0.1:8790`
 */
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";

import { repairing } from "./argwright.js";

interface Booking {
  ship: string;
  metres: number;
}

const book_berth = tool({
  description: "Book a berth for one night",
  // The SDK asks for a repair where it finds a fault itself: give it a schema that it validates (as zod's are).
  inputSchema: jsonSchema<Booking>(
    {
      type: "object",
      properties: { ship: { type: "string" }, metres: { type: "integer" } },
      required: ["ship", "metres"],
      additionalProperties: false,
    },
    {
      validate: (value) =>
        isBooking(value) ? { success: true, value } : { success: false, error: new Error("not a booking") },
    },
  ),
  execute: async ({ ship, metres }) => {
    console.log(`booked: ${ship}, ${metres} m`);
    return "booked";
  },
});

function isBooking(value: unknown): value is Booking {
  const { ship, metres, ...rest } = value as Record<string, unknown>;
  return typeof ship === "string" && Number.isInteger(metres) && Object.keys(rest).length === 0;
}

const written: [string, string][] = [
  ["functions.book_berth", '{"ship": "Möwe", "metres": 12}'],
  ["book_berth", "```json\n{ship: '海鸥 🐦', metres: \"9\",}\n```"],
  ["book_berth", '{"ship": "Alba", "metres": 1'],
  ["sink_ship", '{"ship": "Alba"}'],
];

const model = new MockLanguageModelV4({
  doGenerate: async () => ({
    content: written.map(([toolName, input], index) => ({
      type: "tool-call" as const,
      toolCallId: `call_${index + 1}`,
      toolName,
      input,
    })),
    finishReason: { unified: "tool-calls", raw: "tool_calls" },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  }),
});

const { toolCalls } = await generateText({
  model,
  prompt: "Berths for the Möwe, 12 m, for the 海鸥, 9 m, and for the Alba",
  tools: { book_berth },
  stopWhen: isStepCount(1),
  ...repairing({ url: process.argv[2] }),
});
for (const call of toolCalls.filter((call) => call.invalid)) {
  console.log(`not run: ${call.toolName}: ${(call.error as Error).name}`);
}
