import { SiteSection, SiteSectionGroup, SiteSpace, type OrganizationRecord, type SiteRecord, type SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startApi, type TestApi } from '../support/apiServer.ts';
import { startApp, type AppProcess } from '../support/appProcess.ts';
import { buildOrganization, buildSection, buildSite, buildSiteSpace, buildSpace, type TestUser } from '../support/factories.ts';
import { seededRandom } from '../support/seededRandom.ts';
import { expectWholeSite } from '../support/siteInvariants.ts';

// Within one process, changes of a site queue up; between processes only the transactions keep them apart.

let api: TestApi;
let other: AppProcess;
let organization: OrganizationRecord;
let admin: TestUser;
let spaces: SpaceRecord[];
let site: SiteRecord;

beforeAll(async () => {
  api = await startApi();
  other = await startApp('api', { ...process.env, PORT: '0' });
  ({ organization, admin } = await buildOrganization());
  spaces = [];
  for (let i = 0; i < 50; i++) spaces.push(await buildSpace(organization, { title: `Space ${i % 5}` }));
});
beforeEach(async () => {
  site = await buildSite(organization);
});
afterAll(async () => {
  other.signal('SIGTERM');
  await other.ended;
  await api.close();
});

const random = seededRandom(7);
async function send(method: string, path: string, json?: unknown) {
  const origin = random.pick([api.origin, `http://127.0.0.1:${other.port}`]);
  const response = await fetch(`${origin}/v1/orgs/${organization._id}/sites/${site._id}${path}`, {
    method,
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}
const space = (place: number) => spaces[place] as SpaceRecord;

it(
  'fifty spaces that are put onto a site at once are all there, with paths of their own and one default',
  { timeout: 60_000 },
  async () => {
    const answers = await Promise.all(spaces.map(({ _id }) => send('POST', '/site-spaces', { spaceId: _id })));
    expect(answers.map(({ status }) => status)).toEqual(spaces.map(() => 201));
    expect(await SiteSpace.countDocuments({ site: site._id })).toBe(50);
    await expectWholeSite(site._id);
    const again = await Promise.all(Array.from({ length: 10 }, () => send('POST', '/site-spaces', { spaceId: space(0)._id })));
    expect(again.map(({ status }) => status)).toEqual(again.map(() => 409));
  },
);

it('of ten who put the same space into one place, one does', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => send('POST', '/site-spaces', { spaceId: space(0)._id })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(9).fill(409)]);
  await expectWholeSite(site._id);
});

it('when the default and what would follow it are removed at once, there is one default', async () => {
  for (let round = 0; round < 5; round++) {
    site = await buildSite(organization);
    const own = [];
    for (let i = 0; i < 4; i++) own.push(await buildSiteSpace(site, { space: space(i) }));
    const answers = await Promise.all(
      own.slice(0, 3).flatMap(({ _id }) => [send('DELETE', `/site-spaces/${_id}`), send('DELETE', `/site-spaces/${_id}`)]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
    await expectWholeSite(site._id);
  }
  const sections = [];
  for (let i = 0; i < 3; i++) sections.push(await buildSection(site, { space: space(i) }));
  await Promise.all(sections.map(({ _id }) => send('DELETE', `/sections/${_id}`)));
  await expectWholeSite(site._id);
});

it('first sections that are added at once gather the spaces at the root once', async () => {
  for (let i = 0; i < 3; i++) await buildSiteSpace(site, { space: space(i) });
  const calls = Array.from({ length: 8 }, (_, i) =>
    i % 4 === 3
      ? send('POST', '/site-spaces', { spaceId: space(10 + i)._id })
      : send('POST', '/sections', { spaceId: space(i)._id, title: 'Same' }),
  );
  for (const { status } of await Promise.all(calls)) expect(status).toBe(201);
  expect(await SiteSection.countDocuments({ site: site._id })).toBe(7);
  await expectWholeSite(site._id);
});

it('whatever comes to two processes at once leaves a whole site', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 4; round++) {
    const [sections, groups, siteSpaces] = [
      await SiteSection.find({ site: site._id }).lean(),
      await SiteSectionGroup.find({ site: site._id }).lean(),
      await SiteSpace.find({ site: site._id }).lean(),
    ];
    const pick = (records: { _id: string }[]) => (records.length > 0 ? random.pick(records)._id : 'nothing');
    const some: (() => Promise<{ status: number }>)[] = [
      () => send('POST', '/sections', { spaceId: random.pick(spaces)._id }),
      () => send('POST', '/site-spaces', { spaceId: random.pick(spaces)._id, ...(sections.length > 0 && { sectionId: pick(sections) }) }),
      () => send('POST', '/section-groups', { title: 'Group', ...(sections.length > 0 && { sections: [pick(sections)] }) }),
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
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => (some[i % some.length] as () => Promise<{ status: number }>)()));
    for (const { status } of answers) expect([200, 201, 204, 400, 404, 409]).toContain(status);
    await expectWholeSite(site._id);
  }
  expect((await send('GET', '/structure')).status).toBe(200);
  await send('DELETE', '');
  await expectWholeSite(site._id);
});

it('a site that is deleted while things are added to it leaves nothing', async () => {
  for (let round = 0; round < 5; round++) {
    site = await buildSite(organization, { spaces: [space(0)] });
    const calls = [
      ...Array.from({ length: 6 }, (_, i) => send('POST', i % 2 ? '/sections' : '/site-spaces', { spaceId: space(i + 1)._id })),
      send('DELETE', ''),
    ];
    for (const { status } of await Promise.all(calls)) expect([201, 204, 404]).toContain(status);
    await expectWholeSite(site._id);
  }
});
