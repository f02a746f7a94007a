import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Collection,
  CustomHostname,
  jobCollection,
  Site,
  SiteRedirect,
  SiteSpace,
  Space,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { accessTo } from '../../../apps/cli/src/commands/api/apiAccess.ts';
import { applyPlan, planDeclaration } from '../../../apps/cli/src/commands/declaration/planDeclaration.ts';
import { readDeclaration } from '../../../apps/cli/src/commands/declaration/readDeclaration.ts';
import { buildMember, buildOrganization, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { runBindery, startBindery } from '../../support/stores/backupCommands.ts';
import { until } from '../../support/until.ts';

const it = base
  .extend('own', async ({ api: _started }) => buildOrganization())
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('file', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-declaration-'));
    onCleanup(() => rm(folder, { recursive: true }));
    return join(folder, 'docs.yaml');
  })
  .extend('hostname', () => `docs.${newId().toLowerCase()}.example.org`)
  .extend('access', ({ api, own }) => ({ BINDERY_API_URL: api.origin, BINDERY_TOKEN: own.admin.token }))
  /** Runs `bindery plan` or `bindery apply` with this text as the file. */
  .extend('run', ({ file, access }) => async (command: 'plan' | 'apply', text: string, ...args: string[]) => {
    await writeFile(file, text);
    return runBindery([command, file, ...args], access);
  });

const small = `
collections:
  guides: {title: Guides}
spaces:
  handbook: {title: Handbook, collection: guides, editMode: locked}
`;

function large(hostname: string): string {
  return `
collections:
  guides:
    title: Guides
    description: For everyone
  inner:
    title: Inner
    parent: guides
spaces:
  handbook:
    title: Handbook
    collection: inner
    editMode: locked
    language: en
  api:
    title: API
sites:
  docs:
    title: Docs
    visibility: unlisted
    published: true
    hostname: ${hostname}
    sections:
      - title: Handbook
        path: book
        description: How to work
        spaces: [handbook]
      - title: Reference
        spaces:
          - space: api
            path: rest
    customization:
      styling:
        theme: bold
    redirects:
      /old: https://example.com/new
      /older:
        url: https://example.com/newer
        permanent: true
`;
}

const nothing = { code: 0, output: expect.stringContaining('0 to create, 0 to update, 0 to delete') };

describe('bindery plan and apply', { timeout: 240_000 }, () => {
  it('make an organization as the file declares it, once', async ({ run, own, hostname }) => {
    const { _id: organization } = own.organization;
    const planned = await run('plan', large(hostname));
    expect(planned).toMatchObject({ code: 2, output: expect.stringContaining('+ create space handbook') });
    expect(await Space.countDocuments({ organization })).toBe(0);
    const applied = await run('apply', large(hostname));
    expect(applied, applied.output).toMatchObject({ code: 0 });
    expect(await run('plan', large(hostname))).toMatchObject(nothing);
    expect(await run('apply', large(hostname))).toMatchObject(nothing);
    expect(await Collection.countDocuments({ organization })).toBe(2);
    const spaces = await Space.find({ organization }).sort({ title: 1 }).lean();
    expect(spaces).toMatchObject([{ title: 'API' }, { title: 'Handbook', editMode: 'locked' }]);
    const [site, ...more] = await Site.find({ organization }).lean();
    expect([site, more]).toMatchObject([{ title: 'Docs', visibility: 'unlisted', isPublished: true }, []]);
    expect(await SiteRedirect.countDocuments({ site: site!._id })).toBe(2);
    expect(await CustomHostname.findOne({ hostname })).toMatchObject({ site: site!._id });
  });

  it('show old and new values, and change only the fields that differ', async ({ run, own, hostname }) => {
    await run('apply', large(hostname));
    const text = large(hostname)
      .replace('For everyone', 'For all')
      .replace('visibility: unlisted', 'visibility: public')
      .replace('theme: bold', 'theme: muted')
      .replace('path: rest', 'path: http')
      .replace('example.com/newer', 'example.com/newest');
    const { code, output } = await run('plan', text);
    expect(code).toBe(2);
    expect(output).toContain('~ update collection guides\n    description: "For everyone" -> "For all"\n');
    expect(output).toContain('visibility: "unlisted" -> "public"');
    expect(output).toContain('path: "rest" -> "http"');
    expect(output).toContain('0 to create, 5 to update, 0 to delete');
    const applied = await run('apply', text);
    expect(applied, applied.output).toMatchObject({ code: 0 });
    expect(await run('plan', text)).toMatchObject(nothing);
    expect(await Site.countDocuments({ organization: own.organization._id })).toBe(1);
  });

  it('report the line, the column and the allowed values', async ({ run, own }) => {
    for (const [text, message] of [
      ['spaces:\n  a: [\n', ':3:1: '],
      [
        'spaces:\n  a:\n    title: A\n    colour: red\n',
        ':4:5: `spaces.a` has the unknown key `colour`; allowed are id, title',
      ],
      [
        'spaces:\n  a:\n    title: A\n    editMode: open\n',
        ':4:15: `spaces.a.editMode` must be one of `live`, `locked`',
      ],
      [
        'spaces:\n  a: {title: A, collection: b}\n',
        ':2:29: `spaces.a.collection` names no collection of the file; there are none',
      ],
      ['spaces:\n  a: {title: A}\n  b: {title: A}\n', ':3:6: `spaces.b` has the title of `a`'],
      ['spaces:\n  a: {title: A}\n  a: {title: B}\n', ':3:3: Map keys must be unique'],
      ['collections:\n  a: {title: A, parent: a}\n', '`collections.a.parent` leads back to itself'],
      [
        'spaces:\n  a: {title: A, git: {url: "https://me:x@example.com/r.git", ref: refs/heads/main}}\n',
        'must not contain a login',
      ],
      [
        'spaces:\n  a: {title: A, git: {url: "https://example.com/r.git", ref: refs/heads/main, token: NO_SUCH_TOKEN}}\n',
        'the environment has no NO_SUCH_TOKEN',
      ],
      ['sites:\n  a: {title: Docs, redirects: {/old: ftp://example.com}}\n', 'must be a URL that begins'],
      ['sites:\n  a: {title: Docs, spaces: [{key: b}]}\n', 'must be the key of a space, or'],
      ['- a\n', 'must be an object'],
    ] as const) {
      const { code, output } = await run('apply', text);
      expect({ code, output }, text).toMatchObject({ code: 1, output: expect.stringContaining(message) });
    }
    expect(await Space.countDocuments({ organization: own.organization._id })).toBe(0);
  });

  it('refuse to choose between two objects with the same title, and take an id', async ({ run, own }) => {
    const [one] = [
      await buildSpace(own.organization, { title: 'Same' }),
      await buildSpace(own.organization, { title: 'Same' }),
    ];
    const text = 'spaces:\n  a: {title: Same}\n';
    expect(await run('plan', text)).toMatchObject({
      code: 1,
      output: expect.stringContaining(`id: ${one._id}`),
    });
    const renamed = `spaces:\n  a: {id: ${one._id}, title: Another}\n`;
    expect(await run('apply', renamed)).toMatchObject({ code: 0 });
    expect(await Space.findById(one._id)).toMatchObject({ title: 'Another' });
  });

  it('remove objects that the file lacks only with --prune', async ({ run, own }) => {
    const { _id: organization } = own.organization;
    await run('apply', small);
    const less = 'spaces:\n  other: {title: Other}\n';
    const { output } = await run('apply', less);
    expect(output).toContain('not in the file, stays');
    expect(await Space.countDocuments({ organization, deletedAt: { $exists: false } })).toBe(2);
    const planned = await run('plan', less, '--prune');
    expect(planned.output).toMatch(/- delete space Handbook \(.+\)\n- delete collection Guides \(/);
    expect(await run('apply', less, '--prune')).toMatchObject({ code: 0 });
    expect(await Space.countDocuments({ organization, deletedAt: { $exists: false } })).toBe(1);
    expect(await Collection.countDocuments({ organization })).toBe(0);
    expect(await run('plan', less, '--prune')).toMatchObject(nothing);
  });

  it('overwrite no change that was made after the plan', async ({ run, own, api, file, access }) => {
    await run('apply', small);
    const next = small.replace('locked', 'live');
    const { output } = await run('plan', next, '--format', 'json');
    const { plan: name } = JSON.parse(output) as { plan: string };
    const space = (await Space.findOne({ organization: own.organization._id }).lean())!._id;
    const edit = async (json: object) =>
      expect((await api.call('PATCH', `/v1/spaces/${space}`, { token: own.admin.token, json })).status).toBe(
        200,
      );

    const found = await planDeclaration(await readDeclaration(file), {
      api: accessTo({ apiUrl: api.origin, token: own.admin.token }),
      environment: access,
      prune: false,
    });
    await edit({ emoji: '1f600' });
    await expect(applyPlan(found, () => {})).rejects.toMatchObject({
      message: expect.stringContaining('space handbook: '),
    });
    expect(await Space.findById(space)).toMatchObject({ editMode: 'locked' });

    await edit({ title: 'Renamed by hand' });
    expect(await run('apply', next, '--plan', name)).toMatchObject({
      code: 1,
      output: expect.stringContaining('Nothing is done'),
    });
    expect(await Space.countDocuments({ organization: own.organization._id })).toBe(1);
  });

  it('resume after a kill, and create none of 100 spaces twice', async ({ run, own, file, access }) => {
    const { _id: organization } = own.organization;
    const keys = Array.from(
      { length: 100 },
      (_, index) => `  s${index}: {title: Space ${index}, emoji: 1f600}`,
    );
    const text = `spaces:\n${keys.join('\n')}\n`;
    await writeFile(file, text);
    const { child, ended, output } = startBindery(['apply', file], access);
    await until('the first spaces', () => output().includes('done: + create space s9'), {
      timeoutMs: 60_000,
    });
    child.kill('SIGKILL');
    await ended;
    const made = await Space.countDocuments({ organization });
    expect(made).toBeGreaterThan(9);
    expect(made).toBeLessThan(100);
    expect(await run('apply', text)).toMatchObject({ code: 0 });
    expect(await Space.countDocuments({ organization })).toBe(100);
    expect(await run('plan', text)).toMatchObject(nothing);
  });

  it('resume after any number of changes, and create nothing twice', async ({ file, api }) => {
    for (let done = 1, all = Number.POSITIVE_INFINITY; done < all; done += 1) {
      const { organization, admin } = await buildOrganization();
      await writeFile(file, large(`docs.${newId().toLowerCase()}.example.org`));
      const declaration = await readDeclaration(file);
      const access = accessTo({ apiUrl: api.origin, token: admin.token });
      const make = async () => planDeclaration(declaration, { api: access, environment: {}, prune: false });
      const first = await make();
      all = first.changes.length;
      await applyPlan({ ...first, changes: first.changes.slice(0, done) }, () => {});
      await applyPlan(await make(), () => {});
      expect(await make(), `after ${done}`).toMatchObject({ changes: [], undeclared: [] });
      const [site, ...more] = await Site.find({ organization: organization._id }).lean();
      expect(more).toEqual([]);
      expect([
        await Space.countDocuments({ organization: organization._id }),
        await SiteSpace.countDocuments({ site: site!._id }),
        await SiteRedirect.countDocuments({ site: site!._id }),
      ]).toEqual([2, 2, 2]);
    }
  });

  it('move the object that an id names, and create a new one for a title in another place', async ({
    run,
    own,
  }) => {
    const { _id } = await buildSpace(own.organization, { title: 'Handbook' });
    expect((await run('plan', small)).output).toContain('+ create space handbook');
    const named = small.replace('{title: Handbook', `{id: ${_id}, title: Handbook`);
    expect((await run('apply', named)).output).toContain('done: ~ update space handbook');
    const collection = await Collection.findOne({ organization: own.organization._id }).lean();
    expect(await Space.findById(_id)).toMatchObject({ parent: collection!._id, editMode: 'locked' });
    expect(await run('plan', named)).toMatchObject(nothing);
  });

  it('set up git sync with a token that appears nowhere', async ({ run, own, access }) => {
    const token = `secret-${newId()}`;
    Object.assign(access, { GIT_TOKEN: token });
    const text = `
spaces:
  handbook:
    title: Handbook
    git: {url: 'https://git.example.com/r.git', ref: refs/heads/main, directory: docs, token: GIT_TOKEN}
`;
    const { code, output } = await run('apply', text);
    expect(code, output).toBe(0);
    expect(output).toContain('+ create git sync of space handbook');
    expect(await run('plan', text)).toMatchObject(nothing);
    const next = await run('plan', text.replace('heads/main', 'heads/next'));
    expect(next.output).toContain('ref: "refs/heads/main" -> "refs/heads/next"');
    expect(output + next.output).not.toContain(token);
    const jobs = await jobCollection().find({ organization: own.organization._id }).toArray();
    expect(jobs.map(({ kind }) => kind)).toEqual(['git-import']);
    expect(JSON.stringify(jobs)).not.toContain(token);
  });

  it('change nothing for a user without the permissions, and report it', async ({ run, own, file, api }) => {
    await run('apply', small);
    const reader = await buildMember(own.organization, 'read');
    const access = { BINDERY_API_URL: api.origin, BINDERY_TOKEN: reader.token };
    await writeFile(
      file,
      small.replace('locked', 'live').replace('spaces:', 'spaces:\n  more: {title: More}'),
    );
    const { code, output } = await runBindery(['apply', file], access);
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('Done are 0 of') });
    expect(await Space.countDocuments({ organization: own.organization._id })).toBe(1);
  });
});
