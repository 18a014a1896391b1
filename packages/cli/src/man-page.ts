// The manual page, as roff; made from the descriptions of the commands.
import { descriptions, type OptionDescription } from "./descriptions/index.ts";
import { optionHelp, usageForms } from "./help.ts";

const exitCodes: readonly (readonly [code: string, meaning: string])[] = [
  ["0", "done"],
  ["1", "failed; standard error says what, where, and what to do next"],
  ["2", "the command line was not understood"],
  ["3", "needs permission or trust"],
  ["4", "a limit was reached"],
  ["130", "interrupted"],
];

const files: readonly (readonly [path: string, what: string])[] = [
  ["~/.codelia", "settings, trust and sessions; CODELIA_HOME names another place"],
  [".codelia/config.json", "a project's own settings, used when it is trusted"],
  ["AGENTS.md", "instructions for agents, in any folder of a project"],
  [".agents/skills", "a project's skills"],
];

export function manPage(version: string): string {
  const commands = Object.entries(descriptions).flatMap(([name, description]) => [
    `.SS ${macroText(`codelia ${description.form}`)}`,
    text(sentence(description.summary)),
    ...usageForms(name, description).flatMap(([form, summary]) => [
      ".TP",
      `.B ${escaped(form)}`,
      text(summary),
    ]),
    ...description.about.flatMap((paragraph) => [".PP", text(paragraph)]),
    ...optionHelp(description).flatMap(({ name: long, option, help }) => [
      ".TP",
      `.B ${escaped(flagText(long, option))}`,
      text(help),
    ]),
  ]);
  return `${[
    `.TH CODELIA 1 "" ${macroText(`Codelia ${version}`)} "User Commands"`,
    ".SH NAME",
    "codelia \\- a coding agent whose context is exact",
    ".SH SYNOPSIS",
    ".B codelia",
    "[OPTIONS]",
    ".br",
    ".B codelia",
    "COMMAND [OPTIONS]",
    ".SH COMMANDS",
    ...commands,
    ".SH EXIT STATUS",
    ...pairs(exitCodes),
    ".SH FILES",
    ...pairs(files),
  ]
    .filter((line) => line !== "")
    .join("\n")}\n`;
}

function pairs(rows: readonly (readonly [string, string])[]): string[] {
  return rows.flatMap(([term, words]) => [".TP", `.B ${escaped(term)}`, text(words)]);
}

function flagText(name: string, { short, value }: OptionDescription): string {
  const flags = short === undefined ? `--${name}` : `-${short}, --${name}`;
  return value === undefined ? flags : `${flags} ${value}`;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** A line of text: one that begins like a request is none. */
function text(words: string): string {
  return /^[.']/.test(words) ? `\\&${escaped(words)}` : escaped(words);
}

function escaped(words: string): string {
  return words.replaceAll("\\", "\\e").replaceAll("-", "\\-");
}

function macroText(words: string): string {
  return `"${escaped(words).replaceAll('"', "\\(dq")}"`;
}
