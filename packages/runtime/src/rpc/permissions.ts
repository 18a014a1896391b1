// `permissions.check` and `permissions.list`: what would be decided, without doing or asking anything.
import { join, resolve } from "node:path";
import { placeOfRule, type SettingEntry } from "@codelia/config";
import type { ToolAccess } from "@codelia/core";
import type { Params, Result } from "@codelia/protocol";
import { type DecidingRule, PermissionRuleSchema } from "@codelia/shared-types";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { evaluate, pathBases, placeRule, realOr, safeExamples } from "../permissions/index.ts";
import { openProject, type Project, projectNotices } from "../project/index.ts";
import { createSandbox, type SandboxStanding, sandboxOptions } from "../sandbox/index.ts";

type CheckedCall = Params<"permissions.check">["call"];

export async function checkPermission(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, approval, call }: Params<"permissions.check">,
): Promise<Result<"permissions.check">> {
  const project = await openProject(environment, options, cwd);
  const { fs } = environment;
  const bases = await pathBases(environment, project.root.path);
  const standing = call.kind === "command" ? await standingOf(environment, project) : "in_force";
  const verdict = await evaluate(
    { tool: toolOf(call), prepared: { access: accessOf(call, project, environment) } },
    project.settings.rules.map((entry) => placeRule(entry, bases)),
    standing,
    {
      mode: approval,
      fs,
      bases,
      workspace: await realOr(fs, project.root.path),
      outputs: await realOr(fs, join(project.codeliaHome, "sessions")),
    },
  );
  const { decision, reason } = verdict;
  return {
    decision,
    ...("by" in verdict ? { by: verdict.by } : {}),
    reason,
    ...("rule" in verdict && verdict.rule !== undefined ? { rule: verdict.rule } : {}),
    would_allow: "wouldAllow" in verdict ? [...verdict.wouldAllow] : [],
    ...(await parseOf(call)),
    notices: projectNotices(project),
  };
}

export async function listPermissions(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd }: Params<"permissions.list">,
): Promise<Result<"permissions.list">> {
  const project = await openProject(environment, options, cwd);
  const bases = await pathBases(environment, project.root.path);
  const rules = project.settings.rules.map((entry) => placeRule(entry, bases).deciding);
  return {
    rules: [
      ...rules.filter(({ effect }) => effect === "deny"),
      ...rules.filter(({ effect }) => effect === "allow"),
    ],
    refused: project.settings.refused.flatMap(refusedRule),
    safe_programs: await safeExamples(),
    notices: projectNotices(project),
  };
}

function refusedRule({ key, value, source }: SettingEntry): DecidingRule[] {
  if (!key.startsWith("permissions.allow.") || source.layer === "default") return [];
  const place = placeOfRule(source);
  return [
    {
      effect: "allow",
      scope: source.layer,
      rule: PermissionRuleSchema.parse(value),
      ...(place === undefined ? {} : { source: place }),
    },
  ];
}

async function standingOf(environment: RuntimeEnvironment, project: Project): Promise<SandboxStanding> {
  const sandbox = createSandbox(sandboxOptions(environment, project, []));
  try {
    const state = await sandbox.state();
    if (state.inForce) return "in_force";
    return state.why === "off" ? "off" : "missing";
  } finally {
    await sandbox.dispose();
  }
}

function toolOf(call: CheckedCall): string {
  switch (call.kind) {
    case "command":
      return "bash";
    case "network":
      return "fetch_url";
    case "skill":
      return "skill_load";
    case "read":
    case "write":
    case "mcp":
      return call.tool;
  }
}

function accessOf(call: CheckedCall, { cwd }: Project, { userHome }: RuntimeEnvironment): ToolAccess {
  switch (call.kind) {
    case "command":
      return { kind: "command", command: call.command, cwd };
    case "network":
      return { kind: "network", url: call.url };
    case "mcp":
      return { kind: "mcp", server: call.server, tool: call.tool, paths: [], call: "{}" };
    case "skill":
      // Rules about skills go by name; where it lies is known when it is resolved.
      return { kind: "skill", name: call.name, path: join(cwd, ".agents/skills", call.name, "SKILL.md") };
    case "read":
    case "write": {
      const paths = call.paths.map((path) =>
        path.startsWith("~/") ? join(userHome, path.slice(2)) : resolve(cwd, path),
      );
      return { kind: call.kind, paths };
    }
  }
}

type Parse = Pick<Result<"permissions.check">, "programs" | "obstacles" | "parse">;

async function parseOf(call: CheckedCall): Promise<Parse> {
  if (call.kind !== "command") return { programs: [], obstacles: [], parse: [] };
  const { analyseCommand, renderAnalysis } = await import("../shell/index.ts");
  const analysis = await analyseCommand(call.command);
  return {
    programs: [...new Set(analysis.programs.map(({ program }) => program))],
    obstacles: analysis.obstacles.map(({ text }) => text),
    parse: [...renderAnalysis(analysis)],
  };
}
