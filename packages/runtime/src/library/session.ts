// A session for a program that embeds Codelia: the same road as every face, in process.
import { homedir } from "node:os";
import { resolve } from "node:path";
import {
  type Client,
  type ConfirmParams,
  type ConfirmResult,
  connectInProcess,
  ProtocolError,
} from "@codelia/protocol";
import type { ApprovalMode } from "@codelia/shared-types";
import { nodeDisk, nodeFileSystem } from "@codelia/storage";
import type { RuntimeEnvironment } from "../environment.ts";
import { createHandlers } from "../rpc/index.ts";
import type { OwnTool } from "./own-tool.ts";
import { LiveRun, type Run, type RunOptions } from "./run.ts";
import { version } from "./version.ts";

export interface SessionOptions {
  /** The project's directory; default: the working directory. */
  readonly cwd?: string;
  /** `provider/model`, or `scripted/FILE`; default: the configured or the first usable one. */
  readonly model?: string;
  /** What needs no question; default `ask`. */
  readonly approval?: ApprovalMode;
  /** Answers questions. Absent: there is nobody to ask, and what would be asked is refused. */
  readonly confirm?: (question: ConfirmParams) => Promise<ConfirmResult>;
  /** Trusts the project for this session. Absent: the user has to have trusted it (`codelia trust`). */
  readonly trust?: boolean;
  /** Settings over those of the user, by their key: `{ "sandbox.enabled": "require" }`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly tools?: readonly OwnTool[];
  /** Goes on with the session of this id, or of its beginning or end. */
  readonly resume?: string;
  /** Default: `process.env`. Keys of providers are taken from it; commands do not get them. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface Session {
  /** As `codelia sessions` and `codelia run --resume` know it, once its first run has begun. */
  readonly id: string;
  /**
   * Starts at once. One run at a time.
   * @error CodeliaError `in_use` when a run of this session is under way
   */
  run(prompt: string, options?: RunOptions): Run;
}

/**
 * @output  a session; nothing is written before its first run
 * @effects reads settings, trust and the project's root; no request
 * @error   CodeliaError `untrusted`, `invalid_config`, `not_found`; `invalid_params` for tools that share a name
 */
export async function createSession(options: SessionOptions = {}): Promise<Session> {
  const cwd = resolve(options.cwd ?? process.cwd());
  const tools = (options.tools ?? []).map((tool) => tool.toTool(cwd));
  const settings = Object.entries(options.settings ?? {}).map(([key, value]) => ({
    written: key,
    key,
    value,
  }));
  const trust = options.trust ?? false;
  const client = connectInProcess(createHandlers(surroundings(options), { settings, trust, tools }));
  const id =
    options.resume === undefined
      ? (await client.call("session.prepare", { cwd })).id
      : (await client.call("session.history", { cwd, id: options.resume, limit: 1 })).session.id;
  return new LibrarySession(client, cwd, id, options);
}

class LibrarySession implements Session {
  readonly id: string;
  readonly #client: Client;
  readonly #cwd: string;
  readonly #options: SessionOptions;
  #isRunning = false;

  constructor(client: Client, cwd: string, id: string, options: SessionOptions) {
    this.#client = client;
    this.#cwd = cwd;
    this.id = id;
    this.#options = options;
  }

  run(prompt: string, { signal, maxTurns, maxCostUsd, images = [] }: RunOptions = {}): Run {
    if (this.#isRunning) {
      throw new ProtocolError(
        "in_use",
        "a run of this session is under way",
        "Wait for its result, or cancel it.",
      );
    }
    this.#isRunning = true;
    const { model, approval = "ask", confirm } = this.#options;
    const params = {
      cwd: this.#cwd,
      prompt,
      images: images.map(({ mediaType, data }) => ({ media_type: mediaType, data })),
      approval,
      ...(model === undefined ? {} : { model }),
      ...(maxTurns === undefined ? {} : { max_turns: maxTurns }),
      ...(maxCostUsd === undefined ? {} : { max_cost_usd: maxCostUsd }),
      session: { how: "prepared" as const, id: this.id },
      compact: true,
    };
    const run = new LiveRun(this.#client, params, confirm, signal);
    const end = () => {
      this.#isRunning = false;
    };
    run.result.then(end, end);
    return run;
  }
}

function surroundings({ env = process.env }: SessionOptions): RuntimeEnvironment {
  return {
    env,
    userHome: env.HOME || homedir(),
    fs: nodeFileSystem,
    disk: nodeDisk,
    version,
    now: () => new Date(),
    fetch: (url, init) => fetch(url, init),
    executable: process.execPath,
  };
}
