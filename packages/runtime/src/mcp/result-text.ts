// What a server answered, as text for the model. Whatever is no text is told by its kind and size.
import { pipedText } from "@codelia/shared-types";
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

export function partsText(parts: readonly ResultPart[], structured: unknown): string {
  const texts = parts.map(partText);
  // A server that speaks both says the same twice; the text is what it means for a model.
  if (texts.length === 0 && structured !== undefined)
    return pipedText(JSON.stringify(structured, undefined, 1));
  return texts.join("\n");
}

function partText(part: ResultPart): string {
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
  const bytes = typeof data === "string" ? Math.floor((data.length * 3) / 4) : 0;
  return `[${kind}, ${cleanText(words(mimeType, "of an unknown type"))}, ${bytes} bytes: not shown]`;
}

/** What is no text says nothing. */
function words(value: unknown, otherwise = ""): string {
  return typeof value === "string" ? value : otherwise;
}
