import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ApiAccess } from '../api/apiAccess.ts';
import { changeRequest, page, placeOf, space } from './inputs.ts';
import { toolAnswer } from './toolAnswer.ts';

const annotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

const title = z.string().min(1).max(1_000);
const markdown = z.string().describe('The whole text of the page, which replaces the present text.');
const description = z.string().max(300).optional();

const changes = z
  .array(
    z.discriminatedUnion('operation', [
      z.strictObject({
        operation: z.literal('update_page'),
        page,
        markdown: markdown.optional(),
        title: title.optional(),
        description,
      }),
      z.strictObject({
        operation: z.literal('insert_page'),
        title,
        markdown: markdown.optional(),
        description,
        into: page.optional().describe('The id of its parent page; by default the root.'),
        at: z
          .int()
          .min(0)
          .optional()
          .describe('Its position among its siblings, from 0; by default the last.'),
      }),
      z.strictObject({ operation: z.literal('delete_page'), page }),
    ]),
  )
  .min(1)
  .max(50);

/** Adds the tools that write: only change requests and comments, which people review. */
export function addWritingTools(server: McpServer, api: ApiAccess): void {
  const post = async (path: string, json: object) => (await api.post(path, { json })).body;

  server.registerTool(
    'create_change_request',
    {
      description:
        'Creates a change request in a space, as a draft. Pages are changed in it, and people merge it.',
      inputSchema: z.strictObject({ space, subject: z.string().min(1).max(100) }),
      annotations,
    },
    async ({ space: id, subject }) =>
      toolAnswer(async () => {
        const created = await post(`${placeOf({ space: id })}/change-requests`, { subject });
        return [{ id: created['id'], number: created['number'], subject: created['subject'] }];
      }),
  );

  server.registerTool(
    'change_pages',
    {
      description: 'Changes pages in a change request: in order, all changes or none.',
      inputSchema: z.strictObject({ space, changeRequest, changes }),
      annotations,
    },
    async ({ changes: wanted, ...place }) =>
      toolAnswer(async () => {
        const given = wanted.map((change) => {
          if (change.operation === 'delete_page') return change;
          const { markdown: text, ...fields } = change;
          const document = text === undefined ? undefined : { markdown: text };
          // A new page has a document, also an empty one.
          return { ...fields, document: change.operation === 'insert_page' ? (document ?? {}) : document };
        });
        const { changes: changed } = await post(`${placeOf(place)}/content?compat=false`, { changes: given });
        return [{ changed }];
      }),
  );

  server.registerTool(
    'open_change_request',
    {
      description: 'Opens a change request that is a draft, so that people review it.',
      inputSchema: z.strictObject({ space, changeRequest }),
      annotations,
    },
    async (place) =>
      toolAnswer(async () => {
        const opened = await api.patch(placeOf(place), { status: 'open' });
        return [{ id: opened['id'], number: opened['number'], status: opened['status'] }];
      }),
  );

  server.registerTool(
    'comment',
    {
      description: 'Comments on a change request, or on a page of it.',
      inputSchema: z.strictObject({
        space,
        changeRequest,
        page: page.optional(),
        markdown: z.string().min(1).max(10_000),
      }),
      annotations,
    },
    async ({ page: about, markdown: text, ...place }) =>
      toolAnswer(async () => {
        const comment = await post(`${placeOf(place)}/comments`, { page: about, body: { markdown: text } });
        return [{ id: comment['id'] }];
      }),
  );
}
