// Deep freezing: a definition that was checked stays as it was checked.

/** Not recursive: what is read from a file may be nested deeper than the stack is. */
export function deepFreeze<T>(value: T): T {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const each = waiting.pop();
    if (typeof each !== "object" || each === null || Object.isFrozen(each)) continue;
    Object.freeze(each);
    for (const child of Object.values(each)) waiting.push(child);
  }
  return value;
}
