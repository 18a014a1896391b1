// `Target Branch`: a field of the projects that an issue is in.
import type { BranchField } from "@codelia/shared-types";
import { z } from "zod";
import { ConfigurationError } from "../../error.ts";
import type { GitHubClient } from "./client.ts";

export const targetBranchQuery = `query targetBranch($owner: String!, $repo: String!, $issue: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    issue(number: $issue) {
      projectItems(first: 50, after: $after, includeArchived: false) {
        pageInfo { hasNextPage endCursor }
        nodes {
          project { title number closed }
          fieldValueByName(name: "Target Branch") {
            __typename
            ... on ProjectV2ItemFieldTextValue { text }
            ... on ProjectV2ItemFieldSingleSelectValue { name }
          }
        }
      }
    }
  }
}`;

const AnswerSchema = z.object({
  repository: z
    .object({
      issue: z
        .object({
          projectItems: z.object({
            pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
            nodes: z
              .array(
                z
                  .object({
                    project: z.object({ title: z.string(), number: z.number(), closed: z.boolean() }),
                    fieldValueByName: z
                      .object({ text: z.string().nullish(), name: z.string().nullish() })
                      .nullable(),
                  })
                  .nullable(),
              )
              .nullable(),
          }),
        })
        .nullable(),
    })
    .nullable(),
});

/** @error ConfigurationError TargetBranchAmbiguous; as `query` */
export async function targetBranchOf(client: GitHubClient, issue: number): Promise<BranchField | undefined> {
  const { owner, repo } = client.options;
  const purpose = `read the projects of issue ${issue}; without that right, give --origin or set issues.github.projects to false`;
  const found = new Map<string, string>();
  let after: string | null = null;
  do {
    const data = await client.query(
      targetBranchQuery,
      { owner, repo, issue, after },
      { purpose, repeatable: true },
    );
    const items = AnswerSchema.parse(data).repository?.issue?.projectItems;
    for (const node of items?.nodes ?? []) {
      const { text, name } = node?.fieldValueByName ?? {};
      const branch = (text ?? name ?? "").trim();
      if (node === null || node.project.closed || branch === "" || found.has(branch)) continue;
      found.set(branch, `Target Branch of project ${node.project.number}, "${node.project.title}"`);
    }
    after = items?.pageInfo.hasNextPage === true ? items.pageInfo.endCursor : null;
  } while (after !== null);
  const [first] = found;
  if (found.size > 1) {
    const list = [...found].map(([branch, from]) => `"${branch}" (${from})`).join(", ");
    throw new ConfigurationError(
      "TargetBranchAmbiguous",
      `The projects of issue ${issue} name different branches: ${list}. Make them the same, or give --origin.`,
    );
  }
  return first && { branch: first[0], from: first[1] };
}
