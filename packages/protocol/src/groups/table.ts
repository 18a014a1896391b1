// Every method by its name on the wire, with the schemas of what goes in and what comes out.
import { agentsMethods } from "./agents.ts";
import { configMethods } from "./config.ts";
import { contextMethods } from "./context.ts";
import { demoMethods } from "./demo.ts";
import { doctorMethods } from "./doctor.ts";
import { filesMethods } from "./files.ts";
import { flowMethods } from "./flow.ts";
import { mcpMethods } from "./mcp.ts";
import { modelsMethods } from "./models.ts";
import { permissionsMethods } from "./permissions.ts";
import { runMethods } from "./run.ts";
import { sandboxMethods } from "./sandbox.ts";
import { sessionMethods } from "./session.ts";
import { skillsMethods } from "./skills.ts";
import { trustMethods } from "./trust.ts";
import { worktreesMethods } from "./worktrees.ts";

export const methods = {
  ...contextMethods,
  ...agentsMethods,
  ...configMethods,
  ...trustMethods,
  ...runMethods,
  ...sessionMethods,
  ...filesMethods,
  ...skillsMethods,
  ...flowMethods,
  ...modelsMethods,
  ...mcpMethods,
  ...permissionsMethods,
  ...sandboxMethods,
  ...doctorMethods,
  ...worktreesMethods,
  ...demoMethods,
} as const;
