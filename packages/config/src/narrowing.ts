// Whether a project's value for the sandbox takes something away from commands: only then may it count.

const strictness = ["off", "auto", "require"];

/** @input before: the value of the layers below; the value is of the schema */
export function isNarrower(key: string, before: unknown, value: unknown): boolean {
  switch (key) {
    case "sandbox.enabled":
      return strictness.indexOf(String(value)) >= strictness.indexOf(String(before));
    // A path less to write to, a host less to reach; a path more to hide.
    case "sandbox.writablePaths":
    case "sandbox.network.allowHosts":
      return holdsAll(before, value);
    case "sandbox.hiddenPaths":
      return holdsAll(value, before);
    default:
      return typeof value === "number" && (typeof before !== "number" || value <= before);
  }
}

function holdsAll(list: unknown, wanted: unknown): boolean {
  return Array.isArray(list) && Array.isArray(wanted) && wanted.every((one) => list.includes(one));
}
