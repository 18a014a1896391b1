import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { rmSync, statSync, utimesSync } from "node:fs";
import { call, reminders, type SceneRun, SessionScene } from "./session-scene.ts";

const done = [{ text: "done" }];

function scene(): SessionScene {
  return new SessionScene({
    "repo/AGENTS.md": "Root rules.\n",
    "repo/sub/AGENTS.md": "Sub rules.\n",
    "repo/sub/file.txt": "content\n",
    "repo/visited/AGENTS.md": "Rules of a visited place.\n",
    "repo/visited/file.txt": "content\n",
  });
}

/** A session that knows the root's rules, and those of a place that it has read in. */
function begun(session: SessionScene): Promise<SceneRun> {
  return session.run("start", [call("read", { path: "visited/file.txt" }), ...done]);
}

type Options = Parameters<SessionScene["run"]>[2];

/** What is told at each of two resumes, one after the other. */
async function toldTwice(session: SessionScene, id: string, options: Options = {}): Promise<string[][]> {
  const again = { session: { how: "resume", id } as const, ...options };
  const runs = [await session.run("go on", done, again), await session.run("go on", done, again)];
  const told = runs.map(({ requests }) => reminders(requests[0]?.messages, "session.resume.diff"));
  // The second request holds what the first was told.
  return [told[0] ?? [], (told[1] ?? []).slice(told[0]?.length)];
}

function rewrite(session: SessionScene, path: string, content: string): string {
  session.tree.add({ [path]: content });
  // Later than before, also on a file system that counts in seconds.
  utimesSync(session.tree.at(path), 2_000_000_000, 2_000_000_000);
  return named(session, path);
}

function named(session: SessionScene, path: string): string {
  return `- ${session.tree.at(path)} (mtime: ${Math.trunc(statSync(session.tree.at(path)).mtimeMs)})`;
}

function note(
  session: SessionScene,
  { cwd = ["repo", "repo"], root = ["repo", "repo"], markers = [standard, standard] }: Partial<Changes>,
  ...rest: string[]
): string {
  const [cwds, roots] = [cwd, root].map((pair) => pair.map((path) => session.tree.at(path)).join(" -> "));
  return [
    "Session resumed with context changes:",
    `- cwd: ${cwds}`,
    `- root: ${roots}`,
    `- markers: ${markers.map((each) => JSON.stringify(each)).join(" -> ")}`,
    ...rest,
  ].join("\n");
}

interface Changes {
  readonly cwd: readonly [string, string];
  readonly root: readonly [string, string];
  readonly markers: readonly [readonly string[], readonly string[]];
}

const standard = [".codelia", ".git", ".jj"];

describe("what a resumed session is told", () => {
  test("is nothing when nothing changed", async () => {
    using session = scene();
    const { id } = await begun(session);
    expect(await toldTwice(session, id)).toEqual([[], []]);
  });

  test("is the new working directory with its instructions, once", async () => {
    using session = scene();
    const { id } = await begun(session);
    expect(await toldTwice(session, id, { cwd: "repo/sub" })).toEqual([
      [
        note(
          session,
          { cwd: ["repo", "repo/sub"] },
          "Re-check AGENTS.md for current scope:",
          named(session, "repo/sub/AGENTS.md"),
        ),
      ],
      [],
    ]);
    // And the way back, with nothing new on it.
    expect(await toldTwice(session, id)).toEqual([
      [
        note(
          session,
          { cwd: ["repo", "repo/sub"] },
          "Re-check AGENTS.md for current scope:",
          named(session, "repo/sub/AGENTS.md"),
        ),
        note(session, { cwd: ["repo/sub", "repo"] }),
      ],
      [],
    ]);
  });

  test("is the new root, in another worktree of the repository", async () => {
    using session = scene();
    const repo = session.tree.at("repo");
    const git = (...args: string[]) =>
      spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: repo });
    git("add", "-A");
    git("commit", "-qm", "start");
    git("worktree", "add", "-q", session.tree.at("second"));
    const { id } = await begun(session);
    const [first, second] = await toldTwice(session, id, { cwd: "second" });
    expect([first?.map((text) => text.split("\n").slice(0, 3)), second]).toEqual([
      [
        note(session, { cwd: ["repo", "second"], root: ["repo", "second"] })
          .split("\n")
          .slice(0, 3),
      ],
      [],
    ]);
    expect(first?.[0]).toContain(named(session, "second/AGENTS.md"));
  });

  test("is the new list of markers", async () => {
    using session = scene();
    const { id } = await begun(session);
    const options = { settings: [{ written: "markers", key: "agents.root.markers", value: [".git"] }] };
    expect(await toldTwice(session, id, options)).toEqual([
      [note(session, { markers: [standard, [".git"]] })],
      [],
    ]);
  });

  test.each([
    ["of the session's start", "repo/AGENTS.md"],
    ["that was named while it worked", "repo/visited/AGENTS.md"],
  ])("is a changed file %s", async (_, path) => {
    using session = scene();
    const { id } = await begun(session);
    const line = rewrite(session, path, "Changed rules.\n");
    expect(await toldTwice(session, id)).toEqual([
      [note(session, {}, "Re-check AGENTS.md for current scope:", line)],
      [],
    ]);
  });

  test("is a file that is gone, or that another took the place of", async () => {
    using session = scene();
    const { id } = await begun(session);
    rmSync(session.tree.at("repo/visited/AGENTS.md"));
    const override = rewrite(session, "repo/AGENTS.override.md", "Instead.\n");
    expect(await toldTwice(session, id)).toEqual([
      [
        note(
          session,
          {},
          "Re-check AGENTS.md for current scope:",
          override,
          "No longer in force:",
          `- ${session.tree.at("repo/visited/AGENTS.md")} (deleted)`,
          `- ${session.tree.at("repo/AGENTS.md")} (replaced by ${session.tree.at("repo/AGENTS.override.md")})`,
        ),
      ],
      [],
    ]);
  });

  test("leaves out a file that the session was never told of", async () => {
    using session = scene();
    const { id } = await begun(session);
    rewrite(session, "repo/sub/AGENTS.md", "Nobody was told of these.\n");
    expect(await toldTwice(session, id)).toEqual([[], []]);
  });

  test("goes to a copy as well, and not to the original", async () => {
    using session = scene();
    const { id } = await begun(session);
    const copy = await session.run("go on", done, { session: { how: "fork", id }, cwd: "repo/sub" });
    expect(reminders(copy.requests[0]?.messages, "session.resume.diff").length).toBe(1);
    expect(await toldTwice(session, id)).toEqual([[], []]);
  });
});
