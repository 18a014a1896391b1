// The analysis as a whole value: programs with their words, obstacles, redirections, and the parse in words.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell, not templates
import { describe, expect, test } from "bun:test";
import { analyseCommand, type ObstacleKind, renderAnalysis } from "../../src/shell/index.ts";

describe("the analysis of a command", () => {
  test("plain words joined by && || ; | have no obstacle", async () => {
    expect(await analyseCommand("ls -l 'a b' | wc; pwd && true || false")).toEqual({
      programs: [
        {
          words: [
            { text: "ls", value: "ls" },
            { text: "-l", value: "-l" },
            { text: "'a b'", value: "a b" },
          ],
          program: "ls",
          name: "ls",
          certainty: "certain",
          via: [],
        },
        ...["wc", "pwd", "true", "false"].map((name) => ({
          words: [{ text: name, value: name }],
          program: name,
          name,
          certainty: "certain" as const,
          via: [],
        })),
      ],
      obstacles: [],
      assigned: [],
      redirections: [],
    });
  });

  test("a program inside wrappers and texts is found with the way to it", async () => {
    const { programs } = await analyseCommand(`sudo -u root bash -c '/bin/rm "$x"'`);
    expect(programs.filter(({ certainty }) => certainty === "certain")).toEqual([
      {
        words: [
          { text: "sudo", value: "sudo" },
          { text: "-u", value: "-u" },
          { text: "root", value: "root" },
          { text: "bash", value: "bash" },
          { text: "-c", value: "-c" },
          { text: `'/bin/rm "$x"'`, value: '/bin/rm "$x"' },
        ],
        program: "sudo",
        name: "sudo",
        certainty: "certain",
        via: [],
      },
      {
        words: [
          { text: "bash", value: "bash" },
          { text: "-c", value: "-c" },
          { text: `'/bin/rm "$x"'`, value: '/bin/rm "$x"' },
        ],
        program: "bash",
        name: "bash",
        certainty: "certain",
        via: ["sudo"],
      },
      {
        words: [
          { text: "/bin/rm", value: "/bin/rm" },
          { text: '"$x"', prefix: "" },
        ],
        program: "/bin/rm",
        name: "rm",
        certainty: "certain",
        via: ["sudo", "bash"],
      },
    ]);
  });

  test("what expansions leave open is marked in the words", async () => {
    const { programs } = await analyseCommand('ls a"$b" c$d ./*.ts ~/e "$@" f{1,2}');
    expect(programs[0]?.words).toEqual([
      { text: "ls", value: "ls" },
      { text: 'a"$b"', prefix: "a" },
      { text: "c$d", prefix: "c", splits: true },
      { text: "./*.ts", prefix: "./", splits: true, glob: true },
      { text: "~/e", prefix: "", splits: true },
      { text: '"$@"', prefix: "", splits: true },
      { text: "f{1,2}", prefix: "f", splits: true },
    ]);
  });

  test("redirections are named with what they do; copies and /dev/null are not", async () => {
    const { redirections } = await analyseCommand(
      'a > b >> "c d" < e <> f &> g 2> "$h" 2>&1 > /dev/null 3<&- >| i',
    );
    expect(redirections).toEqual([
      { access: "write", path: "b", text: "> b" },
      { access: "append", path: "c d", text: '>> "c d"' },
      { access: "read", path: "e", text: "< e" },
      { access: "read_write", path: "f", text: "<> f" },
      { access: "write", path: "g", text: "&> g" },
      { access: "write", text: '> "$h"' },
      { access: "write", path: "i", text: ">| i" },
    ]);
  });

  test("it can be printed as JSON and read again", async () => {
    const analysis = await analyseCommand("x=1 env ls $y > f & eval $z");
    expect(JSON.parse(JSON.stringify(analysis))).toEqual(analysis);
  });

  test("the parse in words shows what runs, what could, files and why it asks", async () => {
    expect(renderAnalysis(await analyseCommand("env ls > f; ./g $x"))).toEqual([
      "runs      env ls",
      "runs      ls  (through env)",
      "runs      ./g $x",
      "could run ls x",
      "write     > f",
      "asks      > f (redirection)",
      "asks      env runs another program (wrapper)",
      "asks      $x is computed (expansion)",
      "any       g may run $x, which is computed (computed program)",
      "any       > f writes a file, and ./g could run what it holds (written then run)",
    ]);
  });

  test("control characters of the command are shown visibly", async () => {
    expect(renderAnalysis(await analyseCommand("ls \u001b[2J")).join("\n")).not.toContain("\u001b");
  });
});

const kinds: readonly (readonly [string, readonly ObstacleKind[]])[] = [
  ["ls", []],
  ["echo $(ls)", ["substitution", "expansion"]],
  ["ls > f", ["redirection"]],
  ["ls 2>&1 >/dev/null", []],
  ["ls &", ["background"]],
  ["ls\npwd", ["newline"]],
  ["cat <<'E'\nx\nE", ["newline", "heredoc"]],
  ["cat <<< x", ["heredoc"]],
  ["env ls", ["wrapper"]],
  ["bash -c ls", ["interpreter"]],
  ["x=1 ls", ["assignment"]],
  ["ls $x", ["expansion"]],
  ["sort *", ["glob", "wrapper"]],
  ["(ls)", ["control"]],
  ["f() { ls; }", ["function", "control"]],
  ["$x", ["expansion", "computed_program"]],
  ["trap ls EXIT", ["shell_state"]],
  ["ls 'x", ["unparsable"]],
  ["ls\r", ["odd_characters"]],
  [`ls ${"a ".repeat(9000)}`, ["too_long"]],
];

describe("obstacles", () => {
  test.each(kinds)("%j has %j", async (command, expected) => {
    const { obstacles } = await analyseCommand(command);
    expect([...new Set(obstacles.map(({ kind }) => kind))]).toEqual([...expected]);
  });
});
