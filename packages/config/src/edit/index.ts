export type { ConfigEdit } from "./config-edit.ts";
export { type EditedConfig, editConfigFile, editUserConfig } from "./user-config.ts";
