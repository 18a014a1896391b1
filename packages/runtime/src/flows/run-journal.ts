// The journal of a run, open for writing: whoever has it is the only one that runs the flow.
import type { FlowJournal } from "@codelia/flows";
import { type Journal, openJournal } from "@codelia/storage";
import type { RuntimeEnvironment } from "../environment.ts";
import { damageNotice } from "../sessions/index.ts";

export interface OpenRunJournal extends FlowJournal {
  readonly directory: string;
  /** What was in it when it was opened. */
  readonly records: readonly unknown[];
  /** What the user should know about how it was opened. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/**
 * Made with its first record, so that a run that cannot begin leaves nothing.
 *
 * @effects with the first record: makes the run's folder, takes its lock
 */
export function newRunJournal(
  environment: RuntimeEnvironment,
  directory: string,
): Pick<OpenRunJournal, "append" | "flush" | "close"> {
  let opened: Promise<OpenRunJournal> | undefined;
  return {
    append: async (record) => {
      opened ??= openRunJournal(environment, directory);
      return await (await opened).append(record);
    },
    flush: async () => {
      if (opened !== undefined) await (await opened).flush();
    },
    close: async () => {
      if (opened !== undefined) await (await opened).close();
    },
  };
}

/** @effects takes the run's lock; a damaged end is set aside @error StorageError; `locked` says who has it */
export async function openRunJournal(
  { disk, now }: RuntimeEnvironment,
  directory: string,
): Promise<OpenRunJournal> {
  const records: unknown[] = [];
  const journal: Journal = await openJournal(directory, {
    disk,
    now,
    replay: ({ record }) => records.push(record),
  });
  return {
    directory,
    records,
    notices: journal.damage === undefined ? [] : [damageNotice(journal.damage)],
    append: (record) => journal.append(record),
    flush: () => journal.flush(),
    close: () => journal.close(),
  };
}
