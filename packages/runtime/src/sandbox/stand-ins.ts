// What a command finds in place of a hidden file: something empty that its readers can parse, so that builds go on.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface StandIn {
  readonly name: string;
  readonly content: string;
}

const standIns: readonly (StandIn & { readonly for: RegExp })[] = [
  { name: "json", content: "{}\n", for: /\.json$/ },
  { name: "maven", content: "<settings/>\n", for: /\/settings\.xml$/ },
  { name: "empty", content: "", for: /^/ },
];

export function standInFor(path: string): StandIn {
  return standIns.find((one) => one.for.test(path)) ?? { name: "empty", content: "" };
}

/** @effects writes all of them below a directory that commands cannot see */
export async function writeStandIns(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await Promise.all(
    standIns.map(({ name, content }) => writeFile(join(directory, name), content, { mode: 0o400 })),
  );
}
