// Bad calls through the real SDK and the example's callback: `node repairing.mjs URL NAME [TOKEN]`.
// NAME is the option under which the callback is given, `both` for `repairing()`. One line of JSON a call.
import * as ai from "ai";
import * as stand from "ai/test";
import { repair, repairing } from "./build/argwright.js";

const [url, name, token] = process.argv.slice(2);
const Model = stand.MockLanguageModelV4 ?? stand.MockLanguageModelV3;
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finishReason = { unified: "tool-calls", raw: "tool_calls" };
const written = [
  ["count_gulls", '{"pier": 9007199254740993}'],
  ["functions.count_gulls", '{"pier": 3, "note": "上\\u2028"}'],
  ["count_gulls", "{pier: '4', note: 'a \"b\"',}"],
  ["count_gulls", '{"pier": 4, "note": "cut'],
  ["count_gulls", '{"quay": 4}'],
  ["count_gull", '{"pier": 5}'],
];
const calls = written.map(([toolName, input], index) => ({
  type: "tool-call", toolCallId: `c${index}`, toolName, input,
}));
const model = new Model({
  doGenerate: async () => ({ content: calls, finishReason, usage, warnings: [] }),
  doStream: async () => ({
    stream: ai.simulateReadableStream
      ? ai.simulateReadableStream({ chunks: chunks() })
      : stand.simulateReadableStream({ chunks: chunks() }),
  }),
});
function chunks() {
  return [{ type: "stream-start", warnings: [] }, ...calls, { type: "finish", finishReason, usage }];
}
const schema = {
  type: "object",
  properties: { pier: { type: "integer" }, note: { type: "string" } },
  required: ["pier"],
  additionalProperties: false,
};
const validate = (value) =>
  Number.isInteger(value?.pier) && Object.keys(value).every((key) => key in schema.properties)
    ? { success: true, value }
    : { success: false, error: new Error("does not fit") };
const tools = { count_gulls: ai.tool({ inputSchema: ai.jsonSchema(schema, { validate }), execute: () => "7" }) };
const settings = { url, token };
const options = name === "both" ? repairing(settings) : { [name]: repair(settings) };

const asked = { model, prompt: "gulls?", tools, ...options };
const whole = await ai.generateText(asked);
const stream = ai.streamText({ ...asked, onError: () => {} });
for (const toolCalls of [whole.toolCalls, await stream.toolCalls]) {
  for (const { toolName, input, invalid, error } of toolCalls) {
    console.log(JSON.stringify([toolName, input, invalid ? error.name : null]));
  }
}
