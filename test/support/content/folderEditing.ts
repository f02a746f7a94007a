import { ChangeRequest, type ChangeRequestRecord } from '@bindery/models';
import { expect } from 'vitest';
import { png, readContent } from './contentImporting.ts';
import { itPushing } from './pushing.ts';

/** A folder with three pages and a picture. */
export const docs = {
  'README.md': '# Home\n\nRead [the guide](guide/README.md). ![A dot](.gitbook/assets/dot.png)\n',
  'guide/README.md': '# Guide\n\nWords.\n',
  'guide/first.md': '# First\n\nBack [home](../README.md).\n',
  'SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [First](guide/first.md)\n',
  '.gitbook/assets/dot.png': png,
};

export async function requestsOf(space: { _id: string }): Promise<ChangeRequestRecord[]> {
  return ChangeRequest.find({ space: space._id }).sort({ number: 1 }).lean<ChangeRequestRecord[]>();
}

/**
 * The `it` of tests in which people edit what is pushed. Fixtures:
 *
 * - `change`: changes the main content, or a given change request, which it merges if told so
 * - `edit`: replaces the text of a page in the same way
 */
export const itEditing = itPushing
  .extend(
    'change',
    ({ api, admin, space }) =>
      async (changes: object[], request?: string, { merge = request === undefined } = {}) => {
        const call = async (path: string, json: object) => {
          const to = `/v1/spaces/${space._id}/change-requests${path}`;
          const answer = await api.call('POST', to, { token: admin.token, json });
          expect(answer.status, path).toBeLessThan(300);
          return answer.body;
        };
        const id: string = request ?? (await call('', {})).id;
        await call(`/${id}/content`, { changes });
        if (merge) await call(`/${id}/merge`, {});
      },
  )
  .extend(
    'edit',
    ({ space, change }) =>
      async (title: string, request?: string, options: { merge?: boolean } = {}) => {
        const record = request === undefined ? undefined : await ChangeRequest.findById(request);
        const page = (await readContent(space, record?.revision)).page(title).id;
        const document = { markdown: `# ${title}\n\nWords of a person.\n` };
        await change([{ operation: 'update_page', page, document }], request, options);
      },
  );
