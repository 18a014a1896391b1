import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  childEnvironment,
  createRedactor,
  knownSecrets,
  redactText,
  secretVariables,
} from "../../src/secrets/index.ts";

const secrets = [
  { name: "LONG", value: "xxabcdefghyy" },
  { name: "API_KEY", value: "abcdefgh" },
  { name: "OTHER_TOKEN", value: "ghijklmn" },
];

function streamed(chunks: readonly string[]): string {
  const redactor = createRedactor(secrets);
  const parts = chunks.map((chunk) => redactor.push(Buffer.from(chunk)));
  return Buffer.concat([...parts, redactor.end()]).toString("utf8");
}

describe("a stream without its secrets", () => {
  test.each([
    [["nothing here"], "nothing here"],
    [["key=abcdefgh."], "key=[redacted: API_KEY]."],
    [["abcd", "efgh"], "[redacted: API_KEY]"],
    [Array.from("an abcdefgh a day"), "an [redacted: API_KEY] a day"],
    [["abcdefghijklmn"], "[redacted: API_KEY]ijklmn"],
    [["xxabcdefgh", "yy"], "[redacted: LONG]"],
    [["xxabcdefgh", "y-"], "xx[redacted: API_KEY]y-"],
    [["abcdef"], "abcdef"],
    [["abcabcdefgh"], "abc[redacted: API_KEY]"],
    [["", "", "abcdefgh", ""], "[redacted: API_KEY]"],
  ])("%j becomes %j", (chunks, expected) => {
    expect(streamed(chunks)).toBe(expected);
  });

  test("however it is cut, it is the same, and holds none", () => {
    const piece = fc.oneof(
      fc.constantFrom("abcdefgh", "ghijklmn", "xxabcdefghyy", "abcd", "xxab", "efgh", "ä\n", "x", "gh"),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(fc.nat(60), { maxLength: 6 }),
        (pieces, cuts) => {
          const bytes = Buffer.from(pieces.join(""));
          const places = [
            0,
            ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b),
            bytes.length,
          ];
          const redactor = createRedactor(secrets);
          const parts = places
            .slice(1)
            .map((end, index) => redactor.push(bytes.subarray(places[index], end)));
          const cut = Buffer.concat([...parts, redactor.end()]).toString("utf8");
          expect(cut).toBe(streamed([bytes.toString("utf8")]));
          const bare = cut.replaceAll(/\[redacted: [A-Z_]+\]/g, "\0");
          expect(secrets.filter(({ value }) => bare.includes(value))).toEqual([]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

test("the longest secret is taken out of a text first", () => {
  expect(redactText(secrets, "xxabcdefghyy and abcdefgh")).toBe("[redacted: LONG] and [redacted: API_KEY]");
});

test("known are variables whose names say so and the providers' keys, each once and none that is short", () => {
  expect(
    knownSecrets(
      {
        HOME: "/home/you-and-me",
        OPENAI_API_KEY: "sk-openai-1",
        DB_PASSWORD: "hunter2",
        GH_TOKEN: " ghp_12345678\n",
        MY_LLM: "sk-of-my-own-llm",
        WIKI: "of-the-wiki",
        UNSET_TOKEN: undefined,
      },
      {
        models: {
          providers: {
            mine: { apiKeyEnv: "MY_LLM", headers: { "x-api-key": "header-key-1", "x-team": "the-red-team" } },
            other: { apiKey: "sk-other-key" },
            same: { apiKey: "sk-openai-1" },
          },
        },
        issues: { github: {} },
        mcp: { servers: { wiki: { url: "https://wiki.example.com/mcp", bearerTokenEnv: "WIKI" } } },
      },
    ),
  ).toEqual([
    { name: "MY_LLM", value: "sk-of-my-own-llm" },
    { name: "GH_TOKEN", value: "ghp_12345678" },
    { name: "models.providers.mine.headers.x-api-key", value: "header-key-1" },
    { name: "models.providers.other.apiKey", value: "sk-other-key" },
    { name: "OPENAI_API_KEY", value: "sk-openai-1" },
    { name: "WIKI", value: "of-the-wiki" },
  ]);
});

test("a child gets no variable whose name says that it holds a secret, none that holds a known one, and none that leads cd astray", () => {
  const env = {
    HOME: "/home/you",
    PWD: "/repo",
    OLDPWD: "/",
    CDPATH: "/elsewhere",
    SORT_KEY: "timestamp",
    TOKENIZER: "fast",
    COMPATIBLE: "yes",
    PGPASSWORD: "x",
    MYSQL_PWD: "x",
    GITHUB_PAT: "x",
    TLS_PRIVATE_KEY: "x",
    GPG_PASSPHRASE: "x",
    npm_config__authToken: "x",
    MY_LLM: "sk-of-my-own-llm",
    PROXY_URL: "https://user:sk-of-my-own-llm@example.org",
  };
  const settings = {
    models: { providers: { mine: { apiKeyEnv: "MY_LLM" } } },
    issues: { github: {} },
    mcp: { servers: {} },
  };
  expect(Object.keys(childEnvironment(env, secretVariables(env, settings), { ADDED: "1" }))).toEqual([
    "HOME",
    "PWD",
    "OLDPWD",
    "SORT_KEY",
    "TOKENIZER",
    "COMPATIBLE",
    "ADDED",
  ]);
});
