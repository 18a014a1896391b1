// A server's list of models, read with little trust: anything may answer.
import { z } from "zod";

const maxBytes = 1024 * 1024;
const id = z.string().min(1).max(200);

/** OpenAI, Anthropic and every compatible server have `data`, Google has `models`. Without models Ollama's is null. */
const ModelListSchema = z.union([
  z
    .looseObject({ data: z.array(z.looseObject({ id })).max(10_000).nullable() })
    .transform(({ data }) => (data ?? []).map((model) => model.id)),
  z
    .looseObject({ models: z.array(z.looseObject({ name: id })).max(10_000) })
    .transform(({ models }) => models.map(({ name }) => name.replace(/^models\//, ""))),
]);

/**
 * @output the ids that the text lists
 * @error  throws for a text that is no such list
 */
export function parseModelList(text: string): string[] {
  // An id goes into commands and onto screens.
  return ModelListSchema.parse(JSON.parse(text)).filter((name) => !/[\s\p{Cc}\p{Cf}]/u.test(name));
}

/** @error RangeError for an answer of more than 1 MiB */
export async function boundedText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new RangeError("the answer is too long");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
