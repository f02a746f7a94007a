import { SiteSection, SiteSectionGroup, SiteSpace, type SiteRecord, type SpaceRecord } from '@bindery/models';
import { expect } from 'vitest';
import { startApp } from '../../support/processes/appProcess.ts';
import { buildSection, buildSite, buildSiteSpace, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { expectWholeSite } from '../../support/stores/siteInvariants.ts';

const random = seededRandom(7);

const it = base
  .extend('other', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
    const other = await startApp('api', { ...process.env, PORT: '0' });
    onCleanup(async () => {
      other.signal('SIGTERM');
      await other.ended;
    });
    return other;
  })
  .extend('spaces', { scope: 'file' }, async ({ organization }) => {
    const spaces: SpaceRecord[] = [];
    for (let i = 0; i < 50; i++) spaces.push(await buildSpace(organization, { title: `Space ${i % 5}` }));
    return spaces;
  })
  .extend('site', ({ organization }) => buildSite(organization))
  .extend(
    'sendTo',
    ({ api, organization, admin, other }) =>
      ({ _id }: SiteRecord) =>
      async (method: string, path: string, json?: unknown) => {
        const origin = random.pick([api.origin, `http://127.0.0.1:${other.port}`]);
        const response = await fetch(`${origin}/v1/orgs/${organization._id}/sites/${_id}${path}`, {
          method,
          headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
          ...(json !== undefined && { body: JSON.stringify(json) }),
        });
        const text = await response.text();
        return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
      },
  )
  .extend('send', ({ site, sendTo }) => sendTo(site))
  .extend(
    'spaceAt',
    ({ spaces }) =>
      (place: number) =>
        spaces[place] as SpaceRecord,
  );

it(
  'fifty spaces added to a site at once are all there, with paths of their own and one default',
  { timeout: 60_000 },
  async ({ spaces, site, send, spaceAt }) => {
    const answers = await Promise.all(
      spaces.map(({ _id }) => send('POST', '/site-spaces', { spaceId: _id })),
    );
    expect(answers.map(({ status }) => status)).toEqual(spaces.map(() => 201));
    expect(await SiteSpace.countDocuments({ site: site._id })).toBe(50);
    await expectWholeSite(site._id);
    const again = await Promise.all(
      Array.from({ length: 10 }, () => send('POST', '/site-spaces', { spaceId: spaceAt(0)._id })),
    );
    expect(again.map(({ status }) => status)).toEqual(again.map(() => 409));
  },
);

it('of ten requests that add the same space to one place, one succeeds', async ({ site, send, spaceAt }) => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => send('POST', '/site-spaces', { spaceId: spaceAt(0)._id })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201,
    ...Array<number>(9).fill(409),
  ]);
  await expectWholeSite(site._id);
});

it('there is one default after the default and its successors are removed at once', async ({
  organization,
  site,
  send,
  sendTo,
  spaceAt,
}) => {
  for (let round = 0; round < 5; round++) {
    const one = await buildSite(organization);
    const own = [];
    for (let i = 0; i < 4; i++) own.push(await buildSiteSpace(one, { space: spaceAt(i) }));
    const remove = ({ _id }: { _id: string }) => sendTo(one)('DELETE', `/site-spaces/${_id}`);
    const answers = await Promise.all(
      own.slice(0, 3).flatMap((siteSpace) => [remove(siteSpace), remove(siteSpace)]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
    await expectWholeSite(one._id);
  }
  const sections = [];
  for (let i = 0; i < 3; i++) sections.push(await buildSection(site, { space: spaceAt(i) }));
  await Promise.all(sections.map(({ _id }) => send('DELETE', `/sections/${_id}`)));
  await expectWholeSite(site._id);
});

it('the first sections added at once gather the spaces at the root once', async ({ site, send, spaceAt }) => {
  for (let i = 0; i < 3; i++) await buildSiteSpace(site, { space: spaceAt(i) });
  const calls = Array.from({ length: 8 }, (_, i) =>
    i % 4 === 3
      ? send('POST', '/site-spaces', { spaceId: spaceAt(10 + i)._id })
      : send('POST', '/sections', { spaceId: spaceAt(i)._id, title: 'Same' }),
  );
  for (const { status } of await Promise.all(calls)) expect(status).toBe(201);
  expect(await SiteSection.countDocuments({ site: site._id })).toBe(7);
  await expectWholeSite(site._id);
});

it(
  'any mix of concurrent changes leaves a consistent site',
  { timeout: 60_000 },
  async ({ spaces, site, send }) => {
    for (let round = 0; round < 4; round++) {
      const [sections, groups, siteSpaces] = [
        await SiteSection.find({ site: site._id }).lean(),
        await SiteSectionGroup.find({ site: site._id }).lean(),
        await SiteSpace.find({ site: site._id }).lean(),
      ];
      const pick = (records: { _id: string }[]) =>
        records.length > 0 ? random.pick(records)._id : 'nothing';
      const some: (() => Promise<{ status: number }>)[] = [
        () => send('POST', '/sections', { spaceId: random.pick(spaces)._id }),
        () =>
          send('POST', '/site-spaces', {
            spaceId: random.pick(spaces)._id,
            ...(sections.length > 0 && { sectionId: pick(sections) }),
          }),
        () =>
          send('POST', '/section-groups', {
            title: 'Group',
            ...(sections.length > 0 && { sections: [pick(sections)] }),
          }),
        () => send('DELETE', `/sections/${pick(sections)}`),
        () => send('DELETE', `/site-spaces/${pick(siteSpaces)}`),
        () => send('DELETE', `/section-groups/${pick(groups)}`),
        () => send('POST', `/section-groups/${pick(groups)}/sections`, { sectionId: pick(sections) }),
        () => send('DELETE', `/section-groups/${pick(groups)}/sections/${pick(sections)}`),
        () => send('PATCH', '', { defaultSiteSection: pick(sections) }),
        () =>
          send('PATCH', '/structure/sort', {
            item: { type: 'site-section', id: pick(sections) },
            position: { before: { type: 'site-section', id: pick(sections) } },
          }),
        () => send('PATCH', `/site-spaces/${pick(siteSpaces)}`, { spaceId: random.pick(spaces)._id }),
        () => send('PATCH', `/sections/${pick(sections)}`, { path: random.pick(['a', 'b', 'c']) }),
      ];
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => (some[i % some.length] as () => Promise<{ status: number }>)()),
      );
      for (const { status } of answers) expect([200, 201, 204, 400, 404, 409]).toContain(status);
      await expectWholeSite(site._id);
    }
    expect((await send('GET', '/structure')).status).toBe(200);
    await send('DELETE', '');
    await expectWholeSite(site._id);
  },
);

it('a site that is deleted while parts are added to it leaves nothing behind', async ({
  organization,
  sendTo,
  spaceAt,
}) => {
  for (let round = 0; round < 5; round++) {
    const site = await buildSite(organization, { spaces: [spaceAt(0)] });
    const send = sendTo(site);
    const calls = [
      ...Array.from({ length: 6 }, (_, i) =>
        send('POST', i % 2 ? '/sections' : '/site-spaces', { spaceId: spaceAt(i + 1)._id }),
      ),
      send('DELETE', ''),
    ];
    for (const { status } of await Promise.all(calls)) expect([201, 204, 404]).toContain(status);
    await expectWholeSite(site._id);
  }
});
