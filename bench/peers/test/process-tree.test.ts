// Finding, measuring and ending the processes of a run, with real processes.
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { canMeasureMemory, ProcessTree } from "../process-tree.ts";

/** A shell with a child that has left its group and lost the mark, and one that has left its parent. */
async function startFamily(mark: string): Promise<number[]> {
  const [name = "", value = ""] = mark.split("=");
  const source = "env -i setsid sleep 60 & (setsid sleep 60 & echo $!); echo $!; echo ready; wait";
  const child = spawn("sh", ["-c", source], {
    env: { PATH: process.env.PATH ?? "", [name]: value },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  let output = "";
  while (!output.includes("ready")) {
    const chunks: unknown[] = await once(child.stdout, "data");
    output += chunks.join("");
  }
  return [
    child.pid ?? 0,
    ...output
      .split("\n")
      .map(Number)
      .filter((pid) => pid > 0),
  ];
}

/** A process that nobody has waited for yet is not alive. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

test.if(canMeasureMemory)("all of a family is measured and ended, and nobody else", async () => {
  const bystander = spawn("sleep", ["60"], { stdio: "ignore" });
  const family = await startFamily("BENCH_TEST_RUN=one");
  const tree = new ProcessTree("BENCH_TEST_RUN=one");
  try {
    const memory = tree.peakMemory(0);
    expect({ some: memory > 100_000, notMuch: memory < 20_000_000 }).toEqual({ some: true, notMuch: true });
    expect(tree.peakMemory(memory * 100)).toBe(memory * 100);
    expect(family.map(isAlive)).toEqual([true, true, true]);
    tree.end();
    while (family.some(isAlive)) await Bun.sleep(5);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  } finally {
    tree.end();
    bystander.kill("SIGKILL");
  }
});

test("a mark that no process has makes an empty tree", () => {
  const tree = new ProcessTree("BENCH_TEST_RUN=nobody");
  tree.end();
  expect(tree.peakMemory(0)).toBe(0);
});
