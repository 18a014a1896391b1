// The catalogue of reminders: short notes that reach the model at the tail of the conversation.
import { z } from "zod";

export const SystemReminderTypeSchema = z.enum([
  "agents.resolve.paths",
  "session.resume.diff",
  "tool.output.trimmed",
  "permission.decision",
  "skills.changed",
  "skill.mention",
  "mcp.changed",
]);
