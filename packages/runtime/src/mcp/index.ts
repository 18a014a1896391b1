export { openApprovals } from "./approvals.ts";
export type { Confirm } from "./approve.ts";
export { clientOwner } from "./client-servers.ts";
export {
  type ConfiguredServer,
  configuredServers,
  describeGrants,
  describeLaunch,
  faultOf,
  isEnabled,
  isHttp,
  isStdio,
  launchHash,
  type SettingsServer,
} from "./configured-server.ts";
export { McpError } from "./error.ts";
export { approveNow, inspectServer, logIn } from "./inspect.ts";
export { openLogin } from "./logins.ts";
export { offeredName } from "./offered-tools.ts";
export { configuredSecrets } from "./server-secrets.ts";
export { answersOf, type ServerAnswers, type SessionAnswers } from "./session-answers.ts";
export { type EnteredServers, enterServers, SessionMcp } from "./session-mcp.ts";
