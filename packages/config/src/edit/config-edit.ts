// One change of a config file: what a program may write into a file that a person keeps.

interface At {
  /** Names from the top: `["skills", "disabled"]`. */
  readonly key: readonly string[];
  readonly value: unknown;
}

/**
 * `add` and `remove` are about a member of the list at the key; both leave alone what is so already. `unset` takes the
 * key itself away.
 */
export type ConfigEdit =
  | ({ readonly action: "add" } & At)
  | ({ readonly action: "remove" } & At)
  | ({ readonly action: "set" } & At)
  | ({ readonly action: "unset" } & Pick<At, "key">);
