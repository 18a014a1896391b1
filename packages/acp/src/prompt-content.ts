// What an editor sends as a prompt, as a run takes it.
import { fileURLToPath } from "node:url";
import { type ContentBlock, RequestError } from "@agentclientprotocol/sdk";
import type { Params } from "@codelia/protocol";

export type PromptContent = Required<Pick<Params<"run.start">, "prompt" | "images" | "attachments">>;

const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** @error RequestError for content that no model can be given */
export function promptContent(blocks: readonly ContentBlock[]): PromptContent {
  let prompt = "";
  const images: PromptContent["images"] = [];
  const attachments: PromptContent["attachments"] = [];
  const addImage = (mediaType: string, data: string) => {
    if (!imageTypes.includes(mediaType)) throw unsupported(`an image of type ${mediaType}`);
    images.push({ media_type: mediaType, data });
  };
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        prompt += block.text;
        break;
      case "image":
        addImage(block.mimeType, block.data);
        break;
      case "resource_link":
        // An @-mention stands in the middle of a sentence; the model opens the file if it needs it.
        prompt += `@${pathOf(block.uri)}`;
        break;
      case "resource": {
        const { resource } = block;
        prompt += `@${pathOf(resource.uri)}`;
        if ("text" in resource) attachments.push({ name: pathOf(resource.uri), text: resource.text });
        else addImage(resource.mimeType ?? "of an unknown type", resource.blob);
        break;
      }
      case "audio":
        throw unsupported("audio");
    }
  }
  return { prompt, images, attachments };
}

/** A file by its path, with the lines that the editor points to; everything else by its address. */
function pathOf(uri: string): string {
  const url = URL.parse(uri);
  if (url?.protocol !== "file:") return uri;
  const lines = url.hash;
  url.hash = "";
  url.search = "";
  try {
    return fileURLToPath(url) + lines;
  } catch {
    return uri;
  }
}

function unsupported(what: string): RequestError {
  return new RequestError(
    -32602,
    `${what} cannot be sent: text, images (PNG, JPEG, GIF, WebP) and text resources can`,
    {
      code: "invalid_params",
    },
  );
}
