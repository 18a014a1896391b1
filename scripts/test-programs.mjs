// Started before the tests: they run real sandboxes and shells and never skip, so what they need has to be there. Root on Debian
// gets it installed; everybody else is told what to install. Plain Node: nothing is looked up but the PATH.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Program → Debian's package. */
const needed = {
  bwrap: "bubblewrap",
  socat: "socat",
  git: "git",
  setsid: "util-linux",
  zsh: "zsh",
  fish: "fish",
};

const missing = () =>
  Object.entries(needed)
    .filter(([program]) => !isOnPath(program))
    .map(([, name]) => name);

function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder || ".", program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** No question can be asked: standard input is closed, and dpkg is told so. Another apt may hold the lock. */
function apt(...args) {
  const { status } = spawnSync("apt-get", ["-o", "DPkg::Lock::Timeout=300", "-q", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return status === 0;
}

const packages = process.platform === "linux" ? missing() : [];
if (packages.length > 0 && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
  process.stderr.write(`The tests need ${packages.join(", ")}: installing.\n`);
  // The lists may be there already, or be out of reach while an older copy of the package is at hand.
  apt("update");
  apt("install", "-y", "--no-install-recommends", ...packages);
}
const left = process.platform === "linux" ? missing() : [];
if (left.length > 0) {
  process.stderr.write(
    `The tests run real sandboxes and shells and need: ${left.join(", ")}.\n` +
      `Debian, Ubuntu: sudo apt-get install ${left.join(" ")}\n` +
      `Fedora: sudo dnf install ${left.join(" ")}\nArch: sudo pacman -S ${left.join(" ")}\n`,
  );
  process.exitCode = 1;
}
