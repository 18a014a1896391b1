// Keeps text from files inside the wrapper it is put in.

const ours =
  /<(?=\s*\/?\s*(?:agents_context|skills_context|skills_catalog|skill_context|system-reminder|instructions)\b)/gi;

/** Text whose tags of ours are spelled `&lt;…`, and how many there were. */
export function neutraliseTags(text: string): { text: string; count: number } {
  let count = 0;
  const neutral = text.replace(ours, () => {
    count += 1;
    return "&lt;";
  });
  return { text: neutral, count };
}
