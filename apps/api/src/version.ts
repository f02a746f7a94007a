import { readFileSync } from 'node:fs';

/** Version of the platform, from the package file. */
export const version = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
