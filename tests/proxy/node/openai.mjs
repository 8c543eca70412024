// Requests through the official client: `node openai.mjs URL`, one line of JSON `[way, request]` each on standard input.
// Prints for each `["calls", [[name, arguments], …], text]`, or `["refused", name, status]` for an error of the client's
// own, or `["crashed", text]`.
import { createInterface } from "node:readline";
import OpenAI from "openai";

const client = new OpenAI({ baseURL: process.argv[2], apiKey: "sk-secret", maxRetries: 0 });
const ways = {
  chat: async (asked) => ofChat(await client.chat.completions.create(asked)),
  chatByHand: async (asked) => {
    const names = [];
    const texts = [];
    let said = "";
    for await (const chunk of await client.chat.completions.create({ ...asked, stream: true })) {
      for (const { delta } of chunk.choices) {
        said += delta.content ?? "";
        for (const entry of delta.tool_calls ?? []) {
          names[entry.index] ??= entry.function.name;
          texts[entry.index] = (texts[entry.index] ?? "") + (entry.function.arguments ?? "");
        }
      }
    }
    return [names.map((name, index) => [name, JSON.parse(texts[index])]), said];
  },
  chatHelper: async (asked) => ofChat(await client.chat.completions.stream(asked).finalChatCompletion()),
  responses: async (asked) => ofResponse(await client.responses.create(asked)),
  responsesHelper: async (asked) => ofResponse(await client.responses.stream(asked).finalResponse()),
};

function ofChat(completion) {
  const { content, tool_calls: calls } = completion.choices[0].message;
  return [(calls ?? []).map((one) => [one.function.name, JSON.parse(one.function.arguments)]), content ?? ""];
}

function ofResponse(response) {
  const calls = response.output.filter((one) => one.type === "function_call");
  return [calls.map((one) => [one.name, JSON.parse(one.arguments)]), response.output_text];
}

// What the client throws for an `error` event of a response stream is the event itself.
const refused = (error) => error instanceof OpenAI.OpenAIError || error?.type === "error";

async function answer(line) {
  const [way, asked] = JSON.parse(line);
  try {
    return ["calls", ...(await ways[way](asked))];
  } catch (error) {
    return refused(error)
      ? ["refused", error.constructor.name, error.status ?? null, error.message]
      : ["crashed", `${error.constructor.name}: ${error.message}`];
  }
}

const lines = [];
for await (const line of createInterface({ input: process.stdin })) lines.push(line);
const AT_ONCE = 8;
for (let start = 0; start < lines.length; start += AT_ONCE) {
  const told = await Promise.all(lines.slice(start, start + AT_ONCE).map(answer));
  for (const one of told) console.log(JSON.stringify(one));
}
