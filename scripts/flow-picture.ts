// The picture of the example agent in docs/flows.md.
import { resolve } from "node:path";
import { flowGraph, load, toSvg, validate } from "@codelia/flows";

const agent = resolve(import.meta.dir, "../examples/agents/issue-fixer/.codelia/agents/issue-fixer");

/** @error when the example is not valid */
export async function flowPicture(): Promise<string> {
  const { definition, errors } = validate(await load(agent));
  const picture = definition && toSvg(flowGraph(definition.flow));
  if (picture === undefined) throw new Error(JSON.stringify(errors));
  return picture;
}
