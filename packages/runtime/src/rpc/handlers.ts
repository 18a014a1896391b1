// The runtime's side of the protocol. Each method's code is loaded when it is first called.
import type { Channel, Handlers } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import type { ServerAnswers } from "../mcp/index.ts";
import { ActiveFlows } from "./active-flows.ts";
import { ActiveRuns } from "./active-runs.ts";
import { protocolError } from "./failures.ts";
import type { FileList } from "./files.ts";

export function createHandlers(environment: RuntimeEnvironment, options: RuntimeOptions): Handlers {
  const runs = new ActiveRuns();
  const serverAnswers: ServerAnswers = new Map();
  const fileLists = new Map<string, FileList>();
  const flows = new ActiveFlows();
  return {
    "context.inspect": guarded(async (params) =>
      (await import("./context.ts")).inspectContext(environment, options, params),
    ),
    "agents.tree": guarded(async (params) =>
      (await import("./context.ts")).agentsTree(environment, options, params),
    ),
    "agents.resolve": guarded(async (params) =>
      (await import("./context.ts")).resolveAgents(environment, options, params),
    ),
    "config.inspect": guarded(async (params) =>
      (await import("./settings.ts")).inspectConfig(environment, options, params),
    ),
    "config.set": guarded(async (params) => (await import("./config-set.ts")).setConfig(environment, params)),
    "trust.add": guarded(async (params) =>
      (await import("./settings.ts")).addTrust(environment, options, params),
    ),
    "trust.remove": guarded(async (params) =>
      (await import("./settings.ts")).removeTrust(environment, options, params),
    ),
    "trust.list": guarded(async () => (await import("./settings.ts")).listTrust(environment)),
    "run.start": guarded(async (params, channel) =>
      (await import("./run.ts")).startRun(environment, options, { runs, serverAnswers }, params, channel),
    ),
    "run.steer": guarded((params) => Promise.resolve(runs.steer(params))),
    "run.cancel": guarded((params) => Promise.resolve(runs.cancel(params))),
    "session.prepare": guarded(async (params) =>
      (await import("./prepare-session.ts")).prepareSession(environment, options, params),
    ),
    "session.list": guarded(async (params) =>
      (await import("./sessions.ts")).listSessions(environment, options, params),
    ),
    "session.open": guarded(async (params) =>
      (await import("./session-entry.ts")).inspectSession(environment, options, params),
    ),
    "session.fork": guarded(async (params) =>
      (await import("./session-entry.ts")).copySession(environment, options, params),
    ),
    "session.export": guarded(async (params) =>
      (await import("./sessions.ts")).exportSession(environment, options, params),
    ),
    "session.history": guarded(async (params) =>
      (await import("./sessions.ts")).sessionHistory(environment, options, params),
    ),
    "session.search": guarded(async (params) =>
      (await import("./sessions.ts")).searchSessions(environment, options, params),
    ),
    "session.delete": guarded(async (params) =>
      (await import("./sessions.ts")).deleteSession(environment, options, params),
    ),
    "session.undo": guarded(async (params) =>
      (await import("./undo.ts")).undoSession(environment, options, params),
    ),
    "session.diff": guarded(async (params) =>
      (await import("./session-diff.ts")).diffSession(environment, options, params),
    ),
    "session.compact": guarded(async (params, channel) =>
      (await import("./session-compact.ts")).compactSession(environment, options, runs, params, channel),
    ),
    "files.search": guarded(async (params) =>
      (await import("./files.ts")).searchFiles(environment, options, fileLists, params),
    ),
    "skills.list": guarded(async (params) =>
      (await import("./skills.ts")).listSkills(environment, options, params),
    ),
    "skills.search": guarded(async (params) =>
      (await import("./skills.ts")).searchSkills(environment, options, params),
    ),
    "skills.show": guarded(async (params) =>
      (await import("./skills.ts")).showSkill(environment, options, params),
    ),
    "skills.validate": guarded(async (params) =>
      (await import("./skill-validation.ts")).validateSkillFiles(environment, options, params),
    ),
    "skills.set_enabled": guarded(async (params) =>
      (await import("./skill-enabling.ts")).setSkillEnabled(environment, options, params),
    ),
    "skills.new": guarded(async (params) =>
      (await import("./new-skill.ts")).newSkill(environment, options, params),
    ),
    "flow.agents": guarded(async (params) =>
      (await import("./flow-definitions.ts")).listFlowAgents(environment, options, params),
    ),
    "flow.validate": guarded(async (params) =>
      (await import("./flow-definitions.ts")).validateFlowAgents(environment, options, params),
    ),
    "flow.graph": guarded(async (params) =>
      (await import("./flow-authoring.ts")).drawFlow(environment, options, params),
    ),
    "flow.new": guarded(async (params) =>
      (await import("./flow-authoring.ts")).newFlowAgent(environment, options, params),
    ),
    "flow.preview": guarded(async (params) =>
      (await import("./flow-authoring.ts")).previewFlow(environment, options, params),
    ),
    "flow.migrate": guarded(async (params) =>
      (await import("./flow-definitions.ts")).migrateFlowAgents(environment, options, params),
    ),
    "models.list": guarded(async () => (await import("./models.ts")).listModels(environment, options)),
    "models.set": guarded(async (params) =>
      (await import("./models.ts")).setDefaultModel(environment, options, params),
    ),
    "mcp.list": guarded(async (params) =>
      (await import("./mcp.ts")).listServers(environment, options, params),
    ),
    "mcp.add": guarded(async (params) => (await import("./mcp.ts")).addServer(environment, options, params)),
    "mcp.remove": guarded(async (params) =>
      (await import("./mcp.ts")).removeServer(environment, options, params),
    ),
    "mcp.test": guarded(async (params) =>
      (await import("./mcp.ts")).testServer(environment, options, params),
    ),
    "mcp.approve": guarded(async (params, channel) =>
      (await import("./mcp.ts")).approveServer(environment, options, params, channel),
    ),
    "mcp.logout": guarded(async (params) =>
      (await import("./mcp.ts")).logoutServer(environment, options, params),
    ),
    "mcp.login": guarded(async (params, channel) =>
      (await import("./mcp.ts")).loginServer(environment, options, params, channel),
    ),
    "permissions.check": guarded(async (params) =>
      (await import("./permissions.ts")).checkPermission(environment, options, params),
    ),
    "permissions.list": guarded(async (params) =>
      (await import("./permissions.ts")).listPermissions(environment, options, params),
    ),
    "sandbox.check": guarded(async (params) =>
      (await import("./sandbox.ts")).checkSandboxHere(environment, options, params),
    ),
    "doctor.check": guarded(async (params) =>
      (await import("../doctor/index.ts")).checkHealth(environment, options, params),
    ),
    "flow.start": guarded(async (params, channel) =>
      (await import("./flows.ts")).startFlowRun(environment, options, flows, params, channel),
    ),
    "flow.resume": guarded(async (params, channel) =>
      (await import("./flows.ts")).resumeFlowRun(environment, options, flows, params, channel),
    ),
    "flow.status": guarded(async (params) =>
      (await import("./flow-runs.ts")).flowStatus(environment, options, params),
    ),
    "flow.list": guarded(async (params) =>
      (await import("./flow-runs.ts")).listFlowRuns(environment, options, params),
    ),
    "flow.log": guarded(async (params, { signal }) =>
      (await import("./flow-runs.ts")).flowLog(environment, options, params, signal),
    ),
    "flow.cancel": guarded((params) => Promise.resolve(flows.cancel(params))),
    "worktrees.list": guarded(async (params) =>
      (await import("./worktrees.ts")).listWorktrees(environment, options, params),
    ),
    "worktrees.prune": guarded(async (params) =>
      (await import("./worktrees.ts")).pruneIssueWorktrees(environment, options, params),
    ),
    "worktrees.unlock": guarded(async (params) =>
      (await import("./worktrees.ts")).unlockWorktree(environment, options, params),
    ),
    "demo.prepare": guarded(async () => (await import("../demo/index.ts")).prepareDemo(environment)),
  };
}

function guarded<P, R>(handler: (params: P, channel: Channel) => Promise<R>) {
  return async (params: P, channel: Channel): Promise<R> => {
    try {
      return await handler(params, channel);
    } catch (error) {
      throw protocolError(error);
    }
  };
}
