// Takes a lock away whose owner cannot be seen from here, because somebody says that it is dead.
import { nodeProcesses, removeFile } from "@codelia/storage";
import { ExecutionError } from "../error.ts";
import { type ClaimPlace, ownerName, ownerOfIssue } from "./claim.ts";

/**
 * @output who had it; undefined when nobody did
 * @effects removes the owner's lock
 * @error  ExecutionError OwnerAlive when the owner is a process of this machine that runs
 */
export async function unlockIssue(place: ClaimPlace, issue: number): Promise<string | undefined> {
  const found = await ownerOfIssue(place, issue);
  if (found === undefined) return undefined;
  const { owner, path } = found;
  const self = await (place.processes ?? nodeProcesses).self();
  const isSeen =
    owner !== undefined &&
    owner.host === self.host &&
    owner.bootId === self.bootId &&
    owner.pidNamespace === self.pidNamespace;
  if (isSeen) {
    throw new ExecutionError(
      "OwnerAlive",
      `Issue ${issue} is being worked on by ${ownerName(owner)}, which runs. End it first.`,
    );
  }
  await removeFile(path, place.disk);
  return ownerName(owner);
}
