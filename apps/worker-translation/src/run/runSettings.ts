import { documentToMarkdownOnThread } from '@bindery/content';
import { JobError, type DocumentTree } from '@bindery/contract';
import type { Engine, LanguagePair } from '@bindery/engines';
import { glossaryTerms, type TranslationRecord } from '@bindery/models';
import { createHash } from 'node:crypto';
import { chooseEngine } from './chooseEngine.ts';
import { leaveToOther } from './leaveToOther.ts';
import type { PageSettings } from './pageWork.ts';

/** Increased with every change of how pages are cut and joined: all pages are made again. */
const pageFormat = 2;

/** Characters of the instructions that an engine gets, because it reads them with each request. */
const maxInstructions = 10_000;

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

/**
 * @throws JobError for a pair of languages that it cannot translate, or only another worker can, or
 *   instructions that nobody can read
 */
export async function runSettings(
  { organization, source, language, result, instructions }: TranslationRecord,
  engines: readonly Engine[],
): Promise<RunSettings> {
  const pair = { source: source.language, target: language };
  await leaveToOther(engines, pair);
  const { engine, route } = chooseEngine(engines, pair);
  const followed = engine.can.instructions ? await markdownOfInstructions(instructions, organization) : '';
  const pages: Omit<PageSettings, 'terms'> = {
    organization,
    pair: [pair.source, pair.target],
    engine: `${engine.name} ${engine.version}`,
    instructions: followed || undefined,
    spaces: { source: source.space, result: result.space },
  };
  const terms = await glossaryTerms(organization, pair);
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

async function markdownOfInstructions(instructions: string, organization: string): Promise<string> {
  const tree = JSON.parse(instructions) as DocumentTree;
  const text = await documentToMarkdownOnThread(tree, organization);
  if (text === undefined)
    throw new JobError('limit', 'The instructions of the translation take too long to read.', {
      action: 'Shorten them, and run the translation again.',
    });
  return text.trim().slice(0, maxInstructions);
}
