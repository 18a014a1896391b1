// Opening models by name, listing what can be used, and choosing one when nobody says.
import { describe, expect, test } from "bun:test";
import {
  defaultModel,
  discoverLocal,
  type Fetch,
  isModelChoiceFailure,
  listUsableModels,
  openModel,
} from "@codelia/models";
import { z } from "zod";
import {
  type Answer,
  collect,
  type Reply,
  usage,
  type Wire,
  WireServer,
  wireOf,
  written,
} from "./wire/index.ts";

const answer: Answer = { parts: [{ type: "text", deltas: ["ok"] }], finish: "stop", usage };

/** A network in which only the given ports of this computer answer; every request is noted. */
function network(ports: Readonly<Record<string, WireServer>> = {}): { fetch: Fetch; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      asked.push(url.href);
      const server = url.hostname === "127.0.0.1" ? ports[url.port] : undefined;
      if (!server) throw Object.assign(new TypeError("unable to connect"), { code: "ConnectionRefused" });
      return fetch(`${server.origin}${url.pathname}${url.search}`, init);
    },
  };
}

const modelServer = (...bodies: readonly (string | object)[]) =>
  WireServer.start(
    z.undefined(),
    ...bodies.map(
      (body): Reply => ({
        headers: { "content-type": "application/json" },
        body: [typeof body === "string" ? body : JSON.stringify(body)],
      }),
    ),
  );
const models = (...ids: string[]) => ({ object: "list", data: ids.map((id) => ({ id, object: "model" })) });

describe("openModel", () => {
  const cases: readonly (readonly [Wire, string, (origin: string) => Record<string, string>])[] = [
    [
      wireOf.anthropic,
      "anthropic",
      (origin) => ({ ANTHROPIC_API_KEY: "k-anthropic", ANTHROPIC_BASE_URL: origin }),
    ],
    [wireOf.openai, "openai", (origin) => ({ OPENAI_API_KEY: "k-openai", OPENAI_BASE_URL: `${origin}/v1/` })],
    [wireOf.google, "google", (origin) => ({ GEMINI_API_KEY: "k-google", GOOGLE_GEMINI_BASE_URL: origin })],
  ];
  for (const [wire, name, environment] of cases) {
    test(`${name} takes its address and key from the variables people have`, async () => {
      await using server = await WireServer.start(wire.schema, { body: [written(wire, answer)] });
      const opened = await openModel({
        model: `${name}/${wire.model}`,
        env: environment(server.origin),
        fetch,
      });
      if (isModelChoiceFailure(opened)) throw new Error(opened.message);
      expect((await collect(opened)).at(-1)).toEqual({ type: "finish", reason: "stop" });
      expect(opened.id).toBe(`${name}/${wire.model}`);
      expect(opened.contextWindow).toBeNumber();
      const bearer = wire.keyHeader === "authorization" ? "Bearer " : "";
      expect(server.requests.map(({ path, headers }) => [path, headers[wire.keyHeader]])).toEqual([
        [wire.path, `${bearer}k-${name}`],
      ]);
    });
  }

  test("a configured provider has its own address, key variable and headers, over the environment's", async () => {
    const wire = wireOf.chat;
    await using server = await WireServer.start(wire.schema, { body: [written(wire, answer)] });
    const providers = {
      mine: { baseUrl: `${server.origin}/v1`, apiKeyEnv: "MY_KEY", headers: { "X-Team": "t" } },
    };
    const opened = await openModel({
      model: "mine/org/qwen3:latest",
      env: { MY_KEY: "k-mine" },
      providers,
      fetch,
    });
    if (isModelChoiceFailure(opened)) throw new Error(opened.message);
    await collect(opened);
    const [request] = server.requests;
    expect([opened.id, request?.headers.authorization, request?.headers["x-team"], request?.body]).toEqual([
      "mine/org/qwen3:latest",
      "Bearer k-mine",
      "t",
      expect.objectContaining({ model: "org/qwen3:latest" }),
    ]);
  });

  test("a configured address comes before the environment's", async () => {
    const wire = wireOf.openai;
    await using server = await WireServer.start(wire.schema, { body: [written(wire, answer)] });
    const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
    const providers = { openai: { baseUrl: `${server.origin}/v1` } };
    const opened = await openModel({ model: `openai/${wire.model}`, env, providers, fetch });
    if (isModelChoiceFailure(opened)) throw new Error(opened.message);
    expect((await collect(opened)).at(-1)).toEqual({ type: "finish", reason: "stop" });
  });

  test("nothing is requested and no provider is asked while opening", async () => {
    const { fetch: counted, asked } = network();
    await openModel({ model: "ollama/qwen3", env: {}, fetch: counted });
    expect(asked).toEqual([]);
  });

  test("a missing key names the variable to set", async () => {
    const env = { ANTHROPIC_API_KEY: "  " };
    expect(await openModel({ model: "anthropic/claude-opus-5", env, fetch })).toEqual({
      code: "missing_key",
      message: "There is no key for anthropic",
      hint: "Set ANTHROPIC_API_KEY, or name another variable in models.providers.anthropic.apiKeyEnv.",
    });
    const providers = { openai: { apiKeyEnv: "WORK_KEY" } };
    expect(
      await openModel({ model: "openai/gpt-5", env: { OPENAI_API_KEY: "k" }, providers, fetch }),
    ).toEqual({
      code: "missing_key",
      message: "There is no key for openai",
      hint: "Set WORK_KEY, or name another variable in models.providers.openai.apiKeyEnv.",
    });
  });

  test("an unknown provider lists the known ones; names of object properties are unknown too", async () => {
    for (const name of ["nobody", "constructor", "__proto__"]) {
      expect(await openModel({ model: `${name}/x`, env: {}, providers: { mine: {} }, fetch })).toEqual({
        code: "unknown_provider",
        message: `There is no provider ${name}`,
        hint: `Use one of anthropic, openai, google, openrouter, ollama, llamacpp, lmstudio, mine, or configure it under models.providers.${name}.`,
      });
    }
  });

  test("a name without provider or model says how to write it", async () => {
    const hints: unknown[] = [];
    for (const model of ["gpt-5", "sonnet", "openai/", "/gpt-5", "openai/a b", ""]) {
      const opened = await openModel({ model, env: { OPENAI_API_KEY: "k" }, fetch });
      hints.push(isModelChoiceFailure(opened) ? [opened.code, opened.hint] : opened.id);
    }
    const usual = ["bad_model", "Write provider/model, for example anthropic/claude-sonnet-5-5."];
    expect(hints).toEqual([
      ["bad_model", "Write provider/model, for example openai/gpt-5."],
      usual,
      usual,
      usual,
      usual,
      usual,
    ]);
  });

  test("a provider without a usable address says which setting is missing", async () => {
    const hint = 'Set models.providers.mine.baseUrl to an address such as "http://127.0.0.1:8000/v1".';
    expect(await openModel({ model: "mine/x", env: {}, providers: { mine: {} }, fetch })).toEqual({
      code: "bad_address",
      message: "mine has no usable address",
      hint,
    });
    const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "file:///etc/passwd" };
    const opened = await openModel({ model: "openai/x", env, fetch });
    expect(isModelChoiceFailure(opened) && opened.code).toBe("bad_address");
  });
});

describe("discoverLocal", () => {
  test("asks the three default ports of this computer and nothing else", async () => {
    await using ollama = await modelServer(models("qwen3:8b", "nomic-embed-text"));
    const { fetch: counted, asked } = network({ "11434": ollama });
    expect(await discoverLocal({ fetch: counted })).toEqual([
      { provider: "ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["qwen3:8b", "nomic-embed-text"] },
    ]);
    expect(asked.toSorted()).toEqual([
      "http://127.0.0.1:11434/v1/models",
      "http://127.0.0.1:1234/v1/models",
      "http://127.0.0.1:8080/v1/models",
    ]);
  });

  test("takes whatever is no list of models for no model server", async () => {
    const endless = models(...Array.from({ length: 8000 }, (_, index) => `${index}`.padStart(150, "m")));
    const evil = { data: [{ id: "a\u001b[2J" }, { id: "b c" }, { id: "fine" }] };
    // An Ollama without models.
    const none = { object: "list", data: null };
    const lines = ["<html>", "{}", { data: "x" }, "[", endless, evil, none];
    await using server = await modelServer(...lines);
    const found: unknown[] = [];
    for (const _ of lines) found.push(await discoverLocal({ fetch: network({ "8080": server }).fetch }));
    const baseUrl = "http://127.0.0.1:8080/v1";
    expect(found).toEqual([
      [],
      [],
      [],
      [],
      [],
      [{ provider: "llamacpp", baseUrl, models: ["fine"] }],
      [{ provider: "llamacpp", baseUrl, models: [] }],
    ]);
  });

  test("does not wait for a server that is silent", async () => {
    await using server = await WireServer.start(z.undefined(), { body: [""], ending: "silence" });
    expect(await discoverLocal({ fetch: network({ "1234": server }).fetch, timeoutMs: 20 })).toEqual([]);
  });
});

test("listUsableModels says for every provider whether it can be used and why", async () => {
  await using lmstudio = await modelServer(models("gemma"));
  await using own = await modelServer(models("own"));
  const listed = await listUsableModels({
    env: { OPENAI_API_KEY: "k" },
    providers: {
      mine: { baseUrl: "https://models.example/v1" },
      bare: {},
      wrong: { baseUrl: "models.example/v1" },
      near: { baseUrl: "http://127.0.0.1:9/v1/" },
    },
    fetch: network({ "1234": lmstudio, "9": own }).fetch,
  });
  expect(listed.map(({ provider, usable, reason }) => [provider, usable, reason])).toEqual([
    ["anthropic", false, "ANTHROPIC_API_KEY is not set"],
    ["openai", true, "OPENAI_API_KEY is set"],
    ["google", false, "GEMINI_API_KEY is not set"],
    ["openrouter", false, "OPENROUTER_API_KEY is not set"],
    ["ollama", false, "no model server answers at http://127.0.0.1:11434/v1"],
    ["llamacpp", false, "no model server answers at http://127.0.0.1:8080/v1"],
    ["lmstudio", true, "answers at http://127.0.0.1:1234/v1"],
    ["mine", true, "is configured without a key"],
    ["bare", false, "models.providers.bare.baseUrl is not set"],
    ["wrong", false, "models.example/v1 is no address"],
    ["near", true, "answers at http://127.0.0.1:9/v1"],
  ]);
  const ids = Object.fromEntries(listed.map(({ provider, models: known }) => [provider, known]));
  expect([ids.anthropic?.includes("claude-sonnet-5-5"), ids.lmstudio, ids.ollama]).toEqual([
    true,
    ["gemma"],
    [],
  ]);
});

describe("defaultModel", () => {
  test("takes the configured model, and does not replace it when it cannot be used", async () => {
    const { fetch: counted, asked } = network();
    const env = { OPENAI_API_KEY: "k" };
    expect(await defaultModel({ configured: "openai/gpt-5", env, fetch: counted })).toEqual({
      model: "openai/gpt-5",
      reason: "is the configured default",
    });
    const unusable = await defaultModel({ configured: "google/gemini-2.5-pro", env, fetch: counted });
    expect(isModelChoiceFailure(unusable) && unusable.code).toBe("missing_key");
    expect(asked).toEqual([]);
  });

  test("takes the first cloud provider with a key, without asking anyone", async () => {
    const { fetch: counted, asked } = network();
    const env = { GEMINI_API_KEY: "k", OPENAI_API_KEY: "k" };
    expect(await defaultModel({ env, fetch: counted })).toEqual({
      model: "openai/gpt-6.1-sol",
      reason: "OPENAI_API_KEY is set",
    });
    expect(asked).toEqual([]);
  });

  test("takes a local server's first model that can talk when there is no key", async () => {
    await using ollama = await modelServer(models("nomic-embed-text", "qwen3:8b"));
    expect(await defaultModel({ env: {}, fetch: network({ "11434": ollama }).fetch })).toEqual({
      model: "ollama/qwen3:8b",
      reason: "ollama answers at http://127.0.0.1:11434/v1",
    });
  });

  test("says what to do when nothing can be used", async () => {
    expect(await defaultModel({ env: {}, fetch: network().fetch })).toEqual({
      code: "no_model",
      message: "No model can be used",
      hint: "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start a local server (Ollama, llama.cpp, LM Studio).",
    });
  });
});
