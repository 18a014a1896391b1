// Images in a server's answer that the model is shown. A server says what it likes: what is no such image stays a word.
import { imageMediaType, maxImageBase64, type ToolImage } from "@codelia/shared-types";
import type { ResultPart } from "./result-text.ts";

/** More would cost more than an answer is worth. */
const maxImages = 8;

/** @input label: what they are of. @output by part; parts that are not in it are told by kind and size */
export function shownImages(parts: readonly ResultPart[], label: string): ReadonlyMap<ResultPart, ToolImage> {
  const shown = new Map<ResultPart, ToolImage>();
  for (const part of parts) {
    const image = shown.size < maxImages ? imageIn(part) : undefined;
    if (image !== undefined) shown.set(part, { ...image, label: `${label}, image ${shown.size + 1}` });
  }
  return shown;
}

function imageIn({ type, data }: ResultPart): Omit<ToolImage, "label"> | undefined {
  if (type !== "image" || typeof data !== "string" || data.length > maxImageBase64) return undefined;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return undefined;
  // By its bytes: what the server calls it is its own affair.
  const mediaType = imageMediaType(Buffer.from(data.slice(0, 64), "base64"));
  return mediaType === undefined ? undefined : { type: "image", mediaType, data };
}
