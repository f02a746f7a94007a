import { Comment } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildReusableContent,
  buildRevision,
  buildSpace,
} from '../../support/factories.ts';
import { it } from '../../support/it.ts';

// Targets that nobody shall follow, in all that is read and written.

const targets = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  'file:///etc/passwd',
  'intent:x#Intent;end',
];
const isUnsafe = /(?:javascript|vbscript|data|file|intent):/i;

const sourceWith = (target: string) =>
  [
    `---\ncover: ${JSON.stringify(target)}\n---\n\n# Page\n\n[linked](${target}) <a href="${target}" class="button primary">pressed</a> ![shown](${target})`,
    `{% content-ref url="${target}" %}\n[called](${target})\n{% endcontent-ref %}`,
    `{% embed url="${target}" %}`,
    `[defined][d]\n\n[d]: ${target}`,
  ].join('\n\n');

const treeWith = (ref: object, type = 'link') => ({
  object: 'document',
  data: { schemaVersion: 1 },
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      nodes: [
        type === 'link'
          ? {
              object: 'inline',
              type,
              isVoid: false,
              data: { ref },
              nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'words', marks: [] }] }],
            }
          : { object: 'inline', type, isVoid: true, data: { ref, label: 'words', kind: 'primary' } },
      ],
    },
  ],
});

describe('an unsafe link target', () => {
  it.for(targets)(
    'is removed from imported content in every response, and the link text stays: %s',
    async (target, { api, organization, reader }) => {
      const space = await buildSpace(organization);
      const url = { kind: 'url' as const, url: target };
      const note = await buildReusableContent(organization._id, {
        id: 'note',
        source: `See [included](${target}).\n`,
      });
      await buildRevision(space, {
        pages: [
          {
            id: 'p',
            title: 'Page',
            path: 'p',
            source: sourceWith(target),
            cover: { ref: url, refDark: url, yPos: 0 },
          },
          { id: 'l', type: 'link', title: 'Leads', target: url },
        ],
        reusableContents: [note],
      });
      const read = async (path: string) => {
        const { status, text } = await api.call('GET', `/v1/spaces/${space._id}${path}`, {
          token: reader.token,
        });
        expect([path, status]).toEqual([path, 200]);
        return text;
      };
      const page = '/content/page/p';
      const paths = [
        '/content',
        '/content/pages',
        `${page}?format=document`,
        `${page}?format=markdown`,
        `${page}/document`,
      ];
      const others = [
        `${page}?format.markdown.refs=stable`,
        '/links',
        `${page}/links`,
        '/content/page/l',
        '/content/reusable-contents/note/document',
      ];
      for (const path of [...paths, ...others]) {
        const text = await read(path);
        // The target of a block without words is shown as the text that it is.
        const followed = text.replaceAll(/"text":"(?:[^"\\]|\\.)*"/g, '');
        expect([path, isUnsafe.exec(followed)?.[0]]).toEqual([path, undefined]);
      }
      const document = await read(`${page}/document`);
      expect(['linked', 'pressed', 'called', 'defined'].filter((word) => !document.includes(word))).toEqual(
        [],
      );
      expect(JSON.parse(await read('/content/page/l'))).toMatchObject({
        title: 'Leads',
        target: { kind: 'url', url: 'about:blank' },
      });
    },
  );

  it.for(targets)(
    'is refused in document trees, and removed from Markdown: %s',
    async (target, { api, organization, admin }) => {
      const space = await buildSpace(organization);
      await buildRevision(space, { pages: [{ id: 'p', title: 'Page', path: 'p', source: '# Page\n' }] });
      const changeRequest = await buildChangeRequest(space);
      const root = `/v1/spaces/${space._id}`;
      const call = (path: string, json: object) =>
        api.call('POST', root + path, { token: admin.token, json });
      const update = (document: object) =>
        call(`/change-requests/${changeRequest._id}/content`, {
          changes: [{ operation: 'update_page', page: 'p', document }],
        });
      for (const type of ['link', 'button', 'mention']) {
        const document = treeWith({ kind: 'url', url: target }, type);
        expect((await update({ document })).status).toBe(400);
        expect((await call('/comments', { body: { document } })).status).toBe(400);
      }
      expect((await update({ markdown: `Read [words](${target}).\n\n[d]: ${target}\n` })).status).toBe(200);
      const posted = await call('/comments', { body: { markdown: `Read [words](${target}).` } });
      expect(posted.body).toMatchObject({ body: { markdown: 'Read words.' } });
      const page = await api.call('GET', `${root}/change-requests/${changeRequest._id}/content/page/p`, {
        token: admin.token,
      });
      expect(page.body.markdown).toContain('Read words.');
      expect(page.text).not.toMatch(isUnsafe);
    },
  );

  it('is removed from a stored comment when it is read', async ({ api, space, admin }) => {
    const root = `/v1/spaces/${space._id}/comments`;
    const document = treeWith({ kind: 'url', url: 'https://example.org/' });
    const { body } = await api.call('POST', root, { token: admin.token, json: { body: { document } } });
    const stored = JSON.stringify(treeWith({ kind: 'url', url: 'javascript:alert(1)' }));
    await Comment.updateOne({ _id: body.id }, { $set: { 'body.documentJson': stored } });
    for (const format of ['document', 'markdown']) {
      const { text } = await api.call('GET', `${root}/${body.id}?format=${format}`, { token: admin.token });
      expect(text).not.toMatch(isUnsafe);
      expect(text).toContain('words');
    }
  });
});
