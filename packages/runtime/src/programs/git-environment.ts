// Environments for git: what a repository's own files could otherwise make git run.

type Environment = Readonly<Record<string, string>>;

export type GitSettings = readonly (readonly [key: string, value: string])[];

/** Closed for git that Codelia itself runs: nothing that the repository names is started. */
const closed: GitSettings = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.editor", "false"],
  ["core.askPass", "false"],
  ["core.sshCommand", "false"],
  ["core.alternateRefsCommand", "true"],
  ["credential.helper", ""],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["log.showSignature", "false"],
  ["protocol.ext.allow", "never"],
  ["safe.bareRepository", "explicit"],
  ["submodule.recurse", "false"],
];

/**
 * Closed for git in commands that somebody approved: what costs nothing. Hooks, an external diff and an ssh command stay, because
 * a commit is to run the hooks that the user wants, and the sandbox holds them too.
 */
const closedForCommands: GitSettings = [
  ["core.fsmonitor", "false"],
  ["safe.bareRepository", "explicit"],
];

/** For commands that show differences: no setting and no variable switches an external diff off. */
export const closedDiffFlags = ["--no-ext-diff", "--no-textconv"] as const;

/** @output the environment for git that Codelia runs by itself; show differences with `closedDiffFlags` */
export function closedGitEnvironment(env: Environment): Record<string, string> {
  const outside = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...withGitSettings(Object.fromEntries(outside), closed),
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    PAGER: "cat",
  };
}

/** @output the environment of a command, with git's quiet ways of starting programs closed */
export function commandGitEnvironment(env: Environment): Record<string, string> {
  return {
    ...withGitSettings(env, closedForCommands),
    GIT_PAGER: "cat",
    PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** Behind the settings that are there already: the later wins. */
export function withGitSettings(env: Environment, settings: GitSettings): Record<string, string> {
  const given = /^\d{1,4}$/.test(env.GIT_CONFIG_COUNT ?? "") ? Number(env.GIT_CONFIG_COUNT) : 0;
  const entries = settings.flatMap(([key, value], index): [string, string][] => [
    [`GIT_CONFIG_KEY_${given + index}`, key],
    [`GIT_CONFIG_VALUE_${given + index}`, value],
  ]);
  return { ...env, ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(given + settings.length) };
}
