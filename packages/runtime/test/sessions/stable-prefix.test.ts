import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeDisk, openJournal } from "@codelia/storage";
import { call, lostBytes, type SceneRun, SessionScene } from "./session-scene.ts";

const tree = {
  "repo/AGENTS.md": "Root rules.\n",
  "repo/sub/AGENTS.md": "Sub rules.\n",
  "repo/sub/file.txt": "content\n",
  "repo/other/file.txt": "other\n",
};

function reading(turns: number): unknown[] {
  const paths = ["/sub/file.txt", "/other/file.txt"];
  return [
    ...Array.from({ length: turns }, (_, turn) => ({
      text: `turn ${turn}`,
      tool_calls: [
        { name: "bash", arguments: { command: `echo ${turn}` } },
        { name: "list", arguments: { path: `.${paths[turn % 2]}`.replace("/file.txt", "") } },
      ],
    })),
    { text: "done" },
  ];
}

test("over fifty turns, two resumes and a fork every request extends the one before it byte for byte", async () => {
  using scene = new SessionScene(tree);
  const first = await scene.run("start", reading(18));
  // Everything that a new session would look different by.
  scene.tree.add({
    "repo/AGENTS.md": "Other root rules.\n",
    "home/.codelia/AGENTS.md": "Rules of the user.\n",
    "home/.codelia/config.json": JSON.stringify({ agents: { initial: { role: "user" } } }),
  });
  const second = await scene.run("go on", reading(16), {
    session: { how: "resume", id: first.id },
    cwd: "repo/sub",
    date: "2027-05-05T00:00:00Z",
  });
  scene.tree.add({ "repo/sub/AGENTS.md": "Other sub rules.\n" });
  const third = await scene.run("go on", reading(15), { session: { how: "continue" } });
  const copy = await scene.run("go another way", reading(15), { session: { how: "fork", id: first.id } });

  const requests = [first, second, third].flatMap((run) => run.requests);
  expect([requests.length, [first, second, third, copy].map(({ result }) => result.outcome.status)]).toEqual([
    52,
    ["done", "done", "done", "done"],
  ]);
  expect(lostBytes(requests)).toEqual(Array.from({ length: 51 }, () => 0));
  expect(new Set([...requests, ...copy.requests].map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
  // The copy was made of all three runs.
  const beforeCopy = requests.at(-1);
  expect(lostBytes([...(beforeCopy === undefined ? [] : [beforeCopy]), ...copy.requests])).toEqual(
    copy.requests.map(() => 0),
  );
  expect([second.id, third.id, copy.id === first.id]).toEqual([first.id, first.id, false]);
});

test("tools are described as they were when the session began, also by a program that describes them otherwise", async () => {
  using scene = new SessionScene(tree);
  const first = await scene.run("start", [{ text: "done" }]);
  const directory = await describedOtherwise(scene, first);
  const { requests } = await scene.run(
    "go on",
    [call("read", { path: "other/file.txt" }), { text: "done" }],
    {
      directory,
    },
  );
  expect(requests[0]?.tools.map(({ name, description }) => [name, description])[0]).toEqual([
    "read",
    "Described by an older version.",
  ]);
  expect(requests[1]?.messages.at(-1)).toMatchObject({ output: "    1\tother\n" });
});

/** A copy of the session as another version would have written it. */
async function describedOtherwise(scene: SessionScene, { directory }: SceneRun): Promise<string> {
  const other = join(scene.tree.path, "other-session");
  const journal = await openJournal(other, { disk: nodeDisk });
  for (const record of await scene.records(directory)) {
    const [read, ...rest] = record.type === "session.context" ? record.tools : [];
    await journal.append(
      read === undefined
        ? record
        : { ...record, tools: [{ ...read, description: "Described by an older version." }, ...rest] },
    );
  }
  await journal.close();
  return other;
}

test("a session that was ended before it had a context gets one when it is entered again", async () => {
  using scene = new SessionScene(tree);
  const first = await scene.run("start", [{ text: "done" }]);
  const other = scene.tree.at("early");
  const journal = await openJournal(other, { disk: nodeDisk });
  await journal.append((await scene.records(first.directory))[0]);
  await journal.close();
  writeFileSync(scene.tree.at("repo/AGENTS.md"), "Newer rules.\n");
  const again = await scene.run("now", [{ text: "done" }], { directory: other });
  expect([again.result.text, JSON.stringify(again.requests[0]?.messages).includes("Newer rules.")]).toEqual([
    "done",
    true,
  ]);
});
