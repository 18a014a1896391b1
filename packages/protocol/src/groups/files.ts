import { FilesSearchParamsSchema, FilesSearchResultSchema } from "../files.ts";

export const filesMethods = {
  "files.search": { params: FilesSearchParamsSchema, result: FilesSearchResultSchema },
} as const;
