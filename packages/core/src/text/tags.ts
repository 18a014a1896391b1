// Keeps text from files inside the wrapper it is put in.

const ours =
  /<(?=\s*\/?\s*(?:agents_context|compacted_conversation|skills_context|skills_catalog|skill_context|system-reminder|instructions)\b)/gi;

/** Text whose tags of ours are spelled `&lt;…`, and how many there were. */
export function neutraliseTags(text: string): { text: string; count: number } {
  let count = 0;
  const neutral = text.replace(ours, () => {
    count += 1;
    return "&lt;";
  });
  return { text: neutral, count };
}

const reminder = /<(?=\s*\/?\s*system-reminder\b)/gi;

/**
 * What a tool says, which may come from anywhere: reminders are ours alone. A note says so, because the text may be
 * that of a file which is to be edited.
 */
export function withoutReminders(text: string): string {
  const count = text.match(reminder)?.length ?? 0;
  if (count === 0) return text;
  const note = `[${count} ${count === 1 ? "tag" : "tags"} of system-reminder above: the text itself has < for &lt;]`;
  const neutral = text.replace(reminder, "&lt;");
  return `${neutral}${neutral.endsWith("\n") ? "" : "\n"}${note}\n`;
}
