import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  File,
  Page,
  Revision,
  Reference,
  Link,
  LinkStats,
  SearchPage,
  ChangeRequest,
  Comment,
  CommentReply,
  result,
} from './briefContent.ts';
import {
  Collection,
  GitInfo,
  Space,
  Site,
  SiteSpace,
  SiteSection,
  SiteSectionGroup,
  SiteStructure,
  Organization,
  Member,
  Team,
  TeamMember,
  SamlProvider,
  Translation,
  OpenApiSpec,
  OpenApiSpecVersion,
} from './briefPlatform.ts';
import { text, id, time, url, count, Role, TeamRole, kind, condition } from './briefWords.ts';

// The fields and lengths that the contract names, once more by hand, for each object that an operation
// answers with. Fields may be added, so every object is loose; what is optional here has its key left out
// when there is no value. The published documents alone would not do: they have other fields, and other
// lengths.

/** Returns the errors of an operation's answer by this table, or undefined. */
export function problemsOfBrief(operationId: string, body: unknown): string | undefined {
  const answer = answerOf(operationId);
  const result = answer?.safeParse(body);
  if (!result || result.success) return undefined;
  return result.error.issues
    .map(({ path, message }) => `by the contract: ${path.join('.')} ${message}`)
    .join('\n');
}

/** By `responseObject` of operations.json, for one and for a list. */
const objects: Record<string, z.ZodType> = {
  collection: Collection,
  space: Space,
  site: Site,
  'site-adaptive-schema': kind('site-adaptive-schema', {
    jsonSchema: z.looseObject({ type: z.literal('object') }),
    updatedAt: time,
  }),
  'published-content-site': kind('published-content-site', { site: Site, structure: SiteStructure }),
  'site-space': SiteSpace,
  'site-section': SiteSection,
  'site-section-group': SiteSectionGroup,
  comment: Comment,
  'comment-reply': CommentReply,
  'change-request': ChangeRequest,
  revision: Revision,
  file: File,
  page: Page,
  reference: Reference,
  link: Link,
  organization: Organization,
  member: Member,
  team: Team,
  'team-member': TeamMember,
  'saml-provider': SamlProvider,
  translation: Translation,
  'openapi-spec': OpenApiSpec,
  'openapi-spec-version': OpenApiSpecVersion,
  'git-info': GitInfo,
  'search-page-result': SearchPage,
  'search-space-result': z.looseObject({ id, title: text, pages: z.array(SearchPage) }),
  '{permission,space}': z.looseObject({ permission: Role, space: Space }),
  '{team,member}': z.looseObject({ team: Team, member: z.looseObject({ role: TeamRole }) }),
  '{items}': z.looseObject({ items: z.array(z.looseObject({ description: text, condition })) }),
  '{items: sso-login-info}': z.looseObject({
    items: z.array(z.looseObject({ id, label: text, startURL: url })),
  }),
  '{revision,result}': result(id, 'merge', 'update', 'conflicts'),
  '{revision,importedResources,totalResources}': z.looseObject({
    revision: id,
    importedResources: count,
    totalResources: count,
  }),
  '{url}': z.looseObject({ url }),
  '{pages}': z.looseObject({ pages: z.array(Page) }),
  '{organizations}': z.looseObject({ organizations: z.array(Organization) }),
  '{docsVisitorClaims}': z.looseObject({
    docsVisitorClaims: text.optional(),
    gitbookVisitorClaims: text.optional(),
  }),
  '{filesystem,url}': z.looseObject({
    filesystem: z.union([z.array(z.looseObject({})), z.looseObject({})]),
    url,
  }),
};

type Documented = { operationId: string; responseObject: string | null; list: boolean };
const documented = new Map(
  (JSON.parse(readFileSync(new URL('operations.json', import.meta.url), 'utf8')) as Documented[]).map(
    (row) => [row.operationId, row],
  ),
);

function answerOf(operationId: string): z.ZodType | undefined {
  const row = documented.get(operationId);
  if (!row) return undefined;
  if (row.responseObject === null) return z.undefined();
  const name = row.responseObject.replace(/^list<(.*)>$/, '$1');
  const object = objects[name];
  if (!object) throw new Error(`${operationId} answers with ${name}: say what that is in briefFields.ts.`);
  if (!row.list) return object;
  return z.looseObject({
    items: z.array(object),
    count,
    next: z.looseObject({ page: text }).optional(),
    ...(name === 'link' && { stats: LinkStats }),
  });
}
