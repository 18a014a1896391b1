// From the text between the marks to what the skill says, with the parser only where it is needed.
import { type Checked, checkFields } from "./check.ts";
import type { ReadFields } from "./fields.ts";
import { readPlainFields } from "./plain.ts";

export type FrontmatterReader = (yaml: string) => ReadFields;

/** The YAML parser, loaded when the first frontmatter needs it: most starts do without. */
export async function yamlReader(): Promise<FrontmatterReader> {
  const { readYamlFields } = await import("./yaml.ts");
  return readYamlFields;
}

/** @output undefined when the frontmatter needs the YAML parser and `reader` is not given */
export function readFrontmatter(
  yaml: string,
  dirNames: readonly string[],
  reader: FrontmatterReader | undefined,
): Checked | undefined {
  const plain = readPlainFields(yaml);
  if (plain !== undefined) return checkFields(plain, dirNames);
  if (reader === undefined) return undefined;
  const read = reader(yaml);
  return read.ok ? checkFields(read.fields, dirNames) : { frontmatter: undefined, problems: read.problems };
}
