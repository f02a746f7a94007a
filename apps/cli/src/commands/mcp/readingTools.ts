import { apiPath } from '@bindery/runtime';
import type { McpServer } from '@modelcontextprotocol/server';
import type { ChangeRequest, Page, SearchPageResult, SearchSpaceResult } from '@bindery/contract';
import { z } from 'zod';
import { Refusal } from '../../refusal.ts';
import type { ApiAccess } from '../api/apiAccess.ts';
import { changeRequest, organization, page, placeOf, space } from './inputs.ts';
import { toolAnswer } from './toolAnswer.ts';

const perPage = 50;
/** A longer text is given in parts: it must leave an agent room for other texts. */
const maxCharacters = 50_000;
/** Of a space with more pages, the first ones are listed. */
const maxPages = 2_000;

const annotations = { readOnlyHint: true, openWorldHint: false };
const cursor = z.string().optional().describe('`next` of the answer before, for the items after it.');

type List<Item> = { items: Item[]; next?: { page: string } };

/** Adds the tools that read: none of them changes anything. */
export function addReadingTools(server: McpServer, api: ApiAccess): void {
  const list = async <Item>(path: string) => (await api.get(path)) as unknown as List<Item>;

  server.registerTool(
    'list_organizations',
    { description: 'Lists the organizations of the token.', inputSchema: z.strictObject({}), annotations },
    async () =>
      toolAnswer(async () => {
        const { items } = await list<{ id: string; title: string }>(apiPath`/orgs${{ limit: perPage }}`);
        return [{ organizations: items.map(({ id, title }) => ({ id, title })) }];
      }),
  );

  server.registerTool(
    'list_spaces',
    {
      description: 'Lists the spaces of an organization.',
      inputSchema: z.strictObject({ organization, cursor }),
      annotations,
    },
    async ({ organization: id, cursor: after }) =>
      toolAnswer(async () => {
        const path = apiPath`/orgs/${id}/spaces${{ limit: perPage, page: after }}`;
        const { items, next } = await list<{ id: string; title: string }>(path);
        return [{ spaces: items.map((each) => ({ id: each.id, title: each.title })), next: next?.page }];
      }),
  );

  server.registerTool(
    'search',
    {
      description: 'Searches the pages of a space, or of all spaces of an organization, for words.',
      inputSchema: z.strictObject({
        query: z.string().min(1).max(512),
        space: space.optional(),
        organization: organization.optional().describe('Without `space`: the id of the organization.'),
        cursor,
      }),
      annotations,
    },
    async ({ query, space: inSpace, organization: inOrganization, cursor: after }) =>
      toolAnswer(async () => {
        const parameters = { query, limit: 10, page: after };
        if (inSpace !== undefined) {
          const { items, next } = await list<SearchPageResult>(
            apiPath`/spaces/${inSpace}/search${parameters}`,
          );
          return [{ pages: items.map(found), next: next?.page }];
        }
        if (inOrganization === undefined) throw new Refusal('Give `space` or `organization`.');
        const path = apiPath`/orgs/${inOrganization}/search${parameters}`;
        const { items, next } = await list<SearchSpaceResult>(path);
        const spaces = items.map(({ id, title, pages }) => ({ id, title, pages: pages.map(found) }));
        return [{ spaces, next: next?.page }];
      }),
  );

  server.registerTool(
    'list_pages',
    {
      description: `Lists the pages of a space, or of a change request of it, as a tree: a line for each page with its title, id and path. At most ${maxPages}.`,
      inputSchema: z.strictObject({ space, changeRequest: changeRequest.optional() }),
      annotations,
    },
    async (input) =>
      toolAnswer(async () => {
        const { pages } = (await api.get(`${placeOf(input)}/content/pages`)) as unknown as { pages: Page[] };
        const lines = linesOf(pages)
          .take(maxPages + 1)
          .toArray();
        if (lines.length > maxPages) lines[maxPages] = 'There are more pages: search for them.';
        return [lines.join('\n')];
      }),
  );

  server.registerTool(
    'read_page',
    {
      description: `Reads a page as Markdown, at most ${maxCharacters} characters at a time.`,
      inputSchema: z.strictObject({
        space,
        page,
        changeRequest: changeRequest.optional(),
        offset: z.int().min(0).default(0).describe('`next` of the answer before, to read on.'),
      }),
      annotations,
    },
    async ({ page: id, offset, ...place }) =>
      toolAnswer(async () => {
        const path = `${placeOf(place)}${apiPath`/content/page/${id}${{ format: 'markdown' }}`}`;
        const read = (await api.get(path)) as { id: string; title: string; path?: string; markdown?: string };
        const { title, path: own, markdown = '' } = read;
        const end = endOfPart(markdown, offset + maxCharacters);
        const next = end < markdown.length ? end : undefined;
        return [
          { id: read.id, title, path: own, characters: markdown.length, next },
          markdown.slice(offset, end),
        ];
      }),
  );

  server.registerTool(
    'list_change_requests',
    {
      description: 'Lists the change requests of a space: the open ones, or those with another status.',
      inputSchema: z.strictObject({
        space,
        status: z.enum(['draft', 'open', 'archived', 'merged']).default('open'),
        cursor,
      }),
      annotations,
    },
    async ({ space: id, status, cursor: after }) =>
      toolAnswer(async () => {
        const path = apiPath`/spaces/${id}/change-requests${{ status, limit: perPage, page: after }}`;
        const { items, next } = await list<ChangeRequest>(path);
        return [{ changeRequests: items.map(summaryOf), next: next?.page }];
      }),
  );

  server.registerTool(
    'read_change_request',
    {
      description: 'Reads the changes of a change request, page by page.',
      inputSchema: z.strictObject({ space, changeRequest }),
      annotations,
    },
    async (input) =>
      toolAnswer(async () => {
        const place = placeOf(input);
        const [record, changes] = await Promise.all([
          api.get(place),
          api.get(`${place}/changes${apiPath`${{ limit: perPage }}`}`),
        ]);
        return [summaryOf(record as unknown as ChangeRequest), changes];
      }),
  );
}

/** Does not cut a character that is two code units. */
function endOfPart(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

function found({ id, title, path, ancestors, sections = [] }: SearchPageResult) {
  return {
    id,
    title,
    path,
    in: ancestors.map((ancestor) => ancestor.title),
    sections: sections.map(({ title: heading, body }) => ({ title: heading, body })),
  };
}

function summaryOf({ id, number, status, subject, createdBy, updatedAt }: ChangeRequest) {
  return { id, number, status, subject, createdBy: createdBy.displayName, updatedAt };
}

/** A line for each page, indented below its parent. */
function* linesOf(pages: readonly Page[], indent = ''): Generator<string> {
  for (const each of pages) {
    const path = 'path' in each && each.path !== '' ? ` /${each.path}` : '';
    yield `${indent}- ${each.title} (${each.type}, id ${each.id})${path}`;
    if ('pages' in each) yield* linesOf(each.pages as Page[], `${indent}  `);
  }
}
