// Fills a memory of translations, and looks texts up in it as a run does, in a process of its own.
import { createHash } from 'node:crypto';
import {
  connectMongo,
  disconnectMongo,
  ensureIndexes,
  findTranslations,
  keepMachineTranslations,
} from '@bindery/models';
import { seededRandom } from '../../test/support/seededRandom.ts';

export type MemoryRequest = { fill: number } | { lookUps: number; of: number };
export type MemoryFigures = {
  /** Microseconds for each text, for each look-up of 500 texts. */
  samples: number[];
};

const perLookUp = 500;
const perWrite = 5_000;
const organization = 'bench';
const keyOf = (name: string) =>
  createHash('sha256').update(name).digest().subarray(0, 16).toString('base64url');

await connectMongo({ mongo: { uri: process.env.MONGODB_URI ?? '' } });
await ensureIndexes();
const random = seededRandom(5);

async function fill(count: number): Promise<void> {
  for (let start = 0; start < count; start += perWrite) {
    const translations = Array.from({ length: Math.min(perWrite, count - start) }, (_, index) => ({
      key: keyOf(`machine ${start + index}`),
      source: `The text number ${start + index} has the usual length of a text in a documentation.`,
      role: 'text',
      text: `El texto número ${start + index} tiene la longitud habitual de un texto en la documentación.`,
    }));
    await keepMachineTranslations({ organization, pair: 'en>es' }, translations);
  }
}

/** Each text has two keys: that of a person's text, which is never there, and that of an engine's. */
async function lookUp(of: number): Promise<number> {
  const keys = Array.from({ length: perLookUp }, () => random.below(of)).flatMap((index) => [
    keyOf(`machine ${index}`),
    keyOf(`human ${index}`),
  ]);
  const startMs = performance.now();
  const found = await findTranslations(organization, keys);
  const ms = performance.now() - startMs;
  if (found.size < perLookUp / 2) throw new Error(`Only ${found.size} texts were found.`);
  return (ms * 1_000) / perLookUp;
}

process.on('message', (request: MemoryRequest) => {
  void (async () => {
    const samples: number[] = [];
    if ('fill' in request) await fill(request.fill);
    else while (samples.length < request.lookUps) samples.push(await lookUp(request.of));
    process.send?.({ samples } satisfies MemoryFigures);
  })();
});
process.on('disconnect', () => void disconnectMongo().then(() => process.exit()));
process.send?.('ready');
