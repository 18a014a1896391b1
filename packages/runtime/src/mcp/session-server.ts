// One server in a session: what was approved of it, its connection while there is one, and how often it failed.
import type { McpApproval, McpTool, PermissionDecision } from "@codelia/shared-types";
import type { SandboxStanding } from "../sandbox/index.ts";
import type { Secret } from "../secrets/index.ts";
import { type ApprovalStore, changeBetween, describeChange, type Offer, pinOf } from "./approvals.ts";
import { type Answer, approvalOf, askLaunch, askOffer, type Confirm } from "./approve.ts";
import { type ConfiguredServer, launchHash } from "./configured-server.ts";
import type { Connection } from "./connection.ts";
import { McpError } from "./error.ts";
import type { SessionAnswers } from "./session-answers.ts";

export interface SessionServerOptions {
  readonly root: string;
  readonly approvals: ApprovalStore;
  /** Absent: there is nobody to ask. */
  readonly confirm: Confirm | undefined;
  /** Absent: an answer holds for this run. */
  readonly answers: SessionAnswers | undefined;
  readonly now: () => Date;
  readonly connect: (server: ConfiguredServer, signal?: AbortSignal) => Promise<Connection>;
  readonly secretsOf: (server: ConfiguredServer) => Promise<Secret[]>;
  readonly standing: (server: ConfiguredServer) => Promise<SandboxStanding>;
}

// A server that fails so often in a row is left alone for the rest of the session.
const maxFailures = 3;

export class SessionServer {
  readonly server: ConfiguredServer;
  readonly #options: SessionServerOptions;
  #approval: McpApproval | undefined;
  #connection: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #failures = 0;
  /** Why there is no connection. */
  #problem: unknown;
  #isVerified = false;
  #isClosed = false;
  /** A server that was found changed is not looked at again in the session: it could change back for a moment. */
  #refusal: PermissionDecision | undefined;
  /** What the user agreed to in the middle of the session, to be told to the model once. */
  #news: string | undefined;

  constructor(server: ConfiguredServer, options: SessionServerOptions) {
    this.server = server;
    this.#options = options;
  }

  get name(): string {
    return this.server.name;
  }

  /** As approved; a model is never told anything else. Empty: it is not used. */
  get tools(): readonly McpTool[] {
    return this.#approval?.tools ?? [];
  }

  get isApproved(): boolean {
    return this.#approval?.pin !== undefined;
  }

  get instructions(): string | undefined {
    return this.#approval?.instructions;
  }

  /** What it was given by a login, and must not be shown. */
  secrets(): Promise<Secret[]> {
    return this.#options.secretsOf(this.server);
  }

  /** What changed since the model was told, once. */
  takeNews(): string | undefined {
    const news = this.#news;
    this.#news = undefined;
    return news;
  }

  /**
   * At the start of a session. Nothing is started for a server that was approved as it is.
   * @output why it is not used; undefined: it is, or the user said no earlier in this session
   * @effects asks, starts and reads a server that was not approved yet
   * @error  McpError when it cannot be started
   */
  async enter(): Promise<string | undefined> {
    const { approvals, confirm } = this.#options;
    if (this.server.fault !== undefined) return this.server.fault;
    const kept = await approvals.find(this.server);
    // Whether the sandbox holds it is looked at when it is started.
    const launches = [true, false].map((isHeld) => launchHash(this.server, { isHeld }));
    if (kept?.pin !== undefined && launches.includes(kept.launch)) {
      this.#approval = kept;
      return undefined;
    }
    const said = this.#options.answers?.find(this.server, launches);
    if (said?.answer === "yes") this.#approval = said.approval;
    if (said !== undefined) return undefined;
    const why = kept === undefined ? "it is not approved" : "its command or address is not what was approved";
    if (confirm === undefined) return why;
    const denial = await this.#approveLaunch(kept, confirm);
    if (denial !== undefined) return denial;
    const refused = await this.#approveOffer(await (await this.#open()).offer(), undefined, confirm);
    if (refused !== undefined) await this.close();
    return refused;
  }

  /**
   * Before a call: connects, and holds what the server offers now against what was approved.
   * @output the refusal; undefined: the call may go on
   * @error  McpError when it cannot be reached
   */
  async verify(signal: AbortSignal): Promise<PermissionDecision | undefined> {
    if (this.#refusal !== undefined) return this.#refusal;
    if (this.#approval === undefined) return refusal("no_user", this.#unapproved("it is not approved"));
    if (this.#approval.launch !== (await this.#launch())) {
      const denial = await this.#again((confirm) => this.#approveLaunch(this.#approval, confirm));
      if (denial !== undefined) return denial;
    }
    const connection = await this.#open(signal);
    if (this.#isVerified && !connection.toolsMayDiffer) return undefined;
    // Until it was looked at again nothing is used, also when looking fails.
    this.#isVerified = false;
    const approval = this.#approval;
    const { pin } = approval;
    const offer = await connection
      .offer((seen) => pinOf(seen) === pin)
      .catch((error: unknown) => {
        this.#problem = error;
        throw error;
      });
    if (pinOf(offer) !== pin) {
      const change = describeChange(changeBetween(approval, offer));
      const denial = await this.#again(
        (confirm) => this.#approveOffer(offer, approval, confirm),
        `it changed its tools after they were approved (${change})`,
      );
      if (denial !== undefined) return denial;
      this.#news = `MCP server ${this.name} changed its tools, and the user approved it: ${change}. mcp_search shows them as they are now.`;
    }
    this.#isVerified = true;
    return undefined;
  }

  /** Does something over the connection that `verify` found to be as approved. @error McpError */
  async use<T>(action: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = this.#connection;
    if (connection?.isOpen !== true || !this.#isVerified)
      throw this.#problem ?? new McpError("closed", this.name, "the connection broke before the call");
    try {
      const result = await action(connection);
      this.#failures = 0;
      return result;
    } catch (error) {
      if (!connection.isOpen) this.#failures += 1;
      throw error;
    }
  }

  /** For good: a call that comes after the end must not start it again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => undefined);
    await this.#connection?.close();
    this.#connection = undefined;
  }

  #open(signal?: AbortSignal): Promise<Connection> {
    // Of calls that come at once the first opens; a flight that failed is not the next one's.
    this.#opening ??= this.#reopen(signal).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #reopen(signal?: AbortSignal): Promise<Connection> {
    if (this.#isClosed) throw new McpError("closed", this.name, "it was ended with the session");
    if (this.#connection?.isOpen === true) return this.#connection;
    if (this.#failures >= maxFailures) {
      this.#problem = new McpError(
        "closed",
        this.name,
        `it failed ${maxFailures} times in a row and is not started again in this session`,
        this.server.scope === "client" ? undefined : `See what is wrong with: codelia mcp test ${this.name}`,
      );
      throw this.#problem;
    }
    await this.#connection?.close();
    this.#isVerified = false;
    try {
      this.#connection = await this.#options.connect(this.server, signal);
      this.#problem = undefined;
      return this.#connection;
    } catch (error) {
      if (signal?.aborted !== true) this.#failures += 1;
      this.#problem = error;
      throw error;
    }
  }

  /** The user's own file is the user's word; any other command, or one that nothing would hold, is asked about first. */
  async #approveLaunch(kept: McpApproval | undefined, confirm: Confirm): Promise<string | undefined> {
    const standing = await this.#options.standing(this.server);
    const isHeld = standing === "in_force";
    if (this.server.scope !== "user" || standing === "missing") {
      const why =
        kept === undefined
          ? "it was not approved yet"
          : "its command or address, or the sandbox around it, is not what was approved";
      const answer = await askLaunch(this.server, { root: this.#options.root, isHeld }, why, confirm);
      if (answer === "no") return await this.#denied("you did not want it to be started");
    }
    if (this.#approval !== undefined) this.#approval = { ...this.#approval, launch: await this.#launch() };
    return undefined;
  }

  async #launch(): Promise<string> {
    const standing = await this.#options.standing(this.server);
    return launchHash(this.server, { isHeld: standing === "in_force" });
  }

  async #approveOffer(
    offer: Offer,
    before: McpApproval | undefined,
    confirm: Confirm,
  ): Promise<string | undefined> {
    const { now, approvals, answers } = this.#options;
    const answer: Answer = await askOffer(this.server, offer, before, confirm);
    if (answer === "no") return await this.#denied("you did not want its tools to be used");
    const launch = await this.#launch();
    const approval = approvalOf(this.server, launch, offer, now());
    this.#approval = approval;
    this.#isVerified = true;
    if (answer === "always") await approvals.keep(approval);
    else answers?.keep(this.server, { answer: "yes", launch, approval });
    return undefined;
  }

  async #denied(why: string): Promise<string> {
    this.#options.answers?.keep(this.server, { answer: "no", launch: await this.#launch() });
    return why;
  }

  async #again(
    approve: (confirm: Confirm) => Promise<string | undefined>,
    why = "its command or address, or the sandbox around it, is not what was approved",
  ): Promise<PermissionDecision | undefined> {
    const { confirm } = this.#options;
    const denial = await (confirm === undefined ? this.#unapproved(why) : approve(confirm));
    if (denial === undefined) return undefined;
    await this.close();
    this.#refusal =
      confirm === undefined
        ? refusal("no_user", denial)
        : refusal("user", `MCP server ${this.name}: ${denial}.`);
    return this.#refusal;
  }

  #unapproved(why: string): string {
    const way =
      this.server.scope === "client" ? "" : ` The user can approve it with: codelia mcp approve ${this.name}`;
    return `MCP server ${this.name}: ${why}, and nobody can be asked.${way}`;
  }
}

function refusal(by: "user" | "no_user", reason: string): PermissionDecision {
  return { decision: "deny", by, reason };
}
