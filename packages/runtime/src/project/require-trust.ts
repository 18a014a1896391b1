// What a project's own files decide needs the user's word first.
import { ProtocolError } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";
import type { ProjectTrust } from "./project.ts";

/** @error ProtocolError `untrusted`, with how to trust it */
export function requireTrust({ state }: ProjectTrust, root: string): void {
  if (state !== "untrusted") return;
  const path = visibleName(root);
  throw new ProtocolError(
    "untrusted",
    `${path}: this project is not trusted`,
    `Trust it once with: codelia trust ${path}\nor for this run only with --trust.`,
  );
}
