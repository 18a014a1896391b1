// Whether Codelia's home can be written to, found out by writing: a read-only mount, a full disk and a file in the way
// cannot be seen otherwise, and root may write where the mode says no.
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { explainSystemError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import { createFlags, type Disk, makeDirectory, quietly, writeAll } from "@codelia/storage";
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import { type DoctorFinding, fine, problem } from "./finding.ts";

export async function checkHome(
  { disk }: Pick<RuntimeEnvironment, "disk">,
  { codeliaHome }: Pick<Project, "codeliaHome">,
): Promise<DoctorFinding[]> {
  const folders = [codeliaHome];
  for (const name of ["sessions", "trust"]) {
    const folder = join(codeliaHome, name);
    if ((await disk.lstat(folder).catch(() => undefined)) !== undefined) folders.push(folder);
  }
  for (const folder of folders) {
    const fault = await writingFault(disk, folder);
    if (fault !== undefined) {
      return [
        problem(
          "home",
          `${visibleName(folder)} cannot be written to: ${fault}. Sessions, trust and settings are kept there`,
          `Make ${visibleName(folder)} a directory that you may write to, or name another one in CODELIA_HOME.`,
        ),
      ];
    }
  }
  return [fine("home", `${visibleName(codeliaHome)} can be written to`)];
}

/** @output why not; undefined: it can. What was made for the trial is gone then. */
async function writingFault(disk: Disk, folder: string): Promise<string | undefined> {
  const trial = join(folder, `.doctor-${randomBytes(6).toString("hex")}`);
  let made = 0;
  try {
    made = (await makeDirectory(disk, folder)).length;
    const file = await disk.open(trial, createFlags, 0o600);
    try {
      await writeAll(file, new TextEncoder().encode("written by codelia doctor\n"));
      await file.sync();
    } finally {
      await quietly(() => file.close());
      await quietly(() => disk.unlink(trial));
    }
    return undefined;
  } catch (error) {
    return explainSystemError(error);
  } finally {
    for (let path = folder; made > 0; path = dirname(path), made -= 1) await quietly(() => disk.rmdir(path));
  }
}
