// What a redirection opens, and what it makes of a command's input.
import type { Findings } from "./findings.ts";
import type { Redirect, Redirection } from "./parser.ts";
import type { Stdin } from "./scene.ts";
import { shellWord } from "./words.ts";

/** @output what the command's standard input becomes; `undefined`: it stays */
export function reportRedirection(redirection: Redirection, findings: Findings): Stdin | undefined {
  switch (redirection.type) {
    case "HereDoc": {
      findings.obstacle("heredoc", "a here-document");
      const { delimiter, body, operator } = redirection;
      const plain = delimiter?.quoted === true || !/[\\$`]/u.test(body.text);
      const text = operator === "<<-" ? body.text.replaceAll(/^\t+/gmu, "") : body.text;
      return isInput(redirection) && plain ? { kind: "text", text } : { kind: "other" };
    }
    case "HereString": {
      findings.obstacle("heredoc", "a here-string");
      const word = redirection.target === undefined ? undefined : shellWord(redirection.target);
      if (word !== undefined) findings.assigns(word);
      const value = word?.value;
      return isInput(redirection) && value !== undefined
        ? { kind: "text", text: `${value}\n` }
        : { kind: "other" };
    }
    case "Redirect":
      return reportFile(redirection, findings);
  }
}

function isInput({ descriptor }: Redirection): boolean {
  return descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
}

function reportFile(redirection: Redirect, findings: Findings): Stdin | undefined {
  const { operator, target, descriptor } = redirection;
  const word = target === undefined ? { text: "" } : shellWord(target);
  const reads = operator.startsWith("<");
  const copies = operator.endsWith("&") && /^(?:\d+-?|-)$/u.test(word.value ?? "");
  if (descriptor?.type === "FileDescriptorVariable") {
    findings.obstacle("redirection", "a redirection that sets a variable");
  }
  const stdin: Stdin | undefined =
    reads || (descriptor?.type === "FileDescriptor" && descriptor.value === 0)
      ? { kind: "other" }
      : undefined;
  if (copies || word.value === "/dev/null") return stdin;
  findings.obstacle("redirection", `${operator} ${word.text}`);
  findings.redirection({
    access: operator === "<>" ? "read_write" : reads ? "read" : operator.endsWith(">>") ? "append" : "write",
    ...(word.value === undefined ? {} : { path: word.value }),
    text: `${operator} ${word.text}`,
  });
  if (operator !== "<") findings.writes(`${operator} ${word.text}`);
  return stdin;
}
