// What the parts of words can do besides standing for text: run commands, compute, look at files.
import type { Findings } from "./findings.ts";
import type { ParameterExpansionPart, SyntaxNode } from "./parser.ts";
import { decidesPrograms } from "./variables.ts";

/** Bash computes names in arithmetic again, and a value such as `a[$(rm)]` is run on the way. */
const computedRuns = "it computes with names, and computing a value can run commands";

export function reportPart(node: SyntaxNode, findings: Findings): void {
  if (node.type === "SimpleExpansion") findings.obstacle("expansion", `${node.text} is computed`);
  if (node.type === "ParameterExpansion") reportParameter(node, findings);
  if (node.type === "BraceExpansion") findings.obstacle("expansion", `${node.text} becomes several words`);
  if (node.type === "ExtendedGlob") findings.obstacle("glob", `${node.text} is a pattern`);
  if (
    node.type === "CommandExpansion" ||
    node.type === "ArithmeticCommandExpansion" ||
    node.type === "ProcessSubstitution"
  ) {
    findings.obstacle("substitution", `${node.text} runs a command`);
    if (node.script === undefined) findings.anyProgram("unparsable", `${node.text} is not understood`);
  }
  const computation = computationOf(node);
  if (computation !== undefined) findings.anyProgram("expansion", `${computation}: ${computedRuns}`);
  if (node.type === "ArithmeticExpansion") findings.obstacle("expansion", `${node.text} is computed`);
}

/** @output the text of what computes with names */
function computationOf(node: SyntaxNode): string | undefined {
  if (node.type === "ArithmeticExpansion") return hasNames(node.text) ? node.text : undefined;
  if (node.type === "ArithmeticCommand") return hasNames(node.body) ? "((…))" : undefined;
  if (node.type === "ArithmeticFor") return "for ((…))";
  if (node.type === "TestUnary") return /^-[vR]$/u.test(node.operator) ? `[[ ${node.operator} ]]` : undefined;
  if (node.type !== "TestBinary" || !/^-(?:eq|ne|lt|le|gt|ge)$/u.test(node.operator)) return undefined;
  return isNumber(node.left.text) && isNumber(node.right.text) ? undefined : `[[ ${node.operator} ]]`;
}

function reportParameter(
  { text, parameter, prefix, index, operation }: ParameterExpansionPart,
  findings: Findings,
): void {
  findings.obstacle("expansion", `${text} is computed`);
  const subscript = index === undefined || /^(?:[@*]|\d+)$/u.test(index.text);
  const slice =
    operation?.type !== "Slice" ||
    (isNumber(operation.offset.text) && isNumber(operation.length?.text ?? "0"));
  const transform = operation?.type !== "Transform" || /^[QEAaUuLKk]$/u.test(operation.operand.text);
  // In double quotes and here-documents it begins no quote: what follows is expanded. The parser takes it for one.
  const noQuote = text.includes("$'");
  if (operation?.type === "Default" && operation.operator.endsWith("=") && decidesPrograms(parameter))
    findings.anyProgram("assignment", `${parameter} decides which programs run`);
  if (prefix === "!" || !subscript || !slice || !transform || noQuote || operation?.type === "Unknown") {
    findings.anyProgram("expansion", `${text} can run commands when it is computed`);
  }
}

function isNumber(text: string): boolean {
  return /^\s*-?\d+\s*$/u.test(text);
}

function hasNames(text: string): boolean {
  return /[A-Za-z_`[]|\$(?!\(\()/u.test(text.replaceAll(/\b0[xX][\da-fA-F]+/gu, "0"));
}
