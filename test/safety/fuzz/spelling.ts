// Ways to write a word so that it does not look like itself, and to quote a text so that it stays itself.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell, not templates
import type { Random } from "./random.ts";

/** The denied program. Nothing else on a machine has its name. */
export const canary = "zap";
/** Where it is, besides on the PATH. */
export const canaryPath = "/canary/bin/zap";

const spellings: readonly string[] = [
  "zap",
  "zap",
  "zap",
  'z""ap',
  "z''ap",
  "'zap'",
  '"zap"',
  "\"z\"a'p'",
  "\\zap",
  "z\\ap",
  "z\\a\\p",
  "$'zap'",
  "$'\\x7aap'",
  "$'\\172\\141\\160'",
  "$'\\u007aap'",
  "z$'\\x61'p",
  '$"zap"',
  "z\\\nap",
  "/canary/bin/zap",
  "/canary/bin/../bin/zap",
  "//canary//bin//zap",
  "../../canary/bin/zap",
  "/canary/bin/za?",
  "/canary/bin/z*",
  "/canary/bin/[z]ap",
  "/canar[y]/bin/z[a-b]p",
  `"/canary/bin/"zap`,
  "z${nothing}ap",
  'z"$nothing"ap',
  "z$@ap",
  "z${*}ap",
  "$(echo zap)",
  '"$(echo zap)"',
  "`echo zap`",
  "z$(echo a)p",
  "z`:`ap",
  "$(printf '\\172\\141\\160')",
  "$(printf %s z a p)",
  "$(tr q z <<< qap)",
  "$(rev <<< paz)",
  "$(base64 -d <<< emFw)",
  "$(sed s/q/z/ <<< qap)",
  '$(awk \'BEGIN{printf "za";print "p"}\')',
  "${nothing:-zap}",
  "${nothing:=zap}",
  "${nothing-zap}",
  "${PWD:+zap}",
  "{zap,one,two}",
  "{zap,-f}",
  "z{ap,}",
  "za${IFS:0:0}p",
  "zap$IFS",
  "zap${IFS}x",
];

export function spell(random: Random): string {
  return random.pick(spellings);
}

/** Spellings that are one plain word wherever they stand. */
export function spellPlainly(random: Random): string {
  return random.pick([
    "zap",
    "zap",
    "/canary/bin/zap",
    'z""ap',
    "\\zap",
    "'zap'",
    "$'\\x7aap'",
    "$(echo zap)",
    "/canary/bin/za?",
  ]);
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** @output one word that bash reads as this text */
export function quoted(text: string, random: Random): string {
  const way = random.below(text.includes("\n") ? 3 : 4);
  if (way === 0) return `"${text.replaceAll(/[\\"$`]/gu, "\\$&")}"`;
  if (way === 1)
    return `$'${text.replaceAll(/[\\']/gu, "\\$&").replaceAll(/[a-z]/gu, (char) => (random.chance(0.2) ? escapeOf(char, random) : char))}'`;
  if (way === 2) return singleQuoted(text);
  return text === "" ? "''" : text.replaceAll(/[^A-Za-z0-9_./-]/gu, "\\$&");
}

function escapeOf(char: string, random: Random): string {
  const code = char.codePointAt(0) ?? 0;
  return random.pick([
    `\\x${code.toString(16)}`,
    `\\${code.toString(8)}`,
    `\\u${code.toString(16).padStart(4, "0")}`,
  ]);
}

/** A string of awk, perl, python or make's shell: double quotes and backslashes escaped. */
export function inDoubleQuotes(text: string): string {
  return `"${text.replaceAll(/[\\"]/gu, "\\$&").replaceAll("\n", "\\n")}"`;
}
