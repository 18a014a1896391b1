// Opens the model of a run: a provider's, a scripted one, or a recording.
import { promises as fs } from "node:fs";
import { basename, resolve } from "node:path";
import { setTimeout as timer } from "node:timers/promises";
import { type Params, ProtocolError } from "@codelia/protocol";
import type { ModelConnection, Usage } from "@codelia/shared-types";
import { readSmallFile } from "@codelia/storage";
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";

export interface OpenedConnection {
  readonly connection: ModelConnection;
  /** As it can be given to -m again, from any directory. */
  readonly model: string;
  readonly costOf: (usage: Usage) => number | undefined;
  /** Waits until a recording is on disk. */
  readonly close: () => Promise<void>;
}

const sleep = (ms: number, signal: AbortSignal) => timer(ms, undefined, { signal });

const scriptedPrefix = "scripted/";
const maxScriptBytes = 16 * 1024 * 1024;

/** @error ProtocolError no_model, not_found, invalid_params */
export async function openConnection(
  environment: RuntimeEnvironment,
  project: Project,
  { cwd, model, record, replay }: Pick<Params<"run.start">, "cwd" | "model" | "record" | "replay">,
): Promise<OpenedConnection> {
  const opened = await openBare(environment, project, { cwd, model, replay });
  return record === undefined ? opened : recorded(opened, record);
}

async function openBare(
  environment: RuntimeEnvironment,
  project: Project,
  { cwd, model, replay }: { cwd: string; model: string | undefined; replay: string | undefined },
): Promise<OpenedConnection> {
  if (replay !== undefined) {
    const connection = await openReplay(environment, replay);
    return free(connection, connection.id);
  }
  if (model?.startsWith(scriptedPrefix)) {
    const path = resolve(cwd, model.slice(scriptedPrefix.length));
    return free(await openScript(environment, path), `${scriptedPrefix}${path}`);
  }
  const { openProviderModel } = await import("./provider-model.ts");
  return openProviderModel(environment, project, model);
}

function free(connection: ModelConnection, model: string): OpenedConnection {
  return { connection, model, costOf: () => 0, close: () => Promise.resolve() };
}

async function openScript({ fs: files }: RuntimeEnvironment, path: string): Promise<ModelConnection> {
  const { createScriptedModel, parseScript } = await import("@codelia/models/scripted");
  const parsed = parseScript(parseJson(path, await readText(files, path)), basename(path, ".json"));
  if (!parsed.ok) {
    const problems = parsed.problems.map(
      ({ path: place, message }) => `${path}: ${place === "" ? "script" : place}: ${message}`,
    );
    throw new ProtocolError(
      "invalid_params",
      problems.join("\n"),
      "Correct the script and run the command again.",
    );
  }
  return createScriptedModel(parsed.script, { sleep });
}

async function openReplay({ fs: files }: RuntimeEnvironment, path: string): Promise<ModelConnection> {
  const { RecordingError, replayModel } = await import("@codelia/models/recording");
  const lines = (await readText(files, path)).split("\n");
  try {
    return replayModel(lines, { speed: "instant", sleep });
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    throw new ProtocolError(
      "invalid_params",
      `${path}: ${error.message}`,
      "Make a new recording with --record.",
      { cause: error },
    );
  }
}

async function recorded(opened: OpenedConnection, path: string): Promise<OpenedConnection> {
  const { recordModel } = await import("@codelia/models/recording");
  // A new file, or an error: an older recording is never overwritten.
  const file = await fs.open(path, "wx", 0o600).catch((error: unknown) => {
    const problem = error instanceof Error ? error.message : String(error);
    throw new ProtocolError(
      "invalid_params",
      `--record ${path}: ${problem}`,
      "Name a new file in an existing directory.",
    );
  });
  const sink = { append: async (line: string) => file.writeFile(`${line}\n`) };
  return {
    ...opened,
    connection: recordModel(opened.connection, sink, { now: () => performance.now() }),
    close: async () => {
      await opened.close();
      await file.close();
    },
  };
}

async function readText(files: RuntimeEnvironment["fs"], path: string): Promise<string> {
  const file = await readSmallFile(files, path, maxScriptBytes);
  if (file.outcome === "text") return file.text;
  const problem = {
    absent: "there is no such file",
    not_a_file: "this is not a regular file",
    too_large: "this file is too large",
  };
  throw new ProtocolError(
    "not_found",
    `${path}: ${problem[file.outcome]}`,
    "Name an existing script or recording.",
  );
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProtocolError(
      "invalid_params",
      `${path}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
