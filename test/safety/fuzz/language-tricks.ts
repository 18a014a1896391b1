// Programs with a language of their own that can start programs: awk, sed, perl, python, make, git, ed…
import type { Trick } from "./grammar.ts";
import { inDoubleQuotes, quoted, singleQuoted } from "./spelling.ts";

const line = (text: string) => text.replaceAll("\n", ";");

export const languageTricks: readonly Trick[] = [
  (inner, random) => `awk ${quoted(`BEGIN{system(${inDoubleQuotes(inner)})}`, random)}`,
  (inner, random) => `awk '{system($0)}' <<< ${quoted(inner, random)}`,
  (inner, random) => `echo ${quoted(inner, random)} | awk '{ system( $0 ) }'`,
  (inner, random) => `echo ${quoted(inner, random)} | awk '{print | "sh"}'`,
  (inner, random) => `awk ${quoted(`BEGIN{${inDoubleQuotes(inner)} | getline x}`, random)}`,
  (inner, random) => `awk -v x=${quoted(inner.replaceAll("\\", "\\\\"), random)} 'BEGIN{system(x)}'`,
  (inner, random) => `echo ${quoted(`BEGIN{system(${inDoubleQuotes(inner)})}`, random)} > made; awk -f made`,
  (inner, random) => `awk -f <(echo ${quoted(`BEGIN{system(${inDoubleQuotes(inner)})}`, random)})`,
  (inner, random) => `awk -f - <<< ${quoted(`BEGIN{system(${inDoubleQuotes(inner)})}`, random)}`,
  (inner, random) => `x=${quoted(`BEGIN{system(${inDoubleQuotes(inner)})}`, random)}; awk "$x"`,
  (inner, random) => `mawk ${quoted(`BEGIN { print "x" | ${inDoubleQuotes(inner)} }`, random)}`,
  (inner, random) => `sed ${quoted(`1e ${line(inner).replaceAll("\\", "\\\\")}`, random)} notes.txt`,
  (inner, random) => `echo ${quoted(line(inner), random)} | sed 1e`,
  (inner, random) => `sed 's/^/ /e' <<< ${quoted(line(inner), random)}`,
  (inner, random) => `sed -n 's/x*//;e' <<< ${quoted(line(inner), random)}`,
  (inner, random) => `sed -e 's,^, ,' -e 's,$,,e' <<< ${quoted(line(inner), random)}`,
  (inner, random) => `sed -f - notes.txt <<< ${quoted(`1e ${line(inner).replaceAll("\\", "\\\\")}`, random)}`,
  (inner, random) => `perl -e ${quoted(`system(${perlString(inner)})`, random)}`,
  (inner, random) => `perl <<< ${quoted(`system(${perlString(inner)})`, random)}`,
  (inner, random) => `echo ${quoted(`exec(${perlString(inner)})`, random)} | perl`,
  (inner, random) => `echo ${quoted(inner, random)} | perl -ne 'system($_)'`,
  (inner, random) => `perl -pe ${quoted(`BEGIN{system(${perlString(inner)})}`, random)} notes.txt`,
  (inner, random) => `echo ${quoted(`system(${perlString(inner)})`, random)} > made; perl made`,
  (inner, random) => `PERL5OPT=-Mvars perl -we ${quoted(`open(F,"|-",${perlString(inner)})`, random)}`,
  (inner, random) => `python3 -c ${quoted(`import os; os.system(${JSON.stringify(inner)})`, random)}`,
  (inner, random) => `echo ${quoted(`import os; os.system(${JSON.stringify(inner)})`, random)} | python3`,
  (inner, random) => `python3 - <<< ${quoted(`import os; os.system(${JSON.stringify(inner)})`, random)}`,
  (inner, random) => `make -f - <<< ${quoted(`a:\n\t${makeLine(inner)}`, random)}`,
  (inner, random) => `printf '%s\\n' ${quoted(`a:\n\t${makeLine(inner)}`, random)} > Makefile; make`,
  (inner, random) => `make --eval=${quoted(`$(shell ${makeLine(inner)})`, random)}`,
  (inner, random) =>
    `printf 'a:\\n\\techo $(X)\\n' > Makefile; make X=${quoted(`$(shell ${makeLine(inner)})`, random)}`,
  (inner, random) => `git -c alias.ok=${quoted(`!${inner}`, random)} ok`,
  (inner, random) => `git init -q .; git config alias.ok ${quoted(`!${inner}`, random)}; git ok`,
  (inner, random) =>
    `git init -q .; printf '[alias]\\nok = "!sh made"\\n' >> .git/config; echo ${quoted(inner, random)} > made; git ok`,
  (inner, random) => `git init -q . && git -c core.fsmonitor=${quoted(`${line(inner)};:`, random)} status`,
  (inner, random) => `GIT_EDITOR=${quoted(`${line(inner)} #`, random)} git config -f made -e`,
  (inner, random) => `git init -q .; git ls-remote --upload-pack=${quoted(`${line(inner)};`, random)} .`,
  (inner, random) => `git init -q .; git fetch --upload-pa ${quoted(`${line(inner)};`, random)} .`,
  (inner, random) => `git init -q .; git bisect run sh -c ${quoted(inner, random)}`,
  (inner, random) => `printf '!%s\\nq\\n' ${quoted(line(inner), random)} | ed -s`,
  (inner, random) => `ed -s <<< ${quoted(`!${line(inner)}`, random)}`,
  (inner, random) => `vim -es -c ${quoted(`:!${line(inner).replaceAll(/[!%#]/gu, "\\$&")}`, random)} -c :q!`,
  (inner, random) => `printf 'x\\n' | less +!${quoted(line(inner), random)}`,
  (inner, random) => `strace -o /dev/null bash -c ${quoted(inner, random)}`,
  (inner) => `node -e ${singleQuoted(`require("child_process").execSync(${JSON.stringify(inner)})`)}`,
];

function perlString(text: string): string {
  return inDoubleQuotes(text).replaceAll(/[$@]/gu, "\\$&");
}

function makeLine(text: string): string {
  return line(text).replaceAll("$", "$$$$").replaceAll("#", "\\#");
}
