import { readFileSync } from 'node:fs';

/** The version of the platform: its packages and apps share one. */
export const platformVersion = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
