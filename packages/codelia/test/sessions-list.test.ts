import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openJournal } from "@codelia/storage";
import { codelia } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { SessionDesk } from "./session-desk.ts";

describe("codelia sessions", () => {
  test("says so when there are none, and leaves nothing behind", async () => {
    using desk = new SessionDesk();
    const runs = [await desk.codelia(["sessions"]), await desk.codelia(["sessions", "list", "--all"])];
    expect(runs).toEqual([
      {
        code: 0,
        stdout:
          "There are no sessions of this repository yet.\nThose of all, also of one that was moved: --all\n",
        stderr: "",
      },
      { code: 0, stdout: "There are no sessions yet.\n", stderr: "" },
    ]);
    expect(await desk.list()).toEqual({ root: desk.tree.at("repo"), sessions: [], total: 0, problems: [] });
    expect(readdirSync(desk.tree.at("home")).filter((name) => name === ".codelia")).toEqual([]);
  });

  test("lists the last used first, with --limit as many as asked for", async () => {
    using desk = new SessionDesk();
    const one = await desk.session("task one", { minute: 1 });
    const two = await desk.session("task\ttwo\n\u001b[2J", { minute: 3 });
    const three = await desk.session("task three", { minute: 2 });
    expect(await desk.codelia(["sessions"])).toEqual({
      code: 0,
      stdout: [
        "id                        last used (UTC)   state  title",
        `${two}  2026-01-02 03:03  done   task two \\u001b[2J`,
        `${three}  2026-01-02 03:02  done   task three`,
        `${one}  2026-01-02 03:01  done   task one`,
        "",
      ].join("\n"),
      stderr: "",
    });
    const { stdout } = await desk.codelia(["sessions", "--limit", "1"]);
    expect(stdout.split("\n").slice(1)).toEqual([
      `${two}  2026-01-02 03:03  done   task two \\u001b[2J`,
      "",
      "2 more: --limit N shows them.",
      "",
    ]);
  });

  test("keeps everything for the user alone", async () => {
    using desk = new SessionDesk();
    const id = await desk.session("private");
    const directory = desk.directory(id);
    const modes = [desk.sessions, join(directory, ".."), directory, join(directory, "journal.jsonl")].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o600]);
  });

  test("lists the sessions of all worktrees with theirs, also of one that is gone; other repositories with --all", async () => {
    using desk = new SessionDesk({ "other/.git/": "" });
    desk.git("worktree", "add", "--quiet", "../tree", "-b", "side");
    const main = await desk.session("in main", { minute: 3 });
    const side = await desk.session("in side", { minute: 2, in: "tree" });
    await desk.session("elsewhere", { minute: 1, in: "other" });
    const seen = async (place: string, args: readonly string[] = []) => {
      const { root, sessions } = await desk.list(args, { in: place });
      return [root, sessions.map((each) => [each.title, each.root, each.root_is_gone])];
    };
    const rows = (isGone: boolean) => [
      ["in main", desk.tree.at("repo"), false],
      ["in side", desk.tree.at("tree"), isGone],
    ];
    expect([await seen("repo"), await seen("tree"), await seen("other", ["--all"])]).toEqual([
      [desk.tree.at("repo"), rows(false)],
      [desk.tree.at("tree"), rows(false)],
      [desk.tree.at("other"), [...rows(false), ["elsewhere", desk.tree.at("other"), false]]],
    ]);
    desk.git("worktree", "remove", "../tree");
    expect(await seen("repo")).toEqual([desk.tree.at("repo"), rows(true)]);
    const { stdout } = await desk.codelia(["sessions"]);
    expect(stdout.split("\n").slice(1)).toEqual([
      `${main}  2026-01-02 03:03  done   in main`,
      `${side}  2026-01-02 03:02  done   in side  in ${desk.tree.at("tree")} (gone)`,
      "",
    ]);
  });

  test("names a session of a newer format and a damaged one, and passes over what is foreign", async () => {
    using desk = new SessionDesk();
    const id = await desk.session("mine", { minute: 1 });
    const folder = join(desk.directory(id), "..");
    const newer = join(folder, "29990101T000000-00000001");
    const journal = await openJournal(newer);
    await journal.append({ type: "session.start", format: 7, program: "9.9.9" });
    await journal.close();
    mkdirSync(join(folder, "29990101T000000-00000000"));
    writeFileSync(join(folder, "29990101T000000-00000000/journal.jsonl"), "to do: buy milk\n");
    desk.touch("29990101T000000-00000000", 2);
    mkdirSync(join(folder, "holiday pictures"));
    writeFileSync(join(folder, "notes.txt"), "mine");
    writeFileSync(join(desk.sessions, "stray"), "a file");
    const { code, stdout } = await desk.codelia(["sessions", "--all"]);
    expect([code, ...stdout.split("\n").slice(1)]).toEqual([
      0,
      `${id}  2026-01-02 03:01  done   mine`,
      "",
      "Cannot be read",
      `  29990101T000000-00000001  ${newer}: this session was written by a newer Codelia (9.9.9, format 7; this one reads format 1)`,
      `  29990101T000000-00000000  ${join(folder, "29990101T000000-00000000")}/journal.jsonl: this is not a journal of Codelia`,
      "",
    ]);
    for (const args of [
      ["run", "go on", "--trust", "--resume", "00000001"],
      ["sessions", "show", "00000001"],
    ]) {
      const run = await desk.codelia(args);
      expect([run.code, run.stdout, run.stderr]).toEqual([
        1,
        "",
        `codelia: ${newer}: this session was written by a newer Codelia (9.9.9, format 7; this one reads format 1)\nUse the newer version for it. Nothing in it was changed.\n`,
      ]);
    }
  });

  test.each([
    [["sessions", "nonsense"], "unknown command 'sessions nonsense'"],
    [["sessions", "list", "x"], "unexpected argument 'x'"],
    [["sessions", "--limit", "0"], "--limit 0: expected a whole number greater than 0"],
    [["sessions", "show", "a", "b"], "expected one ID, found 2"],
    [["sessions", "show", ""], "the ID is empty"],
    [["sessions", "search"], "say what to search for"],
    [["sessions", "search", "two", "words"], "expected one text, found 2"],
    [["sessions", "export", "--format", "pdf"], "--format pdf: expected one of md, html, json"],
    [["sessions", "export", "--format", "md", "--json"], "--json is not --format md"],
    [["sessions", "delete"], "say which session to delete"],
    [["sessions", "show", "--dry-run"], "Unknown option '--dry-run'"],
  ])("%j is a usage error", async (args, problem) => {
    using tree = new TemporaryTree({});
    const { code, stdout, stderr } = await codelia(args, { cwd: tree.path, home: tree.path });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toStartWith(`codelia: ${problem}`);
    expect(stderr).toEndWith("\nSee: codelia help sessions\n");
  });
});

describe("a repository that was moved", () => {
  test("is told by --resume, which names the way on, and --fork goes that way", async () => {
    using desk = new SessionDesk();
    const id = await desk.session("before the move");
    renameSync(desk.tree.at("repo"), desk.tree.at("moved"));
    const place = { in: "moved" };
    const { sessions } = await desk.list(["--all"], place);
    expect(sessions.map(({ root, root_is_gone }) => [root, root_is_gone])).toEqual([
      [desk.tree.at("repo"), true],
    ]);
    const refused = await desk.run("go on", [{ text: "No." }], ["--resume", id], place);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      1,
      "",
      `codelia: ${id}: this session's repository is no longer at ${desk.tree.at("repo")}\nIf it was moved here, go on with a copy: codelia run --fork ${id}\n`,
    ]);
    const nothing = await desk.run("go on", [{ text: "No." }], ["--continue"], place);
    expect([nothing.code, nothing.stderr]).toEqual([
      1,
      `codelia: ${desk.tree.at("moved")}: there is no session here\nStart one with: codelia run "…"\nIf the repository was moved, its sessions are in codelia sessions list --all; a copy goes on: codelia run --fork ID\n`,
    ]);
    const expected = { request_contains: ["before the move", "About before the move."] };
    const forked = await desk.run("go on", [{ text: "Going on.", expect: expected }], ["--fork", id], place);
    expect([forked.code, forked.stdout]).toEqual([0, "Going on.\n"]);
    const here = await desk.list([], place);
    expect(here.sessions.map((each) => [each.title, each.root, each.forked_from])).toEqual([
      ["before the move", desk.tree.at("moved"), id],
    ]);
  });

  test("a session of another repository is not taken over silently", async () => {
    using desk = new SessionDesk({ "other/.git/": "" });
    const id = await desk.session("there");
    const { code, stderr } = await desk.run("go on", [{ text: "No." }], ["--resume", id], { in: "other" });
    expect([code, stderr]).toEqual([
      1,
      `codelia: ${id}: this session belongs to another repository, ${desk.tree.at("repo")}\nGo on there with: codelia run -C ${desk.tree.at("repo")} --resume ${id}\nor here with a copy: codelia run --fork ${id}\n`,
    ]);
  });
});
