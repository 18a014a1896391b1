// For bash, from version 3.2 on, without the package bash-completion.
import type { OptionDescription } from "../descriptions/index.ts";
import { commands, flagsOf, needsValue, opening, type Place, placesOf } from "./places.ts";

const filling: Readonly<Record<"file" | "directory" | "command", string>> = {
  file: 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur"))',
  directory: 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur"))',
  command: 'COMPREPLY=($(compgen -c -- "$cur"))',
};

export function bashCompletions(): string {
  const names = commands.map(([name]) => name);
  const places = [opening, ...commands.flatMap(([name, description]) => placesOf(name, description))];
  const verbs = commands.flatMap(([name, { verbs: each }]) =>
    each === undefined ? [] : [`${name}:) words=${words(Object.keys(each))} ;;`],
  );
  return `# bash completions of codelia; made by: codelia completions bash
_codelia() {
  local IFS=$'\\n' cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= verb= words= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case $command:\${COMP_WORDS[i]} in
      ${patterns(places, needsValue)}) ((i++)) ;;
      *:-*) ;;
      :*) command=\${COMP_WORDS[i]} ;;
      *) [[ -n $verb ]] || verb=\${COMP_WORDS[i]} ;;
    esac
  done
  case $command:$prev in
${valueCases(places)
  .map((line) => `    ${line}`)
  .join("\n")}
  esac
  if [[ $cur == -* ]]; then
    case $command:$verb in
${places
  .map((place) => `      ${place.command}:${place.verb ?? "*"}) words=${words(optionWords(place))} ;;`)
  .toSorted(specificFirst)
  .join("\n")}
    esac
  else
    case $command:$verb in
      :* | help:) words=${words([...names, "help"])} ;;
${verbs.map((line) => `      ${line}`).join("\n")}
${places
  .flatMap(argumentCase)
  .map((line) => `      ${line}`)
  .toSorted(specificFirst)
  .join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _codelia codelia
`;
}

function words(list: readonly string[]): string {
  return `$'${list.join("\\n")}'`;
}

function optionWords({ options }: Place): string[] {
  return Object.entries(options).flatMap(([name, option]) => flagsOf(name, option));
}

/** `sessions:show` before `sessions:*`. */
function specificFirst(a: string, b: string): number {
  return Number(/:\*/.test(a)) - Number(/:\*/.test(b));
}

function argumentCase({ command, verb, takes }: Place): string[] {
  return takes === undefined ? [] : [`${command}:${verb ?? "*"}) ${filling[takes]}; return ;;`];
}

/** \`run:--model | run:-m\`: each once. */
function patterns(places: readonly Place[], matches: (option: OptionDescription) => boolean): string {
  const found = places.flatMap(({ command, options }) =>
    Object.entries(options)
      .filter(([, option]) => matches(option))
      .flatMap(([name, option]) => flagsOf(name, option).map((flag) => `${command}:${flag}`)),
  );
  return [...new Set(found)].join(" | ");
}

function valueCases(places: readonly Place[]): string[] {
  const listed = new Map<string, readonly string[]>();
  for (const { options } of places) {
    for (const { values } of Object.values(options))
      if (values !== undefined) listed.set(values.join(" "), values);
  }
  const choices = [...listed].map(([key, values]) => {
    const flags = patterns(places, (option) => option.values?.join(" ") === key);
    return `${flags}) COMPREPLY=($(compgen -W ${words(values)} -- "$cur")); return ;;`;
  });
  const paths = (["file", "directory"] as const).map((kind) => {
    const flags = patterns(places, ({ takes, type }) => takes === kind && type === "string");
    return `${flags}) ${filling[kind]}; return ;;`;
  });
  const free = patterns(
    places,
    (option) => needsValue(option) && option.values === undefined && option.takes === undefined,
  );
  return [...choices, ...paths, `${free}) return ;;`];
}
