// A shell as a program: its text after -c, its script file, or what it reads from its input.
import { openingOption, runsFile } from "./builtins.ts";
import { anyShellText, type Handler, programFromStdin } from "./scene.ts";

// Without effect on what runs. `-i` is left out: an interactive shell reads its own start-up files. So are `-k` and
// `-H`, with which words set variables and `!!` runs an earlier line.
const knownBundle = /^[abcefhlmnpruvxBCDEPTsoO]+$/u;
const longFlags = /^--(?:norc|noprofile|posix|login|verbose|restricted|noediting|debugger)$/u;

export const runShell: Handler = (args, walker, scene, name) => {
  const { findings } = walker;
  const inside = { ...scene, via: [...scene.via, name] };
  findings.obstacle("interpreter", `${name} runs a text or a file`);
  const queue = [...args];
  let fromText = false;
  let fromInput = false;
  while (queue[0] !== undefined && /^[-+]/u.test(queue[0].value ?? queue[0].prefix ?? "-")) {
    const word = queue.shift();
    const flag = word?.value;
    if (flag === "--version" || flag === "--help") return;
    if (flag === "-" || flag === "--") break;
    if (flag !== undefined && longFlags.test(flag)) continue;
    const bundle = /^[-+]([A-Za-z]+)$/u.exec(flag ?? "")?.[1];
    if (bundle === undefined || !knownBundle.test(bundle)) {
      findings.mentionWords(args, inside.via);
      findings.anyProgram("interpreter", `${name} ${word?.text ?? ""} can run anything`);
      return;
    }
    // `x` prints through PS4, which is a text of its own; assignments to it are found where they stand.
    for (const letter of bundle) {
      if (!"oO".includes(letter)) continue;
      const option = queue.shift();
      if (openingOption.test(option?.value ?? "history"))
        findings.anyProgram("interpreter", `${name} ${option?.text ?? ""} changes what words mean`);
    }
    if (bundle.includes("c")) fromText = true;
    if (bundle.includes("s")) fromInput = true;
  }
  const [first, ...rest] = queue;
  findings.mentionWords(rest, inside.via);
  if (fromText) {
    if (first?.value !== undefined && name.includes("bash")) walker.text(first.value, inside);
    else if (first?.value !== undefined) anyShellText(first.value, walker, inside);
    else if (first !== undefined) findings.anyProgram("interpreter", `${name} runs a text that is computed`);
    return;
  }
  if (first === undefined || fromInput) return programFromStdin(walker, inside, name, true);
  runsFile(first, walker, name);
};
