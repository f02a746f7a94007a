import { describe, expect } from 'vitest';
import { itEditing as base } from '../../support/content/editing.ts';

const it = base.extend('preview', ({ api, admin, open }) => async (markdown: unknown, page = 'home') => {
  const editing = await open({
    pages: [
      { id: 'home', title: 'Home', description: 'Stored.', path: 'home', source: '# Home\n\nStored.\n' },
      { id: 'other', title: 'Other', path: 'other' },
      { id: 'group', title: 'Group', type: 'group', path: 'group' },
    ],
  });
  const place = `/v1/spaces/${editing.space._id}/change-requests/${editing.id}/content/page/${page}`;
  const answer = await api.call('POST', `${place}/preview`, { token: admin.token, json: { markdown } });
  return { answer, place };
});

describe('POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/preview', () => {
  it('returns the page as the Markdown would make it, and saves nothing', async ({ api, admin, preview }) => {
    const text = '---\ndescription: New.\n---\n\n# House\n\nTo [that](other.md).\n';
    const { answer, place } = await preview(text);
    expect(answer.status).toBe(200);
    const { document, ...head } = answer.body;
    expect(head).toEqual({ title: 'House', description: 'New.' });
    const words = JSON.stringify(document);
    expect(words).toContain('"ref":{"kind":"page","page":"other"}');
    expect(words).not.toContain('House');
    const stored = await api.call('GET', place, { token: admin.token });
    expect(stored.body).toMatchObject({ title: 'Home', description: 'Stored.' });
    expect(stored.body.markdown).toContain('Stored.');
  });

  it('keeps the title and the description that the text does not have', async ({ preview }) => {
    const { body } = (await preview('Only words.')).answer;
    expect(body).toMatchObject({ title: 'Home', description: 'Stored.' });
  });

  it('refuses a text that a change would refuse', async ({ preview }) => {
    const { answer } = await preview('---\ntitle: [\n---\n\nText.\n');
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'body.markdown']);
    expect((await preview(5)).answer.status).toBe(400);
    expect((await preview('x'.repeat(2_000_001))).answer.status).toBe(400);
  });

  it('answers 404 for a page that does not exist or has no text', async ({ preview }) => {
    expect((await preview('Text.', 'nothing')).answer.status).toBe(404);
    expect((await preview('Text.', 'group')).answer.status).toBe(404);
  });
});
