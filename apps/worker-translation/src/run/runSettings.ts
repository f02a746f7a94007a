import type { Engine, LanguagePair } from '@bindery/engines';
import { GlossaryEntry, type GlossaryEntryRecord, type TranslationRecord } from '@bindery/models';
import type { Term } from '@bindery/translation';
import { createHash } from 'node:crypto';
import { chooseEngine } from './chooseEngine.ts';
import type { PageSettings } from './pageWork.ts';

/** Increased with every change of how pages are cut and joined: all pages are made again. */
const pageFormat = 1;
/** An organization may have more terms; the oldest count. */
const maxTerms = 10_000;

/** Everything besides the source that a run depends on. */
export type RunSettings = {
  engine: Engine;
  pair: LanguagePair;
  /** The languages that texts pass through, first to last. */
  route: readonly string[];
  pages: PageSettings;
  /** Of everything here that changes a page, but for the terms of the glossary. */
  hash: string;
  /** Of the terms. */
  termsHash: string;
};

/** @throws JobError for a pair of languages that it cannot translate */
export async function runSettings(
  { organization, source, language, result }: TranslationRecord,
  engines: readonly Engine[],
): Promise<RunSettings> {
  const pair = { source: source.language, target: language };
  const { engine, route } = chooseEngine(engines, pair);
  const pages: Omit<PageSettings, 'terms'> = {
    organization,
    pair: [pair.source, pair.target],
    engine: `${engine.name} ${engine.version}`,
    spaces: { source: source.space, result: result.space },
  };
  const terms = await termsOf(organization, pair);
  return {
    ...{ engine, pair, route },
    pages: { ...pages, terms },
    hash: hashOf([pageFormat, pages]),
    termsHash: hashOf(terms),
  };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

async function termsOf(organization: string, { source, target }: LanguagePair): Promise<Term[]> {
  const entries = await GlossaryEntry.find({ organization })
    .sort({ createdAt: 1, _id: 1 })
    .limit(maxTerms)
    .lean<GlossaryEntryRecord[]>();
  return entries.flatMap(({ translations }) => {
    const [from, into] = [translations[source], translations[target]];
    return from !== undefined && into !== undefined ? [{ source: from, target: into }] : [];
  });
}
