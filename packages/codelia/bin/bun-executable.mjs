// Finds the Bun executable that npm installed for this platform.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const platforms = { darwin: "darwin", linux: "linux", win32: "windows" };
const processors = { arm64: "aarch64", x64: "x64" };

/**
 * @output absolute path of the Bun executable
 * @error  ends the process with 1 and says what to do when the platform package is not installed
 */
export function bunExecutable() {
  const names = candidatePackages();
  const require = createRequire(import.meta.url);
  for (const name of names) {
    try {
      const folder = dirname(require.resolve(`${name}/package.json`));
      const file = join(folder, "bin", process.platform === "win32" ? "bun.exe" : "bun");
      if (existsSync(file)) return file;
    } catch {
      // Not installed: npm installs only the package of this platform.
    }
  }
  process.stderr.write(
    names.length === 0
      ? `Bun has no package for ${process.platform} on ${process.arch}.\n`
      : `Bun is not installed: none of ${names.join(", ")} was found.\nRun \`npm ci\` (without --omit=optional) in the repository and try again.\n`,
  );
  process.exit(1);
}

function candidatePackages() {
  const platform = platforms[process.platform];
  const processor = processors[process.arch];
  if (!platform || !processor) return [];
  const name = `@oven/bun-${platform}-${processor}`;
  if (platform !== "linux") return [name];
  return isMusl() ? [`${name}-musl`, name] : [name, `${name}-musl`];
}

function isMusl() {
  try {
    return readFileSync("/usr/bin/ldd", "latin1").includes("musl");
  } catch {
    return false;
  }
}
