import { describe, expect, test } from "bun:test";
import { type CommandRun, runCommands } from "./command-run.ts";
import { hostileCommands } from "./hostile-commands.ts";

const commands = hostileCommands.map(({ command }) => command);
const cases = hostileCommands.map(({ name, program, harmless }, index) => ({
  name,
  program,
  harmless,
  index,
}));

const otherPrograms = [...new Set(hostileCommands.map(({ program }) => program))].filter(
  (name) => name !== "rm",
);

function deny(programs: readonly string[]): string[] {
  const rules = programs.map((command) => ({ tool: "bash", command }));
  return ["--approval", "full", "-c", `permissions.deny=${JSON.stringify(rules)}`];
}

// Four runs of the program for all cases; each case looks at its own call.
const asked = once(() => runCommands(commands, []));
const denied = once(() => runCommands(commands, deny(["rm"])));
const deniedOthers = once(() => runCommands(commands, deny(otherPrograms)));
const unruly = once(() => runCommands(commands, ["--approval", "full"]));

function once(run: () => Promise<CommandRun>): () => Promise<CommandRun> {
  let running: Promise<CommandRun> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}

const patience = 300_000;

describe("in ask mode, with nobody to ask, nothing runs", () => {
  test(
    "and the run ends with exit code 3",
    async () => {
      expect((await asked()).code).toBe(3);
    },
    patience,
  );

  test.each(cases)(
    "$name",
    async ({ index }) => {
      const outcome = (await asked()).outcomes[index];
      expect([outcome?.decision?.decision, outcome?.decision?.by, outcome?.isIntact]).toEqual([
        "deny",
        "no_user",
        true,
      ]);
    },
    patience,
  );
});

describe("in full mode a deny rule about the program holds", () => {
  test.each(cases.filter(({ harmless }) => harmless !== "not the program"))(
    "$name",
    async ({ index, program }) => {
      const { outcomes } = await (program === "rm" ? denied() : deniedOthers());
      const outcome = outcomes[index];
      expect([
        outcome?.decision?.decision,
        outcome?.decision?.by,
        outcome?.decision?.rule?.rule,
        outcome?.isIntact,
      ]).toEqual(["deny", "rule", { tool: "bash", command: program }, true]);
    },
    patience,
  );
});

describe("the same commands do harm where nothing holds them back, so that the cases above can fail", () => {
  test.each(cases.filter(({ harmless }) => harmless === undefined))(
    "$name",
    async ({ index }) => {
      const outcome = (await unruly()).outcomes[index];
      expect([outcome?.decision?.decision, outcome?.isIntact]).toEqual(["allow", false]);
    },
    patience,
  );
});
