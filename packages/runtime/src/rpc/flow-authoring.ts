// `flow.new`, `flow.graph`, `flow.preview`: a new agent, how one looks, and what it would ask.
import { basename, join, resolve } from "node:path";
import {
  describeDefinitionProblem,
  type FlowGraph,
  flowGraph,
  previewPrompts,
  runGraph,
  toMermaid,
  toSvg,
} from "@codelia/flows";
import { type Params, ProtocolError, type Result } from "@codelia/protocol";
import { type FlowDefinition, visibleName } from "@codelia/shared-types";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import {
  agentNamePattern,
  agentSkeleton,
  agentsFolder,
  findAgent,
  findRun,
  readAgent,
  readRun,
  scriptFile,
} from "../flows/index.ts";
import { makeNewFiles, mustStayInside } from "../new-files.ts";
import { openProject, projectNotices } from "../project/index.ts";
import { wireFlowGraph } from "./flow-definition-wire.ts";

/** Needs no trust: nothing of the project is read. @effects makes a directory with the files of an agent */
export async function newFlowAgent(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, name, description = "", dir }: Params<"flow.new">,
): Promise<Result<"flow.new">> {
  checkName(name);
  const said = description.trim() === "" ? `Say here what ${name} is for` : description.trim();
  const { folder, notices } = await placeOf(environment, options, cwd, dir);
  const files = await makeNewFiles(environment.disk, folder, name, agentSkeleton(name, said));
  const directory = join(folder, name);
  return { name, directory, files, script: join(directory, scriptFile), notices };
}

function checkName(name: string): void {
  if (agentNamePattern.test(name)) return;
  const suggestion = name
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, "");
  throw new ProtocolError(
    "invalid_params",
    `${visibleName(name)}: this is not a name for an agent: write at most 64 letters, digits, dots, _ and -, beginning with a letter or digit`,
    `For example: ${suggestion === "" ? "issue-fixer" : suggestion}`,
  );
}

async function placeOf(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  cwd: string,
  dir: string | undefined,
): Promise<{ folder: string; notices: string[] }> {
  if (dir !== undefined) return { folder: resolve(cwd, dir), notices: [] };
  const project = await openProject(environment, options, cwd);
  const folder = agentsFolder(project);
  const hint = "Name the folder yourself: codelia agent new NAME --dir PATH";
  await mustStayInside(environment, folder, project.root.path, hint);
  return { folder, notices: projectNotices(project) };
}

/** Reads an agent of a trusted project; with a run, that run's journal instead. @effects none */
export async function drawFlow(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, agent, run, format }: Params<"flow.graph">,
): Promise<Result<"flow.graph">> {
  const graph =
    run === undefined
      ? flowGraph(await definitionOf(environment, options, cwd, agent ?? ""))
      : await graphOfRun(environment, options, cwd, run, agent);
  return { graph: wireFlowGraph(graph), format, text: drawn(graph, format) };
}

/** The flow as it was when the run began. @input agent: whose run it must be */
async function graphOfRun(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  cwd: string,
  run: string,
  agent: string | undefined,
): Promise<FlowGraph> {
  const { codeliaHome, trust } = await openProject(environment, options, cwd);
  const found = await findRun(environment.disk, { codeliaHome, repository: trust.identity }, run);
  const reading = await readRun(environment.disk, found);
  const graph = reading && runGraph(reading.records);
  if (reading === undefined || graph === undefined) {
    throw new ProtocolError("in_use", `${found.id}: this run is just being made`, "Try again in a moment.");
  }
  const own = basename(reading.history.start.definition.directory);
  if (agent === undefined || [own, graph.name].includes(basename(resolve(cwd, agent)))) return graph;
  throw new ProtocolError(
    "invalid_params",
    `${found.id}: this is a run of ${visibleName(own)}, not of ${visibleName(agent)}`,
    "Leave the agent out, or see the runs with: codelia agent runs",
  );
}

function drawn(graph: FlowGraph, format: "mermaid" | "svg"): string {
  const text = format === "svg" ? toSvg(graph) : toMermaid(graph);
  if (text !== undefined) return text;
  const steps = graph.nodes.filter(({ kind }) => kind === "step").length;
  throw new ProtocolError(
    "refused",
    `${visibleName(graph.name)}: a picture of ${steps} steps and ${graph.edges.length} ways could not be read by anybody`,
    "Take --format mermaid, or --json.",
  );
}

/** Renders every prompt with samples. @effects none; no model is asked, no command is run */
export async function previewFlow(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, agent, params }: Params<"flow.preview">,
): Promise<Result<"flow.preview">> {
  const flow = await definitionOf(environment, options, cwd, agent);
  const previews = await previewPrompts(flow, { args: params, fs: environment.fs });
  const checks = new Map(flowGraph(flow).nodes.map(({ id, check }) => [id, check]));
  const steps = Object.entries(flow.steps).map(([id, { description, tools, approval, model }]) => {
    const check = checks.get(id);
    return {
      id,
      ...(description === undefined ? {} : { description }),
      ...(tools === undefined ? {} : { tools: [...tools] }),
      ...(approval === undefined ? {} : { approval }),
      ...(model === undefined ? {} : { model }),
      ...(check === undefined ? {} : { check }),
      prompts: previews
        .filter(({ step }) => step === id)
        .map(({ kind, text, problem }) => ({
          kind,
          ...(text === undefined ? {} : { text }),
          ...(problem === undefined ? {} : { problem }),
        })),
    };
  });
  const count = previews.filter(({ problem }) => problem !== undefined).length;
  return { name: flow.name, steps, problem_count: count };
}

const shownProblems = 10;

async function definitionOf(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  cwd: string,
  text: string,
): Promise<FlowDefinition> {
  const project = await openProject(environment, options, cwd);
  const { directory } = await findAgent(environment, options, project, text);
  const { definition, errors } = await readAgent(environment, directory);
  if (definition !== undefined) return definition.flow;
  const shown = errors.slice(0, shownProblems).map(describeDefinitionProblem);
  const rest = errors.length - shown.length;
  throw new ProtocolError(
    "invalid_config",
    [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n"),
    `Mend the agent; see all of it with: codelia agent validate ${visibleName(basename(directory))}`,
  );
}
