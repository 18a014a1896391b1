// Which of a short list fit what the user types: all words of it, in any order, whatever their case.
export function fitting<T>(query: string, items: readonly T[], textOf: (item: T) => string): T[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return items.filter((item) => {
    const text = textOf(item).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
