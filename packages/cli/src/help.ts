// How commands are used, in words for a terminal.
import {
  type CommandDescription,
  descriptionOf,
  descriptions,
  type OptionDescription,
  open,
} from "./descriptions/index.ts";

const width = 118;
const about = "Codelia: a coding agent whose context is exact.";

export function overview(): string {
  const commands = [
    ...Object.values(descriptions).map(({ form, summary }) => [form, summary] as const),
    ["help [COMMAND]", "more about a command"] as const,
  ];
  return `${[
    about,
    "",
    `Usage: codelia [OPTIONS]           ${open.summary}`,
    "       codelia COMMAND [OPTIONS]",
    "",
    ...twoColumns(commands),
    "",
    ...twoColumns([["--version", "the version of this program"]], columnOf(commands)),
  ].join("\n")}\n`;
}

/** @output undefined: there is no such command */
export function commandHelp(name: string): string | undefined {
  const description = descriptionOf(name);
  if (description === undefined) return undefined;
  const options = optionHelp(description).map(({ label, help }) => [label, help] as const);
  return `${[
    ...usageLines(name, description),
    "",
    ...description.about.flatMap((paragraph) => wrapped(paragraph, width)),
    "",
    ...twoColumns(options),
  ].join("\n")}\n`;
}

/** Ways to use a command, each with what it does. */
export function usageForms(
  name: string,
  { usage, verbs, form }: CommandDescription,
): (readonly [form: string, summary: string])[] {
  const forms =
    usage?.map(([each, summary = ""]) => [each, summary] as const) ??
    (verbs === undefined
      ? [[`${form.slice(name.length).trim()} [OPTIONS]`.trim(), ""] as const]
      : Object.values(verbs).map((verb) => [verb.form, verb.summary] as const));
  // What is done without a command has a name for help alone.
  const start = form === "" ? "codelia" : `codelia ${name}`;
  return forms.map(([each, summary]) => [`${start} ${each}`.trim(), summary]);
}

function usageLines(name: string, description: CommandDescription): string[] {
  const forms = usageForms(name, description);
  const column = Math.max(...forms.map(([form]) => form.length)) + 4;
  return forms.map(([form, summary], index) => {
    const start = index === 0 ? "Usage: " : "       ";
    return `${start}${summary === "" ? form : form.padEnd(column) + summary}`;
  });
}

export interface OptionHelp {
  readonly name: string;
  readonly option: OptionDescription;
  /** `-C DIR` */
  readonly label: string;
  /** With the verbs that have it, where not all do. */
  readonly help: string;
}

/** The options of a command and its verbs, each once; those of all commands come last. */
export function optionHelp({ options = {}, verbs = {} }: CommandDescription): OptionHelp[] {
  const found = new Map<string, { option: OptionDescription; texts: Map<string, string[]> }>();
  const tables = [
    ["", options] as const,
    ...Object.entries(verbs).map(([verb, each]) => [verb, each.options] as const),
  ];
  for (const [verb, table] of tables) {
    for (const [name, option] of Object.entries(table)) {
      const known = found.get(name) ?? { option, texts: new Map<string, string[]>() };
      known.texts.set(option.help, [...(known.texts.get(option.help) ?? []), verb]);
      found.set(name, known);
    }
  }
  const rank = (name: string) => (commonNames.includes(name) ? 1 : 0);
  return [...found]
    .filter(([name]) => name !== "help")
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([name, { option, texts }]) => ({
      name,
      option,
      label: labelOf(name, option),
      help: [...texts].map(([help, owners]) => ownedHelp(name, help, owners)).join("; "),
    }));
}

const commonNames = ["trust", "directory", "config", "json"];

function ownedHelp(name: string, help: string, owners: readonly string[]): string {
  return owners.includes("") || commonNames.includes(name) ? help : `${owners.join(", ")}: ${help}`;
}

function labelOf(name: string, { short, value }: OptionDescription): string {
  const flag = short === undefined ? `--${name}` : `-${short}`;
  return value === undefined ? flag : `${flag} ${value}`;
}

type Row = readonly [label: string, text: string];

function columnOf(rows: readonly Row[]): number {
  return Math.max(17, ...rows.map(([label]) => label.length)) + 2;
}

function twoColumns(rows: readonly Row[], column = columnOf(rows)): string[] {
  return rows.flatMap(([label, text]) =>
    wrapped(text, width - column - 2).map(
      (line, index) => `  ${(index === 0 ? label : "").padEnd(column)}${line}`,
    ),
  );
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
