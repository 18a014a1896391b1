import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { commonPrefixLength, createScriptedModel, parseScript, requestBytes } from "@codelia/models/scripted";
import type { ModelConnection, ModelRequest } from "@codelia/shared-types";
import { nodeDisk, nodeFileSystem } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { createAgent } from "../src/agent-factory.ts";
import { openProject } from "../src/project/index.ts";
import { createSession } from "../src/sessions/index.ts";

const directories = 12;
const turns = 50;

function repository(): TemporaryTree {
  const tree = new TemporaryTree({ "repo/.git/": "", "repo/AGENTS.md": "Root rules.\n", "home/": "" });
  for (let index = 0; index < directories; index++) {
    tree.add({
      [`repo/p${index}/AGENTS.md`]: `Rules of p${index}.\n`,
      [`repo/p${index}/src/deep/AGENTS.md`]: `Deep rules of p${index}.\n`,
      [`repo/p${index}/src/deep/file.ts`]: `export const value = ${index};\n`,
    });
  }
  return tree;
}

/** Each turn reads in some nested directory; every fifth also rewrites an AGENTS.md that was named before. */
function script(): unknown {
  const reading = Array.from({ length: turns }, (_, turn) => {
    const directory = `p${turn % directories}`;
    const calls: unknown[] = [{ name: "read", arguments: { path: `${directory}/src/deep/file.ts` } }];
    if (turn % 5 === 4) {
      const path = `${directory}/AGENTS.md`;
      calls.push(
        { name: "read", arguments: { path } },
        { name: "write", arguments: { path, content: `Turn ${turn}.\n` } },
      );
    }
    return { text: `turn ${turn}`, tool_calls: calls };
  });
  return { turns: [...reading, { text: "done" }] };
}

test("over fifty turns every request extends the one before it byte for byte, and each version of a file is named once", async () => {
  using tree = repository();
  const parsed = parseScript(script(), "fifty");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const requests: ModelRequest[] = [];
  const scripted = createScriptedModel(parsed.script, { sleep: () => Promise.resolve() });
  const connection: ModelConnection = {
    ...scripted,
    stream: (request, signal) => {
      requests.push(structuredClone(request));
      // Somebody else changes instructions between the turns, too.
      if (requests.length % 7 === 0)
        writeFileSync(tree.at("repo/AGENTS.md"), `Root rules ${requests.length}.\n`);
      return scripted.stream(request, signal);
    },
  };
  const environment = {
    env: {},
    userHome: tree.at("home"),
    fs: nodeFileSystem,
    disk: nodeDisk,
    version: "0.0.0",
    now: () => new Date("2026-01-01T00:00:00Z"),
    fetch: () => Promise.reject(new Error("no network")),
    executable: process.execPath,
  };
  const project = await openProject(environment, { settings: [], trust: true }, tree.at("repo"));
  const session = await createSession(environment, tree.at("home/sessions"), {
    type: "session.start",
    format: 1,
    id: "20260101T000000-00000000",
    program: "0.0.0",
    cwd: project.cwd,
    root: project.root.path,
    repository: project.trust.identity,
    model: connection.id,
    title: "go",
  });
  const agent = await createAgent({
    environment,
    project,
    session,
    opened: { connection, model: connection.id, costOf: () => 0 },
    approval: { mode: "full", confirm: undefined },
    compact: true,
    notify: () => undefined,
  });
  const result = await agent.run(
    { role: "user", content: [{ type: "text", text: "go" }] },
    { limits: {}, takeSteering: () => [], signal: new AbortController().signal, emit: () => undefined },
  );
  await agent.dispose();
  await session.close();
  expect([result.outcome, requests.length]).toEqual([{ status: "done" }, turns + 1]);

  const bytes = requests.map(requestBytes);
  const lost = bytes.slice(1).map((request, index) => {
    const before = bytes[index] ?? new Uint8Array();
    return before.length - commonPrefixLength(before, request);
  });
  expect(lost).toEqual(lost.map(() => 0));

  const outputs =
    requests.at(-1)?.messages.flatMap((message) => (message.role === "tool" ? [message.output] : [])) ?? [];
  const named = outputs.flatMap((output) =>
    [...output.matchAll(/^- (\S+) \(mtime: (\d+)\)$/gm)].map(([line]) => line),
  );
  expect(named.length).toBeGreaterThan(2 * directories);
  expect(named.filter((line, index) => named.indexOf(line) !== index)).toEqual([]);
  for (let index = 0; index < directories; index++) {
    expect(named.some((line) => line.includes(`/p${index}/AGENTS.md `))).toBe(true);
    expect(named.some((line) => line.includes(`/p${index}/src/deep/AGENTS.md `))).toBe(true);
  }
});
