// `/sessions`, `/resume`, `/fork` and `/new`: which session the next prompt goes to.
import type { Result, SessionSummary, TranscriptEntry } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";
import type { Desk } from "../desk.ts";
import { shownLine } from "../screen/index.ts";
import { entryBlocks, noticeBlock } from "../transcript/index.ts";
import { fitting } from "./fitting.ts";

const maxListed = 200;
const pageSize = 1000;
/** Of a long session the end is shown; the rest is in its journal. */
const shownEntries = 60;

export async function sessionsCommand(desk: Desk): Promise<void> {
  const listed = desk.client.call("session.list", { cwd: desk.cwd, all: false, limit: maxListed });
  let forked: SessionSummary | undefined;
  const chosen = await desk.pick<SessionSummary>({
    title: "Sessions of this project",
    choose: "go on with it",
    load: async (query) => sessionItems(await listed, query),
    alternate: {
      name: "go on with a copy",
      act: async (session) => {
        forked = session;
        return "close";
      },
    },
  });
  if (chosen !== undefined) await resumeSession(desk, chosen.id);
  else if (forked !== undefined) await enter(desk, { how: "fork", id: forked.id });
}

function sessionItems({ sessions, root }: Result<"session.list">, query: string) {
  return fitting(query, sessions, ({ title, id }) => `${title} ${id}`).map((session) => ({
    value: session,
    label: shownLine(session.title) || "(no prompt)",
    note: [
      session.updated_at.slice(0, 16).replace("T", " "),
      session.state,
      ...(session.root === root ? [] : [visibleName(session.root)]),
      session.id.slice(-8),
    ].join(" · "),
  }));
}

export async function resumeCommand(desk: Desk, id: string): Promise<void> {
  if (id === "") await sessionsCommand(desk);
  else await resumeSession(desk, id);
}

export async function forkCommand(desk: Desk): Promise<void> {
  const { session } = desk.conversation;
  if (session === undefined)
    throw new Error("there is nothing to copy yet: nothing was said in this session");
  desk.conversation.enter({ how: "fork", id: session });
  say(desk, `The next prompt goes to a copy of ${session}.`);
}

export function newCommand(desk: Desk): void {
  desk.conversation.enter(undefined);
  say(desk, "The next prompt begins a new session.");
}

/** @error ProtocolError, and the session stays as it was */
export async function resumeSession(desk: Desk, id: string): Promise<void> {
  await enter(desk, { how: "resume", id });
}

/** Shows the end of the session that `--continue` and `--resume` name. */
export async function printLastSession(desk: Desk): Promise<void> {
  const { session } = desk.conversation;
  await show(desk, session);
}

async function enter(desk: Desk, choice: { how: "resume" | "fork"; id: string }): Promise<void> {
  const session = await show(desk, choice.id);
  desk.conversation.enter({ ...choice, id: session.id });
  say(
    desk,
    choice.how === "fork" ? `The next prompt goes to a copy of ${session.id}.` : `${session.id} goes on.`,
  );
}

async function show(desk: Desk, id: string | undefined): Promise<SessionSummary> {
  const { session, shown, isCut, prompts, notices } = await readEnd(desk, id);
  const { width, style } = desk;
  desk.print([
    "",
    style.dim(`── ${shownLine(session.title)}`),
    ...(isCut
      ? noticeBlock(`What came before is not shown: codelia sessions show ${session.id}`, width, style)
      : []),
    ...entryBlocks(shown, width, style),
    ...notices.flatMap((notice) => noticeBlock(notice, width, style)),
  ]);
  desk.remember(prompts);
  return session;
}

/** The last entries alone, however long the session is; the prompts among all that was read are there to be asked again. */
async function readEnd({ client, cwd }: Desk, id: string | undefined) {
  let entries: TranscriptEntry[] = [];
  let chosen = id === undefined ? {} : { id };
  let cursor: string | undefined;
  const notices: string[] = [];
  for (;;) {
    const page: Result<"session.history"> = await client.call("session.history", {
      cwd,
      limit: pageSize,
      from: "end",
      ...chosen,
      ...(cursor === undefined ? {} : { cursor }),
    });
    // The last session may be another one by the next page.
    chosen = { id: page.session.id };
    notices.push(...page.notices);
    entries = [...page.entries, ...entries];
    cursor = page.next_cursor;
    if (cursor !== undefined && entries.length < shownEntries) continue;
    const shown = entries.slice(-shownEntries);
    return {
      session: page.session,
      shown,
      isCut: cursor !== undefined || shown.length < entries.length,
      prompts: entries.flatMap((entry) => (entry.type === "prompt" ? [entry.text] : [])),
      notices,
    };
  }
}

function say(desk: Desk, text: string): void {
  desk.print(["", ...noticeBlock(text, desk.width, desk.style)]);
}
