// For zsh, with its own completion system.
import type { OptionDescription } from "../descriptions/index.ts";
import { commands, flagsOf, opening, type Place, placesOf, quoted } from "./places.ts";

export function zshCompletions(): string {
  const described = commands.map(([name, { summary }]) => `${name}:${summary}`);
  return `#compdef codelia
# zsh completions of codelia; made by: codelia completions zsh
_codelia() {
  local -a commands verbs
  commands=(
${[...described, "help:more about a command"].map((line) => `    ${quoted(line)}`).join("\n")}
  )
  if [[ $words[2] == -* ]]; then
    ${argumentsCall(opening)}
    return
  fi
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
    help) (( CURRENT == 2 )) && _describe -t commands command commands ;;
${commands.flatMap(([name, description]) => commandCase(placesOf(name, description), description.verbs ?? {})).join("\n")}
  esac
}
if [[ $funcstack[1] == _codelia ]]; then _codelia "$@"; else compdef _codelia codelia; fi
`;
}

function commandCase(
  [own, ...verbs]: readonly Place[],
  summaries: Readonly<Record<string, { readonly summary: string }>>,
): string[] {
  if (own === undefined) return [];
  if (verbs.length === 0) return [`    ${own.command}) ${argumentsCall(own)} ;;`];
  return [
    `    ${own.command})`,
    "      if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then",
    `        verbs=(${Object.entries(summaries)
      .map(([verb, { summary }]) => quoted(`${verb}:${summary}`))
      .join(" ")})`,
    "        _describe -t commands verb verbs",
    "        return",
    "      fi",
    "      case $words[2] in",
    ...verbs.map(
      ({ verb, ...place }) => `        ${verb}) shift words; (( CURRENT-- )); ${argumentsCall(place)} ;;`,
    ),
    `        *) ${argumentsCall(own)} ;;`,
    "      esac ;;",
  ];
}

function argumentsCall({ options, takes }: Pick<Place, "options" | "takes">): string {
  const specs = Object.entries(options).map(([name, option]) => optionSpec(name, option));
  const rest = {
    file: "*:file:_files",
    directory: "*:directory:_files -/",
    command: "*:command:_command_names",
  };
  // Without a pattern for further words zsh offers flags at once; with an empty one it shows a message instead.
  return ["_arguments", ...specs, ...(takes === undefined ? [] : [quoted(rest[takes])])].join(" ");
}

function optionSpec(name: string, option: OptionDescription): string {
  const flags = flagsOf(name, option);
  const repeated = option.multiple === true ? "*" : "";
  const excluded = flags.length > 1 && repeated === "" ? `(${flags.join(" ")})` : "";
  const rest = quoted(`[${escaped(option.help)}]${valueSpec(option)}`);
  const [only] = flags;
  if (flags.length === 1) return quoted(`${repeated}${only}`) + rest;
  return `${quoted(excluded + repeated)}{${flags.join(",")}}${rest}`;
}

function valueSpec({ type, value = "", values, takes }: OptionDescription): string {
  if (type === "boolean") return "";
  const message = escaped(value);
  // Two colons: the value may be left out.
  const colon = value.startsWith("[") ? "::" : ":";
  if (values !== undefined) return `${colon}${message}:(${values.join(" ")})`;
  // A space: there is something to type, and nothing to offer. Without it zsh shows a message and inserts nothing.
  if (takes === undefined) return `${colon}${message}: `;
  return `${colon}${message}:${takes === "directory" ? "_files -/" : "_files"}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\[\]:]/g, "\\$&");
}
