// Git in commands that nobody was asked about: nothing that a repository configured is started. What has a fixed name is
// closed through the environment; drivers have names of the repository's choice, so a shell function looks them up.
import { type GitSettings, withGitSettings } from "./git-environment.ts";

/** The user's own editors, helpers and hooks are closed too: nobody waits for them in such a command. */
const closed: GitSettings = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.editor", "false"],
  ["sequence.editor", "false"],
  ["core.askPass", "false"],
  ["core.sshCommand", "ssh"],
  ["core.alternateRefsCommand", "true"],
  ["log.showSignature", "false"],
  ["safe.bareRepository", "explicit"],
  // A submodule is a repository with a config of its own: git would start another git in it.
  ["submodule.recurse", "false"],
  ["status.submoduleSummary", "false"],
  ["diff.submodule", "short"],
  ["diff.ignoreSubmodules", "dirty"],
];

/** @output the environment of a command of which nobody was asked */
export function unaskedGitEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const { GIT_EXTERNAL_DIFF: _, ...rest } = env;
  return {
    ...withGitSettings(rest, closed),
    GIT_PAGER: "cat",
    PAGER: "cat",
    GIT_EDITOR: "false",
    GIT_SEQUENCE_EDITOR: "false",
    GIT_TERMINAL_PROMPT: "0",
    // A promisor remote is asked for missing objects even by `git log`, over whatever its URL starts.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: env.GIT_ALLOW_PROTOCOL ?? "http:https:ssh",
  };
}

// Keys whose value is started; git gives them in small letters, only the middle part is as the repository wrote it.
export const startingKeys =
  "^alias[.]|[.](clean|smudge|process|required|textconv|external|command|cmd|program|helper|driver|uploadpack|" +
  "receivepack|vcs|update|defaultkeycommand|difffilter|gitproxy|askpass|packobjectshook)$";

/**
 * Environment variables and not -c: there a name with = in it would be cut. An empty filter, helper or alias is none;
 * `cat` shows a file as it is; everything else fails. Options that would open what is closed are refused, also
 * shortened ones. The flags that are added stand first, so they hold for names behind `--` too.
 */
const gitFunction = () =>
  `
git() {
  local g=() f=() a k s w n=\${GIT_CONFIG_COUNT:-0};
  while [ $# -gt 0 ]; do case $1 in
    -C|-c|--git-dir|--work-tree|--namespace|--config-env|--attr-source|--super-prefix)
      g+=("$1" "$2"); shift; shift ;;
    -*) g+=("$1"); shift ;;
    *) break ;;
  esac; done;
  for a in "$@"; do case $1/$a in
    */--) break ;;
    */--ext|*/--ext-*|*/--textc*|*/--sub*|describe/--di*|describe/--b*|
    */--ignore-|*/--ignore-=*|*/--ignore-s|*/--ignore-s=*|*/--ignore-su*)
      echo "git: $a can start programs that the repository names, and nobody was asked: not run" >&2;
      return 128 ;;
  esac; done;
  case $1 in status|diff|diff-index|diff-files) f+=(--ignore-submodules=dirty) ;; esac;
  case $1 in diff|diff-index|diff-files|diff-tree|log|show|whatchanged|format-patch) f+=(--no-ext-diff) ;; esac;
  ( while IFS= read -r -d '' s && IFS= read -r -d '' k; do
      case $s in
        end) if [ "$k" -gt 1 ]; then echo "git: its settings cannot be read: not run" >&2; exit 128; fi; continue ;;
        local|worktree) ;;
        *) continue ;;
      esac;
      case $k in
        alias.*|*.clean|*.smudge|*.process|*.helper|*.vcs) w= ;;
        *.textconv) w=cat ;;
        *.update) w=none ;;
        *.uploadpack) w=git-upload-pack ;;
        *.receivepack) w=git-receive-pack ;;
        *) w=false ;;
      esac;
      export "GIT_CONFIG_KEY_$n=$k" "GIT_CONFIG_VALUE_$n=$w"; n=$((n+1));
    done < <(
      command git "\${g[@]}" config -z --show-scope --name-only --get-regexp '${startingKeys}' 2>/dev/null;
      printf 'end\\0%s\\0' $?);
    export GIT_CONFIG_COUNT=$n;
    if [ $# -eq 0 ]; then exec git "\${g[@]}"; fi;
    a=$1; shift;
    exec git "\${g[@]}" "$a" "\${f[@]}" "$@" );
};
`
    .replaceAll(/\n */g, " ")
    .trim();

/** @output the command with `git` closed, on the same lines; needs bash */
export function withUnaskedGit(command: string): string {
  return /\bgit\b/.test(command) ? `${gitFunction()} ${command}` : command;
}
