/**
 * A process that reads one document several times with one of the two readers, and prints what it took as
 * JSON: `node reader.ts ours|reference <file> <times>`.
 */
import SwaggerParser from '@apidevtools/swagger-parser';
import { FileRefused, readSpecification } from '@bindery/openapi';
import { readDocument } from './documents.ts';
import { validatorFolder } from './validatorFolder.ts';

export type Reading = { readMs: number[]; cpuMs: number; peakMegabytes: number };

const [reader, file = '', times] = process.argv.slice(2);
const bytes = readDocument(file);
const readMs: number[] = [];
const cpuBefore = process.cpuUsage();
for (let time = 0; time < Number(times); time += 1) {
  const begunMs = performance.now();
  await (reader === 'ours' ? readOurs() : readReference());
  readMs.push(performance.now() - begunMs);
}
const { user, system } = process.cpuUsage(cpuBefore);
const peakMegabytes = process.resourceUsage().maxRSS / 1024;
const reading: Reading = { readMs, cpuMs: (user + system) / 1000, peakMegabytes };
console.log(JSON.stringify(reading));

async function readOurs(): Promise<void> {
  const read = await readSpecification(
    { url: 'https://api.example/openapi.json', bytes },
    { validatorFolder, loadFile: (url) => Promise.reject(new FileRefused(url)) },
  );
  if (!read.isUsable) throw new Error(read.findings[0]?.message);
}

/** It takes a parsed document, or reads a file itself; parsing belongs to what is measured. */
async function readReference(): Promise<void> {
  await SwaggerParser.validate(JSON.parse(new TextDecoder().decode(bytes)) as never, {
    resolve: { external: false },
  });
}
