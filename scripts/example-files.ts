// The files of examples/monorepo: path → content, sorted.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

export function exampleFiles(): Record<string, string> {
  const folder = resolve(import.meta.dir, "../examples/monorepo");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
