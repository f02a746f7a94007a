import { describe, expect } from 'vitest';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { seededRandom, suiteSeed } from '../../support/seededRandom.ts';
import { EditedPages, sourceOf, titleOf, type Unit } from '../../support/translation/editedPages.ts';
import { it as base } from '../../support/translation/translating.ts';

const rounds = 5;
const editsOfSource = 4;
const editsOfResult = 5;

/** A text of a person, and the version of the source that it translates. */
type Edit = { mark: string; version: number };

const it = base.extend('listed', ({ call }) => async (id: string): Promise<string> => {
  const lists = ['conflict', 'removed'].map(async (state) => {
    const texts: unknown[] = [];
    for (let page = ''; ;) {
      const { status, body, text } = await call('GET', `/${id}/segments?state=${state}&limit=100${page}`);
      expect(status, text).toBe(200);
      texts.push(...body.items);
      if (!body.next) return texts;
      page = `&page=${encodeURIComponent(body.next.page)}`;
    }
  });
  return JSON.stringify(await Promise.all(lists));
});

/** Replaces the translation of a text in a file or a title; undefined if it is not there. */
function retranslated(text: string, number: number, mark: string): string | undefined {
  const at = text.search(new RegExp(`\\b${number}\\b`));
  if (at < 0) return undefined;
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const begun = Math.max(before.lastIndexOf('⟦'), before.lastIndexOf('Humano'));
  const isMachines = before[begun] === '⟦';
  const rest = isMachines ? after.replace('⟧', '') : after;
  return `${before.slice(0, begun)}${mark} ${before.slice(begun).replace(/^(?:⟦|Humano\d+ )/, '')}${rest}`;
}

describe('random manual edits', { timeout: 600_000 }, () => {
  it.for(Array.from({ length: 3 }, (_, index) => suiteSeed + index))(
    'stay as long as their source stays, and are never lost (seed %i)',
    async (seed, { translated, listed }) => {
      const random = seededRandom(seed);
      const model = new EditedPages(random, { pages: 3, blocks: 8 });
      const one = await translated(
        model.pages.map((page) => ({ ...page, title: titleOf(page), source: sourceOf(page), pages: [] })),
      );
      const edits = new Map<number, Edit>();
      const added: { page: string; mark: string }[] = [];
      const removed: { page: string; text: string }[] = [];
      let marks = 90_000;
      const isGone = (number: number) => removed.some(({ text }) => new RegExp(`\\b${number}\\b`).test(text));

      for (let round = 0; round < rounds; round += 1) {
        const versions = new Map(Array.from(model.all(), ({ unit }) => [unit.number, unit.version]));
        const files = new Map<string, { text: string; title: string }>();
        for (const { id } of model.pages) {
          const { item, text } = await one.page(id);
          files.set(id, { text, title: item?.title ?? '' });
        }
        for (let count = 0; count < editsOfResult; count += 1) {
          const page = random.pick(model.pages);
          const file = files.get(page.id) as { text: string; title: string };
          const mark = `Humano${(marks += 1)}`;
          const blocks = file.text.trimEnd().split('\n\n');
          const at = random.below(blocks.length);
          const kind = random.below(9);
          if (kind === 0) {
            blocks.splice(at, 0, `Añadido ${mark}.`);
            added.push({ page: page.id, mark });
          } else if (kind === 1 && !/Añadido|Humano/.test(blocks[at] ?? '') && blocks.length > 3)
            removed.push({ page: page.id, text: blocks.splice(at, 1)[0] as string });
          // The anchor of a heading is no part of its text.
          else if (kind === 8) blocks[at] = (blocks[at] as string).replace(/ <a .*<\/a>/, '');
          if (kind < 2 || kind === 8) {
            file.text = `${blocks.join('\n\n')}\n`;
            continue;
          }
          const units: Unit[] = [page.title, ...page.blocks.flatMap((block) => block.units)];
          const { number } = kind === 2 ? page.title : random.pick(units);
          const version = versions.get(number);
          const name = number === page.title.number ? 'title' : 'text';
          const text = version === undefined ? undefined : retranslated(file[name], number, mark);
          if (text === undefined || version === undefined) continue;
          file[name] = text;
          edits.set(number, { mark, version });
        }
        for (const [id, { text, title }] of files) await one.writeResult(id, text, { title });

        for (let count = 0; count < editsOfSource; count += 1) model.edit();
        for (const page of model.pages) {
          const document = await storeSource(one.source.organization, sourceOf(page));
          const { slug } = page;
          const fields = { document, title: titleOf(page), slug, path: slug };
          await editContent(one.source, (edit) => setFields(edit, page.id, fields));
        }
        const { job } = await one.run();
        expect(job.state, JSON.stringify(job)).toBe('succeeded');

        const texts = new Map<string, string>();
        for (const { id } of model.pages) {
          const { item, text } = await one.page(id);
          texts.set(id, `${item?.title}\n${text}`);
        }
        const list = await listed(one.id);
        const everything = [...texts.values()].join('\n');
        const now = new Map(Array.from(model.all(), (found) => [found.unit.number, found]));
        const lost: unknown[] = [];
        for (const [number, { mark, version }] of edits) {
          const source = now.get(number);
          const isSame = source?.unit.version === version;
          if (isSame && isGone(number)) continue;
          const place = isSame ? texts.get(source.page.id) : everything + list;
          if (!place?.includes(mark)) lost.push({ number, mark, isSame });
        }
        for (const { page, mark } of added) if (!texts.get(page)?.includes(mark)) lost.push({ page, mark });
        // One whose source has moved returns with it.
        for (const { text } of removed)
          if (everything.includes(text) && !model.hasMoved(text)) lost.push({ returned: text });
        expect({ round, lost }).toEqual({ round, lost: [] });
      }
    },
  );
});
