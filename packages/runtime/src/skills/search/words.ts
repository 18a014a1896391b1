// Text as words to search by: the same for what is searched and for what is searched with.

const ascii = /^[\0-\x7f]*$/;
let segmenter: Intl.Segmenter | undefined;

/** One spelling for all: compatibility forms and case make no difference. */
export function normalised(text: string): string {
  return (ascii.test(text) ? text : text.normalize("NFKC")).toLowerCase();
}

/** @input normalised text @output its words, as often as they are there */
export function wordsOf(text: string): string[] {
  if (ascii.test(text)) return text.split(/[^a-z0-9]+/).filter((word) => word !== "");
  // Made when the first text needs it: it costs some milliseconds. The locale is fixed, so that results are too.
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike === true) words.push(segment);
  return words;
}
