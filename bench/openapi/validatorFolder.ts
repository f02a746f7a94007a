import { fileURLToPath } from 'node:url';

/** Where the compiled JSON schemas are, as a worker makes them once at its start. */
export const validatorFolder = fileURLToPath(
  new URL('../../.bindery/cache/openapi-validators/', import.meta.url),
);
