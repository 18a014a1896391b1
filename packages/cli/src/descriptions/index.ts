// Every command, in the order in which people are told of them.
import { acp } from "./acp.ts";
import { agent } from "./agent.ts";
import { completions } from "./completions.ts";
import { config } from "./config.ts";
import { context } from "./context.ts";
import { demo } from "./demo.ts";
import type { CommandDescription } from "./description.ts";
import { doctor } from "./doctor.ts";
import { man } from "./man.ts";
import { mcp } from "./mcp.ts";
import { models } from "./models.ts";
import { open } from "./open.ts";
import { permissions } from "./permissions.ts";
import { rpc } from "./rpc.ts";
import { run } from "./run.ts";
import { sandbox } from "./sandbox.ts";
import { sessions } from "./sessions.ts";
import { skills } from "./skills.ts";
import { trust } from "./trust.ts";
import { worktrees } from "./worktrees.ts";

export {
  approvalModes,
  type CommandDescription,
  commonOptions,
  type OptionDescription,
  type OptionTable,
  type Taken,
  type VerbDescription,
} from "./description.ts";
export { open } from "./open.ts";

export const descriptions = {
  run,
  agent,
  worktrees,
  demo,
  sessions,
  skills,
  mcp,
  models,
  context,
  config,
  permissions,
  sandbox,
  trust,
  acp,
  doctor,
  rpc,
  completions,
  man,
} as const satisfies Readonly<Record<string, CommandDescription>>;

/** By a name that somebody typed. */
export function descriptionOf(name: string): CommandDescription | undefined {
  const all: Readonly<Record<string, CommandDescription>> = { ...descriptions, open };
  return Object.hasOwn(all, name) ? all[name] : undefined;
}
