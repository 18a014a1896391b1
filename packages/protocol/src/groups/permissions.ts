import {
  PermissionsCheckParamsSchema,
  PermissionsCheckResultSchema,
  PermissionsListParamsSchema,
  PermissionsListResultSchema,
} from "../permissions.ts";

export const permissionsMethods = {
  "permissions.check": { params: PermissionsCheckParamsSchema, result: PermissionsCheckResultSchema },
  "permissions.list": { params: PermissionsListParamsSchema, result: PermissionsListResultSchema },
} as const;
