import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Tool, ToolError } from "@codelia/core";
import { createGrepTool } from "../../../packages/runtime/src/tools/grep.ts";
import { createListTool } from "../../../packages/runtime/src/tools/list.ts";
import { createReadTool } from "../../../packages/runtime/src/tools/read.ts";
import { createWriteTool } from "../../../packages/runtime/src/tools/write.ts";
import { environmentAt, failure, runTool } from "../../../packages/runtime/test/tools/tool-run.ts";
import { TemporaryTree } from "../../support/tree.ts";

/** All of them: npm run test:swaps. */
const swaps = Number(process.env.CODELIA_SWAPS ?? 500);

/** As a policy that permits what lies in the workspace would. @output what the model is told */
async function inWorkspace<Arguments>(
  workspace: string,
  tool: Tool<Arguments>,
  args: unknown,
): Promise<string> {
  const permitting: Tool<Arguments> = {
    ...tool,
    prepare: async (given) => {
      const call = await tool.prepare(given);
      const paths = "paths" in call.access ? call.access.paths : [];
      if (paths.length > 0 && paths.every((path) => `${path}/`.startsWith(`${workspace}/`))) return call;
      throw new ToolError("not permitted");
    },
  };
  return await runTool(permitting, args).catch((error: unknown) => failure(Promise.reject(error)));
}

/** `work/folder` is swapped for a link to `outside` all the time. */
async function whileSwapped(use: (tree: TemporaryTree) => Promise<void>): Promise<TemporaryTree> {
  const tree = new TemporaryTree({
    "work/folder/inside.txt": "needle inside\n",
    "work/folder/deep/needle.txt": "needle inside\n",
    "outside/deep/needle.txt": "needle CANARY\n",
    "outside/inside.txt": "needle CANARY\n",
    "outside/secret.txt": "needle CANARY\n",
    "work/link": { link: "../outside" },
  });
  const swapper = spawn(
    process.execPath,
    [join(import.meta.dir, "swapper.ts"), tree.at("work/folder"), tree.at("work/link")],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const closed = new Promise<number | null>((resolve) => swapper.on("close", resolve));
  await once(swapper.stdout, "data");
  try {
    await use(tree);
  } finally {
    swapper.stdin.end();
    expect(await closed).toBe(0);
  }
  return tree;
}

test(`of ${swaps} writes into a folder that is swapped for a link, none goes through it, and none is half done`, async () => {
  const told = new Map<string, number>();
  const created: string[] = [];
  using tree = await whileSwapped(async (scene) => {
    const write = createWriteTool(environmentAt(scene.at("work")));
    for (let count = 0; count < swaps; count += 1) {
      // The link is sometimes the last folder on the way, sometimes one before.
      const name = count % 2 === 0 ? `${count}.txt` : `deep/${count}.txt`;
      const said = await inWorkspace(scene.at("work"), write, { path: `folder/${name}`, content: name });
      if (said.startsWith("Created")) created.push(name);
      const kind = said.replaceAll(/[\d]+/g, "N");
      told.set(kind, (told.get(kind) ?? 0) + 1);
    }
  });
  const at = (name: string) => readFileSync(tree.at("work/folder", name), "utf8");
  const below = (folder: string) =>
    readdirSync(tree.at(folder), { recursive: true, encoding: "utf8" }).toSorted();
  expect(below("outside")).toEqual(["deep", "deep/needle.txt", "inside.txt", "secret.txt"]);
  expect(below("work/folder")).toEqual(["deep", "deep/needle.txt", "inside.txt", ...created].toSorted());
  expect(created.map(at)).toEqual(created);
  expect([...told.keys()].filter((said) => said.startsWith("not a ToolError"))).toEqual([]);
});

test("reading, listing and searching in it show nothing of what lies behind the link", async () => {
  const seen = new Set<string>();
  using tree = await whileSwapped(async (scene) => {
    const environment = environmentAt(scene.at("work"));
    const read = createReadTool(environment);
    const list = createListTool(environment);
    const grep = createGrepTool(environment);
    const builtIn = createGrepTool(environment, { ripgrep: () => Promise.resolve(undefined) });
    for (let count = 0; count < swaps / 10; count += 1) {
      const calls = [
        () => inWorkspace(scene.at("work"), read, { path: "folder/inside.txt" }),
        () => inWorkspace(scene.at("work"), read, { path: "folder/deep/needle.txt" }),
        () => inWorkspace(scene.at("work"), list, { path: "folder" }),
        () => inWorkspace(scene.at("work"), grep, { pattern: "needle" }),
        () => inWorkspace(scene.at("work"), grep, { pattern: "needle", path: "folder/inside.txt" }),
        () => inWorkspace(scene.at("work"), builtIn, { pattern: "needle" }),
      ];
      for (const call of calls) seen.add(await call());
    }
  });
  expect([...seen].filter((said) => /CANARY|secret|not a ToolError/.test(said))).toEqual([]);
  expect(readdirSync(tree.at("outside")).length).toBe(3);
});
