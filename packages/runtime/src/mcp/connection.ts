// A live connection to one server: started or reached, initialised, its tools read; every failure names the server.
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { McpTool } from "@codelia/shared-types";
import {
  Client,
  type ClientOptions,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { redactText, type Secret } from "../secrets/index.ts";
import type { Offer } from "./approvals.ts";
import { type ConfiguredServer, isHttp } from "./configured-server.ts";
import type { ConnectionPlace } from "./connection-place.ts";
import { McpError, messageOf } from "./error.ts";
import { loginNeeded } from "./oauth-provider.ts";
import { cleanText, cut, maxInstructions, readTools } from "./offered-tools.ts";
import { type OpenTransport, openTransport } from "./open-transport.ts";
import type { ResultPart } from "./result-text.ts";
import { silenceSdkWarnings } from "./sdk-warnings.ts";

const defaultStartSeconds = 20;
const defaultCallSeconds = 120;
// A call that reports progress may take longer, but not for ever.
const progressFactor = 10;
const maxListed = 1000;
// A server that goes on changing its tools is taken as it is.
const maxRounds = 5;
const quietMs = 300;

export interface CallResult {
  readonly parts: readonly ResultPart[];
  readonly structured: unknown;
  readonly isError: boolean;
}

export interface Listed {
  readonly name: string;
  readonly description: string;
  /** Of a resource. */
  readonly uri?: string;
  /** Of a prompt: the names of its arguments, `?` behind those that may be left out. */
  readonly arguments?: readonly string[];
}

export class Connection {
  readonly #client: Client;
  readonly #server: ConfiguredServer;
  readonly #open: OpenTransport;
  readonly #secrets: readonly Secret[];
  /** It was closed, or nothing more can come over it. */
  #isOver = false;
  /** The server said that its tools changed; whoever relies on them reads them again. */
  toolsMayDiffer = false;
  #told = Promise.withResolvers<void>();

  private constructor(
    client: Client,
    server: ConfiguredServer,
    open: OpenTransport,
    secrets: readonly Secret[],
  ) {
    this.#client = client;
    this.#server = server;
    this.#open = open;
    this.#secrets = secrets;
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      this.toolsMayDiffer = true;
      this.#told.resolve();
    });
  }

  /**
   * @effects starts the server's process, or reaches its address
   * @error  McpError; nothing is left running then
   */
  static async open(
    server: ConfiguredServer,
    place: ConnectionPlace,
    signal?: AbortSignal,
  ): Promise<Connection> {
    silenceSdkWarnings();
    const client = new Client({ name: "codelia", version: place.version }, clientOptions(server));
    client.setRequestHandler("roots/list", () => ({
      roots: [{ uri: pathToFileURL(place.root).href, name: "workspace" }],
    }));
    const open = await openTransport(server, place);
    const connection = new Connection(client, server, open, place.secrets);
    const timeout = (server.config.startTimeoutSeconds ?? defaultStartSeconds) * 1000;
    try {
      await client.connect(open.transport, {
        timeout,
        maxTotalTimeout: timeout,
        ...(signal ? { signal } : {}),
      });
      return connection;
    } catch (error) {
      await connection.close();
      throw connection.#failure(error, "start");
    }
  }

  get isOpen(): boolean {
    return !this.#isOver && this.#open.end() === undefined;
  }

  /**
   * Some servers add tools right after they were greeted, and say so: their offer is what stands when they are quiet.
   * @input  isWanted: an offer that needs no further look
   * @output its tools as they can be told
   * @error  McpError
   */
  async offer(isWanted: (offer: Offer) => boolean = () => false): Promise<Offer> {
    let offer = await this.#offer();
    if (this.#client.getServerCapabilities()?.tools?.listChanged !== true) return offer;
    for (let round = 0; round < maxRounds && !isWanted(offer); round += 1) {
      if (!this.toolsMayDiffer)
        await Promise.race([this.#told.promise, delay(quietMs, undefined, { ref: false })]);
      if (!this.toolsMayDiffer) break;
      offer = await this.#offer();
    }
    return offer;
  }

  async #offer(): Promise<Offer> {
    this.toolsMayDiffer = false;
    this.#told = Promise.withResolvers();
    const hasTools = this.#client.getServerCapabilities()?.tools !== undefined;
    const tools = hasTools
      ? await this.#asked(() => this.#client.listTools(undefined, this.#limits("start")))
      : undefined;
    const instructions = this.#client.getInstructions();
    const clean = (text: string) => redactText(this.#secrets, text);
    return {
      tools: readTools(this.#server.name, tools?.tools ?? [], clean),
      ...(instructions === undefined
        ? {}
        : { instructions: cut(cleanText(clean(instructions)), maxInstructions) }),
    };
  }

  /** @error McpError; the call is cancelled at the server when the signal says so */
  async call(
    tool: McpTool,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<CallResult> {
    const { name, inputSchema } = tool;
    // By the definition that was approved, and without a schema for results: none of a server's is compiled here.
    const toolDefinition = { name, inputSchema: { ...inputSchema, type: "object" as const } };
    const result = await this.#asked(() =>
      this.#client.callTool(
        { name, arguments: { ...args } },
        { ...this.#limits("call"), signal, toolDefinition },
      ),
    );
    return {
      parts: result.content,
      structured: result.structuredContent,
      isError: result.isError === true,
    };
  }

  async readResource(uri: string, signal: AbortSignal): Promise<readonly unknown[]> {
    const { contents } = await this.#asked(() =>
      this.#client.readResource({ uri }, { ...this.#limits("call"), signal }),
    );
    return contents;
  }

  /** @output each message with who says it */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<readonly { readonly role: string; readonly part: ResultPart }[]> {
    const { messages } = await this.#asked(() =>
      this.#client.getPrompt(
        { name, arguments: { ...args } },
        { ...this.#limits("call"), ...(signal === undefined ? {} : { signal }) },
      ),
    );
    return messages.map(({ role, content }) => ({ role, part: content }));
  }

  async resources(): Promise<Listed[]> {
    if (this.#client.getServerCapabilities()?.resources === undefined) return [];
    const { resources } = await this.#asked(() =>
      this.#client.listResources(undefined, this.#limits("start")),
    );
    return resources.slice(0, maxListed).map(({ name, uri, description = "" }) => ({
      name: cleanText(name),
      description: cut(cleanText(description), maxInstructions),
      uri: cleanText(uri),
    }));
  }

  async prompts(): Promise<Listed[]> {
    if (this.#client.getServerCapabilities()?.prompts === undefined) return [];
    const { prompts } = await this.#asked(() => this.#client.listPrompts(undefined, this.#limits("start")));
    return prompts.slice(0, maxListed).map((prompt) => ({
      name: cleanText(prompt.name),
      description: cut(cleanText(prompt.description ?? ""), maxInstructions),
      arguments: (prompt.arguments ?? []).map(({ name, required }) =>
        cleanText(required === true ? name : `${name}?`),
      ),
    }));
  }

  /** @effects ends the server's process and all that it started */
  async close(): Promise<void> {
    this.#isOver = true;
    // A server on the network is not waited for.
    await this.#client.close().catch(() => undefined);
    await this.#open.transport.close().catch(() => undefined);
  }

  #limits(what: "start" | "call") {
    const { startTimeoutSeconds, callTimeoutSeconds } = this.#server.config;
    if (what === "start") return { timeout: (startTimeoutSeconds ?? defaultStartSeconds) * 1000 };
    const timeout = (callTimeoutSeconds ?? defaultCallSeconds) * 1000;
    return {
      timeout,
      resetTimeoutOnProgress: true,
      maxTotalTimeout: timeout * progressFactor,
      onprogress: () => undefined,
    };
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw this.#failure(error, "refused");
    }
  }

  #failure(error: unknown, otherwise: "start" | "refused"): McpError {
    if (error instanceof McpError) return error;
    const { name } = this.#server;
    const cause = { cause: error };
    if (error instanceof UnauthorizedError || isUnauthorized(error)) return loginNeeded(this.#server);
    if (this.#open.isFlooded())
      return new McpError("flood", name, `the connection was closed: ${this.#open.end()}`, undefined, cause);
    const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
    if (isLate && otherwise === "start") {
      const seconds = this.#server.config.startTimeoutSeconds ?? defaultStartSeconds;
      return new McpError(
        "timeout",
        name,
        `it did not answer within ${seconds} s after its start`,
        undefined,
        cause,
      );
    }
    if (isLate) {
      const seconds = this.#server.config.callTimeoutSeconds ?? defaultCallSeconds;
      return new McpError(
        "timeout",
        name,
        `it did not answer within ${seconds} s`,
        "Raise callTimeoutSeconds.",
        cause,
      );
    }
    const end = this.#open.end();
    if (end !== undefined) {
      const words = this.#open.lastWords();
      const said = words === "" ? "" : `; its last words: ${cut(words, 600)}`;
      return new McpError(
        otherwise === "start" ? "start" : "closed",
        name,
        `${end}${said}`,
        undefined,
        cause,
      );
    }
    // An answer that is no MCP, or none at all: the server there is another one than before, or it is gone.
    if (isHttp(this.#server) && !(error instanceof ProtocolError)) this.#isOver = true;
    return new McpError(otherwise, name, messageOf(error), undefined, cause);
  }
}

/** As the SDK says it where there is no login of ours. */
function isUnauthorized(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 401;
}

function clientOptions(server: ConfiguredServer): ClientOptions {
  return {
    capabilities: { roots: {} },
    // A pipe may belong to a server that ends at a question it does not know, so the newer greeting is for HTTP.
    versionNegotiation: { mode: isHttp(server) ? "auto" : "legacy" },
  };
}
