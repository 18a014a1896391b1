// Gets one page: every redirect is checked before it is followed, time and size are limited.
import { ToolError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";

export interface FetchedPage {
  readonly url: string;
  readonly status: number;
  readonly contentType: string | null;
  /** What the server says; undefined when it does not. */
  readonly size: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

const maxRedirects = 5;

/** @error ToolError for an address that is not fetched */
export function checkAddress(address: string): URL {
  const shown = visibleName(address.slice(0, 500));
  if (!URL.canParse(address)) throw new ToolError(`${shown} is no URL: write it whole, with https://.`);
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new ToolError(`${visibleName(url.protocol)} is not fetched: only http and https are.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ToolError("A URL with a user name or password is not fetched: leave them out.");
  }
  return url;
}

/**
 * @effects network; sends no cookies and no credentials
 * @error   ToolError; the signal's reason when it is aborted
 */
export async function requestPage(start: URL, signal: AbortSignal): Promise<FetchedPage> {
  let url = start;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const response = await fetch(url, {
      redirect: "manual",
      credentials: "omit",
      signal,
      headers: { "user-agent": "codelia", accept: "text/html, text/*, application/json, */*;q=0.5" },
    });
    const target = response.headers.get("location");
    if (![301, 302, 303, 307, 308].includes(response.status) || target === null) return pageOf(url, response);
    await response.body?.cancel();
    url = checkRedirect(url, target);
  }
  throw new ToolError(`${visibleName(start.href)} redirects more than ${maxRedirects} times.`);
}

/** The permission was given for a host: a redirect to another one is left to the model, which asks anew. */
function checkRedirect(from: URL, target: string): URL {
  if (!URL.canParse(target, from.href)) {
    throw new ToolError(
      `${visibleName(from.href)} redirects to ${visibleName(target.slice(0, 500))}, which is no URL.`,
    );
  }
  const url = checkAddress(new URL(target, from.href).href);
  if (from.protocol === "https:" && url.protocol === "http:") {
    throw new ToolError(
      `${visibleName(from.href)} redirects to an unencrypted page, ${visibleName(url.href)}.`,
    );
  }
  const isUpgrade = from.protocol !== url.protocol && from.port === "" && url.port === "";
  const isSameHost = siteOf(from) === siteOf(url) && (from.port === url.port || isUpgrade);
  if (isSameHost) return url;
  throw new ToolError(
    `${visibleName(from.href)} redirects to another host. Fetch ${visibleName(url.href)} instead.`,
  );
}

function siteOf(url: URL): string {
  return url.hostname.replace(/^www\./, "");
}

function pageOf(url: URL, response: Response): FetchedPage {
  const size = response.headers.get("content-length");
  return {
    url: url.href,
    status: response.status,
    contentType: response.headers.get("content-type"),
    size: size !== null && /^\d+$/.test(size) ? Number(size) : undefined,
    body: bytesOf(response.body),
  };
}

/** Ending the loop early ends the transfer. */
async function* bytesOf(body: Response["body"]): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const part: { readonly done: boolean; readonly value?: unknown } = await reader.read();
      if (part.done) return;
      if (part.value instanceof Uint8Array) yield part.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
