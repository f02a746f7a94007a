import { ApiError, ImportReport } from '@bindery/contract';
import { glossaryTerms } from '@bindery/models';
import { createTurns } from '@bindery/runtime';
import type { Request } from 'express';
import { readFile } from '../../../http/input/requestBody.ts';
import { unitsOfFile, type FileToRead, type FileUnit, type TranslatedUnit } from './unitsOfFile.ts';

/** Of a file, after decompression: a memory of some 200,000 texts. */
const limitBytes = 64 * 1024 * 1024;
const maxProblems = 1_000;

const generalTypes = ['application/xml', 'text/xml', 'application/octet-stream'];
/** The media types of the formats, the registered or usual one first. */
export const exchangeTypes = {
  tmx: 'application/x-tmx+xml',
  xliff: 'application/xliff+xml',
} as const;

/** The answers of routes that import a file. */
export const importAnswers = [
  {
    status: 200,
    description: 'The number of stored units, and the refused ones.',
    contentType: 'application/json',
    schema: ImportReport,
  },
];

/** One file at a time in this process, because each needs a thread with much memory. */
const takeTurn = createTurns(1);
/** Organizations whose files are being received or wait for their turn: each may have one. */
const pending = new Set<string>();
const mostPending = 4;

/** The outcome of a unit. */
export type Outcome = 'stored' | 'unchanged' | { problem: string };

/**
 * Reads the file in a request and stores its translations, batch by batch. Stored batches stay when the rest
 * of the file cannot be read; the same file can be sent again.
 *
 * @param store  returns the outcome of each unit of a batch
 * @throws unsupported_media_type, payload_too_large, invalid_request for a file that cannot be read,
 *   unavailable when too many files wait
 */
export async function importFile(
  request: Request,
  {
    store,
    ...file
  }: Omit<FileToRead, 'bytes' | 'terms'> & { store(units: readonly TranslatedUnit[]): Promise<Outcome[]> },
): Promise<ImportReport> {
  const { organization } = file;
  if (pending.size >= mostPending || pending.has(organization))
    throw new ApiError('unavailable', 'Too many files are being imported.', {
      action: 'Try again in a minute. Each organization can import one file at a time.',
      headers: { 'Retry-After': '30' },
    });
  pending.add(organization);
  let turn: Awaited<ReturnType<typeof takeTurn>> | undefined;
  try {
    const types = [exchangeTypes[file.format], ...generalTypes];
    // Before its turn: a slow client must not hold up the files of others.
    const body = await readFile(request, { types, limitBytes });
    if (body.length === 0)
      throw new ApiError('invalid_request', 'The file is empty.', { action: 'Send a file with texts.' });
    turn = await takeTurn();
    // Small buffers share their memory with others, which a thread cannot take.
    const bytes = new Uint8Array(body);
    const terms = await glossaryTerms(file.organization, file.pair);
    const report = emptyReport();
    for await (const units of unitsOfFile({ ...file, bytes, terms })) await take(units, { store, report });
    return report;
  } finally {
    pending.delete(organization);
    turn?.end();
  }
}

function emptyReport(): ImportReport {
  return {
    object: 'import-report',
    ...{ units: 0, stored: 0, unchanged: 0, untranslated: 0, refused: 0 },
    problems: [],
  };
}

async function take(
  units: readonly FileUnit[],
  { store, report }: { store(units: readonly TranslatedUnit[]): Promise<Outcome[]>; report: ImportReport },
): Promise<void> {
  const translated = units.filter((unit) => 'target' in unit);
  const outcomes = translated.length > 0 ? await store(translated) : [];
  const outcomeOf = new Map(translated.map((unit, index) => [unit as FileUnit, outcomes[index]]));
  report.units += units.length;
  for (const unit of units) {
    if ('isUntranslated' in unit) {
      report.untranslated += 1;
      continue;
    }
    const outcome = 'problem' in unit ? unit : (outcomeOf.get(unit) ?? 'unchanged');
    if (typeof outcome === 'string') report[outcome] += 1;
    else {
      report.refused += 1;
      const { id, line } = unit;
      if (report.problems.length < maxProblems) report.problems.push({ id, line, message: outcome.problem });
    }
  }
}
