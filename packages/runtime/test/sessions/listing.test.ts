import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeDisk, openJournal, StorageError } from "@codelia/storage";
import {
  findSession,
  findSessions,
  listSessions,
  repositoryFolder,
  SessionError,
} from "../../src/sessions/index.ts";
import { answer, at, done, ids, output, ports, prompt, SessionScene } from "./stored-sessions.ts";

const [first, second, third] = ids;

describe("listSessions", () => {
  test("tells of each session what a person needs to choose one, the last used first", async () => {
    using scene = new SessionScene();
    await scene.add(first, [prompt("x"), done], { minute: 2, title: "one" });
    await scene.add(second, [prompt("x")], { minute: 3, title: "two", forkedFrom: { id: first, seq: 1 } });
    await scene.add(third, [], { minute: 1, root: scene.tree.at("gone") });
    const root = scene.tree.at("root");
    const shared = { cwd: root, model: "scripted/x", started_at: at };
    expect(await listSessions(ports, scene.scope, 20)).toEqual({
      sessions: [
        {
          id: second,
          title: "two",
          updated_at: "2026-01-02T04:03:00.000Z",
          ...shared,
          root,
          root_is_gone: false,
          state: "interrupted",
          forked_from: first,
        },
        {
          id: first,
          title: "one",
          updated_at: "2026-01-02T04:02:00.000Z",
          ...shared,
          root,
          root_is_gone: false,
          state: "done",
        },
        {
          id: third,
          title: "a title",
          updated_at: "2026-01-02T04:01:00.000Z",
          ...shared,
          root: scene.tree.at("gone"),
          root_is_gone: true,
          state: "interrupted",
        },
      ],
      total: 3,
      problems: [],
    });
  });

  test("opens no more sessions than it shows, and counts all", async () => {
    using scene = new SessionScene();
    await scene.add(first, [done], { minute: 1 });
    await scene.add(second, [done], { minute: 2 });
    await scene.add(third, [done], { minute: 3 });
    const opened: string[] = [];
    const disk = {
      ...nodeDisk,
      open: (path: string, flags: number, mode?: number) => {
        opened.push(path);
        return nodeDisk.open(path, flags, mode);
      },
    };
    const { sessions, total } = await listSessions({ ...ports, disk }, scene.scope, 1);
    expect([sessions.map(({ id }) => id), total]).toEqual([[third], 3]);
    expect([...new Set(opened)]).toEqual([join(scene.directory(third), "journal.jsonl")]);
  });

  test("says how the last run ended: what came after its end does not count, a new prompt does", async () => {
    using scene = new SessionScene();
    const ends = ["done", "failed", "limit", "interrupted"] as const;
    const resume = { type: "session.resume", program: "1", cwd: "/", root: "/", model: "m" };
    const undo = { type: "undo", prompt: 1, paths: ["x".repeat(200_000)] };
    const cases: [string, unknown[]][] = [
      ...ends.map((status): [string, unknown[]] => [status, [prompt("x"), { type: "run.end", status }]]),
      ["done", [prompt("x"), done, undo, resume]],
      ["interrupted", [prompt("x"), done, prompt("y")]],
      [
        "interrupted",
        [prompt("x"), done, answer("y"), ...Array.from({ length: 9 }, () => output("z".repeat(60_000)))],
      ],
    ];
    for (const [index, [, records]] of cases.entries()) {
      await scene.add(`20260101T00000${index}-aaaaaaaa`, records, { minute: 59 - index });
    }
    const { sessions } = await listSessions(ports, scene.scope, 20);
    expect<string[]>(sessions.map(({ state }) => state)).toEqual(cases.map(([state]) => state));
  });

  test("a session that is open is running, its torn end is nothing to report, and looking leaves no trace", async () => {
    using scene = new SessionScene();
    const journal = await openJournal(scene.directory(first), ports);
    const empty = await listSessions(ports, scene.scope, 20);
    await journal.append(scene.start(first));
    appendFileSync(join(scene.directory(first), "journal.jsonl"), '{"crc":"0000');
    const before = readdirSync(scene.directory(first));
    const { sessions, problems } = await listSessions(ports, scene.scope, 20);
    expect([empty.sessions, empty.problems]).toEqual([[], []]);
    expect([sessions.map(({ state }) => state), problems]).toEqual([["running"], []]);
    expect(readdirSync(scene.directory(first))).toEqual(before);
    await journal.close();
  });

  test("names what cannot be read and lists the others; what is no session is passed over", async () => {
    using scene = new SessionScene();
    await scene.add(first, [done]);
    const line = readFileSync(join(scene.directory(first), "journal.jsonl"), "utf8");
    const broken: Record<string, string> = {
      "20260102T000000-00000001": "",
      "20260102T000000-00000002": line.replace("a title", "another"),
      "20260102T000000-00000003": "notes of mine\n",
    };
    for (const [id, content] of Object.entries(broken)) {
      mkdirSync(scene.directory(id));
      writeFileSync(join(scene.directory(id), "journal.jsonl"), content);
      scene.touch(id, Number(id.at(-1)));
    }
    const newer = "20260102T000000-00000004";
    const journal = await openJournal(scene.directory(newer), ports);
    await journal.append({ type: "session.start", format: 2, program: "9.0\u001b[2J" });
    await journal.close();
    scene.touch(newer, 4);
    mkdirSync(join(scene.folder, "20260102T000000-00000005", "journal.jsonl"), { recursive: true });
    mkdirSync(join(scene.folder, "not a session"));
    writeFileSync(join(scene.folder, "20260102T000000-00000006"), "a file");
    const { sessions, problems, total } = await listSessions(ports, scene.scope, 20);
    expect([sessions.map(({ id }) => id), total]).toEqual([[first], 5]);
    expect(problems).toEqual([
      {
        id: newer,
        problem: `${scene.directory(newer)}: this session was written by a newer Codelia ("9.0\\u001b[2J", format 2; this one reads format 1)`,
      },
      {
        id: "20260102T000000-00000003",
        problem: `${scene.directory("20260102T000000-00000003")}/journal.jsonl: this is not a journal of Codelia`,
      },
      {
        id: "20260102T000000-00000002",
        problem: `${scene.directory("20260102T000000-00000002")}: the first record of this session cannot be read`,
      },
      {
        id: "20260102T000000-00000001",
        problem: `${scene.directory("20260102T000000-00000001")}: the first record of this session cannot be read`,
      },
    ]);
  });

  test("sessions that cannot be seen do not look like none", async () => {
    using scene = new SessionScene();
    const disk = {
      ...nodeDisk,
      readdir: () => Promise.reject(Object.assign(new Error("no"), { code: "EACCES" })),
    };
    const error = await listSessions({ ...ports, disk }, scene.scope, 1).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(StorageError);
    expect(String(error)).toBe(`StorageError: ${scene.folder}: cannot be read: permission denied (EACCES)`);
    expect(await listSessions(ports, scene.scope, 1)).toEqual({ sessions: [], total: 0, problems: [] });
  });
});

describe("findSession", () => {
  const code = async (scene: SessionScene, text: string) => {
    const { codeliaHome, repository } = scene.scope;
    const found = await findSession(nodeDisk, codeliaHome, repository, text).catch((error: unknown) => error);
    return found instanceof SessionError ? found.code : found;
  };

  test("takes an id by its beginning or end, and refuses what is not one session", async () => {
    using scene = new SessionScene();
    await scene.add(first, []);
    await scene.add(second, []);
    const [found] = (await findSessions(nodeDisk, scene.scope)).filter(({ id }) => id === first);
    expect([
      await code(scene, first),
      await code(scene, "aaaa"),
      await code(scene, "20260101T000000-a"),
      await code(scene, "20260101"),
      await code(scene, third),
      await code(scene, ""),
      await code(scene, "../x"),
    ]).toEqual([found, found, found, "ambiguous", "not_found", "not_found", "not_found"]);
  });

  test("takes a session of this repository before those of others, and one of others where there is none", async () => {
    using scene = new SessionScene();
    await scene.add(first, []);
    const other = join(repositoryFolder(scene.scope.codeliaHome, "/other"), "20260101T000000-bbbbaaaa");
    const journal = await openJournal(other, ports);
    await journal.append(scene.start("20260101T000000-bbbbaaaa"));
    await journal.close();
    const directory = async (text: string) => {
      const { codeliaHome, repository } = scene.scope;
      return (await findSession(nodeDisk, codeliaHome, repository, text)).directory;
    };
    expect([
      await directory("aaaa"),
      await directory("bbbbaaaa"),
      await directory("20260101T000000-bbbbaaaa"),
    ]).toEqual([scene.directory(first), other, other]);
  });
});
