// From parsed JSON to a script, or to everything that is wrong with it.
import { visibleName } from "@codelia/shared-types";
import type { z } from "zod";
import { type Script, ScriptSchema } from "./schema.ts";

export interface ScriptProblem {
  /** `turns[0].tool_calls[1].name`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

export type ScriptParse =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly problems: readonly ScriptProblem[] };

/** Nobody reads more, and a hostile file could have millions. */
const maxProblems = 50;

/**
 * @input  json: anything; name: for a script that does not name itself, its file name for example
 * @output the script, or its problems with their places; at most 50, the last of them then says how many are left out
 */
export function parseScript(json: unknown, name: string): ScriptParse {
  const parsed = ScriptSchema.safeParse(json);
  if (parsed.success) return { ok: true, script: { ...parsed.data, name: parsed.data.name ?? name } };
  const problems = parsed.error.issues.flatMap(describeIssue);
  if (problems.length <= maxProblems) return { ok: false, problems };
  const leftOut = problems.length - (maxProblems - 1);
  return {
    ok: false,
    problems: [...problems.slice(0, maxProblems - 1), { path: "", message: `${leftOut} more problems` }],
  };
}

function describeIssue(issue: z.core.$ZodIssue): ScriptProblem[] {
  const { message } = issue;
  if (issue.code !== "unrecognized_keys") return [{ path: jsonPath(issue.path), message }];
  return issue.keys.map((key) => ({ path: jsonPath([...issue.path, key]), message }));
}

function jsonPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, step) => {
    if (typeof step === "number") return `${written}[${step}]`;
    const name = String(step);
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${written}[${visibleName(JSON.stringify(name))}]`;
    return written === "" ? name : `${written}.${name}`;
  }, "");
}
