// The tool `fetch_url`: a page of the web as text.
import { type Tool, ToolError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import { z } from "zod";
import type { ToolEnvironment } from "./environment.ts";
import {
  checkAddress,
  decodeText,
  type FetchedPage,
  htmlToText,
  isHtml,
  isTextual,
  parseContentType,
  requestPage,
} from "./web/index.ts";

const parameters = z.strictObject({ url: z.string().min(1).max(8_192) });

export type FetchUrlArguments = z.infer<typeof parameters>;

export interface FetchUrlOptions {
  /** In milliseconds, for the whole call. */
  readonly timeLimit?: number;
}

const description = "GET an http(s) URL as text. HTML becomes Markdown.";
const defaultTimeLimit = 30_000;
const maxBody = 2 * 1024 * 1024;

/** @effects of its calls: network, without cookies and credentials */
export function createFetchUrlTool(
  _environment: ToolEnvironment,
  { timeLimit = defaultTimeLimit }: FetchUrlOptions = {},
): Tool<FetchUrlArguments> {
  return {
    name: "fetch_url",
    description,
    parameters,
    async prepare({ url: address }) {
      const url = checkAddress(address);
      return {
        title: `fetch ${visibleName(url.href)}`,
        paths: [],
        access: { kind: "network", url: url.href },
        async execute({ signal, output }) {
          const limit = AbortSignal.timeout(timeLimit);
          try {
            const page = await requestPage(url, AbortSignal.any([signal, limit]));
            await output.write(await pageText(page));
          } catch (error) {
            throw failure(error, url, signal, limit.aborted ? timeLimit : undefined);
          }
        },
      };
    },
  };
}

async function pageText(page: FetchedPage): Promise<string> {
  const contentType = parseContentType(page.contentType);
  if (!isTextual(contentType)) {
    // Nothing of it is read.
    await page.body[Symbol.asyncIterator]().return?.();
    const size = page.size === undefined ? "of unknown size" : `${page.size} bytes`;
    throw new ToolError(
      `${visibleName(page.url)} is ${visibleName(contentType.type)}, ${size}: only text is fetched.`,
    );
  }
  const { bytes, isCut } = await readBody(page);
  if (contentType.type === "" && bytes.includes(0)) {
    throw new ToolError(`${visibleName(page.url)} has no content type and is no text.`);
  }
  const text = decodeText(bytes, contentType);
  const body = isHtml(contentType) ? htmlToText(text, page.url) : text;
  const cut = isCut ? `\n[cut: only the first ${maxBody / 1024 / 1024} MiB were read]\n` : "";
  return `${visibleName(page.url)} HTTP ${page.status}\n\n${body}${cut}`;
}

async function readBody(page: FetchedPage): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of page.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBody) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBody), isCut: size > maxBody };
}

function failure(error: unknown, url: URL, signal: AbortSignal, timeLimit: number | undefined): unknown {
  if (error instanceof ToolError) return error;
  if (signal.aborted) return signal.reason;
  if (timeLimit !== undefined) {
    return new ToolError(`${visibleName(url.href)} took longer than ${timeLimit / 1_000} s.`);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ToolError(`${visibleName(url.href)} could not be fetched: ${visibleName(reason)}`);
}
