// Whatever tools do to files over several prompts: each undo gives the very tree from before its prompt.
// CODELIA_PROPERTY_RUNS sets how many sequences are tried.
import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import fc from "fast-check";
import { patch, read, UndoScene, write } from "./undo-scene.ts";

const numRuns = Number(process.env.CODELIA_PROPERTY_RUNS ?? 10);
const timeout = 600_000;

const names = ["a.ts", "b.ts", "sub/c.ts", "sub/deep/d.ts"] as const;

/** What may be done to a file, by numbers that mean something whatever the state. */
const step = fc.record({
  kind: fc.constantFrom("write", "update", "move", "delete", "add"),
  file: fc.nat(),
  target: fc.nat(),
});

interface Step {
  readonly kind: "write" | "update" | "move" | "delete" | "add";
  readonly file: number;
  readonly target: number;
}

type Call = readonly [string, unknown];

/** The tools' view of the project: which files are there, and the number in each one's second line. */
class Model {
  readonly #files: Map<string, number>;
  #next = 100;

  constructor(files: readonly string[]) {
    this.#files = new Map(files.map((name, index) => [name, index]));
  }

  /** The call for a step, or for the nearest thing that is possible. */
  call({ kind, file, target }: Step): Call {
    const present = [...this.#files.keys()];
    const absent = names.filter((name) => !this.#files.has(name));
    const old = present[file % Math.max(1, present.length)];
    const fresh = absent[target % Math.max(1, absent.length)];
    this.#next += 1;
    const next = this.#next;
    if (old === undefined || (kind === "add" && fresh !== undefined)) {
      const name = fresh ?? names[0];
      this.#files.set(name, next);
      return patch(`*** Add File: ${name}`, "+top", `+${next}`);
    }
    const number = this.#files.get(old);
    if (kind === "delete") {
      this.#files.delete(old);
      return patch(`*** Delete File: ${old}`);
    }
    if (kind === "move" && fresh !== undefined) {
      this.#files.delete(old);
      this.#files.set(fresh, next);
      return patch(`*** Update File: ${old}`, `*** Move to: ${fresh}`, " top", `-${number}`, `+${next}`);
    }
    this.#files.set(old, next);
    if (kind === "update") return patch(`*** Update File: ${old}`, " top", `-${number}`, `+${next}`);
    return write(old, `top\n${next}\n`);
  }
}

const file = fc.record({
  isThere: fc.boolean(),
  ending: fc.constantFrom("\n", "\r\n"),
  mark: fc.constantFrom("", "\ufeff"),
  mode: fc.constantFrom(0o600, 0o644, 0o755, 0o444),
});

const project = fc.record({
  files: fc.tuple(file, file, file, file),
  prompts: fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
});

test(
  "each undo gives the tree from before its prompt",
  async () => {
    await fc.assert(
      fc.asyncProperty(project, async ({ files, prompts }) => {
        const present = names.filter((_, index) => files[index]?.isThere);
        using scene = new UndoScene({});
        for (const [index, name] of present.entries()) {
          const { ending, mark, mode } = files[names.indexOf(name)] ?? files[0];
          scene.add({ [`repo/${name}`]: `${mark}top${ending}${index}${ending}` });
          chmodSync(scene.in(name), mode);
        }
        const model = new Model(present);
        const states = [];
        for (const [index, steps] of prompts.entries()) {
          states.push(scene.files());
          const calls = [...(index === 0 ? present.map(read) : []), ...steps.map((each) => model.call(each))];
          await (index === 0 ? scene.run({ calls }) : scene.goOn({ calls }));
        }
        const failed = (await scene.records()).filter(
          (each) => each.type === "message.tool" && each.message.isError,
        );
        expect(failed).toEqual([]);
        for (const state of states.toReversed()) {
          await scene.undo();
          expect(scene.files()).toEqual(state);
        }
      }),
      { numRuns },
    );
  },
  timeout,
);
