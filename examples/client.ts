// Drives Codelia from another program: bun examples/client.ts PROMPT [MODEL]
import { spawn } from "node:child_process";
import { connect, streamTransport } from "@codelia/protocol/wire";

const [prompt = "", model] = process.argv.slice(2);
const codelia = spawn("codelia", ["rpc"], { stdio: ["pipe", "pipe", "inherit"] });
const client = await connect(streamTransport(codelia.stdout, codelia.stdin), {
  client: { name: "example", version: "1.0" },
});
const params = { cwd: process.cwd(), prompt, images: [], approval: "ask" as const, compact: true };
const result = await client.call("run.start", model === undefined ? params : { ...params, model }, {
  emit: (event) => void (event.type === "text.delta" && process.stdout.write(event.text)),
  confirm: async ({ detail }) => ({ decision: detail === "npm test" ? "allow_once" : "deny" }),
});
process.stdout.write(`\n${result.status} after ${result.turns} turns\n`);
await client.close();
