import { describe, expect, test } from "bun:test";
import { parseScript, type ScriptProblem } from "../src/scripted/index.ts";

function problemsOf(json: unknown): readonly ScriptProblem[] {
  const parse = parseScript(json, "file");
  return parse.ok ? [] : parse.problems;
}

function turnProblems(turn: unknown): readonly ScriptProblem[] {
  return problemsOf({ turns: [turn] });
}

const turnKeys = "text, reasoning, tool_calls, error, delay_ms, chunk, finish, usage, expect, repeat";

describe("a script", () => {
  test("with every field parses to the same value", () => {
    const script = {
      name: "all-fields_1.0",
      contextWindow: 1000,
      turns: [
        {
          text: "t {{last_tool_output:/(.)/i}} {{{{ }}",
          reasoning: "r {{not a template}}",
          tool_calls: [
            { name: "a", arguments: { deep: [{ x: "{{last_tool_output:/(.)/}}" }] }, id: "one" },
            { name: "b", arguments: "{ not json" },
          ],
          delay_ms: 5,
          chunk: 3,
          finish: "length",
          usage: { input_tokens: 1, cached_input_tokens: 2, cache_write_tokens: 3, output_tokens: 4 },
          expect: {
            last_tool_output_contains: "a",
            last_user_contains: ["b", "c"],
            request_contains: "d",
          },
          repeat: 2,
        },
        {
          text: "half",
          error: { kind: "RateLimitError", message: "m", status: 429, retry_after_ms: 7, after: "text" },
        },
        {},
      ],
      after_last: "repeat_last",
    };
    const parse: unknown = parseScript(structuredClone(script), "file");
    expect(parse).toStrictEqual({ ok: true, script });
  });

  test("that does not name itself has the given name", () => {
    const parse = parseScript({ turns: [{}] }, "file");
    expect(parse).toEqual({ ok: true, script: { name: "file", turns: [{}] } });
  });

  test("names every unknown key with its JSON path and the keys that are known there", () => {
    const script = {
      "a b": 1,
      turns: [
        { txt: "typo", error: { kind: "AuthError", code: 1 } },
        {
          tool_calls: [{ name: "a", arguments: {}, args: {} }],
          usage: { tokens: 1 },
          expect: { contains: "x" },
        },
      ],
    };
    expect(problemsOf(script).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      {
        path: '["a b"]',
        message: "unknown key; known are name, contextWindow, turns, after_last, conversations",
      },
      {
        path: "turns[0].error.code",
        message: "unknown key; known are kind, message, status, retry_after_ms, after",
      },
      { path: "turns[0].txt", message: `unknown key; known are ${turnKeys}` },
      {
        path: "turns[1].expect.contains",
        message: "unknown key; known are last_tool_output_contains, last_user_contains, request_contains",
      },
      { path: "turns[1].tool_calls[0].args", message: "unknown key; known are id, name, arguments" },
      {
        path: "turns[1].usage.tokens",
        message:
          "unknown key; known are input_tokens, cached_input_tokens, cache_write_tokens, output_tokens",
      },
    ]);
  });

  test("does not let a key named __proto__ pass unseen", () => {
    const problems = problemsOf(JSON.parse('{"turns":[{"__proto__":{"text":"x"}}],"__proto__":1}'));
    expect(problems.map(({ path }) => path).toSorted()).toEqual(["__proto__", "turns[0].__proto__"]);
  });

  test("shows control characters of an unknown key instead of sending them to the terminal", () => {
    expect(problemsOf({ turns: [{}], "\u001b[2J": 1 }).map(({ path }) => path)).toEqual(['["\\u001b[2J"]']);
  });

  test("reports every wrong type at once, with its place", () => {
    const script = {
      name: "a/b",
      contextWindow: 0,
      turns: [
        { text: 1, tool_calls: {}, chunk: 0, repeat: 1.5, delay_ms: -1 },
        { delay_ms: 3_000_000_000, finish: "done", tool_calls: [{ name: "a", arguments: [] }, null] },
        "turn",
        { error: { kind: "Oops" } },
        { usage: { input_tokens: -1 }, expect: { request_contains: "", last_user_contains: [] } },
      ],
      after_last: "loop",
    };
    expect(problemsOf(script).map(({ path }) => path)).toEqual([
      "name",
      "contextWindow",
      "turns[0].text",
      "turns[0].tool_calls",
      "turns[0].delay_ms",
      "turns[0].chunk",
      "turns[0].repeat",
      "turns[1].tool_calls[0].arguments",
      "turns[1].tool_calls[1]",
      "turns[1].delay_ms",
      "turns[1].finish",
      "turns[2]",
      "turns[3].error.kind",
      "turns[4].usage.input_tokens",
      "turns[4].expect.last_user_contains",
      "turns[4].expect.request_contains",
      "after_last",
    ]);
  });

  test.each([[undefined], [null], [1], ["turns"], [[]], [true]])(
    "that is %p is refused as a whole",
    (json) => {
      expect(problemsOf(json).map(({ path }) => path)).toEqual([""]);
    },
  );

  test("needs at least one turn", () => {
    expect(problemsOf({ turns: [] })).toEqual([{ path: "turns", message: "expected at least one turn" }]);
  });

  test("with thousands of problems reports fifty lines, the last of which counts the rest", () => {
    const problems = problemsOf({ turns: Array.from({ length: 5000 }, () => 1) });
    expect(problems).toHaveLength(50);
    expect(problems.at(-1)).toEqual({ path: "", message: "4951 more problems" });
  });

  test("with a text of 10 MB parses", () => {
    const text = "0123456789".repeat(1024 * 1024);
    expect(parseScript({ turns: [{ text }] }, "file").ok).toBe(true);
  });

  test("with thousands of unfinished templates is refused", () => {
    const problems = turnProblems({ text: "{{last_tool_output:/".repeat(20_000) });
    expect(problems).toHaveLength(50);
  });

  test("with arguments nested deeper than 100 levels is refused", () => {
    const nested = (depth: number) => {
      let value: unknown = "leaf";
      for (let level = 0; level < depth; level += 1) value = [value];
      return { tool_calls: [{ name: "a", arguments: { value } }] };
    };
    expect(turnProblems(nested(99))).toEqual([]);
    for (const depth of [100, 200_000]) {
      expect(turnProblems(nested(depth))).toEqual([
        { path: "turns[0].tool_calls[0].arguments", message: "nested deeper than 100 levels" },
      ]);
    }
  });
});

describe("an error turn", () => {
  test("may not carry what it would never send", () => {
    const error = { kind: "ConnectionError" };
    expect(
      turnProblems({ error, text: "a", reasoning: "b", tool_calls: [], finish: "stop", usage: {} }),
    ).toEqual([
      { path: "turns[0].tool_calls", message: "a turn with an error never gets there: remove it" },
      { path: "turns[0].finish", message: "a turn with an error never gets there: remove it" },
      { path: "turns[0].usage", message: "a turn with an error never gets there: remove it" },
      {
        path: "turns[0].text",
        message: 'the error comes before it: set error.after to "text", or remove it',
      },
      {
        path: "turns[0].reasoning",
        message: 'the error comes before it: set error.after to "text", or remove it',
      },
    ]);
  });

  test("that fails after its text needs one", () => {
    expect(turnProblems({ error: { kind: "ConnectionError", after: "text" } })).toEqual([
      {
        path: "turns[0].error.after",
        message: "there is no text to fail after: add text or reasoning, or remove this",
      },
    ]);
  });
});

describe("a template", () => {
  test.each([
    ["{{other}}", "{{other}} starts no template: write {{last_tool_output:/regex/}}, or {{{{ for two braces"],
    [
      "{{last_tool_output:/x",
      "{{last_tool_output:/x starts no template: write {{last_tool_output:/regex/}}, or {{{{ for two braces",
    ],
    [
      "{{last_tool_output:/x/}}",
      "{{last_tool_output:/x/}} has no group: put the part to insert into parentheses",
    ],
  ])("that is written as %p is refused", (text, message) => {
    expect(turnProblems({ text })).toEqual([{ path: "turns[0].text", message }]);
    expect(turnProblems({ tool_calls: [{ name: "a", arguments: { deep: [text] } }] })).toEqual([
      { path: "turns[0].tool_calls[0].arguments", message },
    ]);
  });

  test.each(["{{last_tool_output:/(/}}", "{{last_tool_output:/(a)/zz}}"])(
    "with the wrong regex %p is refused",
    (text) => {
      const [problem, ...more] = turnProblems({ text });
      expect(more).toEqual([]);
      expect(problem?.message).toStartWith(`${text} has a wrong regex: `);
    },
  );
});
