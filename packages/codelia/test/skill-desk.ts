// A repository and a home directory with skills, and the program in them.
import { codelia, type Run } from "../../../test/support/codelia.ts";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";

export interface DeskRun {
  /** Below the tree; default: the repository. */
  readonly in?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export class SkillDesk implements Disposable {
  readonly tree: TemporaryTree;

  constructor(description: TreeDescription = {}) {
    this.tree = new TemporaryTree({ "repo/.git/": "", "home/": "", ...description });
  }

  get config(): string {
    return this.tree.at("home/.codelia/config.json");
  }

  /** As a person sees it, the tree's own path as `TREE`. */
  async skills(args: readonly string[], { in: place = "repo", env = {} }: DeskRun = {}): Promise<Run> {
    const run = await codelia(["skills", ...args], {
      cwd: this.tree.at(place),
      home: this.tree.at("home"),
      env,
    });
    return { ...run, stdout: this.shown(run.stdout), stderr: this.shown(run.stderr) };
  }

  /** The JSON that a command prints; its exit code must be 0. */
  async json(args: readonly string[], options: DeskRun = {}): Promise<unknown> {
    const { code, stdout, stderr } = await this.skills([...args, "--json"], options);
    if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
    const value: unknown = JSON.parse(stdout);
    return value;
  }

  shown(text: string): string {
    return text.replaceAll(this.tree.path, "TREE");
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

/** A SKILL.md that is valid in a directory of the same name. */
export function skillText(name: string, description: string, body = `# ${name}\n`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`;
}

/** Path → content of skills below `folder`. */
export function skillFiles(folder: string, skills: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(skills).map(([name, description]) => [
      `${folder}/.agents/skills/${name}/SKILL.md`,
      skillText(name, description),
    ]),
  );
}

export const untrusted =
  "This project is not trusted, so nothing of it is used. To trust it: codelia trust TREE/repo (or --trust for one run).\n";
