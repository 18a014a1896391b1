// The library as its users get it: built, packed, and in a project that is not part of this workspace.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { repository } from "../support/codelia.ts";
import { TemporaryTree } from "../support/tree.ts";

const Manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

/** The example of the document, asked of a scripted model. */
export function documentedExample(script: string): string {
  const page = readFileSync(join(repository, "docs/library.md"), "utf8");
  const example = /^```ts\n(.*?)^```$/ms.exec(page)?.[1] ?? "";
  return example.replace(
    "createSession({",
    `createSession({ model: ${JSON.stringify(`scripted/${script}`)},`,
  );
}

const turns = [
  { tool_calls: [{ name: "weather", arguments: { city: "Oslo" } }] },
  { tool_calls: [{ name: "grep", arguments: { pattern: "needle" } }] },
  {
    text: "The sun shines in Oslo.\n",
    expect: { request_contains: ["Sunny in Oslo.", "folder/hay.txt:1:a needle"] },
  },
];

/** A project outside of the workspace that uses the library. */
export class OutsideProject implements Disposable {
  readonly tree = new TemporaryTree({
    "home/": "",
    "script.json": JSON.stringify({ turns }),
    "project/package.json": JSON.stringify({ name: "outside", private: true, type: "module" }),
    "project/folder/hay.txt": "a needle\n",
  });

  constructor() {
    this.tree.add({ "project/main.ts": documentedExample(this.tree.at("script.json")) });
  }

  get path(): string {
    return this.tree.at("project");
  }

  /** Builds and packs the library. @output the archive */
  pack(): string {
    const built = this.tree.at("library");
    this.must([process.execPath, join(repository, "scripts/build-library.ts"), built], repository);
    this.must(["npm", "pack", "--silent", "--pack-destination", this.tree.path], built);
    const archive = readdirSync(this.tree.path).find((name) => name.endsWith(".tgz"));
    if (archive === undefined) throw new Error("npm packed nothing");
    return this.tree.at(archive);
  }

  /** Unpacks the archive as npm would, with the dependencies of this workspace: without a network. */
  unpack(archive: string): void {
    const folder = join(this.path, "node_modules/@codelia/runtime");
    mkdirSync(folder, { recursive: true });
    this.must(["tar", "-xzf", archive, "-C", folder, "--strip-components=1"], this.path);
    const { dependencies } = Manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
    for (const name of Object.keys(dependencies)) {
      const link = join(this.path, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(repository, "node_modules", name), link);
    }
  }

  /** @output what the example prints; @error what it says when it fails */
  run(program: readonly string[]): string {
    return this.must([...program], this.path, { HOME: this.tree.at("home") });
  }

  must([file = "", ...args]: readonly string[], cwd: string, env: Record<string, string> = {}): string {
    const { status, stdout, stderr } = spawnSync(file, args, {
      cwd,
      encoding: "utf8",
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    });
    if (status !== 0) throw new Error(`${file} ${args.join(" ")}: ${stdout}\n${stderr}`);
    return stdout;
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}
