// Repositories that make git start a program: one way each. The program leaves a canary in the workspace.
import { chmodSync, existsSync, rmSync } from "node:fs";
import { git, makeRepository } from "../../../packages/runtime/test/sandbox/git-repository.ts";
import { TemporaryTree } from "../../support/tree.ts";

export interface Way {
  /** What the repository brings; `evil` is the program's path. */
  readonly prepare: (repository: HostileRepository, evil: string) => void;
  /** A command that looks harmless and starts the program with a git that nobody closed. */
  readonly command: string;
}

const evilProgram = '#!/bin/sh\necho ran >> "$(dirname "$0")/canary"\n[ "$1" = 2 ] && exit 0\ncat\n';

export class HostileRepository extends TemporaryTree {
  constructor({ prepare }: Pick<Way, "prepare">) {
    super({ "work/a.txt": "a\n", "work/b.txt": "b\n", "work/evil.sh": evilProgram, "home/": "", "bin/": "" });
    chmodSync(this.at("work/evil.sh"), 0o755);
    makeRepository(this.at("work"));
    // A change, so that there is a difference to show.
    this.add({ "work/b.txt": "changed\n" });
    prepare(this, this.at("work/evil.sh"));
    this.clear();
  }

  git(...args: string[]): string {
    return git(this.at("work"), ...args);
  }

  config(...pairs: (readonly [key: string, value: string])[]): void {
    for (const [key, value] of pairs) this.git("config", key, value);
  }

  /** A hook, an attribute file, a program: whatever has to be executable. */
  addProgram(
    name: string,
    text = evilProgram.replace('"$(dirname "$0")/canary"', this.at("work/canary")),
  ): void {
    this.add({ [name]: text });
    chmodSync(this.at(name), 0o755);
  }

  get hasRun(): boolean {
    return existsSync(this.at("work/canary"));
  }

  clear(): void {
    rmSync(this.at("work/canary"), { force: true });
  }
}

const attributes = (tree: HostileRepository, text: string) =>
  tree.add({ "work/.gitattributes": `${text}\n` });
/** So that git has to look into the file again. */
const touched = (tree: HostileRepository) => tree.add({ "work/a.txt": "a\n" });

/** Ways by a setting of a fixed name, by hooks, and by programs of the workspace. */
export const fixedWays: Readonly<Record<string, Way>> = {
  "core.fsmonitor": {
    prepare: (tree, evil) => tree.config(["core.fsmonitor", evil]),
    command: "git status --short",
  },
  "diff.external": {
    prepare: (tree, evil) => tree.config(["diff.external", evil]),
    command: "git diff",
  },
  "core.hooksPath": {
    prepare: (tree) => {
      tree.config(["core.hooksPath", "hooks"]);
      tree.addProgram("work/hooks/post-index-change");
      touched(tree);
    },
    command: "git status --short",
  },
  "a hook in .git/hooks": {
    prepare: (tree) => {
      tree.addProgram("work/.git/hooks/post-index-change");
      touched(tree);
    },
    command: "git status --short",
  },
  "include.path": {
    prepare: (tree, evil) => {
      tree.add({ "work/more.config": `[core]\n\tfsmonitor = ${evil}\n[diff]\n\texternal = ${evil}\n` });
      tree.config(["include.path", "../more.config"]);
    },
    command: "git diff && git status",
  },
  "gpg.program": {
    prepare: (tree, evil) => {
      tree.config(["gpg.program", evil]);
      const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----";
      const text = tree.git("cat-file", "commit", "HEAD").replace("\n\n", `\n${signature}\n\n`);
      tree.add({ "work/commit": text });
      tree.git("update-ref", "HEAD", tree.git("hash-object", "-t", "commit", "-w", "commit").trim());
    },
    command: "git log --format=%G?",
  },
  alias: {
    prepare: (tree, evil) => tree.config(["alias.st", `!${evil}`]),
    command: "git st </dev/null",
  },
  "core.pager and pager.log": {
    prepare: (tree, evil) => tree.config(["core.pager", evil], ["pager.log", evil]),
    command: "script -qec 'git log' /dev/null </dev/null >/dev/null",
  },
  "core.editor": {
    prepare: (tree, evil) => tree.config(["core.editor", evil]),
    command: "git branch --edit-description </dev/null",
  },
  "a promisor remote with uploadpack": {
    prepare: (tree, evil) => {
      const object = tree.git("rev-parse", "HEAD:a.txt").trim();
      tree.remove(`work/.git/objects/${object.slice(0, 2)}/${object.slice(2)}`);
      tree.config(
        ["core.repositoryFormatVersion", "1"],
        ["extensions.partialClone", "origin"],
        ["remote.origin.promisor", "true"],
        ["remote.origin.url", tree.at("work")],
        ["remote.origin.uploadpack", `${evil} 2;`],
      );
    },
    command: "git show HEAD:a.txt",
  },
  "a promisor remote over ext:: by insteadOf": {
    prepare: (tree, evil) => {
      const object = tree.git("rev-parse", "HEAD:a.txt").trim();
      tree.remove(`work/.git/objects/${object.slice(0, 2)}/${object.slice(2)}`);
      tree.config(
        ["core.repositoryFormatVersion", "1"],
        ["extensions.partialClone", "origin"],
        ["remote.origin.promisor", "true"],
        ["remote.origin.url", "https://example.invalid/x"],
        [`url.ext::${evil} 2 .insteadOf`, "https://"],
        ["protocol.ext.allow", "always"],
      );
    },
    command: "git show HEAD:a.txt",
  },
  "an address that insteadOf turns into ext::": {
    prepare: (tree, evil) =>
      tree.config([`url.ext::${evil} 2 .insteadOf`, "https://"], ["protocol.ext.allow", "always"]),
    command: "git ls-remote https://example.invalid/x </dev/null",
  },
  "core.sshCommand": {
    prepare: (tree, evil) => tree.config(["core.sshCommand", `${evil} 2`]),
    command: "git ls-remote ssh://example.invalid/x </dev/null",
  },
  "credential.helper": {
    prepare: (tree, evil) => tree.config(["credential.helper", evil]),
    command: "printf 'protocol=https\\nhost=x\\n\\n' | git credential fill",
  },
  "a bare repository in a folder": {
    prepare: (tree, evil) => {
      git(tree.path, "clone", "-q", "--bare", "work", "work/vendor");
      git(tree.at("work/vendor"), "config", "core.fsmonitor", evil);
      git(tree.at("work/vendor"), "config", "core.worktree", "..");
      git(tree.at("work/vendor"), "config", "core.bare", "false");
    },
    command: "cd vendor && git status",
  },
  "node_modules/.bin/git on the PATH": {
    prepare: (tree) => tree.addProgram("work/node_modules/.bin/git"),
    command: "git status",
  },
  "./git": {
    prepare: (tree) => tree.addProgram("work/git"),
    command: "git status",
  },
};

/** A repository in the repository, with a filter of its own. */
function nested(tree: HostileRepository, evil: string): void {
  tree.add({ "work/sub/c.txt": "c\n" });
  makeRepository(tree.at("work/sub"));
  git(tree.at("work/sub"), "config", "filter.evil.clean", evil);
  tree.add({ "work/sub/.gitattributes": "*.txt filter=evil\n", "work/sub/c.txt": "c\n" });
}

/** The same as a submodule, which the outer repository looks into. */
function submodule(tree: HostileRepository, evil: string): void {
  nested(tree, evil);
  tree.add({ "work/.gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n' });
  tree.git("add", "sub", ".gitmodules");
  tree.git("commit", "-q", "-m", "second");
  tree.git("tag", "-a", "-m", "one", "v1");
  // With a change of its own git would look no further, nor with a time that the index does not know.
  tree.add({ "work/sub/c.txt": "c\n", "work/b.txt": "b\n" });
  tree.git("update-index", "-q", "--refresh");
}

/** Ways by a repository that is not the project's own. */
export const nestedWays: Readonly<Record<string, Way>> = {
  "git -C": { prepare: nested, command: "git -C sub status" },
  "git --git-dir": { prepare: nested, command: "git --git-dir sub/.git --work-tree sub status" },
  cd: { prepare: nested, command: "cd sub && git status" },
  "git status of a submodule": { prepare: submodule, command: "git status" },
  "git diff of a submodule": { prepare: submodule, command: "git diff" },
  "git describe of a submodule": { prepare: submodule, command: "git describe --dirty" },
  "git diff-files of a submodule": { prepare: submodule, command: "git diff-files" },
};

/** Ways by an option that opens what is closed by default, also a shortened one. */
export const optionWays: Readonly<Record<string, Way>> = {
  "--ext-diff": {
    prepare: (tree, evil) => tree.config(["diff.external", evil]),
    command: "git diff --ext-diff",
  },
  "--ignore-submodules=none": { prepare: submodule, command: "git status --ignore-submodules=none" },
  "--ignore-s=none": { prepare: submodule, command: "git status --ignore-s=none" },
  "--submodule=diff": { prepare: submodule, command: "git diff --submodule=diff" },
  "describe --dirt": { prepare: submodule, command: "git describe --dirt" },
  "describe --brok": { prepare: submodule, command: "git describe --brok" },
};

/** Ways by a driver whose name the repository chooses; a name may try to slip through. */
export const drivers: Readonly<Record<string, (name: string) => Way>> = {
  "filter.clean": (name) => ({
    prepare: (tree, evil) => {
      tree.config([`filter.${name}.clean`, evil], [`filter.${name}.required`, "true"]);
      attributes(tree, `*.txt filter=${name}`);
      touched(tree);
    },
    command: "git status --short",
  }),
  "filter.process": (name) => ({
    prepare: (tree, evil) => {
      tree.config([`filter.${name}.process`, `${evil} 2`]);
      attributes(tree, `*.txt filter=${name}`);
      touched(tree);
    },
    command: "git diff",
  }),
  "filter.smudge": (name) => ({
    prepare: (tree, evil) => {
      tree.config([`filter.${name}.smudge`, evil]);
      attributes(tree, `*.txt filter=${name}`);
    },
    command: "git cat-file --filters HEAD:a.txt",
  }),
  "diff.textconv": (name) => ({
    prepare: (tree, evil) => {
      tree.config([`diff.${name}.textconv`, evil]);
      attributes(tree, `*.txt diff=${name}`);
    },
    command: "git log -p",
  }),
  "diff.command": (name) => ({
    prepare: (tree, evil) => {
      tree.config([`diff.${name}.command`, evil]);
      attributes(tree, `*.txt diff=${name}`);
    },
    command: "git diff",
  }),
};
