// What a check says.
import type { DoctorFinding } from "@codelia/protocol";

export type { DoctorFinding };

type About = DoctorFinding["about"];

export function fine(about: About, text: string): DoctorFinding {
  return { about, level: "ok", text };
}

export function warning(about: About, text: string, fix: string): DoctorFinding {
  return { about, level: "warning", text, fix };
}

export function problem(about: About, text: string, fix: string): DoctorFinding {
  return { about, level: "problem", text, fix };
}
