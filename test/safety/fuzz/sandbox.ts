// Runs a batch of commands inside bubblewrap: no network, nothing of the machine writable, memory for files, time limits.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readlinkSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canaryProgram, driver, template } from "./driver.ts";

export interface WatchedCommand {
  readonly command: string;
  /** Whether changes of files are looked for. */
  readonly watched: boolean;
}

export interface Outcome {
  readonly ran: boolean;
  readonly changed: boolean;
}

/** Far above what a batch takes on a slow machine: every command is cut off after a second and a half. */
const batchLimit = 45 * 60_000;

/**
 * @output  one outcome a command, in order
 * @effects starts bubblewrap; a folder in the temporary directory, which is removed
 * @error   throws when the sandbox does not come to its end
 */
export async function runInSandbox(commands: readonly WatchedCommand[]): Promise<readonly Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), "codelia-fuzz-"));
  try {
    await prepare(folder, commands);
    const problem = await bubblewrap(sandboxArguments(folder));
    const results = await readFile(join(folder, "out", "results"), "utf8").catch(() => "");
    const lines = results.trim().split("\n");
    if (lines.at(-1) !== "end" || lines.length !== commands.length + 1) {
      throw new Error(
        `the sandbox ended after ${lines.length - 1} of ${commands.length} commands: ${problem}`,
      );
    }
    return lines.slice(0, -1).map((line) => {
      const [, ran, changed] = line.split(" ");
      return { ran: ran === "ran", changed: changed === "changed" };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepare(folder: string, commands: readonly WatchedCommand[]): Promise<void> {
  for (const name of ["in", "out", "canary/bin", "template/src"])
    await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, "canary/bin/zap"), canaryProgram);
  await chmod(join(folder, "canary/bin/zap"), 0o755);
  for (const [name, content] of Object.entries(template))
    await writeFile(join(folder, "template", name), content);
  for (const [at, { command, watched }] of commands.entries()) {
    await writeFile(join(folder, "in", `${at + 1}`), command);
    if (watched) await writeFile(join(folder, "in", `${at + 1}.watched`), "");
  }
}

function sandboxArguments(folder: string): string[] {
  const system = ["/bin", "/sbin", "/lib", "/lib64", "/lib32"].flatMap((path) => {
    if (!existsSync(path)) return [];
    return statSync(path, { throwIfNoEntry: false }) !== undefined && isLink(path)
      ? ["--symlink", readlinkSync(path), path]
      : ["--ro-bind", path, path];
  });
  return [
    ...words("--unshare-all --die-with-parent --new-session --cap-drop ALL --clearenv"),
    ...words("--ro-bind /usr /usr --ro-bind-try /etc/alternatives /etc/alternatives"),
    ...system,
    ...words("--proc /proc --ro-bind-try /proc/sys /proc/sys --dev /dev"),
    ...["/tmp", "/scratch", "/log", "/home"].flatMap((path) =>
      words(`--size ${256 * 1024 * 1024} --tmpfs ${path}`),
    ),
    ...pythonMount(),
    ...(["canary", "in", "template"] as const).flatMap((name) => [
      "--ro-bind",
      join(folder, name),
      `/${name}`,
    ]),
    "--bind",
    join(folder, "out"),
    ...words("/out --chdir / -- /usr/bin/bash --norc --noprofile -c"),
    driver,
  ];
}

function words(text: string): string[] {
  return text.split(" ");
}

/** A Python that is not below /usr is mounted where the PATH inside finds it. */
function pythonMount(): string[] {
  if (existsSync("/usr/bin/python3")) return [];
  const { stdout } = spawnSync("python3", ["-c", "import sys; print(sys.prefix)"], { encoding: "utf8" });
  const prefix = (stdout ?? "").trim();
  return prefix.startsWith("/") && existsSync(`${prefix}/bin/python3`)
    ? ["--ro-bind", prefix, "/python"]
    : [];
}

function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== "";
  } catch {
    return false;
  }
}

function bubblewrap(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("bwrap", args, {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: batchLimit,
      killSignal: "SIGKILL",
    });
    const parts: Buffer[] = [];
    child.stderr.on("data", (part: Buffer) => parts.push(part));
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve(`exit ${code ?? signal}: ${Buffer.concat(parts).toString()}`),
    );
  });
}
