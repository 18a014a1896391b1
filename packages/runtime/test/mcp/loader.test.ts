import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { hostileServer, McpScene } from "./mcp-scene.ts";

// LD_DEBUG_OUTPUT makes the dynamic loader write a file for each process that it loads. Home is read-only in the sandbox.
test.skipIf(process.platform !== "linux")(
  "variables of a server that speak to the dynamic loader reach the server, and nothing outside of the sandbox",
  async () => {
    using scene = new McpScene({ "home/out/": "", "repo/inside/": "" });
    const settings = (folder: string) => ({
      ...hostileServer("good"),
      env: { LD_DEBUG: "libs", LD_DEBUG_OUTPUT: scene.tree.at(`${folder}/loaded`) },
    });
    scene.configure({ outside: settings("home/out"), inside: settings("repo/inside") });
    await scene.approve("outside");
    await scene.approve("inside");
    const isInside = readdirSync(scene.tree.at("repo/inside")).length > 0;
    expect([readdirSync(scene.tree.at("home/out")), isInside]).toEqual([[], true]);
  },
);
