import type { GitImportChanges, JobState } from '@bindery/contract';
import { expect } from 'vitest';
import { buildJob } from '../../support/factories.ts';
import { it } from '../../support/it.ts';

const none = { added: 0, removed: 0, changed: 0, moved: 0 };
const changes: GitImportChanges = {
  direction: 'import',
  totals: { pages: { ...none, changed: 1 }, reusableContents: none, files: none, variables: 1, redirects: 0 },
  pages: {
    added: [],
    removed: [],
    changed: [
      {
        ...{ id: 'p', type: 'document', title: 'Page', path: 'page', file: 'page.md', fields: ['document'] },
        blocks: [
          {
            kind: 'changed',
            before: { text: 'Old.', firstLine: 3, lastLine: 3 },
            after: { text: 'New.', firstLine: 3, lastLine: 3, cut: true },
          },
        ],
        partial: true,
      },
    ],
    moved: [],
  },
  reusableContents: { added: [], removed: [], changed: [], moved: [] },
  files: { added: [], removed: [], changed: [], moved: [] },
  variables: [{ name: 'v', before: 1, after: true }],
  redirects: [],
  omitted: { entries: 0, blocks: 1 },
};

it('a job shows the changes that its dry run found, and the list of jobs omits them', async ({
  api,
  organization,
  admin,
  space,
}) => {
  const result = { revision: space.revision, commit: 'c', unchanged: false, standalone: false, dryRun: true };
  const ended = { state: 'succeeded' as JobState, startedAt: new Date(), finishedAt: new Date() };
  const job = await buildJob(space, { ...ended, result: { ...result, changes } });
  const { status, body } = await api.call('GET', `/v1/jobs/${job._id}`, { token: admin.token });
  expect(status).toBe(200);
  expect(body).toMatchObject({ result: { ...result, changes } });
  const list = await api.call('GET', `/v1/orgs/${organization._id}/jobs`, { token: admin.token });
  expect(list.body).toMatchObject({ items: [{ id: job._id }] });
  expect((list.body as { items: { result: object }[] }).items[0]?.result).toEqual(result);
});
