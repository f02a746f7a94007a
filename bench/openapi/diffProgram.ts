// Compares two documents and prints the changes. Usage: node diffProgram.ts <before.json> <after.json>
import { readFileSync } from 'node:fs';
import { compareSpecifications } from '@bindery/openapi-diff';

const [before = '', after = ''] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
console.log(JSON.stringify(compareSpecifications(before, after)));
