// Decides whether a tool call may be executed: by rules and mode, else by asking. Nothing is allowed by guessing.
import type { RuleEntry } from "@codelia/config";
import type { DecidableCall, ToolAccess } from "@codelia/core";
import { type ConfirmParams, type ConfirmResult, UnansweredQuestion } from "@codelia/protocol";
import type { PermissionDecision, PermissionRule } from "@codelia/shared-types";
import type { SandboxStanding } from "../sandbox/index.ts";
import { type EvaluationOptions, evaluate, type Verdict } from "./evaluate.ts";
import { type ForbiddenFiles, forbiddenFiles } from "./forbidden-files.ts";
import { type PlacedRule, placeRule } from "./placed-rule.ts";
import { wireChanges } from "./wire-changes.ts";

export interface ApprovalOptions extends EvaluationOptions {
  /** Without faults; of every layer. */
  readonly rules: readonly RuleEntry[];
  /** Absent: there is nobody to ask, and what would be asked is refused. */
  readonly confirm: ((params: ConfirmParams) => Promise<ConfirmResult>) | undefined;
  /** Whoever is asked is also given the texts that a call would change. */
  readonly tellsChanges?: boolean;
  /** Puts rules into the user's config.json. @output the rules in their place */
  readonly remember: (rules: readonly PermissionRule[]) => Promise<readonly RuleEntry[]>;
  /** Calls that the user allowed for the session so far, as journalled. */
  readonly allowedCalls: readonly string[];
  /** Tells the user what turned out on the way. */
  readonly notify: (notice: string) => void;
}

type Confirmable = Extract<Verdict, { decision: "confirm" }>;

export class Approval {
  readonly #options: ApprovalOptions;
  readonly #rules: PlacedRule[];
  readonly #allowedForSession: Set<string>;
  /** Said about commands that nothing holds: it counts for no other, and for no later run. */
  readonly #allowedUnheld = new Set<string>();
  #refused = 0;

  constructor(options: ApprovalOptions) {
    this.#options = options;
    this.#rules = options.rules.map((entry) => placeRule(entry, options.bases));
    this.#allowedForSession = new Set(options.allowedCalls);
  }

  /** How many calls were refused because nobody could be asked. */
  get refusedCalls(): number {
    return this.#refused;
  }

  /** What a tool that looks through directories leaves out; undefined: nothing. */
  forbiddenFiles(tool: string): ForbiddenFiles | undefined {
    return forbiddenFiles(this.#rules, tool);
  }

  /** @effects asks the user where neither a rule nor the mode decides */
  async decide(call: DecidableCall, standing: SandboxStanding = "in_force"): Promise<PermissionDecision> {
    const verdict = await evaluate(call, this.#rules, standing, this.#options);
    if (verdict.decision !== "confirm") return verdict;
    const key = callKey(call);
    const isUnheld = call.prepared.access.kind === "command" && standing === "missing";
    if ((isUnheld ? this.#allowedUnheld : this.#allowedForSession).has(key)) return forSession(call, key);
    const { confirm } = this.#options;
    if (confirm === undefined) return this.#refuse(call.prepared.access, verdict, isUnheld);
    return this.#ask(call, verdict, isUnheld, confirm);
  }

  #refuse(access: ToolAccess, { reason, wouldAllow }: Confirmable, isUnheld: boolean): PermissionDecision {
    this.#refused += 1;
    const way = isUnheld ? wayToSandbox : wayOut(access, wouldAllow);
    return {
      decision: "deny",
      by: "no_user",
      reason: `${whatFor(access)} needs approval and nobody can be asked: ${reason}. ${way}`,
    };
  }

  async #ask(
    call: DecidableCall,
    verdict: Confirmable,
    isUnheld: boolean,
    confirm: NonNullable<ApprovalOptions["confirm"]>,
  ): Promise<PermissionDecision> {
    const { title, access, preview, changes } = call.prepared;
    const { reason, wouldAllow } = verdict;
    const remember = mayRemember(access) ? wouldAllow : [];
    const question: ConfirmParams = {
      call_id: call.id,
      tool: call.tool,
      title,
      detail: detailOf(access),
      why: reason,
      ...(preview === undefined ? {} : { preview }),
      ...(changes === undefined || !this.#options.tellsChanges ? {} : { changes: wireChanges(changes) }),
      ...(remember.length === 0 ? {} : { remember: [...remember] }),
    };
    // A question that reaches nobody is not a yes, and not a failure of the run.
    const answer = await confirm(question).catch((error: unknown) =>
      error instanceof UnansweredQuestion ? cancelled : undefined,
    );
    if (answer === undefined) return this.#refuse(access, verdict, isUnheld);
    switch (answer.decision) {
      case "deny":
        return { decision: "deny", by: "user", reason: answer.reason ?? "The user said no." };
      case "allow_once":
        return allowedByUser;
      case "allow_session": {
        const key = callKey(call);
        (isUnheld ? this.#allowedUnheld : this.#allowedForSession).add(key);
        return isUnheld ? allowedByUser : forSession(call, key);
      }
      case "allow_always":
        // What was not offered is not stored, whatever the face says.
        return remember.length === 0 ? allowedByUser : await this.#always(remember);
    }
  }

  async #always(rules: readonly PermissionRule[]): Promise<PermissionDecision> {
    try {
      const entries = await this.#options.remember(rules);
      const placed = entries.map((entry) => placeRule(entry, this.#options.bases));
      this.#rules.push(...placed);
      const [first] = placed;
      return {
        ...allowedByUser,
        reason: "allowed by the user, from now on",
        ...(first === undefined ? {} : { rule: first.deciding }),
      };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.notify(`The rule could not be remembered, so the call is allowed once: ${why}`);
      return allowedByUser;
    }
  }
}

const cancelled: ConfirmResult = { decision: "deny", reason: "The run was cancelled." };

const allowedByUser: PermissionDecision = { decision: "allow", by: "user", reason: "allowed by the user" };

/** The very same call: tool, command and directory, paths, or address. */
function callKey({ tool, prepared }: DecidableCall): string {
  return JSON.stringify({ tool, ...prepared.access });
}

function forSession({ tool }: DecidableCall, call: string): PermissionDecision {
  return {
    decision: "allow",
    by: "user",
    reason: "allowed for this session",
    rule: { effect: "allow", scope: "session", rule: { tool }, call },
  };
}

/** A rule about the network would be about every address. */
function mayRemember({ kind }: ToolAccess): boolean {
  return kind !== "network" && kind !== "none";
}

function detailOf(access: ToolAccess): string {
  if (access.kind === "command") return access.command;
  if (access.kind === "network") return access.url;
  if (access.kind === "skill") return access.path;
  if (access.kind === "mcp") return `${access.tool} ${access.call}`;
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
    case "skill":
      return "Loading a skill";
    case "mcp":
      return "Using an MCP server";
  }
}

const wayToSandbox =
  "The user can start the run in a terminal, or see what the sandbox needs: codelia sandbox check.";

function wayOut(access: ToolAccess, rules: readonly PermissionRule[]): string {
  const modes =
    access.kind === "write"
      ? "start the run with --approval auto-edit or --approval full"
      : "start the run with --approval full, or in a terminal";
  if (rules.length === 0) return `The user can ${modes}.`;
  const written = rules.map((rule) => JSON.stringify(rule)).join(", ");
  return `The user can ${modes}, or allow it in permissions.allow of config.json: ${written}`;
}
