// For fish.
import type { OptionDescription } from "../descriptions/index.ts";
import { commands, opening, type Place, placesOf } from "./places.ts";

export function fishCompletions(): string {
  const names = [...commands.map(([name]) => name), "help"].join(" ");
  const lines = commands.flatMap(([name, description]) => {
    const verbs = Object.entries(description.verbs ?? {});
    const seen = `__fish_seen_subcommand_from ${name}`;
    const noVerb =
      verbs.length === 0 ? seen : `${seen}; and not __fish_seen_subcommand_from ${verbNames(verbs)}`;
    return [
      entry("__fish_use_subcommand", `-a ${name}`, description.summary),
      ...verbs.map(([verb, { summary }]) => entry(noVerb, `-a ${verb}`, summary)),
      ...placesOf(name, description).flatMap((place) =>
        place.verb === undefined
          ? placeLines(noVerb, place)
          : placeLines(`${seen}; and __fish_seen_subcommand_from ${place.verb}`, place),
      ),
    ];
  });
  return `# fish completions of codelia; made by: codelia completions fish
complete -c codelia -f
${placeLines("__fish_use_subcommand", opening).join("\n")}
${entry("__fish_use_subcommand", "-a help", "more about a command")}
complete -c codelia -n '__fish_seen_subcommand_from help' -a '${names}'
${lines.join("\n")}
`;
}

function verbNames(verbs: readonly (readonly [string, unknown])[]): string {
  return verbs.map(([verb]) => verb).join(" ");
}

function placeLines(condition: string, { options, takes }: Place): string[] {
  const argument =
    takes === "file"
      ? [`complete -c codelia -n ${quoted(condition)} -F`]
      : takes === "directory"
        ? [`complete -c codelia -n ${quoted(condition)} -a '(__fish_complete_directories)'`]
        : [];
  const flags = Object.entries(options).map(([name, option]) =>
    entry(
      condition,
      `-l ${name}${option.short === undefined ? "" : ` -s ${option.short}`}${value(option)}`,
      option.help,
    ),
  );
  return [...argument, ...flags];
}

function value({ type, values, takes, value: shown = "" }: OptionDescription): string {
  if (type === "boolean" || shown.startsWith("[")) return "";
  if (values !== undefined) return ` -x -a '${values.join(" ")}'`;
  if (takes === "file") return " -r -F";
  return takes === "directory" ? " -x -a '(__fish_complete_directories)'" : " -x";
}

function entry(condition: string, what: string, help: string): string {
  return `complete -c codelia -n ${quoted(condition)} ${what} -d ${quoted(help)}`;
}

/** In single quotes of fish, where a backslash escapes. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
