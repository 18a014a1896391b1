// `npm run check:lockfile [-- root]`: exits with 1 when the lockfile would not install on all our platforms,
// or is not pinned (the rules: lockfile-rules.ts).
import { join } from "node:path";
import { checkLockfile } from "./lockfile-rules.ts";
import { report } from "./violation.ts";

const { violations, packages, families, pins } = checkLockfile(
  process.argv[2] ?? join(import.meta.dirname, ".."),
);
report(
  violations,
  `lockfile: ${packages} packages, ${families} families complete on six platforms, ${pins} exact pins`,
);
