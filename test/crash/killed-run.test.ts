// The end of the process, or of the power, at every call of a run that changes the disk. None is left out.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { problemsAtEveryPoint, type RecordedScene, recordScene } from "./recorded-scene.ts";
import { lastingEvents } from "./session-checks.ts";

/** Hundreds of runs, on a machine of any speed. */
const patience = 15 * 60_000;
let scene: RecordedScene;

beforeAll(async () => {
  scene = await recordScene();
});

afterAll(() => scene[Symbol.dispose]());

describe("the run that is ended", () => {
  test("has twelve turns and uses everything that a session keeps", () => {
    const kinds = new Set(scene.whole.map(({ record }) => record.type));
    expect([...kinds].toSorted()).toEqual([
      "compaction",
      "files.change",
      "message.assistant",
      "message.tool",
      "message.user",
      "permission",
      "request",
      "run.end",
      "session.context",
      "session.start",
      "tool.intent",
    ]);
    const { turns, status } = scene.result;
    const large = scene.whole.filter(({ record }) => JSON.stringify(record).length > 64 * 1024);
    const cut = scene.whole.filter(
      ({ record }) => record.type === "message.tool" && record.outputRef !== undefined,
    );
    expect({ turns, status, large: large.length, cut: cut.length }).toEqual({
      turns: 12,
      status: "done",
      large: 1,
      cut: 1,
    });
    const calls = new Set(scene.points.map(({ name }) => name.split(" ")[1] ?? ""));
    expect([...calls].toSorted()).toEqual([
      "after",
      "chmod",
      "link",
      "mkdir",
      "open",
      "rename",
      "sync",
      "unlink",
      "write",
    ]);
  });

  test("leaves on the disk what its states say", () => {
    expect(scene.last).toEqual(scene.really);
  });
});

describe("a session whose process was killed can be resumed with all that was told, and nothing is done twice", () => {
  test(
    "before or after any change of the disk",
    async () => {
      const problems = await problemsAtEveryPoint(
        scene,
        ({ killed }) => killed,
        ({ events }) => events,
      );
      expect(problems).toEqual([]);
    },
    patience,
  );

  test(
    "in the middle of any write",
    async () => {
      const problems = await problemsAtEveryPoint(
        scene,
        ({ killedHalfway }) => killedHalfway,
        ({ events }) => events,
      );
      expect(problems).toEqual([]);
    },
    patience,
  );
});

describe("a session that lost its power at any moment can be resumed, and no effect is without its intent", () => {
  test(
    "when nothing lasted but what was flushed",
    async () => {
      const problems = await problemsAtEveryPoint(
        scene,
        ({ powerCut }) => powerCut,
        ({ events }) => lastingEvents(events),
      );
      expect(problems).toEqual([]);
    },
    patience,
  );

  test(
    "when names lasted whose contents did not",
    async () => {
      const problems = await problemsAtEveryPoint(
        scene,
        ({ powerCutNamesKept }) => powerCutNamesKept,
        ({ events }) => lastingEvents(events),
      );
      expect(problems).toEqual([]);
    },
    patience,
  );
});
