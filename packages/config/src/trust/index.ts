export { projectIdentity } from "./identity.ts";
export { openTrustStore, type TrustStore, type TrustStoreOptions } from "./store.ts";
