import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { McpScene, packagedServer, yes } from "./mcp-scene.ts";

// server-filesystem, of MCP's makers. It takes the workspace from the roots that the client tells it.
test("paths that a tool declares bring their AGENTS.md along, deny rules hold for them, and outputs are the server's", async () => {
  using scene = new McpScene({
    "repo/AGENTS.md": "Root rules.\n",
    "repo/docs/AGENTS.md": "Rules for docs.\n",
    "repo/docs/a.txt": "the text of a\n",
    "repo/secret/key.txt": "the key\n",
    "outside.txt": "outside\n",
  });
  scene.configure(
    { files: packagedServer("server-filesystem", scene.cwd) },
    { permissions: { deny: [{ path_glob: "secret/**" }] } },
  );
  const { status, outputs, decisions } = await scene.run(
    [
      ["mcp__files__read_text_file", { path: scene.tree.at("repo/docs/a.txt") }],
      [
        "mcp_call",
        { server: "files", tool: "read_multiple_files", arguments: { paths: ["secret/key.txt"] } },
      ],
      ["mcp__files__write_file", { path: scene.tree.at("repo/new.txt"), content: "written" }],
      ["mcp__files__read_text_file", { path: scene.tree.at("outside.txt") }],
    ],
    { confirm: yes },
  );
  const [read = "", denied = "", , outside = ""] = outputs;
  const mtime = Math.trunc(Bun.file(scene.tree.at("repo/docs/AGENTS.md")).lastModified);
  expect(read).toContain("the text of a\n");
  expect(read).toContain('<system-reminder type="agents.resolve.paths">');
  expect(read).toContain(`- ${scene.tree.at("repo/docs/AGENTS.md")} (mtime: ${mtime})`);
  expect([
    status,
    decisions,
    denied.includes("the key"),
    readFileSync(scene.tree.at("repo/new.txt"), "utf8"),
  ]).toEqual(["done", ["allow by mode", "deny by rule", "allow by mode", "allow by mode"], false, "written"]);
  expect([outside.startsWith("Access denied"), existsSync(scene.tree.at("outside.txt"))]).toEqual([
    true,
    true,
  ]);
});
