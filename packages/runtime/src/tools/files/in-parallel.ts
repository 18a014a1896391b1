// Many small operations of the disk side by side, but never all at once.

/** More bring no speed: a disk takes a few requests at a time. */
const width = 32;

/**
 * @effects after a failure no further action is begun; those under way have ended when this returns
 * @error  of the first item, in order, whose action failed
 */
export async function inParallel<T>(
  items: readonly T[],
  action: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const failures = new Map<number, unknown>();
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) {
      try {
        await action(item, index);
      } catch (error) {
        failures.set(index, error);
      }
      if (failures.size > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, work));
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
}
