import { describe, expect, test } from "bun:test";
import type { DecidableCall } from "@codelia/core";
import type { PermissionDecision } from "@codelia/shared-types";
import { decideWithSandbox, noSandbox, type Sandbox, type SandboxState } from "../../src/sandbox/index.ts";

const missing: SandboxState = {
  inForce: false,
  why: "missing",
  reason: "bubblewrap (bwrap) is not installed",
  fix: "Install it.",
};

function sandboxIn(state: SandboxState): Sandbox {
  return { ...noSandbox("a test"), state: () => Promise.resolve(state) };
}

function call(kind: "command" | "none"): DecidableCall {
  return {
    id: "1",
    tool: "bash",
    prepared: {
      title: "run ls",
      paths: [],
      access: kind === "command" ? { kind, command: "ls", cwd: "/repo" } : { kind },
      execute: () => Promise.resolve(),
    },
  };
}

interface Outcome {
  readonly decisions: PermissionDecision[];
  readonly previews: (string | undefined)[];
  readonly notices: string[];
}

async function decided(state: SandboxState, isRequired: boolean, calls: DecidableCall[]): Promise<Outcome> {
  const previews: (string | undefined)[] = [];
  const notices: string[] = [];
  const decide = decideWithSandbox({
    sandbox: sandboxIn(state),
    isRequired,
    decide: ({ prepared }, standing) => {
      if (standing !== "missing") return Promise.resolve(usual);
      previews.push(prepared.preview);
      return Promise.resolve({ decision: "allow", by: "user", reason: "allowed by the user" });
    },
    notify: (notice) => notices.push(notice),
  });
  const decisions: PermissionDecision[] = [];
  for (const one of calls) decisions.push(await decide(one));
  return { decisions, previews, notices };
}

const usual: PermissionDecision = { decision: "allow", by: "mode", reason: "full approval" };

describe("a command", () => {
  test("in the sandbox is decided as usual, without a word", async () => {
    expect(await decided({ inForce: true, kind: "bubblewrap" }, false, [call("command")])).toEqual({
      decisions: [usual],
      previews: [],
      notices: [],
    });
  });

  test("without a sandbox asks in every mode, says why each time, and the run says it once", async () => {
    expect(await decided(missing, false, [call("command"), call("command"), call("none")])).toEqual({
      decisions: [
        { decision: "allow", by: "user", reason: "allowed by the user" },
        { decision: "allow", by: "user", reason: "allowed by the user" },
        usual,
      ],
      previews: [
        "This command would run without a sandbox: bubblewrap (bwrap) is not installed.",
        "This command would run without a sandbox: bubblewrap (bwrap) is not installed.",
      ],
      notices: [
        "There is no sandbox, so every command asks: bubblewrap (bwrap) is not installed. Install it.",
      ],
    });
  });

  test("does not run where the sandbox is required and missing", async () => {
    const { decisions, previews } = await decided(missing, true, [call("command")]);
    expect([decisions, previews]).toEqual([
      [
        {
          decision: "deny",
          by: "rule",
          reason: "sandbox.enabled is require, and bubblewrap (bwrap) is not installed. Install it.",
        },
      ],
      [],
    ]);
  });

  test("runs as usual where the user switched the sandbox off, and the run says so", async () => {
    const off = await noSandbox("sandbox.enabled is off").state();
    expect(await decided(off, false, [call("command")])).toEqual({
      decisions: [usual],
      previews: [],
      notices: ["Commands run without a sandbox: sandbox.enabled is off."],
    });
  });
});
