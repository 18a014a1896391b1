// Whether this program is old, as far as that can be told without a network: a newer Codelia left traces in the home, or
// lies on the PATH; or an older one lies on the PATH first, so that it is what the user starts.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { sessionFormat, visibleName } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import { executableOutside, pathFolders } from "../programs/index.ts";
import type { Project } from "../project/index.ts";
import { sessionWriters } from "../sessions/index.ts";
import { type DoctorFinding, fine, problem } from "./finding.ts";

const lookedAtSessions = 100;

export async function checkVersions(
  environment: RuntimeEnvironment,
  { codeliaHome, root }: Project,
): Promise<DoctorFinding[]> {
  const { version, disk, env } = environment;
  const [writers, installed] = await Promise.all([
    sessionWriters(disk, codeliaHome, lookedAtSessions),
    installedPrograms(env, root.path),
  ]);
  const findings: DoctorFinding[] = [];
  const [first] = installed;
  if (first !== undefined && isOlder(first.version, version)) {
    findings.push(
      problem(
        "program",
        `codelia on your PATH is ${visibleName(first.path)} (${first.version}), older than this program (${version})`,
        `Remove ${visibleName(first.path)}, or put the folder of the newer one before it in PATH.`,
      ),
    );
  }
  const newer = installed.find((each) => isOlder(version, each.version));
  if (newer !== undefined) {
    findings.push(
      problem(
        "program",
        `this program is old: it is ${version}, and ${visibleName(newer.path)} is ${newer.version}`,
        `Start ${visibleName(newer.path)}, or bring this program up to date.`,
      ),
    );
  }
  const writer = writers.find(
    ({ program, format }) => format > sessionFormat || isOlder(version, program ?? version),
  );
  if (writer !== undefined) {
    const { id, program = "of an unknown version", format } = writer;
    findings.push(
      problem(
        "program",
        `this program is old: it is ${version}, and session ${id} was written by Codelia ${visibleName(program)}${format > sessionFormat ? ` in format ${format}, which it cannot read` : ""}`,
        "Bring this program up to date: what a newer one wrote may not be understood.",
      ),
    );
  }
  return findings.length > 0 ? findings : [fine("program", `Codelia ${version}`)];
}

interface InstalledProgram {
  readonly path: string;
  readonly version: string;
}

/** @output each `codelia` on the PATH that says its version, in the order of the PATH */
async function installedPrograms(
  env: RuntimeEnvironment["env"],
  workspace: string,
): Promise<InstalledProgram[]> {
  const folders = [...new Set(pathFolders(env.PATH))];
  const programs = folders.map(async (folder) => {
    const path = join(folder, "codelia");
    // Outside the project, because a repository must not choose what is started here.
    if ((await executableOutside(workspace, path)) === undefined) return undefined;
    const version = await versionOf(path, env);
    return version === undefined ? undefined : { path, version };
  });
  return (await Promise.all(programs)).filter((program) => program !== undefined);
}

function versionOf(path: string, { PATH, HOME }: RuntimeEnvironment["env"]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env: { PATH, HOME }, cwd: "/", timeout: 10_000, maxBuffer: 65_536 };
    execFile(path, ["--version"], options, (error, stdout) => {
      const version = /\b\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?\b/.exec(stdout)?.[0];
      resolve(error === null ? version : undefined);
    });
  });
}

/** Whether `a` is a lower version than `b`; a pre-release is lower than its release. What is no version is not older. */
export function isOlder(a: string, b: string): boolean {
  const [left, right] = [parts(a), parts(b)];
  if (left === undefined || right === undefined) return false;
  for (const index of [0, 1, 2]) {
    const difference = (left.numbers[index] ?? 0) - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return left.preRelease !== undefined && right.preRelease === undefined;
}

function parts(version: string): { numbers: number[]; preRelease: string | undefined } | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:-(.+))?$/.exec(version);
  return match === null ? undefined : { numbers: match.slice(1, 4).map(Number), preRelease: match[4] };
}
