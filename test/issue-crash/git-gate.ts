// A git in place of the machine's that counts its calls, and kills whoever made a certain one.
import { chmodSync, readdirSync, realpathSync } from "node:fs";
import type { TemporaryTree } from "../support/tree.ts";

export interface GitDeath {
  /** The number of the call, from 1; 0 for none. */
  readonly call: number;
  /** `after`: git has done its work, and nobody hears of it. */
  readonly when: "before" | "after";
}

export interface GitGate {
  /** What starts a program so that it finds the gate where git was. */
  readonly through: readonly string[];
  /** How many calls there were so far. */
  calls(): number;
}

/** @effects writes below the tree */
export function gitGate(tree: TemporaryTree, { call, when }: GitDeath): GitGate {
  const git = realpathSync(Bun.which("git") ?? "git");
  const [gate, real, tickets] = [tree.at("gate"), tree.at("real-git"), tree.at("tickets")];
  // Programs that are links to git (git-receive-pack) are git's own affair. Files that are only ever made anew are
  // tickets, also for calls that begin at the same time.
  const script = `#!/bin/sh
case "\${0##*/}" in git) ;; *) exec '${real}' "\${0##*/git-}" "$@" ;; esac
set -C
n=1
while ! true > '${tickets}'/$n; do n=$((n + 1)); done 2> /dev/null
[ $n = ${when === "before" ? call : 0} ] && { kill -9 $PPID; exit 137; }
[ $n = ${when === "after" ? call : 0} ] || exec '${real}' "$@"
'${real}' "$@"
kill -9 $PPID
`;
  tree.add({ gate: script, "real-git": "", "tickets/": "" });
  chmodSync(gate, 0o755);
  return {
    through: [
      "bwrap",
      "--die-with-parent",
      "--dev-bind",
      "/",
      "/",
      "--ro-bind",
      git,
      real,
      "--ro-bind",
      gate,
      git,
      "--",
    ],
    calls: () => readdirSync(tickets).length,
  };
}
