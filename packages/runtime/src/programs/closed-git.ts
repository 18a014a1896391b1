// Git that Codelia runs itself, as the port that flows use. Nothing that the repository configured is started: what has
// a fixed name is closed by `closedGitEnvironment`, drivers have names of its choice and are looked up before each call.
import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import type { GitCall, GitOutput, GitPort } from "@codelia/flows";
import { childEnvironment } from "../secrets/index.ts";
import { findProgram, foldersOutside, pathFolders } from "./find-program.ts";
import { closedGitEnvironment, type GitSettings, withGitSettings } from "./git-environment.ts";
import { startingKeys } from "./unasked-git.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Besides what is closed everywhere: nothing in the background, nothing in submodules, patience with other gits. */
const quiet: GitSettings = [
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["push.gpgSign", "false"],
  ["push.followTags", "false"],
  ["push.recurseSubmodules", "no"],
  ["fetch.recurseSubmodules", "false"],
  ["status.submoduleSummary", "false"],
  ["diff.submodule", "short"],
  ["diff.ignoreSubmodules", "dirty"],
  ["merge.verifySignatures", "false"],
  ["core.filesRefLockTimeout", "10000"],
  ["core.packedRefsTimeout", "10000"],
  // A host that says nothing any more ends the call after a minute.
  ["http.lowSpeedLimit", "1000"],
  ["http.lowSpeedTime", "60"],
];

// More than any list that is asked for; a flood must not fill the memory.
const maxOutputBytes = 64 * 1024 * 1024;

/** @input workspace: programs in it are never taken for git; secretVariables: kept from git that asks no remote */
export function createClosedGit(
  env: Environment,
  workspace: string,
  secretVariables: ReadonlySet<string>,
): GitPort {
  const local = childEnvironment(env, secretVariables);
  let found: Promise<Program> | undefined;
  return {
    run: async (args, call) => {
      found ??= locate(env, workspace);
      const program = await found;
      const { isRemote = false } = call;
      // For a remote, the user's own ssh agent and helpers need what the user's environment holds.
      const base = closedEnvironment(isRemote ? env : local, program, isRemote);
      const settings = isPlain(args) ? [] : await configured(program.path, base, call);
      return await execute(program.path, args, call, withGitSettings(base, settings));
    },
  };
}

/**
 * Only looks at refs, the index and git's own places: there is nothing in it that a driver could be started for. What
 * opens an object may have to fetch it first, from a promisor remote whose program the repository names.
 */
function isPlain([command = "", ...rest]: readonly string[]): boolean {
  const plain = ["symbolic-ref", "check-ref-format", "remote", "ls-files"];
  const [action] = rest;
  return (
    plain.includes(command) ||
    (command === "worktree" && action === "list") ||
    (command === "rev-parse" && rest.every((word) => word.startsWith("--")))
  );
}

interface Program {
  readonly path: string;
  /** PATH without the workspace's folders: ssh and helpers are found with it. */
  readonly folders: string;
}

async function locate(env: Environment, workspace: string): Promise<Program> {
  const path = await findProgram("git", { path: env.PATH, workspace });
  if (path === undefined) throw new Error("git is not installed, or only within the workspace");
  const folders = await foldersOutside(workspace, pathFolders(env.PATH));
  return { path, folders: folders.join(delimiter) };
}

function closedEnvironment(
  env: Environment,
  { folders }: Program,
  isRemote: boolean,
): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined) given[name] = value;
  }
  // Without git://: of the proxies that are set for it the first counts, which could not be closed.
  const closed = withGitSettings(closedGitEnvironment({ ...given, PATH: folders }), quiet);
  return {
    ...closed,
    LC_ALL: "C",
    // A missing object is not fetched on the way: the repository names the program that would do it.
    GIT_ALLOW_PROTOCOL: isRemote ? "file:http:https:ssh" : "none",
    ...(isRemote ? {} : { GIT_NO_LAZY_FETCH: "1" }),
    GIT_EDITOR: "false",
  };
}

/** What the repository configured is closed; for a remote, what the user configured is opened again. */
async function configured(
  program: string,
  env: Readonly<Record<string, string>>,
  { cwd, isRemote = false }: GitCall,
): Promise<GitSettings> {
  const args = ["config", "-z", "--show-scope", "--get-regexp", `${startingKeys}|^core[.]sshcommand$`];
  const { exitCode, stdout, stderr } = await execute(program, args, { cwd }, env);
  // 1: there is no such key; 128 outside a repository, where there is nothing to close.
  if (exitCode > 1 && !/not a git repository/.test(stderr)) {
    throw new Error(`its settings cannot be read: ${stderr.trim()}`);
  }
  const entries = settingsIn(stdout);
  const own = entries.filter(({ scope }) => scope === "local" || scope === "worktree");
  // Of several packs git takes the first, which is the repository's: whoever asks a remote names them by a flag.
  const closed = own
    .filter(({ key }) => !/[.](uploadpack|receivepack)$/.test(key))
    .map(({ key }) => [key, closedValue(key)] as const);
  if (!isRemote) return closed;
  const users = entries.filter(({ scope }) => scope === "global" || scope === "system");
  const helpers = users.filter(({ key }) => /^credential[.](.*[.])?helper$/.test(key));
  const ssh = users.findLast(({ key }) => key === "core.sshcommand")?.value ?? defaultSsh;
  return [...closed, ...helpers.map(({ key, value }) => [key, value] as const), ["core.sshCommand", ssh]];
}

// Nobody is there to type a passphrase or to confirm a host.
const defaultSsh = "ssh -o BatchMode=yes -o ConnectTimeout=30";

interface ScopedSetting {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

/** `scope NUL key LF value NUL`, again and again. */
function settingsIn(listing: string): ScopedSetting[] {
  const parts = listing.split("\0");
  const settings: ScopedSetting[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [key = "", ...value] = (parts[at + 1] ?? "").split("\n");
    settings.push({ scope: parts[at] ?? "", key, value: value.join("\n") });
  }
  return settings;
}

/** An empty filter, helper or alias is none, `cat` shows a file as it is, a hook that succeeds; all else fails. */
function closedValue(key: string): string {
  if (/^alias[.]|[.](clean|smudge|process|helper|vcs)$/.test(key)) return "";
  if (/^hook[.]/.test(key)) return "true";
  if (key.endsWith(".textconv")) return "cat";
  if (key.endsWith(".update")) return "none";
  return "false";
}

function execute(
  program: string,
  args: readonly string[],
  { cwd, input, signal }: GitCall,
  env: Readonly<Record<string, string>>,
): Promise<GitOutput> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      cwd,
      env: { ...env },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      ...(signal === undefined ? {} : { signal }),
    });
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let bytes = 0;
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxOutputBytes) child.kill("SIGKILL");
        else output[name].push(chunk);
      });
    }
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    child.on("error", reject);
    child.on("close", (code, ended) => {
      if (code === null) reject(new Error(`git ${args[0] ?? ""} was ended by ${ended ?? "a signal"}`));
      else {
        const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString("utf8");
        resolve({ exitCode: code, stdout: text(output.stdout), stderr: text(output.stderr) });
      }
    });
  });
}
