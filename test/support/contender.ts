// A process that contends with others for something, and does what the test tells it: one line out, one line back.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export class Contender implements AsyncDisposable {
  readonly #child;
  readonly #answers;

  /** @input script: what the process runs; it answers each line `command directory` with a line of JSON */
  constructor(script: string) {
    this.#child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async tell(command: string, directory: string): Promise<unknown> {
    this.#child.stdin.write(`${command} ${directory}\n`);
    const { value } = await this.#answers.next();
    return JSON.parse(String(value));
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, "exit");
    this.#child.stdin.end();
    await exit;
  }
}
