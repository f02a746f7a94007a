import { globSync, readFileSync } from 'node:fs';
import { createSpace } from '@bindery/content';
import { emptyDocument } from '@bindery/contract';
import { Translation, type SpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { buildRevision, type TestPage } from '../../test/support/factories.ts';
import { typicalPages } from '../content/pages.ts';

const root = new URL('../../', import.meta.url);

/** The documentation of this project as pages. */
export function ownPages(): TestPage[] {
  const files = globSync(['docs/**/*.md', '*.md'], { cwd: root, exclude: ['docs/benchmarks/**'] });
  return files.sort().map((file, index) => ({
    ...{ id: `page${index}`, title: `Page ${index}`, path: `page${index}` },
    source: readFileSync(new URL(file, root)),
  }));
}

/** Pages with every block of the dialect, always the same ones. */
export function generatedPages(count: number): TestPage[] {
  return typicalPages(count).map((source, index) => ({
    ...{ id: `page${index}`, title: `Page number ${index}`, path: `page${index}` },
    // A text that no other page has.
    source: `The page ${index} begins here.\n\n${source}`,
  }));
}

export type TranslatedSpace = { organization: string; source: SpaceRecord; translation: string };

/** Makes a space in an organization of its own, which has no memory yet, and its translation into Spanish. */
export async function translatedSpace(pages: TestPage[]): Promise<TranslatedSpace> {
  const organization = newId();
  const create = (title: string) => createSpace({ organization, createdBy: 'bench', title });
  const source = await create('Source');
  await buildRevision(source, { pages });
  const result = await create('Result');
  const now = new Date();
  const translation = newId();
  await Translation.create({
    ...{ _id: translation, organization, language: 'es', job: 'none', createdBy: 'bench' },
    source: { space: source._id, language: 'en' },
    ...{ instructions: JSON.stringify(emptyDocument), instructionsRevision: 1 },
    result: { space: result._id },
    stats: {
      ...{ runs: 0, totalWords: 0, totalPages: 0, totalDuration: 0 },
      ...{ latestRunDuration: 0, latestPages: 0, latestWords: 0 },
    },
    ...{ createdAt: now, updatedAt: now, version: 1 },
  });
  return { organization, source, translation };
}
