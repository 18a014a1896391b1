// codelia sessions show, codelia sessions export: a transcript, page by page.
import type { Client, Params } from "@codelia/protocol";
import { type CliIo, exitCode } from "../io.ts";
import {
  htmlFormat,
  markdownFormat,
  stepWriter,
  type TranscriptWriter,
  terminalFormat,
  transcriptJson,
} from "../render/index.ts";

export type TranscriptForm = "terminal" | "md" | "html" | "json";

const writers: Readonly<Record<TranscriptForm, () => TranscriptWriter>> = {
  terminal: () => stepWriter(terminalFormat()),
  md: () => stepWriter(markdownFormat),
  html: () => stepWriter(htmlFormat),
  json: transcriptJson,
};

const pageEntries = 200;

/** @effects writes to standard output; of a long session no more than a page is in memory */
export async function writeTranscript(
  client: Client,
  session: Pick<Params<"session.history">, "cwd" | "id">,
  form: TranscriptForm,
  { stdout }: CliIo,
): Promise<number> {
  const writer = writers[form]();
  const notices: string[] = [];
  let page = await client.call("session.history", { ...session, limit: pageEntries });
  const { id } = page.session;
  stdout.write(writer.begin(page.session));
  for (;;) {
    for (const entry of page.entries) stdout.write(writer.add(entry));
    await stdout.drained();
    notices.push(...page.notices);
    if (page.next_cursor === undefined) break;
    const cursor = page.next_cursor;
    page = await client.call("session.history", { cwd: session.cwd, id, cursor, limit: pageEntries });
  }
  stdout.write(writer.end(notices));
  return exitCode.done;
}
