// Resource limits, set by the shell inside the sandbox: lowered hard limits cannot be raised without privileges.
import type { SandboxSettings } from "@codelia/shared-types";

/**
 * @output shell text; a limit that is already lower stays as it is
 * Processes are counted per user namespace, so it matters that this runs inside. The kernel exempts root from it.
 */
export function limitScript({
  processes,
  openFiles,
  fileSizeMiB,
  memoryMiB,
}: SandboxSettings["limits"]): string {
  const wanted = [
    ["u", processes],
    // In blocks of 1 KiB in bash.
    ["f", fileSizeMiB * 1024],
    ["n", openFiles],
    ...(memoryMiB === undefined ? [] : [["v", memoryMiB * 1024] as const]),
  ];
  // Hard alone where it can be: a soft limit of 1024 open files is there for a reason.
  const lines = wanted.map(([letter, value]) => `ulimit -H${letter} ${value} || ulimit -${letter} ${value}`);
  return `{ ${lines.join("; ")}; ulimit -c 0; } 2>/dev/null`;
}
