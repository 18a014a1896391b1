// docs/flows-contract.md names a test for every promise: each of them is there.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

test("every test that the contract's table names exists", () => {
  const table = readFileSync(join(import.meta.dir, "../../../docs/flows-contract.md"), "utf8");
  const rows = table.split("\n").filter((line) => /^\| (?!layer|---)/.test(line));
  const named = rows.map((row) => row.split(" | ").at(-1)?.replace(/ \|$/, "") ?? "");
  const files = readdirSync(import.meta.dir).filter((name) => name.endsWith(".test.ts"));
  const sources = files.map((name) => readFileSync(join(import.meta.dir, name), "utf8")).join("\n");
  const isThere = (name: string) => ['"', "'"].some((quote) => sources.includes(`${quote}${name}${quote}`));
  expect([named.filter((name) => !isThere(name)), named.length]).toEqual([[], 93]);
});
