import { randomBytes } from 'node:crypto';
import {
  ChangeRequest,
  Collection,
  mongoDatabase,
  Site,
  Space,
  TranslatedSegment,
  type OrganizationRecord,
  type SiteRecord,
  type SpaceRecord,
  type TranslatedSegmentRecord,
} from '@bindery/models';
import type { FileItem } from '@bindery/content';
import { newId } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import type { TestApi } from '../apiServer.ts';
import {
  buildChangeRequest,
  buildFile,
  buildInvite,
  buildJob,
  buildMember,
  buildMembership,
  buildOrganization,
  buildRevision,
  buildSection,
  buildShareLink,
  buildSiteRedirect,
  buildSpace,
  buildSpec,
  buildSpecVersion,
  buildTeam,
  buildToken,
  type TestPage,
  type TestUser,
} from '../factories.ts';
import { prose } from './prose.ts';

/** More items than a page of the console lists. */
const [some, many] = [60, 210];

type Filling = {
  organization: OrganizationRecord;
  admin: TestUser;
  /** Those of `buildEverything`. */
  values: Record<string, string>;
};

const times = async (count: number, make: (number: number) => Promise<unknown>) => {
  for (let number = 0; number < count; number += 1) await make(number);
};

/** Copies the record of an object of a list, with other titles. */
async function copyOf(
  model: { collection: { insertMany: (records: Record<string, unknown>[]) => Promise<unknown> } },
  record: { _id: string },
  count: number,
): Promise<void> {
  const copies = Array.from({ length: count }, (_, number) => ({
    ...record,
    _id: newId(),
    title: prose(number, 4),
  }));
  await model.collection.insertMany(copies);
}

/** Fills the lists of a world beyond the size of one page of the console. @returns further paths to judge */
export async function fillWorld(api: TestApi, filling: Filling): Promise<string[]> {
  await fillOrganization(filling);
  await fillSite(filling);
  await fillTranslation(api, filling);
  const spec = await fillSpecification(filling);
  return [...spec, ...(await fillSpace(filling)), await fillConflicts(filling), await fillJob(filling)];
}

async function fillOrganization({ organization, admin, values }: Filling): Promise<void> {
  await times(some, async (number) => {
    await Promise.all([
      buildMember(organization, 'comment'),
      buildInvite(organization),
      buildTeam(organization, { title: prose(number, 3) }),
      buildToken(admin.user),
    ]);
  });
  await times(30, async (number) => {
    const { organization: other } = await buildOrganization({ title: prose(number, 3) });
    await buildMembership(other, admin, 'read');
  });
  const { _id } = await buildSpace(organization);
  const [space, collection] = await Promise.all([
    Space.findById(_id).orFail().lean<{ _id: string }>(),
    Collection.findById(values['collection']).orFail().lean<{ _id: string }>(),
  ]);
  await copyOf(Space, space, 1_000);
  await copyOf(Collection, collection, 1_000);
}

async function fillSite({ organization, values }: Filling): Promise<void> {
  const site = await Site.findById(values['site']).orFail().lean<SiteRecord>();
  await times(some, async (number) => {
    await Promise.all([
      buildShareLink(site, { name: prose(number, 3) }),
      buildSiteRedirect(site, {
        source: `/${prose(number, 3).replaceAll(' ', '-')}-${number}`,
        destination: {
          kind: 'external',
          url: `https://example.org/${prose(number + 1, 2).replace(' ', '/')}`,
        },
      }),
    ]);
  });
  await times(15, async (number) =>
    buildSection(site, { space: await buildSpace(organization), title: prose(number, 2) }),
  );
}

async function fillTranslation(api: TestApi, { organization, admin, values }: Filling): Promise<void> {
  const { translation } = values;
  const found = await TranslatedSegment.findOne({ translation }).orFail().lean<TranslatedSegmentRecord>();
  const { replaced: _, ...segment } = found;
  await TranslatedSegment.insertMany(
    Array.from({ length: some }, (_unused, number) => ({
      ...segment,
      _id: `${translation}:start:${number}`,
      ...{ key: String(number), state: 'machine', position: number + 1 },
      ...{ source: prose(number, 80), target: prose(number + 500, 80) },
    })),
  );
  const operations = Array.from({ length: some }, (_unused, number) => ({
    type: 'insert',
    translations: { en: prose(number, 2), ar: prose(number + 500, 2) },
  }));
  await api.call('PUT', `/v1/orgs/${organization._id}/translations-glossary`, {
    token: admin.token,
    json: { operations },
  });
}

/** A specification with many versions, findings and changes. */
async function fillSpecification({ organization, values }: Filling): Promise<string[]> {
  await times(25, async () => buildSpec(organization));
  const spec = await buildSpec(organization);
  const pathsOf = (version: number) =>
    Object.fromEntries(
      Array.from({ length: many }, (_, number) => {
        const path = `/${prose(number + version * 100, 2).replace(' ', '/')}/{id}`;
        const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
        return [
          path,
          { get: { summary: prose(number, 6), parameters, responses: { 200: { description: '' } } } },
        ];
      }),
    );
  const findings = Array.from({ length: 500 }, (_, number) => ({
    ...{ severity: 'warning' as const, rule: 'paths', message: prose(number, 12), file: 'openapi.json' },
    ...{
      pointer: `/paths/${prose(number, 2).replace(' ', '~1')}/get`,
      line: number * 7,
      column: number % 40,
    },
  }));
  let version = '';
  for (let number = 0; number < 52; number += 1) {
    const specification = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: pathsOf(number) };
    const entry = { filename: 'openapi.json', dir: '', isEntrypoint: true, references: [], specification };
    ({ _id: version } = await buildSpecVersion(spec, { text: String(number), files: [entry], findings }));
  }
  const path = `/organizations/${values['organization']}/openapi/${spec.slug}`;
  return [path, `${path}/versions/${version}`, `${path}/compare`];
}

/** The text of a page: some paragraphs, of which a version changes every second one. */
function source(page: number, { paragraphs, version }: { paragraphs: number; version: string }): string {
  const texts = Array.from({ length: paragraphs }, (_, number) => {
    const text = prose(page * 7 + number, 60);
    return number % 2 === 0
      ? text
      : text.replace(' the ', ` ${version} the `).replace(/ \w+$/, ` ${version}`);
  });
  return texts.map((text) => `${text}\n`).join('\n');
}

type BothSides = Pick<Filling, 'admin'> & { pages: (version: string) => TestPage[]; files: FileItem[] };

/** Changes the pages of a space in its main content and in a change request, whose number is returned. */
async function changeBoth(space: SpaceRecord, { pages, files, admin }: BothSides) {
  const write = async (of: SpaceRecord, version: string, publish = true) =>
    buildRevision(of, { pages: pages(version), files, publish });
  const first = await write(space, 'first');
  const begun = { ...space, revision: first._id };
  const { _id, number } = await buildChangeRequest(begun, { createdBy: admin.user._id });
  const mine = await write(begun, 'mine', false);
  await ChangeRequest.updateOne({ _id }, { $set: { revision: mine._id } });
  const second = await write(begun, 'second');
  return { begun, first, second, number };
}

/** A space with many pages, which its main content and a change request have both changed. */
async function fillSpace({ organization, admin }: Filling): Promise<string[]> {
  const space = await buildSpace(organization, { title: 'Large' });
  const blobs = createBlobStore(mongoDatabase(), {});
  const files = await Promise.all(
    Array.from({ length: some }, async (_, number) =>
      buildFile(blobs, organization._id, { name: `${prose(number, 2)}.bin`, bytes: randomBytes(10) }),
    ),
  );
  const plain = Array.from({ length: 600 }, (_, number) => {
    return { id: newId(), title: prose(number, 3), slug: `plain-${number}` };
  });
  const pages = (version: string): TestPage[] => [
    { id: 'long', title: 'Long', source: source(0, { paragraphs: 400, version }) },
    // As long as the long page of the benchmark of sites: of the text of a page, nothing is left out.
    { id: 'usual', title: 'Usual', source: source(1, { paragraphs: 100, version }), pages: plain },
    ...Array.from({ length: many }, (_, number) => ({
      ...{ id: `page${number}`, title: prose(number, 3), slug: `page-${number}` },
      source: source(number, { paragraphs: 2, version }),
    })),
  ];
  const { begun, first, second, number } = await changeBoth(space, { pages, files, admin });
  await times(30, async (count) => buildChangeRequest(begun, { subject: prose(count, 5) }));
  const path = `/spaces/${space._id}`;
  const compared = `${path}/compare/${first._id}/${second._id}`;
  const request = `${path}/change-requests/${number}`;
  return [
    ...['', '/history', '/files', '/change-requests', '/pages/usual', '/pages/usual?view=markdown'].map(
      (end) => path + end,
    ),
    ...[
      '',
      '/pages',
      '/pages/page7',
      '/conflicts',
      '/changes/long',
      '/changes/long?view=sides',
      '/files',
    ].map((end) => request + end),
    `${path}/revisions/${second._id}`,
    ...['', '/pages/long', '/pages/long?view=sides'].map((end) => compared + end),
  ];
}

/** A change request with conflicts in long texts. */
async function fillConflicts({ organization, admin }: Filling): Promise<string> {
  const space = await buildSpace(organization, { title: 'Long texts' });
  const pages = (version: string): TestPage[] =>
    Array.from({ length: some }, (_, number) => ({
      ...{ id: `page${number}`, title: prose(number, 3), slug: `page-${number}` },
      source: `${prose(number, 620)} ${version}\n`,
    }));
  const { number } = await changeBoth(space, { pages, files: [], admin });
  return `/spaces/${space._id}/change-requests/${number}/conflicts`;
}

/** A job with a full log. */
async function fillJob({ values }: Filling): Promise<string> {
  const space = await Space.findById(values['space']).orFail().lean<SpaceRecord>();
  const log = Array.from({ length: 300 }, (_, number) => ({
    ...{ seq: number + 1, at: new Date(1.7e12 + number * 1_234), level: 'info' as const },
    ...{ message: prose(number, 12), path: `${prose(number, 2).replace(' ', '/')}.md` },
  }));
  await times(some, async () => buildJob(space));
  const { _id } = await buildJob(space, {
    state: 'succeeded',
    startedAt: new Date(),
    finishedAt: new Date(),
    log,
  });
  return `/jobs/${_id}`;
}
