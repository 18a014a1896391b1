// codelia sessions show, codelia sessions export: a transcript, part by part.
import type { Client, Params } from "@codelia/protocol";
import { type CliIo, exitCode } from "../io.ts";

/** @effects writes to standard output; of a long session no more than a part is in memory */
export async function writeTranscript(
  client: Client,
  params: Omit<Params<"session.export">, "cursor">,
  { stdout }: CliIo,
): Promise<number> {
  let part = await client.call("session.export", params);
  const { id } = part.session;
  for (;;) {
    stdout.write(part.text);
    await stdout.drained();
    if (part.next_cursor === undefined) return exitCode.done;
    part = await client.call("session.export", { ...params, id, cursor: part.next_cursor });
  }
}
