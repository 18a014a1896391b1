// Where something can be completed: behind a command, or behind a command and its verb.
import {
  type CommandDescription,
  descriptions,
  type OptionDescription,
  type OptionTable,
  open,
  type Taken,
} from "../descriptions/index.ts";

export interface Place {
  readonly command: string;
  /** Undefined: no verb has been typed, or the command has none. */
  readonly verb: string | undefined;
  readonly options: OptionTable;
  readonly takes: Taken | undefined;
}

export const commands: readonly (readonly [name: string, description: CommandDescription])[] =
  Object.entries(descriptions);

/** Before any command: the terminal UI takes options too. */
export const opening: Place = {
  command: "",
  verb: undefined,
  options: { ...open.options, version: { type: "boolean", help: "the version of this program" } },
  takes: undefined,
};

/** A command whose first verb may be left out has the options of that verb. */
export function placesOf(command: string, description: CommandDescription): Place[] {
  const verbs = Object.entries(description.verbs ?? {});
  const [first] = verbs;
  const isOptional = first?.[1].form.startsWith("[") === true;
  const options = description.options ?? (isOptional ? first?.[1].options : undefined) ?? {};
  return [
    { command, verb: undefined, options, takes: verbs.length === 0 ? description.takes : undefined },
    ...verbs.map(([verb, each]) => ({ command, verb, options: each.options, takes: each.takes })),
  ];
}

/** `--model`, `-m` */
export function flagsOf(name: string, { short }: OptionDescription): string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

/** Whether the next word is its value, whatever it is. */
export function needsValue({ type, value = "" }: OptionDescription): boolean {
  return type === "string" && !value.startsWith("[");
}

/** In single quotes of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
