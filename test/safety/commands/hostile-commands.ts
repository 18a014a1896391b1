// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for a shell
// Commands that do more than they seem to. `@` stands for a file that must not change; each command changes its own.

export interface HostileCommand {
  readonly name: string;
  readonly command: string;
  /** The program that a deny rule names; it is what changes the file. */
  readonly program: string;
  /**
   * Why it does no harm by itself: the program may be missing here or bash refuses the text (`may fail`), or another
   * program is named than a reader sees (`not the program`).
   */
  readonly harmless?: "may fail" | "not the program";
}

type Row = readonly [name: string, command: string, program?: string];

const long = (count: number) => `${"true && ".repeat(count)}rm @`;

// Everything here changes the file when bash runs it: the control run shows it.
const working: readonly Row[] = [
  ["a list with ;", "ls; rm @"],
  ["a list with &&", "ls && rm @"],
  ["a list with ||", "false || rm @"],
  ["a pipe", "ls | rm @"],
  ["a background job", "ls & rm @"],
  ["a second line", "ls\nrm @"],
  ["a line after a comment", "ls # harmless\nrm @"],
  ["a continued line", "ls; r\\\nm @"],
  ["a subshell", "(rm @)"],
  ["a group", "{ rm @; }"],
  ["a negation", "! rm @"],
  ["if", "if true; then rm @; fi"],
  ["for", "for f in @; do rm $f; done"],
  ["while", "while rm @; do break; done"],
  ["until", "until rm @; do break; done"],
  ["case", "case x in x) rm @;; esac"],
  ["a function", "f() { rm @; }; f"],
  ["time", "time rm @"],
  ["coproc", "coproc rm @; wait"],
  ["a substitution as a word", "echo $(rm @)"],
  ["a substitution in double quotes", 'echo "done: $(rm @)"'],
  ["back quotes", "echo `rm @`"],
  ["a substitution in arithmetic", "echo $((1 + $(rm @; echo 1)))"],
  ["a substitution in a default value", "echo ${x:-$(rm @)}"],
  ["a substitution in an assignment", "x=$(rm @) ls"],
  ["a substitution in a here-document", "cat <<END\n$(rm @)\nEND"],
  ["a substitution in a here-string", 'cat <<< "$(rm @)"'],
  ["a substitution in a redirection", "ls > $(rm @; echo /dev/null)"],
  ["a process substitution that is read", "cat <(rm @)"],
  ["a process substitution that is written", "ls > >(rm @; cat); wait; true"],
  ["empty quotes inside the name", 'r""m @'],
  ["single quotes around a letter", "'r'm @"],
  ["a backslash before the name", "\\rm @"],
  ["an escape in dollar quotes", "$'\\x72m' @"],
  ["$IFS between words", "rm${IFS}@"],
  ["a name from a variable", "x=rm; $x @"],
  ["a name from parts", "a=r; ${a}m @"],
  ["a name from a substitution", "$(echo rm) @"],
  ["a name from a brace expansion", "{rm,@}"],
  ["a name from a file pattern", "/bin/r[m] @"],
  ["an absolute path", "/bin/rm @"],
  ["a path with ..", "/bin/../bin/rm @"],
  ["an assignment before it", "A=1 rm @"],
  ["a redirection before it", ">/dev/null rm @"],
  ["env", "env rm @"],
  ["env with variables", "env -u HOME A=1 rm @"],
  ["env -S", 'env -S "rm @"'],
  ["command", "command rm @"],
  ["command -p", "command -p rm @"],
  ["exec", "exec rm @"],
  ["nice", "nice -n 5 rm @"],
  ["nohup", "nohup rm @"],
  ["setsid", "setsid --wait rm @"],
  ["timeout", "timeout -s KILL 60 rm @"],
  ["stdbuf", "stdbuf -o0 rm @"],
  ["wrappers in wrappers", "env nice timeout 60 nohup rm @"],
  ["xargs", "echo @ | xargs rm"],
  ["xargs with a placeholder", "echo @ | xargs -I{} rm {}"],
  ["find -exec", "find @ -exec rm {} \\;"],
  ["find -execdir", "find @ -execdir rm {} +"],
  ["find -delete", "find @ -delete", "find"],
  ["find -fprint", "find . -maxdepth 0 -fprint @", "find"],
  ["sort -o", "sort -o @ input", "sort"],
  ["sort with a glued -o", "sort -o@ input", "sort"],
  ["sort --output", "sort --outp=@ input", "sort"],
  ["uniq with two names", "uniq input @", "uniq"],
  ["git -c with an alias", "git -c alias.x='!rm @' x"],
  ["git --output", "git diff --no-index --output=@ input /dev/null", "git"],
  ["git --ext-diff", "git -c diff.external='rm @;' diff --no-index --ext-diff input other"],
  ["git -O", "git grep -O'rm @ #' --no-index -e words input"],
  ["sed w", "sed -n 'w @' input", "sed"],
  ["sed s///w", "sed 's/words/x/w @' input", "sed"],
  ["sed e", "sed '1e rm @' input"],
  ["sed s///e", "echo x | sed 's|x|rm @|e'"],
  ["sed -i", "sed -i d @", "sed"],
  ["awk system", `awk 'BEGIN { system("rm @") }'`],
  ["awk that prints to a file", `awk 'BEGIN { print "x" > "@" }'`, "awk"],
  ["awk that prints to a pipe", `awk 'BEGIN { print "rm @" | "sh" }'`],
  ["tar with an action", "tar --checkpoint=1 --checkpoint-action=exec='rm @' -cf /dev/null input"],
  ["bash -c", "bash -c 'rm @'"],
  ["sh -c in sh -c", `sh -c "sh -c 'rm @'"`],
  ["a shell that reads a pipe", "echo 'rm @' | sh"],
  ["a shell that reads a here-document", "sh <<'END'\nrm @\nEND"],
  ["a shell that reads a here-string", "bash <<< 'rm @'"],
  ["eval", "eval 'rm' '@'"],
  ["eval of what was put together", "x='r'; y='m'; eval \"$x$y @\""],
  ["trap", "trap 'rm @' EXIT"],
  ["an encoded text for a shell", "printf '\\162\\155 @' | sh"],
  ["a script that is written and sourced", "echo 'rm @' > made.sh; . ./made.sh"],
  ["perl", `perl -e 'unlink "@"'`, "perl"],
  ["a redirection", "echo x > @", "echo"],
  ["a redirection that appends", "echo x >> @", "echo"],
  ["a redirection that clobbers", "echo x >| @", "echo"],
  ["a redirection of both outputs", "echo x &> @", "echo"],
  ["a redirection of an open descriptor", "exec 3> @; echo x >&3", "echo"],
  ["tee", "cat input | tee @", "tee"],
  ["dd", "dd if=input of=@", "dd"],
  ["cp", "cp input @", "cp"],
  ["ln", "ln -sf input @", "ln"],
  ["truncate", "truncate -s 0 @", "truncate"],
  ["a very long chain", long(1500)],
  ["a chain that is longer than what is read", long(4000)],
  ["deep subshells", `${"( ".repeat(100)}rm @${" )".repeat(100)}`],
  ["a line that ends as on Windows", "true\r\nrm @"],
  ["a non-breaking space on the way", "echo\u00a0x; rm @"],
  ["an invisible character on the way", "echo\u200b x; rm @"],
];

const failing: readonly Row[] = [
  ["sudo", "sudo rm @"],
  ["doas", "doas rm @"],
  ["rg --pre", "rg --pre rm words @"],
  ["quotes that are not closed", "echo 'x; rm @"],
  ["brackets that are not closed", "(((rm @"],
  ["an if that is not closed", "if true; then rm @"],
  ["git with a pager", "git -c core.pager='rm @ #' -p log"],
];

const misleading: readonly Row[] = [
  ["a carriage return instead of a line end", "ls\rrm @"],
  ["a non-breaking space instead of a space", "rm\u00a0@"],
];

const rowOf = ([name, command, program = "rm"]: Row) => ({ name, command, program });

export const hostileCommands: readonly HostileCommand[] = [
  ...working.map(rowOf),
  ...failing.map((row) => ({ ...rowOf(row), harmless: "may fail" as const })),
  ...misleading.map((row) => ({ ...rowOf(row), harmless: "not the program" as const })),
];
