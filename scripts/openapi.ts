import { createOpenApiDocument } from '../apps/api/src/app.ts';
import { writeOpenApiFile } from '../apps/api/src/http/document/openapi.ts';

// Writes the OpenAPI document of the routes; it is committed, so that its diff shows changes of the API.
const file = 'docs/openapi.json';
await writeOpenApiFile(createOpenApiDocument(), file);
console.log(`${file} written`);
