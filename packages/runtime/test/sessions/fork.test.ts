import { describe, expect, test } from "bun:test";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeDisk, openJournal } from "@codelia/storage";
import { openSession, readStart } from "../../src/sessions/index.ts";
import { call, journalLines, outputsOf, SessionScene, userTexts } from "./session-scene.ts";

const long = call("bash", { command: "seq 1 30000" });
const done = [{ text: "done" }];

/** Every file of a session with its content. */
function contents(directory: string): [string, string][] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): [string, string] => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path, "latin1")];
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

describe("a copy of a session", () => {
  test("leaves the original as it is to the byte, and goes its own way", async () => {
    using scene = new SessionScene({ "repo/a.txt": "a\n" });
    const original = await scene.run("first", [long, ...done]);
    const before = contents(original.directory);
    const records = journalLines(original.directory).length;
    const copy = await scene.run("another way", [call("read", { path: "a.txt" }), ...done], {
      session: { how: "fork", id: original.id },
    });
    expect(contents(original.directory)).toEqual(before);
    expect(userTexts(copy.requests[0]?.messages)).toEqual(["first", "another way"]);
    const own = await scene.run("my way", done, { session: { how: "resume", id: original.id } });
    expect(userTexts(own.requests[0]?.messages)).toEqual(["first", "my way"]);
    expect(await readStart(nodeDisk, copy.directory)).toMatchObject({
      id: copy.id,
      forkedFrom: { id: original.id, seq: records },
    });
  });

  test("can be made while the original is in use, with all outputs that were kept until then", async () => {
    using scene = new SessionScene();
    const original = await scene.run("first", [long, ...done]);
    const inUse = await openSession(scene.environment(), original.directory);
    try {
      await expect(scene.run("no", done, { session: { how: "resume", id: original.id } })).rejects.toThrow(
        /in use|held|locked/i,
      );
      const ref = /ref ([0-9a-f]{32})/.exec(outputsOf(original.requests[1]?.messages)[0] ?? "")?.[1];
      const { requests } = await scene.run(
        "copy",
        [call("tool_output_read", { ref, offset: 15_000, limit: 1 }), ...done],
        { session: { how: "fork", id: original.id } },
      );
      expect(outputsOf(requests[1]?.messages).at(-1)).toBe(
        "15000\t15000\n[15001 lines of 30001 follow: go on with offset 15001]\n",
      );
    } finally {
      await inUse.close();
    }
  });

  test("of a damaged session ends where that can no longer be read, and says so", async () => {
    using scene = new SessionScene();
    const original = await scene.run("first", done);
    const records = journalLines(original.directory).length;
    appendFileSync(
      join(original.directory, "journal.jsonl"),
      '{"crc":"00000000","seq":99,"at":"","record":{}}\n',
    );
    const before = contents(original.directory);
    const copy = await scene.run("go on", done, { session: { how: "fork", id: original.id } });
    expect(copy.notices).toEqual([
      `The copy of ${original.id} ends with record ${records}: what follows there cannot be read.`,
    ]);
    expect(contents(original.directory)).toEqual(before);
  });

  test("of a session with records of a newer version ends before them, where a resume is refused", async () => {
    using scene = new SessionScene();
    const original = await scene.run("first", done);
    const records = journalLines(original.directory).length;
    const journal = await openJournal(original.directory, { disk: nodeDisk });
    await journal.append({ type: "telepathy", thought: "?" });
    await journal.close();
    await expect(scene.run("go on", done, { session: { how: "resume", id: original.id } })).rejects.toThrow(
      `${original.id}: record ${records + 1} is of a kind that this version does not know (telepathy)`,
    );
    const copy = await scene.run("go on", done, { session: { how: "fork", id: original.id } });
    expect(copy.notices).toEqual([
      `The copy of ${original.id} ends with record ${records}: what follows there cannot be read.`,
    ]);
  });

  test("made in another repository belongs there, where the original cannot be resumed", async () => {
    using scene = new SessionScene({ "other/.git/": "" });
    const original = await scene.run("first", done);
    const session = { how: "resume", id: original.id } as const;
    await expect(scene.run("go on", done, { session, cwd: "other" })).rejects.toMatchObject({
      code: "other_repository",
      message: `${original.id}: this session belongs to another repository, ${scene.tree.at("repo")}`,
      hint: `Go on there with: codelia run -C ${scene.tree.at("repo")} --resume ${original.id}\nor here with a copy: codelia run --fork ${original.id}`,
    });
    const copy = await scene.run("here", done, { session: { ...session, how: "fork" }, cwd: "other" });
    const again = await scene.run("again", done, { session: { how: "continue" }, cwd: "other" });
    expect([again.id, userTexts(again.requests[0]?.messages).slice(-2)]).toEqual([
      copy.id,
      ["here", "again"],
    ]);
  });
});
