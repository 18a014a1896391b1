// A process that claims issues when it is told to, and says what came of it. Arguments: repository, home.
// A line of its input: issue, the directory for claims, the number of the process.
import { prepareWorktree, takeNewIssue } from "@codelia/flows";
import { createClosedGit } from "../../../runtime/src/programs/index.ts";
import { newIssue, placesOf, userEnvironment, workOn } from "./repositories.ts";

const [repository = "", home = ""] = process.argv.slice(2);
const port = createClosedGit(userEnvironment(home), repository, new Set());

async function claim(issue: number, directory: string, name: string): Promise<string> {
  try {
    const places = await placesOf(port, repository, directory);
    const work = await workOn(places, issue);
    const { held } = await takeNewIssue(places, newIssue(issue));
    try {
      await prepareWorktree(places, held, work, { run: `run-${name}`, agent: "fixer" });
    } finally {
      await held.release();
    }
    return "won";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

process.stdout.write("ready\n");
for await (const line of console) {
  const [issue = "0", directory = "", name = ""] = line.split("\t");
  process.stdout.write(`${issue} ${await claim(Number(issue), directory, name)}\n`);
}
