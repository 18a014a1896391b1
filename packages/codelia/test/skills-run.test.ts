import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { z } from "zod";
import { load, SkillDesk, skill } from "./skills-desk.ts";

const JsonObjectSchema = z.record(z.string(), z.unknown());
const done = { text: "Done." };
const names = (catalog = "") =>
  [...catalog.matchAll(/<name>(.*?)<\/name>|<scope>(.*?)<\/scope>/g)].map(([, name, scope]) => name ?? scope);

describe("a session with skills", () => {
  test("is given those of the chain and the user's own, in order, behind the instructions, without their bodies", async () => {
    using desk = new SkillDesk({
      "repo/AGENTS.md": "Rules.\n",
      "repo/.agents/skills/zebra/SKILL.md": skill("zebra", "Stripes"),
      "repo/.agents/skills/deep/er/ant/SKILL.md": skill("ant", "Six legs"),
      "repo/app/.agents/skills/middle/SKILL.md": skill("middle", "In between"),
      "repo/elsewhere/.agents/skills/other/SKILL.md": skill("other", "Not in the chain"),
      "home/.agents/skills/mail/SKILL.md": skill("mail", "Write a mail"),
    });
    const { code } = await desk.run("go", { turns: [done] }, [], "repo/app");
    const [context] = desk.records().flatMap((record) => (record.type === "session.context" ? [record] : []));
    expect([
      code,
      context?.prefix.map((message) => (message.role === "system" ? message.text.slice(0, 15) : "")),
    ]).toEqual([0, ["You are Codelia", "<environment>\nw", "<agents_context", "<skills_context"]]);
    expect(names(desk.catalog())).toEqual(["ant", "repo", "middle", "repo", "zebra", "repo", "mail", "user"]);
    expect(desk.catalog()).not.toContain("Do zebra.");
  });

  test("has neither catalog nor tools for them when there is none, or they are switched off", async () => {
    using desk = new SkillDesk({ "home/.agents/skills/mail/SKILL.md": skill("mail", "Write a mail") });
    const toolNames = () =>
      desk
        .records()
        .flatMap((record) => (record.type === "session.context" ? record.tools.map(({ name }) => name) : []));
    await desk.run("go", { turns: [done] }, ["-c", "skills.enabled=false"]);
    expect([desk.catalog(), toolNames().filter((name) => name.startsWith("skill"))]).toEqual([undefined, []]);
    rmSync(desk.tree.at("home/.codelia"), { recursive: true });
    await desk.run("go", { turns: [done] });
    expect([names(desk.catalog()), toolNames().filter((name) => name.startsWith("skill"))]).toEqual([
      ["mail", "user"],
      ["skill_search", "skill_load"],
    ]);
  });

  test("finds them by name and description", async () => {
    using desk = new SkillDesk({
      "repo/.agents/skills/release-notes/SKILL.md": skill("release-notes", "Draft notes from commits"),
      "repo/.agents/skills/tagging/SKILL.md": skill("tagging", "Prepare a release"),
      "repo/.agents/skills/cooking/SKILL.md": skill("cooking", "Soup"),
    });
    await desk.run("go", {
      turns: [{ tool_calls: [{ name: "skill_search", arguments: { query: "release" } }] }, done],
    });
    const [summary = "", ...results] = (desk.outputs()[0] ?? "").trimEnd().split("\n");
    expect([
      JSON.parse(summary),
      results.map((line) => {
        const { name, reason, scope, path } = JsonObjectSchema.parse(JSON.parse(line));
        return { name, reason, scope, path };
      }),
    ]).toEqual([
      { count: 2, truncated: false },
      [
        {
          name: "release-notes",
          reason: "prefix",
          scope: "repo",
          path: "/repo/.agents/skills/release-notes/SKILL.md",
        },
        {
          name: "tagging",
          reason: "token_overlap",
          scope: "repo",
          path: "/repo/.agents/skills/tagging/SKILL.md",
        },
      ],
    ]);
  });

  test("loads one with its body, its base directory and its files", async () => {
    using desk = new SkillDesk({
      "repo/.agents/skills/review/SKILL.md": skill(
        "review",
        "Review",
        "Look at the [list](references/list.md).\n",
      ),
      "repo/.agents/skills/review/references/list.md": "- risks\n",
    });
    await desk.run("go", { turns: [load({ name: "review" }), done] });
    const [loaded] = desk
      .records()
      .flatMap((record) => (record.type === "message.tool" ? (record.skills ?? []) : []));
    const [output = ""] = desk.outputs();
    const metadata = JsonObjectSchema.parse(JSON.parse(output.trimEnd().split("\n").at(-1) ?? ""));
    expect(
      output.slice(0, output.indexOf("{")),
    ).toBe(`<skill_context name="review" path="/repo/.agents/skills/review/SKILL.md">
---
name: review
description: Review
---
Look at the [list](references/list.md).

Base directory: file:///repo/.agents/skills/review/
Relative paths in this skill are resolved from this directory.
<skill_files>
<file>/repo/.agents/skills/review/references/list.md</file>
</skill_files>
</skill_context>
`);
    expect([metadata.name, metadata.path, metadata.dir, metadata.mtime_ms, metadata.ref]).toEqual([
      "review",
      "/repo/.agents/skills/review/SKILL.md",
      "/repo/.agents/skills/review",
      loaded?.mtimeMs,
      loaded?.ref,
    ]);
  });

  test("refuses a name that two skills have, and names both; a path decides", async () => {
    using desk = new SkillDesk({
      "repo/.agents/skills/notes/SKILL.md": skill("notes", "Of the repository", "Repository notes.\n"),
      "home/.agents/skills/notes/SKILL.md": skill("notes", "Of the user", "User notes.\n"),
    });
    await desk.run("go", {
      turns: [load({ name: "notes" }), load({ path: desk.path("home/notes") }), done],
    });
    const [ambiguous = "", loaded = ""] = desk.outputs();
    expect([
      ambiguous.includes("/repo/.agents/skills/notes/SKILL.md"),
      ambiguous.includes("/home/.agents/skills/notes/SKILL.md"),
      ambiguous.includes("notes.\n"),
      loaded.includes("User notes."),
    ]).toEqual([true, true, false, true]);
  });

  test("loads each version once while it is in the context, also from two calls of one turn", async () => {
    using desk = new SkillDesk({ "repo/.agents/skills/one/SKILL.md": skill("one", "First", "Body one.\n") });
    const twice = {
      tool_calls: [
        { name: "skill_load", arguments: { name: "one" } },
        { name: "skill_load", arguments: { path: desk.path("repo/one") } },
      ],
    };
    const change = { tool_calls: [{ name: "bash", arguments: { command: "true" } }] };
    await desk.run("go", { turns: [twice, load({ name: "one" }), change, done] }, ["--approval", "full"]);
    desk.tree.add({ "repo/.agents/skills/one/SKILL.md": skill("one", "First", "Body two.\n") });
    await desk.run("again", { turns: [load({ name: "one" }), load({ name: "one" }), done] }, ["--continue"]);
    const bodies = desk.outputs().map((output) => /Body (one|two)\./.exec(output)?.[1] ?? "-");
    expect(bodies).toEqual(["one", "-", "-", "-", "two", "-"]);
    expect(desk.outputs()[2]).toContain("is loaded and unchanged");
  });

  test("keeps to a deny rule on the skill that was resolved, however it is named", async () => {
    using desk = new SkillDesk({
      "repo/.agents/skills/secret-ways/SKILL.md": skill("secret-ways", "Denied", "Never shown.\n"),
      "repo/.agents/skills/fine/SKILL.md": skill("fine", "Allowed", "Shown.\n"),
      "home/.codelia/config.json": JSON.stringify({
        permissions: { deny: [{ tool: "skill_load", skill_name: "secret-ways" }] },
      }),
    });
    const path = desk.path("repo/secret-ways");
    await desk.run(
      "use $secret-ways and $fine",
      {
        turns: [
          load({ name: "secret-ways" }),
          load({ path }),
          load({ path: path.replace("/SKILL.md", "/./SKILL.md") }),
          load({ name: "fine", path }),
          done,
        ],
      },
      ["--approval", "full"],
    );
    const everything = JSON.stringify([desk.outputs(), desk.reminders()]);
    expect([everything.includes("Never shown."), everything.includes("Shown.")]).toEqual([false, true]);
    expect(desk.outputs().map((output) => output.includes("permission.decision"))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("a message that names skills", () => {
  test("brings them along, once each, and leaves code, variables and prices alone", async () => {
    using desk = new SkillDesk({
      "repo/.agents/skills/deploy/SKILL.md": skill("deploy", "Deploy", "Deploy body.\n"),
      "home/.agents/skills/mail/SKILL.md": skill("mail", "Mail", "Mail body.\n"),
    });
    await desk.run("Use $deploy, $deploy: and `$mail` with $HOME for $5.", { turns: [done] });
    const [reminder] = desk.reminders();
    expect([
      desk.reminders().length,
      reminder?.kind,
      reminder?.text.includes("Deploy body."),
      reminder?.text.includes("Mail body."),
    ]).toEqual([1, "skill.mention", true, false]);
    const loaded = desk
      .records()
      .flatMap((record) => (record.type === "reminder" ? (record.skills ?? []) : []));
    expect(loaded.map(({ name, path }) => ({ name, path }))).toEqual([
      { name: "deploy", path: desk.path("repo/deploy") },
    ]);
  });

  test("by a wrong path or an ambiguous name gets the candidates and no body", async () => {
    using desk = new SkillDesk({
      "repo/.agents/skills/notes/SKILL.md": skill("notes", "Repo", "Repo body.\n"),
      "home/.agents/skills/notes/SKILL.md": skill("notes", "User", "User body.\n"),
      "repo/.agents/skills/lone/SKILL.md": skill("lone", "Alone", "Lone body.\n"),
    });
    await desk.run("Use $notes and [$lone](/nowhere/lone/SKILL.md).", { turns: [done] });
    const [reminder] = desk.reminders();
    const text = reminder?.text ?? "";
    expect([
      text.includes("/repo/.agents/skills/notes/SKILL.md"),
      text.includes("/home/.agents/skills/notes/SKILL.md"),
      text.includes("/nowhere/lone/SKILL.md"),
      text.includes("body."),
    ]).toEqual([true, true, true, false]);
  });
});

describe("skills that come and go while a session lasts", () => {
  test("are told once at the tail; the system messages stay as they were", async () => {
    using desk = new SkillDesk({
      "repo/.agents/skills/old/SKILL.md": skill("old", "Old"),
      "repo/.agents/skills/stays/SKILL.md": skill("stays", "Stays"),
    });
    await desk.run("one", { turns: [done] });
    const catalog = desk.catalog();
    desk.tree.remove("repo/.agents/skills/old");
    desk.tree.add({ "repo/.agents/skills/new/SKILL.md": skill("new", "Brand new") });
    await desk.run("two", { turns: [done] }, ["--continue"]);
    await desk.run("three", { turns: [done] }, ["--continue"]);
    expect(desk.catalog()).toBe(catalog ?? "");
    expect(desk.reminders()).toEqual([
      {
        kind: "skills.changed",
        text: `<system-reminder type="skills.changed">
New skills; load one with skill_load:
- new (/repo/.agents/skills/new/SKILL.md): Brand new
No longer there:
- old (/repo/.agents/skills/old/SKILL.md)
</system-reminder>`,
      },
    ]);
  });
});

describe("a compaction", () => {
  const talk = {
    tool_calls: [{ name: "bash", arguments: { command: "head -c 32000 /dev/zero | tr '\\0' x" } }],
  };
  const summary = (text: string) => ({ text, expect: { last_user_contains: "about to be compacted" } });

  test("keeps the refs of loaded skills, twice in a row, and a body that it dropped is given again", async () => {
    using desk = new SkillDesk({ "repo/.agents/skills/one/SKILL.md": skill("one", "First", "Body one.\n") });
    const script = {
      contextWindow: 20_000,
      turns: [
        load({ name: "one" }),
        talk,
        talk,
        summary("First summary."),
        talk,
        talk,
        summary("Second summary."),
        load({ name: "one" }),
        done,
      ],
      after_last: "stop",
    };
    const { code } = await desk.run("go", script, ["--approval", "full"]);
    const compactions = desk.records().flatMap((record) => (record.type === "compaction" ? [record] : []));
    const [first] = desk
      .records()
      .flatMap((record) => (record.type === "message.tool" ? (record.skills ?? []) : []));
    const carried = compactions.map(({ message }) => JSON.stringify(message).includes(`(ref ${first?.ref})`));
    expect([code, carried]).toEqual([0, [true, true]]);
    expect(desk.outputs().filter((output) => output.includes("Body one.")).length).toBe(2);
  });

  test("leaves the ref readable", async () => {
    using desk = new SkillDesk({ "repo/.agents/skills/one/SKILL.md": skill("one", "First", "Body one.\n") });
    await desk.run("go", { turns: [load({ name: "one" }), done] });
    const [loaded] = desk
      .records()
      .flatMap((record) => (record.type === "message.tool" ? (record.skills ?? []) : []));
    const read = { tool_calls: [{ name: "tool_output_read", arguments: { ref: loaded?.ref } }] };
    await desk.run("read it", { turns: [read, done] }, ["--continue"]);
    expect(desk.outputs()[1]).toContain("Body one.");
  });
});
