// Runs ripgrep with fixed flags: no configuration, no preprocessor, one thread in the order of paths.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { sep } from "node:path";
import type { Readable } from "node:stream";
import type { SearchRequest } from "./built-in-search.ts";
import { type LineSink, maxFileSize } from "./lines.ts";
import { RipgrepRecords } from "./ripgrep-records.ts";
import type { WalkOptions } from "./walk.ts";

export interface Ripgrep {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** ripgrep did not do its work; `reported` tells whether results came before. */
export class RipgrepError extends Error {
  override readonly name = "RipgrepError";
  readonly reported: boolean;

  constructor(message: string, reported: boolean) {
    super(message);
    this.reported = reported;
  }
}

const keptErrors = 2_000;

/** @error RipgrepError; the signal's reason when it is aborted */
export async function searchWithRipgrep(rg: Ripgrep, request: SearchRequest, sink: LineSink): Promise<void> {
  const { pattern, context, filter, file } = request;
  const args = ["--json", "--crlf", "--no-mmap", ...walkArguments(request.filter)];
  if (pattern.ignoreCase) args.push("--ignore-case");
  else args.push("--case-sensitive");
  if (context > 0) args.push("--context", String(context));
  // Only to save work: what counts is `accepts`.
  if (filter.nameGlob !== undefined) args.push("--type-add", `asked:${filter.nameGlob}`, "--type", "asked");
  args.push("--max-filesize", String(maxFileSize), "-e", pattern.forRipgrep, "--", file ?? "./");

  const records = new RipgrepRecords();
  let wanted = false;
  let reported = false;
  let complete = false;
  const end = await run(rg, args, request, async (chunk) => {
    for (const record of records.read(chunk)) {
      if (record.type === "begin") {
        wanted = file !== undefined || filter.accepts(relativePath(record.path));
      } else if (record.type === "line") {
        if (wanted) sink.line(record);
      } else if (record.type === "summary") {
        complete = true;
      } else if (wanted) {
        reported = true;
        if (!(await sink.endFile(file ?? relativePath(record.path), record.isBinary))) return false;
      }
    }
    return true;
  });
  if (!complete && !end.stopped) throw new RipgrepError(end.message, reported);
}

/** @output the same as `walkFiles`  @error RipgrepError; the signal's reason when it is aborted */
export async function listWithRipgrep(
  rg: Ripgrep,
  options: WalkOptions,
  take: (path: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  let listed = false;
  const end = await run(
    rg,
    ["--files", "--null", ...walkArguments(options), "--", "./"],
    options,
    (chunk) => {
      const paths = (rest + decoder.decode(chunk, { stream: true })).split("\0");
      rest = paths.pop() ?? "";
      for (const path of paths) take(relativePath(path));
      listed ||= paths.length > 0;
      return Promise.resolve(true);
    },
  );
  // 1: there are no files; 2: some could not be read, or it failed.
  if (end.code !== 0 && end.code !== 1 && !listed) throw new RipgrepError(end.message, false);
}

function walkArguments({ hidden, git }: { readonly hidden: boolean; readonly git: boolean }): string[] {
  return [
    "--no-config",
    "--no-ignore-global",
    "--no-ignore-exclude",
    "--sort=path",
    ...(hidden ? ["--hidden"] : []),
    ...(git ? [] : ["--glob=!.git"]),
  ];
}

function relativePath(path: string): string {
  const slashed = sep === "/" ? path : path.replaceAll(sep, "/");
  return slashed.startsWith("./") ? slashed.slice(2) : slashed;
}

interface End {
  readonly code: number | null;
  readonly stopped: boolean;
  readonly message: string;
}

/** Feeds the output to `take` until that says stop; then, or on abort, ripgrep is killed and waited for. */
async function run(
  rg: Ripgrep,
  args: readonly string[],
  { root, signal }: { readonly root: string; readonly signal: AbortSignal },
  take: (chunk: Uint8Array) => Promise<boolean>,
): Promise<End> {
  signal.throwIfAborted();
  const { RIPGREP_CONFIG_PATH: _, ...env } = rg.env;
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(rg.path, args, {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let message = "";
  child.stderr.on("data", (chunk: Buffer) => {
    if (message.length < keptErrors) message += chunk.toString("utf8").slice(0, keptErrors);
  });
  const closed = new Promise<number | null>((resolve) => {
    child.on("error", (error) => {
      message = error.message;
      resolve(null);
    });
    child.on("close", resolve);
  });
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  let stopped = false;
  try {
    for await (const chunk of child.stdout) {
      if (!(chunk instanceof Uint8Array)) continue;
      stopped = !(await take(chunk));
      if (stopped) break;
    }
    if (stopped) kill();
  } catch (error) {
    kill();
    if (!signal.aborted) throw error;
  } finally {
    await closed;
    signal.removeEventListener("abort", kill);
  }
  signal.throwIfAborted();
  return { code: await closed, stopped, message: message.trim() };
}
