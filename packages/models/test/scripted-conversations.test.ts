import { expect, test } from "bun:test";
import type { Message, ModelConnection } from "@codelia/shared-types";
import { createScriptedModel, parseScript } from "../src/scripted/index.ts";

function scripted(json: unknown): ModelConnection {
  const parse = parseScript(json, "flow");
  if (!parse.ok) throw new Error(JSON.stringify(parse.problems));
  return createScriptedModel(parse.script, { sleep: async () => {} });
}

function user(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

function assistant(text: string): Message {
  return { role: "assistant", content: [{ type: "text", text }] };
}

/** The answer's text, or its failure. */
async function ask(model: ModelConnection, session: string, ...messages: Message[]): Promise<string> {
  const request = { messages, tools: [], cacheKey: session };
  const parts = await Array.fromAsync(model.stream(request, new AbortController().signal));
  const last = parts.at(-1);
  if (last?.type === "failure") return `${last.failure.kind}: ${last.failure.message}`;
  return parts.map((part) => (part.type === "text_delta" ? part.text : "")).join("");
}

const script = {
  conversations: [
    { when: { first_user_contains: ["plan", "deep"] }, turns: [{ text: "deep plan" }] },
    {
      when: { first_user_contains: "plan" },
      turns: [{ text: "p1", repeat: 2 }, { error: { kind: "ConnectionError" } }, { text: "p2" }],
    },
    { when: { first_user_contains: "build" }, turns: [{ text: "b1" }], after_last: "repeat_last" },
  ],
};

test("a request is answered by the first conversation that fits what was said before the first answer", async () => {
  const model = scripted(script);
  expect(await ask(model, "a", user("a deep plan"))).toBe("deep plan");
  expect(await ask(model, "b", user("plan"))).toBe("p1");
  expect(await ask(model, "c", user("build"), assistant("b1"), user("plan"))).toBe("b1");
  expect(await ask(model, "d", user("rest"))).toBe(
    'InvalidRequest: the script flow: no conversation fits; it begins with "rest"',
  );
});

test("the turn follows from the answers in the request, so that another process can go on", async () => {
  const history = [user("plan"), assistant("p1"), user("more"), assistant("p1"), user("more")];
  const first = scripted(script);
  expect(await ask(first, "s", ...history)).toBe(
    "ConnectionError: turn 3 of the script is a ConnectionError",
  );
  expect(await ask(first, "other", user("plan"))).toBe("p1");
  expect(await ask(first, "s", ...history)).toBe("p2");
  const finished = [...history, assistant("p2"), user("more")];
  expect(await ask(scripted(script), "s", ...finished)).toBe(
    "InvalidRequest: turn 5 of conversation 2 of the script flow: there is no such turn; add it, or set after_last",
  );
});

test("a script has turns or conversations, and a conversation's errors come before an answer", () => {
  const turns = [{ text: "x" }];
  const when = { first_user_contains: "x" };
  const problems = (json: unknown) => {
    const parse = parseScript(json, "flow");
    return parse.ok ? [] : parse.problems;
  };
  expect(problems({})).toEqual([{ path: "turns", message: "missing: give turns, or conversations" }]);
  expect(problems({ turns, after_last: "stop", conversations: [{ when, turns }] })).toEqual([
    { path: "turns", message: "a script has turns or conversations: remove one of them" },
    { path: "after_last", message: "each conversation has its own: move it into conversations" },
  ]);
  const broken = [{ text: "half", error: { kind: "ConnectionError", after: "text" } }];
  expect(problems({ conversations: [{ when, turns: broken }] })).toEqual([
    {
      path: "conversations[0].turns[0].error.after",
      message: "an answer that breaks off would count as an answer: leave this out",
    },
  ]);
});
