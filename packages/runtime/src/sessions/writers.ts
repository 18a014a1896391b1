// Which versions of the program wrote the last sessions, also those that this one cannot read.
import { type Disk, readFirstEntry } from "@codelia/storage";
import { findSessions } from "./find.ts";
import { looseStart } from "./read-records.ts";

export interface SessionWriter {
  readonly id: string;
  readonly program: string | undefined;
  readonly format: number;
}

/**
 * @output the writers of the last used sessions of all repositories, without those that cannot be read
 * @effects reads the first record of each
 */
export async function sessionWriters(
  disk: Disk,
  codeliaHome: string,
  limit: number,
): Promise<SessionWriter[]> {
  const found = (await findSessions(disk, { codeliaHome })).slice(0, limit);
  const writers = found.map(async ({ id, directory }) => {
    const first = await readFirstEntry(directory, { disk }).catch(() => undefined);
    const start = looseStart(first?.record);
    return start === undefined ? undefined : { id, program: start.program, format: start.format };
  });
  return (await Promise.all(writers)).filter((writer) => writer !== undefined);
}
