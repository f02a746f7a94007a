import { rewriteTargets } from '@bindery/dialect/links';
import { templateIds } from '@bindery/content';
import { Space } from '@bindery/models';
import { describe, expect } from 'vitest';
import type { ApiAnswer } from '../../support/apiServer.ts';
import { countRevisions, readContent, type ImportedContent } from '../../support/content/contentImporting.ts';
import {
  buildChangeRequest,
  buildMember,
  buildOrganization,
  buildSpace,
  buildSpec,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

/** Every target in the pages of a space, with the page that it stands on. */
function targetsOf(content: ImportedContent): { page: string; target: string; use: string }[] {
  const titles = content.outline
    .filter((line) => line.trim().startsWith('document '))
    .map((line) =>
      line
        .trim()
        .slice('document '.length)
        .replace(/ \/.*$/, ''),
    );
  return titles.flatMap((page) => {
    const found: { page: string; target: string; use: string }[] = [];
    rewriteTargets(content.textOf(page), (target, use) => void found.push({ page, target, use }));
    return found;
  });
}

const it = base
  .extend('space', ({ organization }) => buildSpace(organization, { title: 'Space' }))
  .extend(
    'apply',
    ({ api, admin, space }) =>
      (json: unknown, token = admin.token): Promise<ApiAnswer> =>
        api.call('POST', `/v1/spaces/${space._id}/content/template`, { token, json }),
  );

describe.each(templateIds)('the template %s', (id) => {
  it('adds its pages after the existing ones in one revision', async ({ admin, space, apply }) => {
    expect((await apply({ id })).status).toBe(204);
    const content = await readContent(space);
    expect(content.outline[0]).toBe('document Space /readme');
    expect(content.outline.length).toBeGreaterThan(id === 'blank' ? 1 : 3);
    expect(content.revision).toMatchObject({
      type: 'edits',
      parents: [space.revision],
      createdBy: admin.user._id,
    });
    expect(await countRevisions(space)).toBe(2);
  });

  it('has no broken links and no unfilled placeholders', async ({ space, apply }) => {
    await apply({ id });
    const content = await readContent(space);
    const ids = new Set([...JSON.stringify(content.tree).matchAll(/"id":"([^"]+)"/g)].map(([, one]) => one));
    const files = new Set(content.files.map((file) => file.id));
    for (const { page, target } of targetsOf(content)) {
      const [, kind, named] = /^\/(pages|files)\/(\w+)/.exec(target) ?? [];
      const outside = /^(?:https?:|mailto:|#)/.test(target);
      const leads = { pages: ids.has(named), files: files.has(named ?? '') }[kind ?? ''] ?? outside;
      expect([page, target, leads]).toEqual([page, target, true]);
    }
    expect(content.outline.join('\n')).not.toContain('ref-');
  });

  it('gives a new space its first pages', async ({ api, organization, admin }) => {
    const { status, body } = await api.call('POST', `/v1/orgs/${organization._id}/spaces`, {
      token: admin.token,
      json: { title: 'New', template: { id } },
    });
    expect(status).toBe(201);
    const content = await readContent({ _id: body.id });
    expect(content.outline[0]).toMatch(/^document /);
    expect(content.outline.join('\n')).not.toContain('document New');
    const { pages } = (await api.call('GET', `/v1/spaces/${body.id}/content/pages`, { token: admin.token }))
      .body;
    for (const page of pages.filter(({ type }: { type: string }) => type === 'document')) {
      const read = await api.call('GET', `/v1/spaces/${body.id}/content/page/${page.id}?format=document`, {
        token: admin.token,
      });
      expect(read.status).toBe(200);
    }
  });
});

it('product-docs has an image and a link between pages', async ({ space, apply }) => {
  await apply({ id: 'product-docs' });
  const content = await readContent(space);
  expect(content.files).toEqual([expect.objectContaining({ contentType: 'image/svg+xml' })]);
  const targets = targetsOf(content);
  expect(
    targets.filter(({ use, target }) => use === 'image' && target === `/files/${content.files[0]?.id}`),
  ).toHaveLength(1);
  expect(targets.filter(({ target }) => target.startsWith('/pages/')).length).toBeGreaterThan(5);
});

describe('a placeholder', () => {
  it('becomes the reference with its name, or plain text without one', async ({ space, apply }) => {
    await apply({
      id: 'product-docs',
      params: {
        contentRefs: {
          website: { kind: 'url', url: 'https://acme.example/?a=b' },
          nobody: { kind: 'url', url: 'https://x.example' },
        },
      },
    });
    const content = await readContent(space);
    expect(content.textOf('Welcome')).toContain('looks at [your website](https://acme.example/?a=b).');
    expect(content.textOf('Installation')).toContain(
      '| An account | It decides what you may see | Sign up |',
    );
  });

  it('of a specification adds a computed page for it', async ({ organization, space, apply }) => {
    const { slug } = await buildSpec(organization, { slug: 'petstore' });
    await apply({
      id: 'api-reference',
      params: { contentRefs: { openapi: { kind: 'openapi', spec: slug } } },
    });
    expect((await readContent(space)).outline).toContain(`    computed ${slug}`);
  });

  it('may refer to a page and a file of the content, and to a space', async ({ space, apply }) => {
    await apply({ id: 'product-docs' });
    const before = await readContent(space);
    const page = before.page('Welcome').id;
    const file = before.files[0]?.id;
    const contentRefs = {
      keys: { kind: 'page', page },
      support: { kind: 'file', file },
      changelog: { kind: 'space', space: space._id },
    };
    const answer = await apply({ id: 'api-reference', params: { contentRefs } });
    expect(answer.status).toBe(204);
    const targets = targetsOf(await readContent(space)).map(({ target }) => target);
    expect(targets).toEqual(
      expect.arrayContaining([`/pages/${page}`, `/files/${file}`, `/spaces/${space._id}`]),
    );
  });

  it.for([
    { kind: 'page', page: 'nothing' },
    { kind: 'anchor', page: 'nothing', anchor: 'a' },
    { kind: 'file', file: 'nothing' },
    { kind: 'space', space: 'nothing' },
    { kind: 'page', page: 'x', space: 'nothing' },
    { kind: 'collection', collection: 'nothing' },
    { kind: 'user', user: 'nothing' },
    { kind: 'openapi', spec: 'nothing' },
    { kind: 'reusable-content', reusableContent: 'nothing' },
    { kind: 'url', url: 'javascript:alert(1)' },
    { kind: 'url', url: 'relative' },
    { kind: 'nothing' },
  ])('is refused when it refers to %j', async (website, { space, apply }) => {
    const { status, body } = await apply({ id: 'product-docs', params: { contentRefs: { website } } });
    expect([status, body.error.details[0].path]).toEqual([
      400,
      expect.stringContaining('contentRefs.website'),
    ]);
    expect(await countRevisions(space)).toBe(1);
  });

  it('is refused when it refers to a space of another organization', async ({ apply }) => {
    const elsewhere = await buildOrganization();
    const theirs = await buildSpace(elsewhere.organization);
    const { status } = await apply({
      id: 'product-docs',
      params: { contentRefs: { website: { kind: 'space', space: theirs._id } } },
    });
    expect(status).toBe(400);
  });
});

describe('applying a template', () => {
  it('to a change request does not change the main content', async ({ api, admin, space, apply }) => {
    const changeRequest = await buildChangeRequest(space);
    expect((await apply({ id: 'changelog', changeRequestId: String(changeRequest.number) })).status).toBe(
      204,
    );
    expect(await countRevisions(space)).toBe(2);
    const { body } = await api.call('GET', `/v1/spaces/${space._id}/change-requests/${changeRequest._id}`, {
      token: admin.token,
    });
    expect((await readContent(space, body.revision)).outline).toContain('document Changelog /changelog');
    expect((await readContent(space)).outline).toEqual(['document Space /readme']);
  });

  it('is refused for a merged or unknown change request', async ({ space, apply }) => {
    const changeRequest = await buildChangeRequest(space, { status: 'merged' });
    expect((await apply({ id: 'blank', changeRequestId: changeRequest._id })).status).toBe(409);
    expect((await apply({ id: 'blank', changeRequestId: 'nothing' })).status).toBe(400);
  });

  it('to a locked space is refused, but not to its change requests', async ({ space, apply }) => {
    const changeRequest = await buildChangeRequest(space);
    await Space.updateOne({ _id: space._id }, { $set: { editMode: 'locked' } });
    expect((await apply({ id: 'blank' })).status).toBe(412);
    expect((await apply({ id: 'blank', changeRequestId: changeRequest._id })).status).toBe(204);
  });

  it('is refused for an unknown template, and names the known ones', async ({
    api,
    organization,
    admin,
    apply,
  }) => {
    const { status, body } = await apply({ id: 'nothing' });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(templateIds.join(', '))]);
    const made = await api.call('POST', `/v1/orgs/${organization._id}/spaces`, {
      token: admin.token,
      json: { template: { id: 'toString' } },
    });
    expect(made.status).toBe(400);
  });

  it('needs the permission to edit', async ({ organization, apply }) => {
    expect((await apply({ id: 'blank' }, (await buildMember(organization, 'comment')).token)).status).toBe(
      403,
    );
    expect((await apply({ id: 'blank' }, (await buildMember(organization, 'edit')).token)).status).toBe(204);
  });

  it('many times at once loses nothing', async ({ space, apply }) => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => apply({ id: 'blank' })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
    expect(await countRevisions(space)).toBe(9);
    expect((await readContent(space)).outline).toHaveLength(9);
  });
});
