// A journal that was cut or changed on the disk: what is before the damage loads, and the user is told of the rest.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ProtocolError } from "@codelia/protocol";
import { resumeProblems } from "./after-crash.ts";
import { readSession, restore, resume } from "./crash-scene.ts";
import { type RecordedScene, recordScene } from "./recorded-scene.ts";

const patience = 15 * 60_000;
const lineFeed = 0x0a;
let scene: RecordedScene;
let journal: Buffer;
/** Where each record starts; the end of the last one too. */
let starts: number[];

beforeAll(async () => {
  scene = await recordScene();
  journal = readFileSync(join(scene.directory, "journal.jsonl"));
  starts = [0];
  for (let end = journal.indexOf(lineFeed); end >= 0; end = journal.indexOf(lineFeed, end + 1))
    starts.push(end + 1);
});

afterAll(() => scene[Symbol.dispose]());

/** The end of the run, with one of the session's files changed. */
function withFile(name: string, content: Uint8Array): void {
  const path = join(scene.directory.slice(scene.top.length + 1), name);
  restore(scene.top, new Map(scene.really).set(path, content));
}

/** @input kept: how many records are before the damage */
async function problemsWith(content: Uint8Array, kept: number, isDamaged: boolean): Promise<string[]> {
  withFile("journal.jsonl", content);
  const read = await readSession(scene.directory);
  const found = { kept: read.entries.length, isDamaged: read.damage !== undefined };
  if (!Bun.deepEquals(found, { kept, isDamaged }))
    return [`${JSON.stringify(found)} instead of ${kept} records`];
  if (!Bun.deepEquals(read.entries, scene.whole.slice(0, kept))) return ["the records are no prefix"];
  return await resumeProblems({ ...scene, ...read });
}

function flipped(content: Uint8Array, position: number): Uint8Array {
  const changed = Buffer.from(content);
  // Another bit in each place.
  changed[position] = (changed[position] ?? 0) ^ (1 << (position % 8));
  return changed;
}

describe("a journal that was damaged is told of, and its session goes on from before the damage", () => {
  test(
    "cut at any byte of the last three records",
    async () => {
      const problems: string[] = [];
      for (let length = starts.at(-4) ?? 0; length < journal.length; length += 1) {
        const kept = starts.findLastIndex((start) => start <= length);
        const found = await problemsWith(journal.subarray(0, length), kept, starts[kept] !== length);
        problems.push(...found.map((problem) => `cut at ${length}: ${problem}`));
      }
      expect(problems).toEqual([]);
    },
    patience,
  );

  test(
    "one bit flipped in any record, at its checksum, its number, its middle, its end, its line feed",
    async () => {
      const problems: string[] = [];
      for (const [index, start] of starts.slice(0, -1).entries()) {
        const end = starts[index + 1] ?? 0;
        for (const position of [start + 9, start + 25, (start + end) >> 1, end - 2, end - 1]) {
          if (index === 0) continue;
          const found = await problemsWith(flipped(journal, position), index, true);
          problems.push(...found.map((problem) => `record ${index + 1}, byte ${position}: ${problem}`));
        }
      }
      expect(problems).toEqual([]);
    },
    patience,
  );

  test("one bit flipped in a record that is kept in a file of its own", async () => {
    const index = scene.whole.findIndex(({ record }) => JSON.stringify(record).length > 64 * 1024);
    const line = journal.subarray(starts[index], starts[index + 1]).toString();
    const name = `blobs/${/"blob":"(\w+)"/.exec(line)?.[1]}`;
    withFile(name, flipped(readFileSync(join(scene.directory, name)), 1000));
    const read = await readSession(scene.directory);
    expect({ kept: read.entries.length, reason: read.damage?.reason }).toEqual({
      kept: index,
      reason: "damaged_blob",
    });
    expect(await resumeProblems({ ...scene, ...read })).toEqual([]);
  });
});

test(
  "a session whose first record is damaged is refused in words, and left as it is",
  async () => {
    for (let position = 0; position < (starts[1] ?? 0); position += 1) {
      const content = flipped(journal, position);
      withFile("journal.jsonl", content);
      const error = await resume(scene.top, scene.sessionId).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ProtocolError);
      expect(error instanceof ProtocolError && error.hint, `at ${position}`).toMatch(/\w/);
      expect(readFileSync(join(scene.directory, "journal.jsonl")).equals(content)).toBe(true);
    }
  },
  patience,
);
