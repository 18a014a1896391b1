import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Call, type Outcome, SafetyScene } from "../scene.ts";

// With full approval: what keeps the tools from hanging and from devices is no permission.
describe("a file tool neither waits for nor changes", () => {
  const made = new SafetyScene({
    "repo/fifo": { fifo: true },
    "repo/fifo-link": { link: "fifo" },
    "repo/folder/": "",
    "repo/circle": { link: "circle" },
    "repo/zero": { link: "/dev/zero" },
    "repo/tty": { link: "/dev/tty" },
  });
  // What changes files is aimed at this tree alone: a guard that is broken must not cost the machine a device.
  const own = ["fifo", "fifo-link", "folder", "circle"];
  const devices = ["zero", "/dev/zero", "tty", "/dev/stdin", "/proc/kmsg"];
  const reading: readonly (readonly [string, (path: string) => Call])[] = [
    ["read", (path) => ["read", { path }]],
    ["grep", (path) => ["grep", { pattern: "x", path }]],
  ];
  const changing: readonly (readonly [string, (path: string) => Call])[] = [
    ["write", (path) => ["write", { path, content: "x" }]],
    [
      "apply_patch",
      (path) => ["apply_patch", { patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` }],
    ],
  ];
  const cases = [
    ...reading.flatMap(([tool, call]) =>
      [...own, ...devices].map((path) => [`${tool} ${path}`, call(path)] as const),
    ),
    ...changing.flatMap(([tool, call]) => own.map((path) => [`${tool} ${path}`, call(path)] as const)),
  ];
  let outcomes: readonly Outcome[] = [];

  beforeAll(async () => {
    ({ outcomes } = await made.run(cases.map(([, call]) => call)));
  });
  afterAll(() => made[Symbol.dispose]());

  test.each(cases.map(([name], index) => [name, index] as const))("%s", (name, index) => {
    // A folder may be searched, and has no x in it; what would have to be waited for counts as empty.
    const isFine = name === "grep folder" || name === "grep /proc/kmsg";
    expect([outcomes[index]?.isError, outcomes.length]).toEqual([!isFine, cases.length]);
  });
});

test("a search of a folder passes over pipes, sockets and links", async () => {
  using made = new SafetyScene({
    "repo/a.txt": "needle\n",
    "repo/fifo": { fifo: true },
    "outside/b.txt": "needle CANARY\n",
    "repo/link.txt": { link: "../outside/b.txt" },
    "repo/folder-link": { link: "../outside" },
  });
  const { outcomes } = await made.run([
    ["grep", { pattern: "needle" }],
    ["glob", { pattern: "**" }],
    ["list", {}],
  ]);
  expect(outcomes.map(({ output }) => output)).toEqual([
    "a.txt:1:needle\n",
    "a.txt\n",
    "./\n  .codelia/\n  a.txt  7 bytes\n  fifo  [named pipe (FIFO)]\n  folder-link -> ../outside\n  link.txt -> ../outside/b.txt\n",
  ]);
});
