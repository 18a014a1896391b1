// Real directory trees for tests: written from a short description, removed at the end of the test.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Link {
  readonly link: string;
}

export interface Fifo {
  readonly fifo: true;
}

/** Path → content. A path that ends with `/` is a directory. A link's target is relative to the link. */
export type TreeDescription = Readonly<Record<string, string | Uint8Array | Link | Fifo>>;

export class TemporaryTree implements Disposable {
  /** Real path of the tree's top. */
  readonly path: string;

  constructor(description: TreeDescription) {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), "codelia-test-")));
    this.add(description);
  }

  at(...names: string[]): string {
    return join(this.path, ...names);
  }

  add(description: TreeDescription): void {
    for (const [name, content] of Object.entries(description)) {
      const path = this.at(name);
      mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
      if (name.endsWith("/")) continue;
      if (typeof content === "string" || content instanceof Uint8Array) writeFileSync(path, content);
      else if ("link" in content) symlinkSync(content.link, path);
      else spawnSync("mkfifo", [path]);
    }
  }

  remove(name: string): void {
    rmSync(this.at(name), { recursive: true });
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
