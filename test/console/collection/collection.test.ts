import { Collection, Space, type CollectionRecord, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it } from '../../support/console/consoleIt.ts';
import { buildCollection, buildTeam } from '../../support/factories.ts';

describe('a collection', () => {
  it('is created, changed, moved and deleted', async ({ atHome, organization }) => {
    const other = await buildCollection(organization, { title: 'Other' });
    const made = await atHome.ask(`/organizations/${organization._id}/collections`, {
      form: { collectionTitle: 'Products', collectionParent: '' },
    });
    const path = made.headers.get('location') ?? '';
    const id = path.split('/').at(-1);
    const saved = await atHome.post(`${path}/settings`, {
      title: 'Goods',
      description: 'All of them',
      defaultLevel: 'none',
    });
    expect(saved.text).toContain('<h1>Goods</h1>');
    expect(saved.text).toContain('<dd>All of them</dd>');
    const moved = await atHome.post(`${path}/move`, { parent: other._id });
    expect(moved.text).toContain(`<dd><a href="/collections/${other._id}">Other</a></dd>`);
    expect((await atHome.get(`/collections/${other._id}`)).text).toContain(`<a href="${path}">Goods</a>`);
    await atHome.post(`${path}/move`, { parent: 'root' });
    expect(await Collection.findById(id).lean<CollectionRecord>()).toMatchObject({ defaultLevel: null });
    expect((await atHome.post(`${path}/delete`)).status).toBe(400);
    await atHome.post(`${path}/delete`, { confirm: 'true' });
    expect((await atHome.get(path)).status).toBe(404);
  });
});

describe('the settings of a space', () => {
  it('change, move and duplicate the space', async ({ atHome, organization, space }) => {
    const collection = await buildCollection(organization);
    const path = `/spaces/${space._id}/settings`;
    const saved = await atHome.post(path, {
      title: 'Renamed',
      editMode: 'locked',
      defaultLevel: 'read',
      language: '',
      icon: '',
    });
    expect(saved.text).toContain('<h1>Settings of Renamed</h1>');
    await atHome.post(`${path}/move`, { parent: collection._id });
    expect(await Space.findById(space._id).lean<SpaceRecord>()).toMatchObject({
      editMode: 'locked',
      defaultLevel: 'read',
      parent: collection._id,
    });
    expect((await atHome.get(`/collections/${collection._id}`)).text).toContain('Renamed');
    const copy = await atHome.ask(`${path}/duplicate`, { form: {} });
    expect(copy.headers.get('location')).not.toBe(`/spaces/${space._id}`);
  });

  it('delete the space, and restore it', async ({ atHome, space }) => {
    const path = `/spaces/${space._id}/settings`;
    const deleted = await atHome.post(`${path}/delete`, { confirm: 'true' });
    expect([deleted.status, deleted.text]).toEqual([200, expect.stringContaining('was deleted')]);
    expect(deleted.text).not.toContain(`action="${path}"`);
    expect((await atHome.ask(`${path}/restore`, { form: {} })).headers.get('location')).toBe(
      `/spaces/${space._id}`,
    );
    expect((await atHome.get(`/spaces/${space._id}`)).status).toBe(200);
  });
});

describe('permissions', () => {
  it('are granted to users and teams, and revoked', async ({ atHome, organization, space, guest, api }) => {
    const team = await buildTeam(organization, { title: 'Writers' });
    const collection = await buildCollection(organization);
    for (const path of [`/spaces/${space._id}/permissions`, `/collections/${collection._id}/permissions`]) {
      const found = await atHome.get(`${path}?search=writ`);
      expect(found.text).toContain(`<option value="team:${team._id}">Team Writers</option>`);
      const given = await atHome.post(path, { to: `user:${guest.user._id}`, role: 'review' });
      expect(given.text).toContain('<td>review</td>');
      const both = await atHome.post(path, { to: `team:${team._id}`, role: 'comment' });
      expect(both.text).toContain('<td>comment</td>');
      const taken = await atHome.post(path, { to: `team:${team._id}`, role: 'none' });
      expect(taken.text).not.toContain('<td>comment</td>');
    }
    const seen = await api.call('GET', `/v1/spaces/${space._id}`, { token: guest.token });
    expect(seen.status).toBe(200);
  });
});

describe('readers and editors', () => {
  it('get no forms to change a collection or a space', async ({
    server,
    organization,
    space,
    reader,
    editor,
  }) => {
    const collection = await buildCollection(organization);
    const [atSpace, atCollection] = [`/spaces/${space._id}`, `/collections/${collection._id}`];
    for (const { token } of [reader, editor]) {
      const visitor = server.visitor();
      await visitor.signIn(token);
      for (const path of [
        atCollection,
        `${atCollection}/permissions`,
        `${atSpace}/settings`,
        `${atSpace}/permissions`,
      ]) {
        const { status, text } = await visitor.get(path);
        expect([path, status, text.match(/<form/g)?.length]).toEqual([path, 200, 1]);
      }
      for (const path of [
        `/organizations/${organization._id}/collections`,
        `${atCollection}/settings`,
        `${atCollection}/delete`,
        `${atCollection}/permissions`,
        `${atSpace}/settings`,
        `${atSpace}/settings/delete`,
        `${atSpace}/permissions`,
      ]) {
        const { status } = await visitor.ask(path, { form: { title: 'No', confirm: 'true' } });
        expect([path, status]).toEqual([path, 403]);
      }
    }
  });
});
