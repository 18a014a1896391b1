// `/undo`, `/diff` and `/compact`: what was done to files, and to the context.
import { visibleName } from "@codelia/shared-types";
import type { Desk } from "../desk.ts";
import { shownLine } from "../screen/index.ts";
import { diffBlock, noticeBlock } from "../transcript/index.ts";

const wholeDiff = 2000;

export async function undoCommand(desk: Desk): Promise<void> {
  const { client, cwd, style, width } = desk;
  const id = sessionOf(desk);
  const plan = await client.call("session.undo", { cwd, id, dry_run: true });
  desk.print([
    "",
    style.bold(`Undo “${shownLine(plan.prompt).slice(0, 60)}”`),
    ...plan.files.map(({ path, action }) => `  ${undoWords[action]} ${visibleName(path)}`),
    ...plan.commands.flatMap((command) => noticeBlock(`what this changed stays: ${command}`, width, style)),
  ]);
  const { value } = await desk.ask({
    title: "Put these files back?",
    answers: [
      { value: true, label: "yes" },
      { value: false, label: "no" },
    ],
    otherwise: false,
  });
  if (!value) return;
  const { files } = await client.call("session.undo", { cwd, id, dry_run: false });
  desk.print(
    noticeBlock(
      `${files.length === 1 ? "1 file is as it was" : `${files.length} files are as they were`} before.`,
      width,
      style,
    ),
  );
}

const undoWords = { restored: "restore", removed: "remove", unchanged: "is so already:" } as const;

export async function diffCommand(desk: Desk): Promise<void> {
  const { client, cwd, style, width } = desk;
  const { files, commands, notices } = await client.call("session.diff", { cwd, id: sessionOf(desk) });
  desk.print([
    "",
    style.bold(files.length === 0 ? "No file differs from what it was" : "Changed in this session"),
    ...files.flatMap(({ diff }) => diffBlock(diff, width, style, wholeDiff)),
    ...commands.flatMap((command) => noticeBlock(`may have changed more: ${command}`, width, style)),
    ...notices.flatMap((notice) => noticeBlock(notice, width, style)),
  ]);
}

export async function compactCommand(desk: Desk): Promise<void> {
  const id = sessionOf(desk);
  const { client, cwd, conversation, style, width } = desk;
  await desk.work(async (signal) => {
    const { model } = conversation;
    const params = { cwd, id, ...(model === undefined ? {} : { model }) };
    const result = await client.call("session.compact", params, { signal });
    const words = `compacted: about ${result.tokens_before} tokens became ${result.tokens_after}`;
    desk.print(noticeBlock(words, width, style));
  });
}

function sessionOf({ conversation }: Desk): string {
  if (conversation.session !== undefined) return conversation.session;
  throw new Error("nothing was said in this session yet");
}
