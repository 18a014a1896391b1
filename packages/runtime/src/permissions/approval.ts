// Decides whether a tool call may be executed, by approval mode and by asking. Nothing is allowed by guessing.
import { type DecidableCall, isInside, type ToolAccess } from "@codelia/core";
import type { ApprovalMode, ConfirmParams, ConfirmResult } from "@codelia/protocol";
import type { FileSystem, PermissionDecision } from "@codelia/shared-types";

export interface ApprovalOptions {
  readonly mode: ApprovalMode;
  readonly fs: FileSystem;
  /** Reads inside are free; writes inside are free in `auto-edit`. Real path. */
  readonly workspace: string;
  /** Where tool outputs are kept: always readable. Real path. */
  readonly outputs: string;
  /** Absent: there is nobody to ask, and what would be asked is refused. */
  readonly confirm: ((params: ConfirmParams) => Promise<ConfirmResult>) | undefined;
}

export class Approval {
  readonly #options: ApprovalOptions;
  readonly #allowedForSession = new Set<string>();
  #refused = 0;

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  /** How many calls were refused because nobody could be asked. */
  get refusedCalls(): number {
    return this.#refused;
  }

  async decide(call: DecidableCall): Promise<PermissionDecision> {
    const { access } = call.prepared;
    const freely = await this.#isFree(access);
    if (freely !== undefined) return { decision: "allow", by: "mode", reason: freely };
    const { confirm } = this.#options;
    if (confirm === undefined) {
      this.#refused += 1;
      return {
        decision: "deny",
        by: "no_user",
        reason: `${whatFor(access)} needs approval and nobody can be asked. ${wayOut(access)}`,
      };
    }
    const key = sessionKey(call.tool, access);
    if (this.#allowedForSession.has(key))
      return { decision: "allow", by: "user", reason: "allowed for this session" };
    return this.#ask(call, key, confirm);
  }

  async #ask(
    call: DecidableCall,
    key: string,
    confirm: NonNullable<ApprovalOptions["confirm"]>,
  ): Promise<PermissionDecision> {
    const { title, access, preview } = call.prepared;
    const answer = await confirm({
      call_id: call.id,
      tool: call.tool,
      title,
      detail: detailOf(access),
      ...(preview === undefined ? {} : { preview }),
    });
    if (answer.decision === "allow_session") this.#allowedForSession.add(key);
    if (answer.decision !== "deny") return { decision: "allow", by: "user", reason: "allowed by the user" };
    return { decision: "deny", by: "user", reason: answer.reason ?? "The user said no." };
  }

  /** The reason why no question is needed; `undefined`: one is. */
  async #isFree(access: ToolAccess): Promise<string | undefined> {
    const { mode } = this.#options;
    if (mode === "full") return "full approval";
    if (access.kind === "none") return "touches nothing";
    if (access.kind === "read" && (await this.#areInside(access.paths, "read")))
      return "reads inside the workspace";
    if (access.kind === "write" && mode === "auto-edit" && (await this.#areInside(access.paths, "write"))) {
      return "auto-edit: writes inside the workspace";
    }
    return undefined;
  }

  async #areInside(paths: readonly string[], kind: "read" | "write"): Promise<boolean> {
    const { workspace, outputs } = this.#options;
    for (const path of paths) {
      const real = await this.#realPathOf(path);
      if (real === undefined) return false;
      if (isInside(real, workspace) && !(kind === "write" && isProtected(real, workspace))) continue;
      if (kind === "read" && isInside(real, outputs)) continue;
      return false;
    }
    return true;
  }

  /** Where a path really leads: links resolved, also when its last parts do not exist yet. */
  async #realPathOf(path: string): Promise<string | undefined> {
    const { fs } = this.#options;
    const missing: string[] = [];
    let existing = path;
    while (true) {
      const stat = await fs.lstat(existing).catch(() => null);
      // A link to nothing could lead anywhere once it is written through.
      if (
        stat === null ||
        (stat?.kind === "link" && (await fs.realPath(existing).catch(() => undefined)) === undefined)
      )
        return undefined;
      if (stat !== undefined) break;
      const end = existing.lastIndexOf("/");
      if (end < 0) return undefined;
      missing.unshift(existing.slice(end + 1));
      existing = existing.slice(0, end) || "/";
      if (existing === "/") break;
    }
    const real = await fs.realPath(existing).catch(() => undefined);
    return real === undefined ? undefined : [real === "/" ? "" : real, ...missing].join("/");
  }
}

// Changing these changes what runs or counts next time, so they are never written without asking.
const protectedNames = [".git", ".codelia", ".agents"];

function isProtected(path: string, workspace: string): boolean {
  const names = path.slice(workspace.length).split("/");
  return names.some((name) => protectedNames.includes(name));
}

function sessionKey(tool: string, access: ToolAccess): string {
  return JSON.stringify([tool, detailOf(access)]);
}

function detailOf(access: ToolAccess): string {
  if (access.kind === "command") return access.command;
  if (access.kind === "network") return access.url;
  return access.kind === "none" ? "" : access.paths.join("\n");
}

function whatFor(access: ToolAccess): string {
  switch (access.kind) {
    case "none":
      return "This call";
    case "read":
      return "Reading outside the workspace";
    case "write":
      return "Writing files";
    case "command":
      return "Running a command";
    case "network":
      return "Reaching the network";
  }
}

function wayOut(access: ToolAccess): string {
  return access.kind === "write"
    ? "The user can start the run with --approval auto-edit or --approval full."
    : "The user can start the run with --approval full, or in a terminal.";
}
