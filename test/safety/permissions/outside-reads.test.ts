// A command that only looks needs no question inside the project. Each of these seems to stay there and does not: it
// would read what lies outside, through a link of the repository, a folder that it changes to, or a file that names
// others.
import { describe, expect, test } from "bun:test";
import { PermissionScene } from "./permission-scene.ts";

const tree = {
  "repo/notes.txt": "notes\n",
  "repo/sub/a.txt": "a\n",
  "repo/sub/deep/b.txt": "b\n",
  "repo/inner": { link: "sub/a.txt" },
  "repo/linked/folder": { link: "../../other/sub" },
  "repo/linked/file": { link: "../../other/secret" },
  "home/.profile": "x\n",
  "other/sub/file": "x\n",
  "other/secret": "x\n",
};

describe("a command that only looks asks before it reads outside the project", () => {
  test.each([
    // The system goes up from where a link leads, not from where it stands.
    "cat linked/folder/../secret",
    "ls linked/folder/..",
    "cat < linked/folder/../secret",
    "sed -n 1p linked/folder/../secret",
    // A pattern finds links too.
    "cat linked/f*",
    "cat linked/fil?",
    "cat linked/[e-g]ile",
    "head */file",
    "ls linked/*/",
    "cat linked/*/file",
    "grep -r x linked/*",
    'cat "linked"/f*',
    "cat .*/a",
    "cat .[.]/a",
    "echo ../*",
    "printf '%s ' /etc/*",
    "true /etc/*",
    // Flags that follow links on their way, and one that needs none for it.
    "grep -R x .",
    "rg -L x",
    "rg --follow x",
    "find -L .",
    "find . -follow",
    "du -L .",
    "ls -LR",
    "tree -l",
    "diff -r linked sub",
    "diff linked sub",
    // Another folder.
    "cd && cat .profile",
    "cd && ls",
    "cd - && ls",
    "cd linked && cat file",
    "cd sub && cd ../linked && cat file",
    "cd linked && cd folder && ls",
    "cd linked/folder/../sub && ls",
    // Glued to a flag.
    "cd linked && grep -ffile notes.txt",
    "cd linked && grep --file=file notes.txt",
    "cd linked && date -rfile",
    // Files that name others.
    "wc --files0-from=notes.txt",
    "sha256sum -c notes.txt",
    "strings @notes.txt",
    `jq -n 'import "x" as $x {search: "/etc"}; $x'`,
    `jq 'include "x"; .' notes.txt`,
    "jq --arg a --arg -f notes.txt",
  ])("%s", async (command) => {
    using scene = new PermissionScene(tree);
    expect(await scene.command(command)).toBe("confirm");
  });

  test("the folder that a call names counts, without a word", async () => {
    using scene = new PermissionScene(tree);
    const { outcomes } = await scene.run(
      [
        ["bash", { command: "ls", cwd: scene.at("other") }],
        ["bash", { command: "ls", cwd: "linked/folder" }],
        ["bash", { command: "ls", cwd: "sub" }],
      ],
      { approval: "ask" },
    );
    expect(outcomes.map(({ decision }) => decision)).toEqual([
      "deny by no_user",
      "deny by no_user",
      "allow by mode",
    ]);
  });
});

describe("a command that only looks and stays in the project needs no question", () => {
  test.each([
    "cat inner",
    "cat sub/*.txt",
    "cat s*/*.txt",
    "ls *",
    "cat sub/[ab].txt",
    "wc -l sub/*/*.txt",
    "cd sub && cat a.txt deep/*",
    "cd sub && cat ../notes.txt",
    "diff notes.txt sub/a.txt",
    "diff -r --no-dereference linked sub",
    "grep -rn x .",
    "echo *",
    "jq .include notes.txt",
    "jq --arg x y '.[$x]' notes.txt",
  ])("%s", async (command) => {
    using scene = new PermissionScene(tree);
    expect(await scene.command(command)).toBe("allow by mode");
  });
});
