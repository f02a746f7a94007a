import { createOpenApiDocument } from '../apps/api/src/app.ts';
import { writeOpenApiFile } from '../apps/api/src/http/document/openapi.ts';

// The description of the API, from its routes; committed, so that a change of the interface shows in its
// diff.
const file = 'docs/openapi.json';
await writeOpenApiFile(createOpenApiDocument(), file);
console.log(`${file} written`);
