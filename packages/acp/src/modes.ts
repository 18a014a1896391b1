// The approval modes and the models, as an editor offers them.
import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import type { Result } from "@codelia/protocol";
import { type ApprovalMode, ApprovalModeSchema, visibleName } from "@codelia/shared-types";

const modes: Readonly<Record<ApprovalMode, { name: string; description: string }>> = {
  ask: { name: "Ask", description: "Asks before writes, commands and network." },
  "auto-edit": { name: "Auto-edit", description: "Edits inside the project are free; the rest asks." },
  full: { name: "Full", description: "Everything is free; commands stay in the sandbox." },
};

export function modeState(current: ApprovalMode): SessionModeState {
  const availableModes = ApprovalModeSchema.options.map((id) => ({ id, ...modes[id] }));
  return { currentModeId: current, availableModes };
}

export const modeOption = "mode";
export const modelOption = "model";

/** The same choices in the form that newer editors prefer, with the models. */
export function configOptions(
  mode: ApprovalMode,
  model: string | undefined,
  models: readonly string[],
): SessionConfigOption[] {
  const selectMode: SessionConfigOption = {
    id: modeOption,
    name: "Approval",
    category: "mode",
    type: "select",
    currentValue: mode,
    options: ApprovalModeSchema.options.map((value) => ({ value, ...modes[value] })),
  };
  if (model === undefined) return [selectMode];
  const all = models.includes(model) ? models : [model, ...models];
  const selectModel: SessionConfigOption = {
    id: modelOption,
    name: "Model",
    category: "model",
    type: "select",
    currentValue: model,
    options: all.map((value) => ({ value, name: visibleName(value) })),
  };
  return [selectMode, selectModel];
}

export function usableModels({ providers }: Result<"models.list">): string[] {
  return providers
    .filter(({ usable }) => usable)
    .flatMap(({ name, models: ids }) => ids.map((id) => `${name}/${id}`));
}
