// `npm run check:dependencies [-- root]`: exits with 1 when an import or a declared dependency points upwards,
// passes a door by, or is not declared (the rules: dependency-rules.ts).
import { join } from "node:path";
import { checkDependencies } from "./dependency-rules.ts";
import { report } from "./violation.ts";

const { violations, files, packages } = checkDependencies(process.argv[2] ?? join(import.meta.dirname, ".."));
report(violations, `dependencies: ${files} files in ${packages} packages point downwards`);
