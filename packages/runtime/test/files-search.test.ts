import { expect, test } from "bun:test";
import { UndoScene } from "./sessions/undo-scene.ts";

test("files are found by their name first, then by their path, then by letters in order; ignored ones are not", async () => {
  using scene = new UndoScene({
    ".gitignore": "dist/\n*.log\n",
    "main.ts": "",
    "src/main.test.ts": "",
    "domain/x.ts": "",
    "src/my-index.ts": "",
    "dist/main.ts": "",
    "main.log": "",
    ".hidden/main.ts": "",
  });
  const client = scene.client();
  const search = (query: string, limit = 10) =>
    client.call("files.search", { cwd: scene.in(), query, limit });
  expect(await search("MAIN")).toEqual({
    files: ["main.ts", "src/main.test.ts", "domain/x.ts"],
    truncated: false,
  });
  expect(await search("main", 1)).toEqual({ files: ["main.ts"], truncated: true });
  expect(await search("src/mi")).toEqual({
    files: ["src/my-index.ts", "src/main.test.ts"],
    truncated: false,
  });
  expect(await search("nowhere")).toEqual({ files: [], truncated: false });
});

test("below a folder of the project, paths start there", async () => {
  using scene = new UndoScene({ "src/deep/a.ts": "", "b.ts": "" });
  const found = await scene.client().call("files.search", { cwd: scene.in("src"), query: "", limit: 10 });
  expect(found).toEqual({ files: ["deep/a.ts"], truncated: false });
});

test("a setting is written for the user, and nothing else may be", async () => {
  using scene = new UndoScene({});
  const client = scene.client();
  const file = scene.at("home/.codelia/config.json");
  const set = () => client.call("config.set", { key: "tui.theme", value: "light" });
  expect([await set(), await set()]).toEqual([
    { file, changed: true },
    { file, changed: false },
  ]);
  expect(JSON.parse(await Bun.file(file).text())).toEqual({ tui: { theme: "light" } });
});
