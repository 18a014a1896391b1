import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionSummarySchema, TranscriptEntrySchema } from "@codelia/protocol";
import { openJournal } from "@codelia/storage";
import { z } from "zod";
import { call, SessionDesk } from "./session-desk.ts";

const acting = ["\u001b", "\u202e"];
const hostile = "</pre><script>alert(1)</script>&amp;\u001b[2J\u202e";

/** A session with an edit, a failure, a long output and hostile text in all places. */
async function rich(desk: SessionDesk): Promise<string> {
  const turns = [
    { ...Object(call("read", { path: "a.txt" })), text: `Looking. ${hostile}` },
    call("edit", { path: "a.txt", old: "one", new: "two" }),
    call("read", { path: "none.txt" }),
    call("bash", { command: "echo '```'; seq 1 30" }),
    { reasoning: `Thinking ${hostile}`, text: "````\n# All done" },
  ];
  const { code, stderr } = await desk.run(`Change it ${hostile}`, turns, ["--approval", "full"]);
  if (code !== 0) throw new Error(stderr);
  return desk.sessionIds()[0] ?? "";
}

describe("codelia sessions show", () => {
  test("tells prompt, answers and calls, with long outputs shortened and nothing that acts", async () => {
    using desk = new SessionDesk();
    const id = await rich(desk);
    desk.touch(id, 1);
    const { code, stdout, stderr } = await desk.codelia(["sessions", "show"]);
    const visible = "</pre><script>alert(1)</script>&amp;\\u001b[2J\\u202e";
    const started = / started .* UTC\n/.exec(stdout)?.[0] ?? "";
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.replace(started, " started\n")).toBe(`Change it ${visible}
  session    ${id}
  started
  last used  2026-01-02 03:01 UTC
  state      done
  directory  ${desk.tree.at("repo")}
  worktree   ${desk.tree.at("repo")}
  model      scripted/${desk.tree.at("script.json")}

> Change it ${visible}

Looking. ${visible}

✓ read a.txt
        1\tone

✓ edit a.txt
    Edited a.txt: 1 replacement, now line 1.

✗ read none.txt
    none.txt does not exist. Check the name with \`list\`.

✓ run echo '\`\`\`'; seq 1 30
    \`\`\`
    1
    2
    3
    4
    5
    6
    7
    … 24 more lines: codelia sessions export ${id}

\`\`\`\`
# All done

`);
  });

  test("tells of a record of an unknown kind and goes on; a run refuses it and names --fork", async () => {
    using desk = new SessionDesk();
    const id = await desk.session("a task");
    const journal = await openJournal(desk.directory(id));
    await journal.append({ type: "hologram", size: 3 });
    await journal.append({ type: "limit", limit: "turns", message: "and then a limit" });
    await journal.close();
    const { code, stdout } = await desk.codelia(["sessions", "show", id]);
    expect([code, stdout.split("\n").slice(-5)]).toEqual([
      0,
      [
        "[unknown] A record of a kind that this version does not know (hologram)",
        "",
        "[limit] and then a limit",
        "",
        "",
      ],
    ]);
    const resumed = await desk.run("go on", [{ text: "No." }], ["--resume", id]);
    expect([resumed.code, resumed.stderr.split("\n")[0]]).toEqual([
      1,
      `codelia: ${id}: record 7 is of a kind that this version does not know (hologram)`,
    ]);
    expect(resumed.stderr).toContain(`codelia run --fork ${id}`);
  });

  test("shows what is whole of a damaged session, and what is wrong with the rest", async () => {
    using desk = new SessionDesk();
    const id = await desk.session("a task");
    const path = join(desk.directory(id), "journal.jsonl");
    writeFileSync(path, readFileSync(path, "utf8").replace("About a task.", "About A task."));
    const { code, stdout } = await desk.codelia(["sessions", "show", id]);
    expect(code).toBe(0);
    expect(stdout).toContain("> a task\n\nThe session's journal is damaged from record 5 on (checksum): ");
  });
});

describe("codelia sessions export", () => {
  test("as Markdown puts every text into a fence that it cannot end", async () => {
    using desk = new SessionDesk();
    await rich(desk);
    const { code, stdout } = await desk.codelia(["sessions", "export"]);
    const outside: string[] = [];
    let fence: string | undefined;
    for (const line of stdout.split("\n")) {
      const mark = /^`{3,}/.exec(line)?.[0];
      if (fence === undefined && mark !== undefined) fence = mark;
      else if (fence !== undefined && line === fence) fence = undefined;
      else if (fence === undefined && line !== "")
        outside.push(line.replaceAll(/\d{4}-[-\d]+T[\d:.]+Z/g, "TIME"));
    }
    const shown = "\\</pre\\>\\<script\\>alert(1)\\</script\\>\\&amp;\\\\u001b\\[2J\\\\u202e";
    expect([code, fence]).toEqual([0, undefined]);
    expect(outside.filter((line) => !line.startsWith("- "))).toEqual([
      `# Change it ${shown}`,
      "## Prompt (TIME)",
      "## Answer (TIME)",
      "### ✓ read a.txt (TIME)",
      "Called `read` with:",
      "Output:",
      "### ✓ edit a.txt (TIME)",
      "Called `edit` with:",
      "Output:",
      "### ✗ read none.txt (TIME)",
      "Called `read` with:",
      "Output:",
      "### ✓ run echo '\\`\\`\\`'; seq 1 30 (TIME)",
      "Called `bash` with:",
      "Output:",
      "## Answer (TIME)",
      "Reasoning:",
    ]);
    expect(stdout).toContain("`````markdown\n````\n# All done\n`````\n");
    expect(acting.filter((each) => stdout.includes(each))).toEqual([]);
  });

  test("as HTML is one page without scripts, with every text escaped, that loads nothing", async () => {
    using desk = new SessionDesk();
    await rich(desk);
    const { code, stdout } = await desk.codelia(["sessions", "export", "--format", "html"]);
    expect([code, stdout.startsWith("<!doctype html>\n"), stdout.endsWith("</body>\n</html>\n")]).toEqual([
      0,
      true,
      true,
    ]);
    const tags = new Set(Array.from(stdout.matchAll(/<\/?([a-z]+[0-9]?)/g), ([, tag = ""]) => tag));
    const used = "html head meta title style body h1 dl dt dd section h2 time pre details summary h3";
    expect(tags).toEqual(new Set(used.split(" ")));
    expect(stdout).not.toMatch(/ (src|href|on[a-z]+)=|url\(|@import/);
    expect(acting.filter((each) => stdout.includes(each))).toEqual([]);
    expect(stdout).toContain(
      "<pre>\nLooking. &lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;\\u001b[2J\\u202e</pre>",
    );
    expect(stdout.split("<pre>").length).toBe(stdout.split("</pre>").length);
  });

  test("as JSON is the session and every entry, the same in many pages as in one", async () => {
    using desk = new SessionDesk();
    const id = await rich(desk);
    const journal = await openJournal(desk.directory(id));
    for (let count = 0; count < 500; count += 1) {
      await journal.append({ type: "limit", limit: "turns", message: `limit ${count} ${hostile}` });
    }
    await journal.close();
    const exported = await desk.codelia(["sessions", "export", id, "--format", "json"]);
    const shown = await desk.codelia(["sessions", "show", "--json"]);
    expect([exported.code, shown]).toEqual([0, exported]);
    expect(acting.filter((each) => exported.stdout.includes(each))).toEqual([]);
    const form = z.strictObject({
      format: z.literal(1),
      session: SessionSummarySchema,
      entries: z.array(TranscriptEntrySchema),
      notices: z.array(z.string()),
    });
    const { session, entries, notices } = form.parse(JSON.parse(exported.stdout));
    expect([session.id, session.title, notices]).toEqual([id, `Change it ${hostile}`, []]);
    const limits = entries.flatMap((entry) =>
      entry.type === "note" && entry.kind === "limit" ? [entry.text] : [],
    );
    expect(limits).toEqual(Array.from({ length: 500 }, (_, count) => `limit ${count} ${hostile}`));
    expect(entries.slice(0, 4).map(({ type }) => type)).toEqual(["prompt", "answer", "permission", "call"]);
  });
});

test("codelia sessions search shows where a text was said or seen, whatever its case", async () => {
  using desk = new SessionDesk();
  const id = await rich(desk);
  const other = await desk.session("nothing of it");
  desk.touch(id, 2);
  desk.touch(other, 1);
  const search = async (...args: string[]) => {
    const { code, stdout, stderr } = await desk.codelia(["sessions", "search", ...args]);
    return [code, stdout.replaceAll(/^ {2}\S+ \S+/gm, "  TIME"), stderr];
  };
  const visible = "</pre><script>alert(1)</script>&amp;\\u001b[2J\\u202e";
  expect(await search("ALERT(1)")).toEqual([
    0,
    [
      `${id}  Change it </pre><script>alert(1)</script>&amp;\\u001b[2J\\u20…`,
      `  TIME  prompt      Change it ${visible}`,
      `  TIME  answer      Looking. ${visible}`,
      `  TIME  answer      Thinking ${visible}`,
      "",
    ].join("\n"),
    "",
  ]);
  expect(await search("not there")).toEqual([0, "Found nothing in 2 sessions.\n", ""]);
  const [, limited] = await search("alert", "--limit", "1");
  expect(limited).toEndWith("\n\nThere are more than 1: --limit N shows them.\n");
});

test("codelia sessions delete removes what it can, and says what it could not", async () => {
  using desk = new SessionDesk();
  const one = await desk.session("one");
  const two = await desk.session("two");
  const three = await desk.session("three");
  const words = await desk.codelia(["sessions", "delete", one, "no-such", two]);
  expect(words).toEqual({
    code: 1,
    stdout: `Deleted ${one}\nDeleted ${two}\n`,
    stderr: "codelia: no-such: there is no such session\nSee: codelia sessions list --all\n",
  });
  const { code, stdout } = await desk.codelia(["sessions", "delete", "--json", three.slice(-8)]);
  expect([code, JSON.parse(stdout)]).toEqual([0, { deleted: [three], failed: [] }]);
  expect(desk.sessionIds()).toEqual([]);
});
