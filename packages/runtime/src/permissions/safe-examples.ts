// A summary of what needs no question in the sandbox, for people. The list itself is the shell room's.

// Only those are shown that the list really holds.
const examples =
  "basename cat cd cut date dirname echo file find grep head jq ls md5sum nl od printf pwd readlink rg sed sha256sum sort stat tail tree tr true uniq wc which" +
  ",git blame,git branch,git diff,git log,git ls-files,git rev-parse,git show,git status";

export async function safeExamples(): Promise<string[]> {
  const { safetyOf } = await import("../shell/index.ts");
  const [programs = "", ...commands] = examples.split(",");
  return [...programs.split(" "), ...commands].filter((command) => safetyOf(command.split(" ")).safe);
}
