import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../test/support/codelia.ts";
import { call, SessionDesk } from "./session-desk.ts";

test("the example of a client runs a prompt and answers what is asked", async () => {
  using desk = new SessionDesk({ "repo/package.json": "{}" });
  const { tree } = desk;
  const turns = [
    { ...Object(call("write", { path: "b.txt", content: "no\n" })), text: "Writing. " },
    { text: "It was not allowed." },
  ];
  const main = join(repository, "packages/codelia/src/main.ts");
  tree.add({
    "script.json": JSON.stringify({ turns }),
    "bin/codelia": `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`,
  });
  chmodSync(tree.at("bin/codelia"), 0o755);
  await desk.codelia(["trust"]);
  const child = Bun.spawn(
    [process.execPath, join(repository, "examples/client.ts"), "Go", `scripted/${tree.at("script.json")}`],
    {
      cwd: tree.at("repo"),
      env: { PATH: `${tree.at("bin")}:${process.env.PATH ?? ""}`, HOME: tree.at("home") },
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect([code, stderr, stdout]).toEqual([0, "", "Writing. It was not allowed.\ndone after 2 turns\n"]);
});
