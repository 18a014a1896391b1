export {
  renderAgents,
  renderFlowValidation,
  renderMigration,
  renderNewAgent,
  renderPreview,
} from "./agents.ts";
export { renderConfig } from "./config.ts";
export { renderContext } from "./context.ts";
export { renderDoctor } from "./doctor.ts";
export { FlowProgress } from "./flow-progress.ts";
export { effectWords, hostWords, renderFlowLogEntry, renderFlowRuns } from "./flow-runs.ts";
export { IssueTable, renderIssueEnds } from "./issue-table.ts";
export { renderMcpApproval, renderMcpServers, renderMcpTest } from "./mcp.ts";
export { renderPermissionCheck, renderPermissionList } from "./permissions.ts";
export { Progress } from "./progress.ts";
export { renderSandbox } from "./sandbox.ts";
export { renderSearch, renderSessions, renderUndo } from "./sessions.ts";
export {
  renderEnabled,
  renderNewSkill,
  renderSkill,
  renderSkillErrors,
  renderSkillSearch,
  renderSkills,
  renderValidation,
} from "./skills.ts";
export { columns, minuteOf, oneLine } from "./table.ts";
export { renderTree } from "./tree.ts";
export { renderPruned, renderWorktrees } from "./worktrees.ts";
