import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { repository } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

const Found = z.object({ skills: z.array(z.object({ name: z.string() })) });
const Files = z.object({ files: z.array(z.object({ path: z.string() })) });

const skill = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nHow to ${name}.\n`;

function project(): TemporaryTree {
  return new TemporaryTree({
    "home/.codelia/config.json": JSON.stringify({
      skills: { disabled: ["switched-off"] },
      permissions: { deny: [{ skill_name: "forbidden" }] },
    }),
    "home/.agents/skills/mine/SKILL.md": skill("mine", "Things of mine."),
    "repo/.codelia/": "",
    "repo/AGENTS.md": "Root.\n",
    "repo/docs/AGENTS.md": "Docs.\n",
    "repo/.agents/skills/deploy/SKILL.md": skill("deploy", "Deploys the service."),
    "repo/.agents/skills/switched-off/SKILL.md": skill("switched-off", "Is switched off."),
    "repo/.agents/skills/forbidden/SKILL.md": skill("forbidden", "Is denied by a rule."),
  });
}

/** The official client, on a process of `codelia mcp serve`. */
async function served(tree: TemporaryTree, ...args: string[]): Promise<Client> {
  const client = new Client(
    { name: "another-agent", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [resolve(repository, "packages/codelia/src/main.ts"), "mcp", "serve", ...args],
      cwd: tree.at("repo"),
      env: { PATH: process.env.PATH ?? "", HOME: tree.at("home"), PWD: tree.at("repo") },
    }),
  );
  return client;
}

async function said(client: Client, name: string, args: Record<string, unknown>): Promise<[boolean, string]> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [part] = content;
  return [isError === true, part?.type === "text" ? part.text : ""];
}

describe("codelia mcp serve, with the official client", () => {
  test("offers skills and instructions of a trusted project, but none that the user switched off or denied", async () => {
    using tree = project();
    const client = await served(tree, "--trust");
    try {
      const { tools } = await client.listTools();
      const [, found] = await said(client, "skill_search", { query: "deploys" });
      const loaded = await said(client, "skill_load", { name: "deploy" });
      const [, files] = await said(client, "agents_resolve", { path: "docs/a.md" });
      expect([
        tools.map(({ name }) => name),
        Found.parse(JSON.parse(found)).skills.map(({ name }) => name),
        loaded[0],
        loaded[1].includes("How to deploy."),
        Files.parse(JSON.parse(files)).files.map(({ path }) => path),
        await said(client, "skill_load", { name: "switched-off" }),
        (await said(client, "skill_load", { name: "forbidden" }))[1].includes("forbids it"),
        (await said(client, "skill_load", { name: "nothing" }))[0],
      ]).toEqual([
        ["skill_search", "skill_load", "agents_resolve"],
        ["deploy"],
        false,
        true,
        [tree.at("repo/AGENTS.md"), tree.at("repo/docs/AGENTS.md")],
        [true, "switched-off: the user switched this skill off"],
        true,
        true,
      ]);
    } finally {
      await client.close();
    }
  });

  test("says nothing of a project that is not trusted", async () => {
    using tree = project();
    const client = await served(tree);
    try {
      const [, found] = await said(client, "skill_search", { query: "things deploys" });
      const [isError, files] = await said(client, "agents_resolve", { path: "docs/a.md" });
      expect([
        Found.parse(JSON.parse(found)).skills.map(({ name }) => name),
        (await said(client, "skill_load", { name: "deploy" }))[0],
        isError,
        files.startsWith("This project is not trusted"),
      ]).toEqual([["mine"], true, true, true]);
    } finally {
      await client.close();
    }
  });
});
