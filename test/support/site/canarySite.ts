import { UpdateSiteCustomization } from '@bindery/contract';
import type { OrganizationRecord, SiteRecord, SpaceRecord } from '@bindery/models';
import type { TestApi } from '../apiServer.ts';
import { indexWhatWaits, publishPages } from '../content/indexing.ts';
import {
  buildFile,
  buildSection,
  buildSite,
  buildSiteRedirect,
  buildSiteSpace,
  buildSpace,
  buildSpec,
  buildSpecVersion,
  type TestPage,
} from '../factories.ts';

/** The plans of visitors. Only content for a plan contains the word `canary-<plan>`. */
export const plans = ['apple', 'pear'] as const;
export type Plan = (typeof plans)[number];

/** Addresses that exist for visitors with this plan alone, below that of the site. */
export const addressesOf = (plan: Plan): string[] => [
  ...[`/only-${plan}`, `/only-${plan}.md`, `/only-${plan}/rss.xml`, `/only-${plan}/child`],
  ...[`/variant-${plan}`, `/variant-${plan}/rare.md`, `/section-${plan}`, `/section-${plan}/rare`],
  ...[`/to-page-${plan}`, `/to-section-${plan}`, `/to-variant-${plan}`, `/listed-${plan}`],
];

const schema = {
  type: 'object',
  properties: { plan: { type: 'string', description: '', enum: plans } },
  additionalProperties: false,
};

/** The claims of visitors: their plan. */
export const adaptiveSchema = () => ({ jsonSchema: JSON.stringify(schema), updatedAt: new Date() });

const onlyFor = (plan: Plan) => `visitor.claims.plan == "${plan}"`;
const feed = (title: string) =>
  `{% updates %}\n{% update date="2026-03-01" %}\n## ${title}\n\nNew\n{% endupdate %}\n{% endupdates %}`;

/**
 * Publishes a site with parts for each plan: pages, blocks, updates, files, covers, specifications, sections,
 * variants, links and redirects.
 */
export async function buildCanarySite(
  { config, blobs }: TestApi,
  organization: OrganizationRecord,
): Promise<SiteRecord> {
  const forPlan = async (plan: Plan) => {
    const word = `canary-${plan}`;
    const spec = await buildSpec(organization, { slug: `${word}-api` });
    const get = { summary: `${word}-operation`, responses: { 200: { description: 'ok' } } };
    const specification = { openapi: '3.1.0', paths: { [`/${word}`]: { get } } };
    const entry = { filename: 'openapi.json', dir: '.', isEntrypoint: true, references: [] };
    await buildSpecVersion(spec, { text: word, files: [{ ...entry, specification }] });
    const file = await buildFile(blobs, organization._id, {
      name: `${word}.png`,
      bytes: `${word}-bytes`,
      contentType: 'image/png',
    });
    const page: TestPage = {
      id: `page-${plan}`,
      title: `${word}-title`,
      path: `only-${plan}`,
      description: `${word}-description`,
      condition: onlyFor(plan),
      cover: { ref: { kind: 'file', file: file.id }, yPos: 0 },
      source: `# ${word}-title\n\nFruit ${word}-page ![${word}](/files/${file.id})\n\n{% openapi-operation spec="${spec.slug}" path="/${word}" method="get" %}\n{% endopenapi-operation %}\n\n${feed(`${word}-update`)}`,
      pages: [{ title: `${word}-child`, path: `only-${plan}/child`, source: `# x\n\nFruit ${word}-below` }],
    };
    const block = `{% if ${onlyFor(plan)} %}\nFruit ${word}-block [x](/files/${file.id})\n\n${feed(`${word}-entry`)}\n{% endif %}`;
    const place = async (part: string) =>
      publishPages(await buildSpace(organization, { title: `${word}-${part}` }), [
        { title: `${word}-${part}-home`, path: 'start', source: '# x\n\nFruit' },
        { title: `${word}-${part}-page`, path: 'rare', source: `# x\n\nFruit ${word}-${part}-text` },
      ]);
    return { plan, file, page, block, variant: await place('variant'), section: await place('section') };
  };
  const [apple, pear] = await Promise.all(plans.map(forPlan));
  const parts = [apple!, pear!];
  const links = plans.map((plan) => `[more](only-${plan}.md)`).join(' ');
  const guide = await publishPages(
    await buildSpace(organization, { title: 'Guide' }),
    [
      {
        title: 'Shared',
        path: 'shared',
        source: `# Shared\n\nFruit for all ${links}\n\n${feed('For all')}\n\n${parts.map(({ block }) => block).join('\n\n')}`,
      },
      apple!.page,
      { title: 'Middle', path: 'middle', source: `# Middle\n\nFruit ${links}` },
      pear!.page,
    ],
    {
      files: parts.map(({ file }) => file),
      redirects: plans.map((plan) => ({ from: `listed-${plan}`, to: 'x', page: `page-${plan}` })),
    },
  );
  const site = await buildParts(organization, { guide, parts });
  await indexWhatWaits(config);
  return site;
}

type Parts = { plan: Plan; variant: SpaceRecord; section: SpaceRecord }[];

async function buildParts(
  organization: OrganizationRecord,
  { guide, parts }: { guide: SpaceRecord; parts: Parts },
): Promise<SiteRecord> {
  const to = (plan: Plan) => ({ kind: 'page' as const, page: `page-${plan}`, space: guide._id });
  const settings = UpdateSiteCustomization.parse({
    header: {
      links: plans.flatMap((plan) => [
        { title: `canary-${plan}-link`, to: to(plan), links: [] },
        {
          title: `canary-${plan}-web`,
          to: { kind: 'url', url: `https://example.org/only-${plan}` },
          links: [],
          condition: onlyFor(plan),
        },
      ]),
    },
    footer: {
      groups: [
        { title: 'More', links: plans.map((plan) => ({ title: `canary-${plan}-foot`, to: to(plan) })) },
      ],
    },
  });
  const site = await buildSite(organization, {
    title: 'Docs',
    isPublished: true,
    adaptiveSchema: adaptiveSchema(),
    customization: { settings, updatedAt: new Date() } as never,
  });
  const guides = await buildSection(site, { space: guide, title: 'Guides', path: 'guides' });
  for (const { plan, variant, section } of parts) {
    const condition = onlyFor(plan);
    const { _id: siteSpaceId } = await buildSiteSpace(site, {
      ...{ space: variant, section: guides._id, path: `variant-${plan}`, condition },
    });
    const title = `canary-${plan}-section`;
    const { _id: siteSectionId } = await buildSection(site, {
      ...{ space: section, title, path: `section-${plan}`, condition },
    });
    const siteSpaces = { siteSpaceId: guides.defaultSiteSpace!, pageId: `page-${plan}` };
    await buildSiteRedirect(site, {
      source: `/to-page-${plan}`,
      destination: { kind: 'site-page', ...siteSpaces },
    });
    await buildSiteRedirect(site, {
      source: `/to-section-${plan}`,
      destination: { kind: 'site-section', siteSectionId },
    });
    await buildSiteRedirect(site, {
      source: `/to-variant-${plan}`,
      destination: { kind: 'site-space', siteSpaceId },
    });
  }
  return site;
}
