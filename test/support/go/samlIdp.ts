import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { provideGoProgram } from './goProgram.ts';

const folder = join(import.meta.dirname, 'samlidp');

/** Builds the SAML identity provider in `samlidp`, over crewjam/saml. */
export async function provideSamlIdp(): ReturnType<typeof provideGoProgram> {
  const hash = createHash('sha256');
  for (const file of ['main.go', 'go.mod', 'go.sum']) hash.update(await readFile(join(folder, file)));
  const version = hash.digest('hex').slice(0, 12);
  return provideGoProgram({ name: 'samlidp', version, target: '.', folder });
}
