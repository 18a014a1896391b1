// What a server answered, as text for the model. Whatever is no text is told by its kind and size.
import { pipedText, type ToolImage } from "@codelia/shared-types";
import { cleanText } from "./offered-tools.ts";

/** A part of an answer; only what is used of it. */
export interface ResultPart {
  readonly type: string;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly name?: unknown;
  readonly resource?: unknown;
}

/** @input shown: parts that the model is shown besides */
export function partsText(
  parts: readonly ResultPart[],
  structured: unknown,
  shown: ReadonlyMap<ResultPart, ToolImage> = new Map(),
): string {
  const texts = parts.map((part) => partText(part, shown.get(part)));
  // A server that speaks both says the same twice; the text is what it means for a model.
  if (texts.length === 0 && structured !== undefined)
    return pipedText(JSON.stringify(structured, undefined, 1));
  return texts.join("\n");
}

function partText(part: ResultPart, shown: ToolImage | undefined): string {
  if (shown !== undefined) return `[${shown.mediaType}, ${bytesOf(shown.data)} bytes: it is shown below]`;
  switch (part.type) {
    case "text":
      return pipedText(words(part.text));
    case "image":
    case "audio":
      return binary(part.type, part.mimeType, part.data);
    case "resource":
      return resourceText(part.resource);
    case "resource_link":
      return `[resource ${cleanText(words(part.uri))} ${cleanText(words(part.name))}; read it with mcp_call]`;
    default:
      return `[${cleanText(part.type)}: not shown]`;
  }
}

/** The contents of a resource. */
export function resourceText(resource: unknown): string {
  if (typeof resource !== "object" || resource === null) return "[an empty resource]";
  const uri = cleanText("uri" in resource ? words(resource.uri) : "");
  if ("text" in resource) return `[resource ${uri}]\n${pipedText(words(resource.text))}`;
  const mimeType = "mimeType" in resource ? resource.mimeType : undefined;
  return `[resource ${uri}]\n${binary("data", mimeType, "blob" in resource ? resource.blob : "")}`;
}

function binary(kind: string, mimeType: unknown, data: unknown): string {
  const type = cleanText(words(mimeType, "of an unknown type"));
  return `[${kind}, ${type}, ${bytesOf(words(data))} bytes: not shown]`;
}

function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}

/** What is no text says nothing. */
function words(value: unknown, otherwise = ""): string {
  return typeof value === "string" ? value : otherwise;
}
