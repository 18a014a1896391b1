// Sizes for people and models.

const units = ["KiB", "MiB", "GiB", "TiB"] as const;

/** `812 bytes`, `1.5 KiB`, `2 GiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  let size = bytes / 1024;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${Number(size.toFixed(1))} ${units[unit]}`;
}

/** `1 line`, `3 lines`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
