// A look at one server outside of a session: to test it, and to approve it.
import type { McpApproval } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import { changeBetween, describeChange, type Offer, openApprovals, pinOf } from "./approvals.ts";
import { approvalOf, askLaunch, askOffer, type Confirm } from "./approve.ts";
import { type ConfiguredServer, type HttpConfigured, launchHash } from "./configured-server.ts";
import type { Connection, Listed } from "./connection.ts";
import { type Connector, createConnector } from "./connector.ts";
import { McpError } from "./error.ts";
import type { LoginOptions } from "./login.ts";

export interface Inspection {
  readonly offer: Offer;
  readonly resources: readonly Listed[];
  readonly prompts: readonly Listed[];
  /** What differs from what was approved. */
  readonly change: string | undefined;
}

/** @error McpError; also when a project's server was not approved as it is: it is not started then */
export async function inspectServer(
  environment: RuntimeEnvironment,
  project: Project,
  server: ConfiguredServer,
): Promise<Inspection> {
  refuseFault(server);
  const connector = createConnector(environment, project);
  const approval = await openApprovals(environment.fs, project.codeliaHome).find(server);
  const state = await connector.standing(server);
  const isApproved = approval?.launch === launchHash(server, { isHeld: state === "in_force" });
  if (!isApproved && (server.scope === "project" || state === "missing")) throw notApproved(server);
  return await visited(connector, server, async (connection) => {
    const offer = await connection.offer();
    const isChanged = approval?.pin !== undefined && approval.pin !== pinOf(offer);
    return {
      offer,
      resources: await connection.resources(),
      prompts: await connection.prompts(),
      change: isChanged ? describeChange(changeBetween(approval, offer)) : undefined,
    };
  });
}

/** Nothing of the server is left afterwards. */
async function visited<T>(
  { connect, dispose }: Connector,
  server: ConfiguredServer,
  visit: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    const connection = await connect(server);
    try {
      return await visit(connection);
    } finally {
      await connection.close();
    }
  } finally {
    await dispose();
  }
}

/**
 * @input  confirm: absent where nobody can be asked; the command itself is the user's word then
 * @effects starts the server, reads its tools, ends it, keeps the approval
 * @error  McpError when it cannot be started, or the user said no
 */
export async function approveNow(
  environment: RuntimeEnvironment,
  project: Project,
  server: ConfiguredServer,
  confirm: Confirm | undefined,
): Promise<McpApproval> {
  refuseFault(server);
  const connector = createConnector(environment, project);
  const isHeld = (await connector.standing(server)) === "in_force";
  const refuse = () => new McpError("unapproved", server.name, "it was not approved; nothing was changed");
  if (confirm !== undefined) {
    const place = { root: project.root.path, isHeld };
    const answer = await askLaunch(server, place, "it has to be started to see what it offers", confirm);
    if (answer === "no") throw refuse();
  }
  const approvals = openApprovals(environment.fs, project.codeliaHome);
  const before = await approvals.find(server);
  return await visited(connector, server, async (connection) => {
    const offer = await connection.offer();
    if (confirm !== undefined && (await askOffer(server, offer, before, confirm)) === "no") throw refuse();
    const approval = approvalOf(server, launchHash(server, { isHeld }), offer, environment.now());
    await approvals.keep(approval);
    return approval;
  });
}

/** What speaks OAuth is loaded with the first login. */
export async function logIn(server: HttpConfigured, options: LoginOptions): Promise<boolean> {
  const { login } = await import("./login.ts");
  return await login(server, options);
}

function refuseFault({ name, fault }: ConfiguredServer): void {
  if (fault !== undefined) throw new McpError("invalid", name, fault);
}

function notApproved({ name }: ConfiguredServer): McpError {
  return new McpError(
    "unapproved",
    name,
    "it is not started, because it was not approved as it is",
    `Approve it with: codelia mcp approve ${name}`,
  );
}
