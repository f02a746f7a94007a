import { ChangeRequest } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildChangeRequest, buildRevision, buildSpace } from '../../support/factories.ts';
import { app, itInLinkedSpaces as base, nameOfLocation } from '../../support/content/linkedSpaces.ts';

const it = base
  .extend('backlinks', ({ api, admin, space }) => async (path: string, { token } = admin, of = space) => {
    const { status, body } = await api.call('GET', `/v1/spaces/${of._id}/content${path}/backlinks`, {
      token,
    });
    expect(status).toBe(200);
    expect(body.count).toBe(body.items.length);
    return body.items.map(nameOfLocation) as string[];
  })
  /** Writes another content into a change request. */
  .extend(
    'change',
    ({ space, content }) =>
      async (id: string, edit: (page: Awaited<ReturnType<typeof content>>['pages'][number]) => object) => {
        const given = await content();
        const revision = await buildRevision(space, {
          ...given,
          pages: given.pages.map(edit),
          publish: false,
        });
        await ChangeRequest.updateOne({ _id: id }, { $set: { revision: revision._id } });
        return { revision: revision._id };
      },
  );

describe('backlinks', () => {
  it('name the places that refer to a page, from all spaces that the caller may see', async ({
    admin,
    reader,
    other,
    secret,
    backlinks,
  }) => {
    expect(await backlinks('/page/setup')).toEqual([
      'page home',
      'page link',
      'reusable-content note',
      'page hidden',
    ]);
    expect(await backlinks('/page/setup', reader)).toEqual([
      'page home',
      'page link',
      'reusable-content note',
    ]);
    expect(await backlinks('/page/home')).toEqual(['page home', 'page setup']);
    expect(await backlinks('/page/there', admin, other)).toEqual(['page home']);
    expect(await backlinks('/page/hidden', admin, secret)).toEqual(['page home']);
  });

  it('name the places that refer to a file', async ({ backlinks }) => {
    expect(await backlinks('/files/picture')).toEqual(['page home', 'page setup']);
  });

  it('follow the content of other spaces at once', async ({
    api,
    organization,
    admin,
    reader,
    space,
    backlinks,
  }) => {
    const third = await buildSpace(organization);
    const refer = async (text: string) =>
      buildRevision(third, { pages: [{ id: 'third', path: 'third', source: `# Third\n\n${text}\n` }] });
    await refer(`[Setup](${app}/s/${space._id}/~/pages/setup#install)`);
    expect(await backlinks('/page/setup', reader)).toContain('page third');
    await refer('Nothing.');
    expect(await backlinks('/page/setup', reader)).not.toContain('page third');
    await refer(`[Setup](https://app.gitbook.com/s/${space._id}/guide/setup)`);
    expect(await backlinks('/page/setup', reader)).toContain('page third');
    await buildRevision(third, {
      pages: [
        { type: 'link', title: 'L', id: 'l', target: { kind: 'page', page: 'setup', space: space._id } },
      ],
    });
    expect(await backlinks('/page/setup', reader)).toContain('page l');
    await api.call('DELETE', `/v1/spaces/${third._id}`, { token: admin.token });
    expect(await backlinks('/page/setup', reader)).not.toContain('page l');
  });

  it('below the prefix of a change request cover its content', async ({ api, admin, space, change }) => {
    const changeRequest = await buildChangeRequest(space);
    const { revision } = await change(changeRequest._id, (page) =>
      page.id === 'home' ? { ...page, source: '# Home\n\n[New](gone2.md) [old](gone.md)\n' } : page,
    );
    const at = `/change-requests/${changeRequest._id}/content`;
    const { body } = await api.call('GET', `/v1/spaces/${space._id}${at}/page/setup/backlinks`, {
      token: admin.token,
    });
    expect(body.items.map(nameOfLocation)).toEqual(['page link', 'reusable-content note', 'page hidden']);
    expect(body.items[0].versionContext).toMatchObject({
      type: 'changeRequest',
      changeRequest: { id: changeRequest._id, revision },
    });
    expect(body.items[2].versionContext).toBeUndefined();
    const files = await api.call('GET', `/v1/spaces/${space._id}${at}/files/picture/backlinks`, {
      token: admin.token,
    });
    expect(files.body.items.map(nameOfLocation)).toEqual(['page setup']);

    const home = (
      await api.call('GET', `/v1/spaces/${space._id}${at}/page/home/links`, { token: admin.token })
    ).body;
    expect(
      home.items.map(({ status, targetReference }: { status: string; targetReference: object }) => [
        status,
        targetReference,
      ]),
    ).toEqual([
      ['broken', { kind: 'url', url: 'gone2.md' }],
      ['broken', { kind: 'url', url: 'gone.md' }],
    ]);
    expect(home.stats).toEqual({ total: 2, broken: { total: 2, changeRequest: 1 } });
  });
});
