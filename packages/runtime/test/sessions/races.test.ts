// Two processes want to go on with one session at the same moment.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { nodeDisk } from "@codelia/storage";
import { Contender } from "../../../../test/support/contender.ts";
import { readRecords } from "../../src/sessions/index.ts";
import { ids, SessionScene } from "./stored-sessions.ts";

const races = 1000;
const contender = join(import.meta.dir, "session-contender.ts");

test("in 1,000 races one goes on with the session, the other is told who has it, and every word is kept once", async () => {
  using scene = new SessionScene();
  const [id] = ids;
  await scene.add(id, []);
  const directory = scene.directory(id);
  await using one = new Contender(contender);
  await using other = new Contender(contender);
  const winners: string[] = [];
  for (let race = 0; race < races; race += 1) {
    // Who is asked first has an advantage; each has it half of the time.
    const order = race % 2 === 0 ? [one, other] : [other, one];
    const answers = await Promise.all(order.map((each) => each.tell("enter", directory)));
    const winner =
      order[answers.findIndex((answer) => Bun.deepEquals(answer, { entered: true, notices: [] }))];
    expect({ race, answers }).toEqual({
      race,
      answers: order.map((each) =>
        each === winner
          ? { entered: true, notices: [] }
          : { entered: false, told: `in use by process ${winner?.pid}` },
      ),
    });
    expect(await winner?.tell("leave", directory)).toEqual({ said: race + 2 });
    winners.push(`said by ${winner?.pid}`);
  }
  const said: string[] = [];
  for await (const { record } of readRecords(nodeDisk, directory)) {
    if (record.type !== "message.user") continue;
    said.push(...record.message.content.flatMap((part) => (part.type === "text" ? part.text : [])));
  }
  expect(said).toEqual(winners);
  expect(readdirSync(directory)).toEqual(["journal.jsonl"]);
});
