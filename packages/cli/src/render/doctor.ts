// `codelia doctor` for people: a line a finding, its fix below it.
import type { DoctorFinding, Result } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";
import { cellsOf, plural } from "./table.ts";

const signs: Readonly<Record<DoctorFinding["level"], string>> = { ok: "✓", warning: "!", problem: "✗" };

export function renderDoctor({ findings, healthy }: Result<"doctor.check">): string {
  const width = Math.max(...findings.map(({ about }) => cellsOf(about)));
  const lines = findings.flatMap(({ about, level, text, fix }) => [
    `${signs[level]} ${about.padEnd(width)}  ${visibleName(text)}`,
    ...(fix === undefined ? [] : [`  ${" ".repeat(width)}  → ${visibleName(fix)}`]),
  ]);
  return `${[...lines, "", verdict(findings, healthy)].join("\n")}\n`;
}

function verdict(findings: readonly DoctorFinding[], healthy: boolean): string {
  const count = (wanted: DoctorFinding["level"]) => findings.filter(({ level }) => level === wanted).length;
  const warnings = count("warning");
  if (!healthy) return `${plural(count("problem"), "problem")}, ${plural(warnings, "warning")}.`;
  return warnings === 0 ? "All is well." : `No problem, ${plural(warnings, "warning")}.`;
}
