// A run of twelve turns that uses everything a session keeps: edits, commands, looks, a todo list, a long output, a
// record that needs a blob, and one compaction.
import type { TreeDescription } from "../support/tree.ts";

const firstText = "alpha\nbeta\ngamma\n";
const secondText = "alpha\nBETA\ngamma\n";
const thirdText = "alpha\nBETA\nGAMMA\n";
const largeText = `${"0123456789abcde\n".repeat(4500)}end\n`;
const patch = `*** Begin Patch
*** Update File: b.txt
@@
-two
+TWO
*** Add File: added/c.txt
+three
*** Delete File: d.txt
*** End Patch
`;

/** Commands append here, so that one which was repeated shows. */
export const effectsFile = "repo/effects.txt";

/** What each file may hold, in the order of the run; undefined: it is not there. */
export const versions: Readonly<Record<string, readonly (string | undefined)[]>> = {
  "repo/a.txt": [firstText, secondText, thirdText],
  "repo/b.txt": ["one\ntwo\n", "one\nTWO\n"],
  "repo/added/c.txt": [undefined, "three\n"],
  "repo/d.txt": ["four\n", undefined],
  "repo/new/deep/e.txt": [undefined, "five\n"],
  "repo/large.txt": [undefined, largeText],
};

/** Which call makes which effect: the line of a command, or the version of a file. */
export const effects: readonly Effect[] = [
  { call: "call_2_1", path: "repo/a.txt", content: secondText },
  { call: "call_3_1", line: "first" },
  { call: "call_4_1", path: "repo/new/deep/e.txt", content: "five\n" },
  { call: "call_5_1", line: "second" },
  { call: "call_7_1", path: "repo/large.txt", content: largeText },
  { call: "call_8_1", path: "repo/b.txt", content: "one\nTWO\n" },
  { call: "call_8_1", path: "repo/added/c.txt", content: "three\n" },
  { call: "call_8_1", path: "repo/d.txt", content: undefined },
  { call: "call_11_1", path: "repo/a.txt", content: thirdText },
  { call: "call_12_1", line: "third" },
];

export type Effect =
  | { readonly call: string; readonly line: string }
  | { readonly call: string; readonly path: string; readonly content: string | undefined };

const calls = (...all: readonly (readonly [name: string, args: unknown])[]) =>
  all.map(([name, args]) => ({ name, arguments: args }));

const turns = [
  {
    text: "First I look.",
    tool_calls: calls(["read", { path: "a.txt" }], ["read", { path: "b.txt" }], ["read", { path: "d.txt" }]),
  },
  { tool_calls: calls(["edit", { path: "a.txt", old: "beta", new: "BETA" }]) },
  { tool_calls: calls(["bash", { command: "echo first >> effects.txt" }]) },
  { tool_calls: calls(["write", { path: "new/deep/e.txt", content: "five\n" }]) },
  { tool_calls: calls(["bash", { command: "seq 1 12000; echo second >> effects.txt" }]) },
  { tool_calls: calls(["todo", { items: [{ text: "the patch", state: "doing" }] }]) },
  { tool_calls: calls(["write", { path: "large.txt", content: largeText }]) },
  // The next request would not fit.
  { tool_calls: calls(["apply_patch", { patch }]), usage: { input_tokens: 55_000 } },
  { text: "The summary: a.txt, b.txt and the others were changed." },
  { tool_calls: calls(["read", { path: "a.txt" }], ["no_such_tool", {}]) },
  { tool_calls: calls(["edit", { path: "a.txt", old: "BETA\ngamma", new: "BETA\nGAMMA" }]) },
  { tool_calls: calls(["bash", { command: "echo third >> effects.txt" }]) },
  { text: "Done." },
];

const small = { input_tokens: 1000 };
const script = { contextWindow: 60_000, turns: turns.map((turn) => ({ usage: small, ...turn })) };

/** The disk before the run. */
export const scenarioTree: TreeDescription = {
  "home/": "",
  "repo/.git/": "",
  "repo/a.txt": firstText,
  "repo/b.txt": "one\ntwo\n",
  "repo/d.txt": "four\n",
  "script.json": JSON.stringify(script),
};
