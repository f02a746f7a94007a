import { parentPort, workerData } from 'node:worker_threads';
import { ExchangeError, readUnits, type ReadUnit, type UnitProblem } from '@bindery/exchange';
import {
  checkTranslation,
  glossaryOf,
  humanKey,
  partsOfText,
  segmentRoles,
  termsIn,
  type SegmentRole,
} from '@bindery/translation';
import type { FileAnswer, FileToRead, FileUnit } from './unitsOfFile.ts';

// The thread of unitsOfFile.ts: reads and checks the units of one file, a batch for each message, then ends.

const perBatch = 500;
const { bytes, format, pair, organization, terms } = workerData as FileToRead;
const glossary = glossaryOf(terms);

async function readAll(): Promise<void> {
  let units: FileUnit[] = [];
  for await (const unit of readUnits([bytes], { format, pair })) {
    units.push(checked(unit));
    if (units.length < perBatch) continue;
    await send(units);
    units = [];
  }
  post({ units, isLast: true });
}

function checked(unit: ReadUnit | UnitProblem): FileUnit {
  if ('problem' in unit) return unit;
  const { id, line, source, target, role } = unit;
  if (target === undefined) return { id, line, isUntranslated: true };
  const roles = rolesOf(role);
  if (roles.length === 0) return { id, line, problem: `Its role ${role} is not a role of texts here.` };
  const found = termsIn(partsOfText(source) ?? [], glossary);
  const [failure] = checkTranslation(source, target, { terms: found });
  const keys = roles.map((one) => ({ role: one, key: keyOf(one, source) }));
  return {
    ...{ id, line, source, target, keys, isMachine: unit.state === 'machine' },
    failure: failure?.message,
  };
}

/** A unit of another tool names no role: its text may stand anywhere. */
function rolesOf(role: string | undefined): readonly SegmentRole[] {
  return role === undefined ? segmentRoles : segmentRoles.filter((known) => known === role);
}

function keyOf(role: SegmentRole, text: string): string {
  const key = humanKey({ organization, pair: [pair.source, pair.target], role, text });
  return Buffer.from(key).toString('base64url');
}

/** Sends a batch, and waits until the next one is wanted: the receiver stores each. */
async function send(units: FileUnit[]): Promise<void> {
  const wanted = new Promise<void>((resolve) => parentPort?.once('message', () => resolve()));
  post({ units, isLast: false });
  await wanted;
}

function post(answer: FileAnswer): void {
  parentPort?.postMessage(answer);
}

await readAll().catch((error: unknown) => {
  if (!(error instanceof ExchangeError)) throw error;
  const { message, action, line, column } = error;
  post({ refused: { message, action, line, column } });
});
