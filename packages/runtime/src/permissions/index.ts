export { Approval, type ApprovalOptions } from "./approval.ts";
