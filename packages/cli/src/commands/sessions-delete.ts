// codelia sessions delete
import { type Client, ProtocolError } from "@codelia/protocol";
import { visibleJson, visibleName, visibleText } from "@codelia/shared-types";
import { type CliIo, exitCode } from "../io.ts";

interface DeleteOptions {
  readonly cwd: string;
  readonly ids: readonly string[];
  readonly json: boolean;
}

/** One that cannot be deleted does not keep the others. */
export async function deleteSessions(
  client: Client,
  { cwd, ids, json }: DeleteOptions,
  io: CliIo,
): Promise<number> {
  const deleted: string[] = [];
  const failed: { id: string; error: string; hint?: string }[] = [];
  for (const id of ids) {
    try {
      deleted.push((await client.call("session.delete", { cwd, id })).id);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      failed.push({ id, error: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) });
    }
  }
  if (json) io.stdout.write(`${visibleJson({ deleted, failed })}\n`);
  else {
    for (const id of deleted) io.stdout.write(`Deleted ${visibleName(id)}\n`);
    for (const { error, hint } of failed) {
      io.stderr.write(
        `codelia: ${visibleText(error)}\n${hint === undefined ? "" : `${visibleText(hint)}\n`}`,
      );
    }
  }
  return failed.length === 0 ? exitCode.done : exitCode.failed;
}
