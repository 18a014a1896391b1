import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import type { FlowStep } from "@codelia/shared-types";
import { sleepers, uniqueSleep } from "../../../../test/support/processes.ts";
import { FlowScene } from "./flow-scene.ts";

function checked(command: string[], rest: { timeoutMs?: number } = {}): Record<string, Partial<FlowStep>> {
  return { a: { retries: 0, check: { type: "command", command, ...rest } } };
}

test("a check's command gets its words as they are: no shell reads them", async () => {
  using scene = new FlowScene({ steps: checked(["printf", "%s|", "$HOME", "a b", ";", "touch x"]) });
  const { status, result } = await scene.start();
  expect([status, result.summaries[0]?.check.output, existsSync(scene.tree.at("repo/x"))]).toEqual([
    "done",
    "$HOME|a b|;|touch x|",
    false,
  ]);
});

test("a check's command runs in the sandbox, also where the user would be asked about commands", async () => {
  using scene = new FlowScene({
    steps: checked(["sh", "-c", "touch inside; touch ../outside"]),
  });
  const { status } = await scene.start({ approval: "ask" });
  expect([status, existsSync(scene.tree.at("repo/inside")), existsSync(scene.tree.at("outside"))]).toEqual([
    "done",
    true,
    false,
  ]);
});

test("a deny rule of the user holds for a check's command", async () => {
  using scene = new FlowScene({
    steps: checked(["sh", "-c", "touch x"]),
    settings: [{ written: "-c", key: "permissions.deny", value: [{ tool: "bash", command: "touch" }] }],
  });
  const { status, result } = await scene.start();
  expect([status, existsSync(scene.tree.at("repo/x"))]).toEqual(["failed", false]);
  expect(result.summaries[0]?.check.message).toContain("could not be run: ");
});

test("a check's command that takes too long is ended with all that it started", async () => {
  const seconds = uniqueSleep();
  using scene = new FlowScene({
    steps: checked(["sh", "-c", `echo begun; sleep ${seconds} & sleep ${seconds}`], { timeoutMs: 3_000 }),
  });
  const { result } = await scene.start();
  expect([result.summaries[0]?.check.message, sleepers(seconds)]).toEqual([
    `sh -c echo begun; sleep ${seconds} & sleep ${seconds} did not end in time`,
    [],
  ]);
});

test("a program that is not there is told with its name", async () => {
  using scene = new FlowScene({ steps: checked(["no-such-program", "x"]) });
  const { result } = await scene.start();
  expect(result.summaries[0]?.check.message).toBe(
    "no-such-program x could not be run: There is no program no-such-program on the PATH: install it, or correct the name.",
  );
});
