// Ways in which a text travels as data — through pipes, files, here-documents, variables — before it is run.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell, not templates
import type { Trick } from "./grammar.ts";
import type { Random } from "./random.ts";
import { quoted, singleQuoted } from "./spelling.ts";

const shell = (random: Random) =>
  random.pick([
    "sh",
    "bash",
    "bash -s",
    "sh -s x",
    "bash /dev/stdin",
    "env bash",
    "nice sh",
    "bash -",
    "command sh",
    "dash",
  ]);

const octal = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const reversed = (text: string) => Array.from(text).toReversed().join("");
const delimiter = (random: Random) => random.pick(["EOF", "'EOF'", '"E"OF', "\\EOF"]);

export const dataTricks: readonly Trick[] = [
  (inner, random) => `echo ${quoted(inner, random)} | ${shell(random)}`,
  (inner, random) => `printf %s ${quoted(inner, random)} | ${shell(random)}`,
  (inner, random) => `printf '${octal(inner)}' | ${shell(random)}`,
  (inner, random) => `echo ${base64(inner)} | base64 -d | ${shell(random)}`,
  (inner, random) => `rev <<< ${singleQuoted(reversed(inner))} | ${shell(random)}`,
  (inner, random) => `tr q q <<< ${quoted(inner, random)} | ${shell(random)}`,
  (inner, random) => `cat <<< ${quoted(inner, random)} | tee made | ${shell(random)}`,
  (inner, random) => `${shell(random)} <<< ${quoted(inner, random)}`,
  (inner, random) => `${shell(random)} <<${delimiter(random)}\n${inner}\nEOF`,
  (inner, random) => `cat <<${delimiter(random)} | ${shell(random)}\n${inner}\nEOF`,
  (inner) => `bash <<-EOF\n\t${inner}\n\tEOF`,
  (inner, random) => `{ ${shell(random)}; } <<< ${quoted(inner, random)}`,
  (inner, random) => `( ${shell(random)} ) <<< ${quoted(inner, random)}`,
  (inner, random) => `f() { ${shell(random)}; }; f <<< ${quoted(inner, random)}`,
  (inner, random) => `exec <<< ${quoted(inner, random)}; ${shell(random)}`,
  (inner, random) => `exec 3<<< ${quoted(inner, random)}; bash <&3`,
  (inner, random) => `bash /dev/fd/3 3<<< ${quoted(inner, random)}`,
  (inner, random) => `bash <(echo ${quoted(inner, random)})`,
  (inner, random) => `source <(echo ${quoted(inner, random)})`,
  (inner, random) => `. /dev/stdin <<< ${quoted(inner, random)}`,
  (inner, random) => `cd /dev; . stdin <<< ${quoted(inner, random)}`,
  (inner, random) => `cd /proc/self/fd; . ./0 <<< ${quoted(inner, random)}`,
  (inner, random) => `echo ${quoted(inner, random)} > made; bash made`,
  (inner, random) => `echo ${quoted(inner, random)} > made; . ./made`,
  (inner, random) => `echo ${quoted(inner, random)} > made; bash < made`,
  (inner, random) => `echo ${quoted(inner, random)} | tee made > /dev/null; sh made`,
  (inner, random) => `printf '#!/bin/sh\\n%s\\n' ${quoted(inner, random)} > made; chmod +x made; ./made`,
  (inner, random) => `printf '%s\\n' ${quoted(inner, random)} > made; chmod 700 made; PATH=.:$PATH made`,
  (inner, random) => `dd of=made <<< ${quoted(inner, random)}; sh made`,
  (inner, random) => `sed -n 'w made' <<< ${quoted(inner, random)}; sh made`,
  (inner, random) => `awk '{print > "made"}' <<< ${quoted(inner, random)}; sh made`,
  (inner, random) => `sort -o made <<< ${quoted(inner, random)}; sh made`,
  (inner, random) => `uniq - made <<< ${quoted(inner, random)}; sh made`,
  (inner, random) => `BASH_ENV=<(echo ${quoted(inner, random)}) bash -c :`,
  (inner, random) => `echo ${quoted(inner, random)} > made; BASH_ENV=./made bash -c :`,
  (inner, random) => `echo ${quoted(inner, random)} > made; export BASH_ENV=made; bash -c :`,
  (inner, random) => `read -r -d '' x <<< ${quoted(inner, random)}; eval "$x"`,
  (inner, random) => `x=${quoted(inner, random)} bash -c 'eval "$x"'`,
  (inner, random) => `export x=${quoted(inner, random)}; sh -c '$SHELL -c "$x"; sh -c "$x"'`,
  (inner, random) => `set -- ${quoted(inner, random)}; bash -c "$1"`,
  (inner, random) => `bash -c '"$@"' x bash -c ${quoted(inner, random)}`,
  (inner, random) => `bash -c 'eval "$0"' ${quoted(inner, random)}`,
  (inner, random) => `echo ${quoted(inner, random)} | while read -r x; do eval "$x"; done`,
  (inner, random) => `printf '%s\\0' ${quoted(inner, random)} | xargs -0 bash -c`,
  (inner, random) => `printf '%s\\0' ${quoted(inner, random)} | xargs -0 -I{} bash -c {}`,
  (inner, random) => `find . -maxdepth 0 -exec bash -c ${quoted(inner, random)} \\;`,
  (inner, random) => `find . -name notes.txt -exec sh -c ${quoted(inner, random)} x {} +`,
  (inner, random) => `xargs sh -c ${quoted(inner, random)} < /dev/null`,
  (inner, random) =>
    `env -S ${quoted("bash made", random)}; echo ${quoted(inner, random)} > made; env -S 'bash made'`,
  (inner, random) => `flock lock -c ${quoted(inner, random)}`,
  (inner, random) => `flock -c ${quoted(inner, random)} lock`,
  (inner, random) => `script -qec ${quoted(inner, random)} /dev/null`,
  (inner, random) => `timeout 4 setsid -w bash -c ${quoted(inner, random)}`,
  (inner, random) => `split --filter=${quoted(inner, random)} notes.txt`,
  (inner, random) => `split --filt ${quoted(inner, random)} notes.txt`,
  (inner, random) =>
    `tar -cf made.tar notes.txt --checkpoint=1 --checkpoint-action=exec=${quoted(inner, random)}`,
  (inner, random) => `tar cf made.tar notes.txt; tar xf made.tar --to-command=${quoted(inner, random)}`,
  (inner) =>
    `sort -S 1b --compress-program=./made notes.txt; printf '#!/bin/sh\\n%s\\n' ${singleQuoted(inner)} > made; chmod +x made; seq 100000 | sort -S 1k --compress-prog=./made`,
];
