// Reads a sed script far enough to say that it runs nothing and writes nothing. What it does not know, it refuses.

// One address, then the commands that only touch the stream. `e`, `w`, `W`, `r`, `R`, `F` and labels are left out.
const address = String.raw`(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n]|\\[^\n])*\/I?)`;
const addresses = String.raw`(?:${address}(?:\s*,\s*(?:${address}|[+~]\d+))?\s*!?\s*)?`;
const substitute = String.raw`s(?:\/(?:[^/\\\n]|\\[^\n])*\/(?:[^/\\\n]|\\[^\n])*\/|\|(?:[^|\\\n]|\\[^\n])*\|(?:[^|\\\n]|\\[^\n])*\||,(?:[^,\\\n]|\\[^\n])*,(?:[^,\\\n]|\\[^\n])*,|#(?:[^#\\\n]|\\[^\n])*#(?:[^#\\\n]|\\[^\n])*#)[gpIi\d]*`;
const command = String.raw`(?:[pdPDnNgGhHx=]|q\d*|${substitute})`;
const streamScript = new RegExp(String.raw`^\s*(?:${addresses}${command}\s*(?:[;\n]\s*|$))*$`, "u");
const printScript = new RegExp(String.raw`^\s*(?:${addresses}(?:p|=|q\d*)\s*(?:;\s*|$))*$`, "u");

/** @output whether the script only transforms the stream */
export function onlyTransforms(script: string): boolean {
  return isShort(script) && streamScript.test(script);
}

/** @output whether the script only picks lines */
export function onlyPrints(script: string): boolean {
  return isShort(script) && printScript.test(script);
}

// White space can be divided in several ways, so the time grows with the square; longer scripts are rare.
function isShort(script: string): boolean {
  return script.length <= 500;
}
