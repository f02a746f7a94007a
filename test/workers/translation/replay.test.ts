import { describe, expect } from 'vitest';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { seededRandom, suiteSeed } from '../../support/seededRandom.ts';
import { EditedPages, sourceOf, titleOf } from '../../support/translation/editedPages.ts';
import { it } from '../../support/translation/translating.ts';

const ascending = (one: number, other: number) => one - other;

/** The texts of pages, told from the model: what an engine gets once, and never again. */
function textsOf(model: EditedPages): Map<string, number> {
  const texts = new Map<string, number>();
  for (const { page, unit } of model.all()) {
    const markup = `${unit.code === undefined ? '' : ' code'}${unit.url === undefined ? '' : ' link'}`;
    const role = unit === page.title ? 'title' : model.kindOf(unit);
    texts.set(`${role} ${unit.number} ${unit.version}${markup}`, unit.number);
  }
  // The head of each table, whatever their number.
  if (model.hasTable()) for (const head of ['One', 'Two']) texts.set(head, 0);
  return texts;
}

describe('successive versions of a source', { timeout: 600_000 }, () => {
  it('send the engine exactly the texts that no earlier version had', async ({ translated }) => {
    const model = new EditedPages(seededRandom(suiteSeed), { pages: 3, blocks: 8 });
    const one = await translated(
      model.pages.map((page) => ({ ...page, title: titleOf(page), source: sourceOf(page), pages: [] })),
    );
    const known = new Set(textsOf(model).keys());
    for (let version = 1; version <= 50; version += 1) {
      model.edit();
      for (const page of model.pages) {
        const document = await storeSource(one.source.organization, sourceOf(page));
        const fields = { document, title: titleOf(page), slug: page.slug, path: page.slug };
        await editContent(one.source, (edit) => setFields(edit, page.id, fields));
      }
      const fresh = [...textsOf(model)].filter(([text]) => !known.has(text));
      const { job, asked } = await one.run();
      const numbers = asked.map((text) => Number(/\d+/.exec(text)?.[0] ?? 0));
      expect({ version, numbers: numbers.toSorted(ascending) }).toEqual({
        version,
        numbers: fresh.map(([, number]) => number).toSorted(ascending),
      });
      expect(job.stats.texts).toBe(fresh.length);
      for (const [text] of fresh) known.add(text);
    }
    const again = await one.run();
    expect(again).toMatchObject({ job: { stats: { pages: 0, texts: 0 } }, asked: [] });
  });

  it('send the engine nothing when only link targets and code of 100 pages change', async ({
    translated,
  }) => {
    const sourceOfPage = (index: number, way: string) =>
      `See [the manual](${way}.md#${index}) of page ${index}, and \`${way} ${index}\`.\n\n![](${way}.png)\n`;
    const pages = Array.from({ length: 100 }, (_, index) => ({ id: `page${index}`, title: `Page ${index}` }));
    const one = await translated(
      pages.map((page, index) => ({ ...page, source: sourceOfPage(index, 'old') })),
    );
    await editContent(one.source, async (edit) => {
      for (const [index, { id }] of pages.entries()) {
        const document = await storeSource(one.source.organization, sourceOfPage(index, 'new'));
        setFields(edit, id, { document });
      }
    });
    const { job, asked } = await one.run();
    expect({ asked, pages: job.stats.pages }).toEqual({ asked: [], pages: 100 });
    for (const index of [0, 50, 99])
      expect((await one.page(`page${index}`)).text).toMatch(/\(new\.md#\d+\).*`new \d+`/);
    expect(await one.run()).toMatchObject({ job: { stats: { pages: 0, texts: 0 } }, asked: [] });
  });
});
