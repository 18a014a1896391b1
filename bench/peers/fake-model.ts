// The model that all agents talk to: asks for one file after the other with the agent's own tool, then ends.
// Everything it needs to know is in the request, so an agent that retries gets the same answer again.
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { parseJson } from "./json.ts";
import { serialisePrompt } from "./prefix.ts";
import { readingTool } from "./reading-tool.ts";
import { type Answer, type Wire, wires } from "./wires/index.ts";

export interface Script {
  /** A word of the prompt that tells this run's conversation from every other request. */
  readonly token: string;
  /** The files to ask for, in order, each with a word that only its content has. */
  readonly files: readonly { readonly path: string; readonly word: string }[];
}

/** A request of the conversation. */
export interface Turn {
  /** When its last byte had arrived, on the clock of `performance.now`. */
  readonly at: number;
  readonly bytes: number;
  readonly toolResults: number;
  readonly prompt: Buffer;
}

export interface Conversation {
  readonly turns: Turn[];
  /** Requests that are no part of the conversation (titles, model lists, counts), as `METHOD path`. */
  readonly others: string[];
  /** A tool result that did not bring the file's content: the figures would be about a failing tool. */
  fault: string | undefined;
  /** Settles when the last answer of the script has been sent. */
  readonly finished: Promise<void>;
}

export class FakeModel {
  readonly #server = createServer((request, response) => this.#receive(request, response));
  #script: Script = { token: "", files: [] };
  #conversation: Conversation = newConversation().conversation;
  #finish: () => void = () => {};

  /** @effects listens on a free port of the loopback interface @output its address, without a slash at the end */
  async listen(): Promise<string> {
    // Some agents try a WebSocket first; they must be told at once that there is none.
    this.#server.on("upgrade", (_request, socket) => {
      socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the fake model got no port");
    return `http://127.0.0.1:${address.port}`;
  }

  /** Starts a new conversation; what still arrives for an earlier one counts as another request. */
  begin(script: Script): Conversation {
    const { conversation, finish } = newConversation();
    this.#script = script;
    this.#conversation = conversation;
    this.#finish = finish;
    return conversation;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    // An agent that is ended in the middle of a request breaks its connection.
    request.on("error", () => response.destroy());
    request.on("end", () => this.#answer(request, response, Buffer.concat(chunks), performance.now()));
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: Buffer, at: number): void {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const source = body.toString();
    const json = parseJson(source);
    const wire = request.method === "POST" ? wires.find((candidate) => candidate.accepts(path)) : undefined;
    if (!wire) {
      this.#conversation.others.push(`${request.method} ${path}`);
      send(response, "application/json", JSON.stringify(auxiliaryDocument(path)));
      return;
    }
    const inputTokens = Math.ceil(body.length / 4);
    const { answer, last } = this.#next(wire, path, source, json, at);
    if (wire.streams(path, json)) send(response, "text/event-stream", wire.stream(answer, inputTokens));
    else send(response, "application/json", JSON.stringify(wire.document(answer, inputTokens)));
    if (last) response.once("finish", this.#finish);
  }

  /** A request belongs to the conversation when it has the run's token and offers a tool that reads files. */
  #next(
    wire: Wire,
    path: string,
    source: string,
    json: unknown,
    at: number,
  ): { answer: Answer; last: boolean } {
    const { token, files } = this.#script;
    const reader = readingTool(wire.tools(json));
    if (!reader || !source.includes(token)) {
      this.#conversation.others.push(`POST ${path}`);
      return { answer: { kind: "text", id: "aside", text: "Reading files" }, last: false };
    }
    const toolResults = wire.toolResults(json);
    const prompt = serialisePrompt(wire.promptParts(json));
    this.#conversation.turns.push({ at, bytes: Buffer.byteLength(source), toolResults, prompt });
    const previous = files[toolResults - 1];
    if (previous && !source.includes(previous.word)) {
      this.#conversation.fault ??= `the result of ${reader.tool} for ${previous.path} lacks the file's content`;
    }
    const file = files[toolResults];
    const id = `call_${String(toolResults + 1).padStart(4, "0")}`;
    if (!file) return { answer: { kind: "text", id, text: "All files are read." }, last: true };
    const call = { id, name: reader.tool, arguments: reader.argumentsFor(file.path) };
    return { answer: { kind: "call", ...call }, last: false };
  }
}

function newConversation(): { conversation: Conversation; finish: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { conversation: { turns: [], others: [], fault: undefined, finished: promise }, finish: resolve };
}

/** Harmless answers for what agents ask besides: counts, lists of models, telemetry. */
function auxiliaryDocument(path: string): unknown {
  if (path.endsWith("/count_tokens")) return { input_tokens: 100 };
  if (path.endsWith(":countTokens")) return { totalTokens: 100 };
  if (path.endsWith("/models")) return { object: "list", data: [], models: [], has_more: false };
  return {};
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { "content-type": type, "cache-control": "no-cache" });
  response.end(body);
}
