// Issues as files of the project.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { branchFieldsIn, LocalIssues } from "@codelia/flows";
import { nodeDisk, nodeFileSystem } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";

function local(tree: TemporaryTree): LocalIssues {
  return new LocalIssues({ root: tree.path, fs: nodeFileSystem, disk: nodeDisk });
}

function issueTree(text: string): TemporaryTree {
  return new TemporaryTree({ ".codelia/issues/1.md": text });
}

async function read(text: string): Promise<unknown> {
  using tree = issueTree(text);
  return await local(tree)
    .read(1)
    .then(
      ({ title, labels, state, baseBranch, body }) => ({
        title,
        labels,
        state,
        body,
        base: baseBranch && [baseBranch.branch, baseBranch.from.replace(`${tree.path}/.codelia/issues/`, "")],
      }),
      ({ message }: { message: string }) => message.replaceAll(`${tree.path}/.codelia/issues/`, ""),
    );
}

describe("a local issue", () => {
  test("is Markdown with frontmatter, or with a heading alone", async () => {
    const whole = "---\ntitle: Prices: wrong\n---\n";
    expect([
      await read(
        '\uFEFF---\r\ntitle: "Prices: wrong"\r\nlabels: [bug, 日本]\r\nbase_branch: release/2\r\nstate: closed\r\nassignee: ada\r\n---\r\nText\r\n',
      ),
      await read("# Prices are wrong\n\nText\n"),
      await read(whole),
    ]).toEqual([
      {
        title: "Prices: wrong",
        labels: ["bug", "日本"],
        state: "closed",
        body: "Text\r\n",
        base: ["release/2", "1.md:4"],
      },
      {
        title: "Prices are wrong",
        labels: [],
        state: "open",
        body: "# Prices are wrong\n\nText\n",
        base: undefined,
      },
      '1.md:2:8: the text has a colon in it: put it in quotes, "…"',
    ]);
  });

  test("that is wrong is told with every problem at its place", async () => {
    expect([
      await read("---\ntitle: [a]\nstate: maybe\nlabels: {a: b}\nbase_branch: [x]\n---\n"),
      await read("---\ntitle: a\nno end\n"),
      await read("just text\n"),
      await read("---\ntitle: a\nbase_branch: main\n---\ntext\n\nbase_branch: next\n"),
      await read("---\n- a\n---\n"),
    ]).toEqual([
      "1.md:2:8: title: expected a text\n1.md:3:8: state: expected open or closed\n1.md:4:9: labels: expected a list of texts\n1.md:5:14: base_branch: expected the name of a branch",
      "1.md:1:1: the frontmatter has no end: write a line --- behind its last key",
      "1.md:1:1: it has no title: write `title: …` in the frontmatter, or a line `# …`",
      '1.md:7:1: base_branch is "next" here and "main" in line 3: keep one',
      "1.md:2:1: expected keys with values, such as `title: …`",
    ]);
  });

  test("that is not there, no file, too large or a link out of the project is a clear error", async () => {
    using tree = new TemporaryTree({
      ".codelia/issues/2.md/": "",
      ".codelia/issues/3.md": "x".repeat(1_048_577),
    });
    using outside = new TemporaryTree({ "secret.md": "# secret\n" });
    tree.add({ ".codelia/issues/4.md": { link: outside.at("secret.md") } });
    const issues = local(tree);
    const said = await Promise.all(
      [1, 2, 3, 4].map((number) => issues.read(number).catch(({ message }: { message: string }) => message)),
    );
    const path = (number: number) => tree.at(`.codelia/issues/${number}.md`);
    expect(said).toEqual([
      `There is no issue 1: ${path(1)} does not exist. Write it, or take issues from elsewhere (the setting issues.source).`,
      `${path(2)} is not a file`,
      `${path(3)} is larger than 1 MiB`,
      `${path(4)} is a link out of the project, which is not followed`,
    ]);
  });

  test("gets comments and labels, and keeps everything else", async () => {
    using tree = issueTree("---\n# who\nowner: ada\ntitle: a\nlabels: [bug]\n---\nText");
    const issues = local(tree);
    await issues.comment(1, "Done.", "<!-- m -->");
    await issues.comment(1, "Done.", "<!-- m -->");
    await issues.label(1, { add: ["done"], remove: ["bug"] });
    await issues.label(1, { add: ["done"], remove: ["bug"] });
    expect(readFileSync(tree.at(".codelia/issues/1.md"), "utf8")).toBe(
      "---\n# who\nowner: ada\ntitle: a\nlabels: [ done ]\n---\nText\n\n---\n\nDone.\n\n<!-- m -->\n",
    );
  });
});

test("base_branch in a text is a form's heading or a line of its own, outside of code", () => {
  const texts = [
    "### base_branch\n\nmain\n",
    "## Base branch\nrelease/2\n",
    "base_branch: `next`",
    "- **base_branch**: x y\n",
    "### base_branch\n\n_No response_\n\n### Next\n\nmain\n",
    "### base_branch\n\n### Next\n\nmain\n",
    "```\nbase_branch: code\n```\n",
    "~~~md\n### base_branch\n\nmain\n~~~\n",
    "the base_branch: of this is unknown",
    "base_branch:\n",
    "base_branch: a\nbase_branch: b\n",
  ];
  expect(texts.map((text) => branchFieldsIn(text).map(({ branch, line }) => `${line} ${branch}`))).toEqual([
    ["3 main"],
    ["2 release/2"],
    ["1 next"],
    ["1 x y"],
    [],
    [],
    [],
    [],
    [],
    [],
    ["1 a", "2 b"],
  ]);
});
