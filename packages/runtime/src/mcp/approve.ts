// Asks the user about servers: whether one may be started, and whether what it offers is what they want.
import type { ConfirmParams, ConfirmResult } from "@codelia/protocol";
import type { McpApproval, McpTool } from "@codelia/shared-types";
import { changeBetween, describeChange, type Offer, pinOf } from "./approvals.ts";
import { type ConfiguredServer, describeGrants, describeLaunch } from "./configured-server.ts";
import { cut } from "./offered-tools.ts";

export type Confirm = (params: ConfirmParams) => Promise<ConfirmResult>;

/** What the user said: no, for this session, or from now on. */
export type Answer = "no" | "session" | "always";

const maxShown = 40;

export async function askLaunch(
  server: ConfiguredServer,
  { root, isHeld }: { readonly root: string; readonly isHeld: boolean },
  why: string,
  confirm: Confirm,
): Promise<Answer> {
  const held = isHeld || !("command" in server.config) ? [] : ["runs without a sandbox: there is none here"];
  const grants = [...describeGrants(server, root), ...held].map((line) => `- it ${line}`);
  const answer = await confirm({
    call_id: `mcp-${server.name}`,
    tool: `MCP server ${server.name}`,
    title: `start the MCP server ${server.name}`,
    detail: describeLaunch(server),
    ...(grants.length === 0 ? {} : { preview: grants.join("\n") }),
    why,
  });
  return answerOf(answer);
}

export async function askOffer(
  server: ConfiguredServer,
  offer: Offer,
  before: McpApproval | undefined,
  confirm: Confirm,
): Promise<Answer> {
  const isChange = before?.pin !== undefined;
  const change = isChange ? describeChange(changeBetween(before, offer)) : "";
  const answer = await confirm({
    call_id: `mcp-${server.name}`,
    tool: `MCP server ${server.name}`,
    title: `use the tools of the MCP server ${server.name}`,
    detail: isChange
      ? `its tools are not those that you approved: ${change}`
      : `offers ${offer.tools.length} tools`,
    preview: describeOffer(offer),
    why: isChange ? "the server changed after it was approved" : "what it offers was not approved yet",
    keeps: `approval of ${server.name} with exactly these tools`,
  });
  return answerOf(answer);
}

/** A line a tool. */
export function describeOffer({ tools, instructions }: Offer): string {
  const lines = tools
    .slice(0, maxShown)
    .map(({ name, description }) => `- ${name}: ${firstLine(description)}`);
  const rest = tools.length - lines.length;
  return [
    ...lines,
    ...(rest > 0 ? [`and ${rest} more`] : []),
    ...(instructions === undefined ? [] : [`It tells the model: ${firstLine(instructions)}`]),
  ].join("\n");
}

function firstLine(text: McpTool["description"]): string {
  return cut(text.trim().split("\n")[0] ?? "", 160);
}

export function approvalOf(server: ConfiguredServer, launch: string, offer: Offer, now: Date): McpApproval {
  const { tools, instructions } = offer;
  return {
    format: 1,
    name: server.name,
    owner: server.owner,
    launch,
    pin: pinOf(offer),
    tools: [...tools],
    ...(instructions === undefined ? {} : { instructions }),
    approvedAt: now.toISOString(),
  };
}

function answerOf({ decision }: ConfirmResult): Answer {
  if (decision === "deny") return "no";
  return decision === "allow_always" ? "always" : "session";
}
