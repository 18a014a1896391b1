import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Call, type Outcome, SafetyScene } from "../scene.ts";

/** `repo` is the workspace; nothing with CANARY in it may be read, nothing outside may be changed. */
function scene(): SafetyScene {
  const made = new SafetyScene({
    "repo/inside.txt": "inside\n",
    "repo/deep/er/inside.txt": "inside\n",
    "repo-evil/secret.txt": "CANARY\n",
    "outside/secret.txt": "CANARY\n",
    "outside/folder/secret.txt": "CANARY\n",
    "repo/file-link": { link: "../outside/secret.txt" },
    "repo/folder-link": { link: "../outside" },
    "repo/chain": { link: "chain-2" },
    "repo/chain-2": { link: "folder-link/folder/../secret.txt" },
    "repo/dangling": { link: "../outside/new.txt" },
    "repo/dangling-folder": { link: "../outside/new" },
    "repo/circle": { link: "circle" },
    "repo/deep/up": { link: "../.." },
    "repo/proc": { link: "/proc/self/root" },
  });
  made.add({ "repo/absolute": { link: made.at("outside/secret.txt") } });
  return made;
}

type Ways = (scene: SafetyScene) => Readonly<Record<string, string>>;

/** Ways out to a file that is there. */
const files: Ways = (made) => ({
  "..": "../outside/secret.txt",
  ".. behind a folder": "deep/er/../../../outside/secret.txt",
  "a sibling with the same beginning": "../repo-evil/secret.txt",
  "an absolute sibling": made.at("repo-evil/secret.txt"),
  "~": "~/../outside/secret.txt",
  "a link to a file": "file-link",
  "a link to a folder": "folder-link/secret.txt",
  "a chain of links": "chain",
  "an absolute link": "absolute",
  "a link upwards": "deep/up/outside/secret.txt",
  "/proc/self/root": `/proc/self/root${made.at("outside/secret.txt")}`,
  "a link to /proc/self/root": `proc${made.at("outside/secret.txt")}`,
  "/proc/self/cwd": "/proc/self/cwd/../outside/secret.txt",
  "a doubled slash": `//${made.at("outside/secret.txt")}`,
});

/** Ways out to where something could be made. */
const places: Ways = (made) => ({
  ...files(made),
  "a link to nothing": "dangling",
  "a link to no folder": "dangling-folder/new.txt",
  "a new file in a linked folder": "folder-link/new.txt",
  "a new folder outside": "../new/new.txt",
  "/proc/self/root, new": `/proc/self/root${made.at("outside/new.txt")}`,
  "/dev/shm": "/dev/shm/codelia-canary",
});

function patched(body: string): Call {
  return ["apply_patch", { patch: `*** Begin Patch\n${body}\n*** End Patch` }];
}

const tools: readonly (readonly [name: string, ways: Ways, call: (path: string) => Call])[] = [
  ["read", files, (path) => ["read", { path }]],
  ["grep in", files, (path) => ["grep", { pattern: "CAN", path }]],
  ["list", files, (path) => ["list", { path: path.replace(/secret.txt$/, "") }]],
  ["glob", files, (path) => ["glob", { pattern: "*", path: path.replace(/secret.txt$/, "") }]],
  ["write", places, (path) => ["write", { path, content: "evil" }]],
  ["edit", places, (path) => ["edit", { path, old: "CANARY", new: "evil" }]],
  ["apply_patch adding", places, (path) => patched(`*** Add File: ${path}\n+evil`)],
  ["apply_patch deleting", places, (path) => patched(`*** Delete File: ${path}`)],
  ["apply_patch changing", places, (path) => patched(`*** Update File: ${path}\n@@\n-CANARY\n+evil`)],
  [
    "apply_patch moving to",
    places,
    (path) => patched(`*** Update File: inside.txt\n*** Move to: ${path}\n@@\n-inside\n+evil`),
  ],
];

// Links to files lead nowhere for tools that want a folder, and the other way round: an error, and nothing is shown.
describe.each(tools)("%s, which may use the workspace, does not get out of it by", (_, ways, call) => {
  const made = scene();
  const names = Object.keys(ways(made));
  const outcomes = new Map<string, Outcome>();
  let after = "";

  beforeAll(async () => {
    const known: Call = ["read", { path: "inside.txt" }];
    const calls = Object.values(ways(made)).map(call);
    const run = await made.run([known, ...calls], { approval: "auto-edit" });
    for (const [index, name] of names.entries()) {
      const outcome = run.outcomes[index + 1];
      if (outcome !== undefined) outcomes.set(name, outcome);
    }
    after = made.kept("outside") + made.kept("repo-evil") + made.text("repo/inside.txt");
  });
  afterAll(() => made[Symbol.dispose]());

  test.each(names)("%s", (name) => {
    const outcome = outcomes.get(name);
    // Denied by policy, or refused before anybody had to decide.
    expect(["deny by no_user", undefined]).toContain(outcome?.decision);
    expect([outcome?.isError, outcome?.output.includes("CANARY")]).toEqual([true, false]);
  });

  test("anything: all outside is as it was", () => {
    expect(after).toBe("CANARY\n\nCANARY\nCANARY\ninside\n");
  });
});

test("a path is read by its words: .. behind a link leads back to where the link lies, not to where it leads", async () => {
  using made = scene();
  made.add({ "repo/outside/secret.txt": "mine\n" });
  const { outcomes } = await made.run([["read", { path: "folder-link/../outside/secret.txt" }]]);
  expect(outcomes.map(({ output }) => output)).toEqual(["    1\tmine\n"]);
});
