import { UpdateSiteCustomization, type DocumentNode } from '@bindery/contract';
import { parseDocument } from '@bindery/dialect';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import {
  buildFile,
  buildSection,
  buildSite,
  buildSpace,
  buildSpec,
  buildSpecVersion,
} from '../support/factories.ts';
import { accessibilityTreeOf } from '../support/site/accessibilityTree.ts';
import { everyBlock, linkedBlocks } from '../support/site/everyBlock.ts';
import { around } from '../support/site/keyboardSite.ts';
import { it as base } from '../support/site/siteIt.ts';
import { blockTypes } from '../../packages/contract/src/document/documentStructure.ts';

const seen = { 200: { description: 'Seen' } };
const specification = {
  openapi: '3.1.0',
  paths: { '/pets': { get: { summary: 'List the pets', responses: seen } } },
  webhooks: { born: { post: { summary: 'A pet is born', responses: seen } } },
  components: { schemas: { Pet: { type: 'object', properties: { name: { type: 'string' } } } } },
};

const it = base.extend('url', { scope: 'file' }, async ({ api, organization, server, hostname }) => {
  const spec = await buildSpec(organization, { slug: 'pets' });
  await buildSpecVersion(spec, {
    text: 'pets',
    files: [{ filename: 'openapi.json', dir: '.', isEntrypoint: true, references: [], specification }],
  });
  const fileOf = async (name: string) =>
    buildFile(api.blobs, organization._id, { name: `${name}.png`, bytes: name, contentType: 'image/png' });
  const files = [await fileOf('picture'), await fileOf('drawing')];
  const linked = linkedBlocks
    .replaceAll('/files/picture', `/files/${files[0]?.id}`)
    .replaceAll('/files/drawing', `/files/${files[1]?.id}`)
    .replaceAll('second.md', 'group/second.md');
  const guide = await publishPages(
    await buildSpace(organization, { title: 'Guide' }),
    [
      { title: 'Every block', path: 'every-block', source: everyBlock },
      { title: 'Linked blocks', path: 'linked-blocks', source: linked },
      {
        type: 'group',
        title: 'Group',
        path: 'group',
        pages: [
          {
            title: 'Second',
            path: 'group/second',
            description: 'About it',
            source: '# Second\n\nText\n\n## One\n\nText\n\n## Two\n\nText',
            pages: [{ title: 'Child', path: 'group/second/child', source: '# Child\n\nText' }],
          },
        ],
      },
    ],
    { files },
  );
  const reference = await publishPages(await buildSpace(organization, { title: 'Reference' }), [
    { title: 'Calls', path: 'calls', source: '# Calls\n\nText' },
  ]);
  const customization = { settings: UpdateSiteCustomization.parse(around), updatedAt: new Date() };
  const site = await buildSite(organization, {
    title: 'Docs',
    isPublished: true,
    customization: customization as never,
  });
  await buildSection(site, { space: guide, title: 'Guides', path: 'guides' });
  await buildSection(site, { space: reference, title: 'Reference', path: 'ref' });
  return `${server.origin}/${hostname}/${site.basename}`;
});

/** Those that no page shows: names of other systems, and content whose blocks stand in its place. */
const unseen = ['integration', 'reusable-content'];

const typesIn = (nodes: readonly DocumentNode[]): string[] =>
  nodes.flatMap((node) => [
    ...(node.object === 'block' ? [node.type] : []),
    ...('nodes' in node ? typesIn(node.nodes ?? []) : []),
  ]);

describe('the accessibility tree of a site', () => {
  it('has each type of block', async ({ page, url }) => {
    const sources = [everyBlock, linkedBlocks];
    const types = new Set(sources.flatMap((source) => typesIn(parseDocument(source).nodes)));
    expect(Object.keys(blockTypes).filter((type) => !types.has(type))).toEqual(unseen);
    const heard: string[] = [];
    for (const path of ['', '/linked-blocks']) {
      await page.goto(url + path);
      heard.push(await accessibilityTreeOf(page, 'article'));
    }
    await expect(heard.join('\n')).toMatchFileSnapshot('../fixtures/site/everyBlock.txt');
  });

  it('has landmarks around all parts of a page except the skip link', async ({ page, url }) => {
    await page.setViewport({ width: 1_400, height: 900 });
    await page.goto(`${url}/group/second`);
    const tree = await accessibilityTreeOf(page);
    await expect(tree).toMatchFileSnapshot('../fixtures/site/frame.txt');
    const roots = tree.split('\n').filter((line) => /^\S/.test(line));
    const landmarks = /^(?:banner|complementary|contentinfo|main|navigation)\b/;
    // The last says that something was copied.
    expect(roots.filter((line) => !landmarks.test(line))).toEqual(['link "Skip to the content"', 'status']);
  });

  it('has the pages in a menu in a small window', async ({ page, url }) => {
    await page.setViewport({ width: 360, height: 640 });
    await page.goto(`${url}/group/second`);
    expect(await accessibilityTreeOf(page, 'banner')).toContain('button "Pages"');
    await page.click('.menu-button');
    await page.waitForFunction('document.activeElement.textContent === "Second"');
    expect(await accessibilityTreeOf(page, 'banner')).toContain('button "Pages" expanded=true');
    expect(await accessibilityTreeOf(page)).toContain('navigation "Pages"\n');
  });
});
