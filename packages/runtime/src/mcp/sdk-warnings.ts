// The SDK writes warnings to the console, with words of servers in them as they came. The runtime prints nothing.

let isSilenced = false;

/** @effects from the first call on, what the SDK would print goes nowhere; all other warnings stay */
export function silenceSdkWarnings(): void {
  if (isSilenced) return;
  isSilenced = true;
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    const [first] = words;
    if (typeof first === "string" && first.startsWith("[mcp-sdk]")) return;
    warn.apply(console, words);
  };
}
