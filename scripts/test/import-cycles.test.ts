// The dependency check's rule against import cycles between the files of a package.
// Only what is loaded at run time counts; a type-only import closes no cycle.
import { describe, expect, test } from "bun:test";
import { inStorage, storageViolation } from "./package-tree.ts";

describe("cycles", () => {
  test("of value imports are violations, each named once by its shortest way", () => {
    const violations = inStorage({
      "a.ts": 'import "./lone.ts";\nimport { b } from "./b.ts";',
      "b.ts": 'export { c } from "./c.ts";',
      "c.ts": 'import { type A, a } from "./a.ts";',
      "d.ts": 'import {} from "./d.ts";',
      "e.ts": 'export const later = () => import("./f.ts");',
      "f.ts": 'export * from "./e.ts";',
      "lone.ts": "",
    });
    const below = "move what they share into a file below them";
    expect(violations).toEqual([
      storageViolation("a.ts", 2, 19, "cycle", `a.ts -> b.ts -> c.ts -> a.ts: ${below}`),
      storageViolation("d.ts", 1, 16, "cycle", `d.ts -> d.ts: ${below}`),
      storageViolation("e.ts", 1, 35, "cycle", `e.ts -> f.ts -> e.ts: ${below}`),
    ]);
  });

  test("are found behind ways that part and meet again", () => {
    const violations = inStorage({
      "a.ts": 'import "./left.ts";\nimport "./right.ts";',
      "left.ts": 'import "./z.ts";',
      "right.ts": 'import "./z.ts";',
      "z.ts": 'import "./a.ts";',
    });
    const below = "move what they share into a file below them";
    expect(violations).toEqual([
      storageViolation("a.ts", 1, 8, "cycle", `a.ts -> left.ts -> z.ts -> a.ts: ${below}`),
      storageViolation("right.ts", 1, 8, "cycle", `right.ts -> z.ts -> a.ts -> right.ts: ${below}`),
    ]);
  });

  test("that a type-only import closes are none", () => {
    const violations = inStorage({
      "a.ts": 'import { b } from "./b.ts";\nimport { c } from "./c.ts";\nimport { d } from "./d.ts";',
      "b.ts": 'import type { A } from "./a.ts";\nexport type * from "./a.ts";',
      "c.ts": 'import { type A } from "./a.ts";\nimport type {} from "./a.ts";',
      "d.ts": 'export { type A } from "./a.ts";\ntype B = import("./a.ts").B;',
    });
    expect(violations).toEqual([]);
  });
});
