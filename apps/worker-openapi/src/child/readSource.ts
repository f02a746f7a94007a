import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JobError } from '@bindery/contract/jobErrors';
import { readSpecification, toYaml, type SpecificationFile, type SpecificationRead } from '@bindery/openapi';
import { openSource } from './openSource.ts';
import type { DocumentName, SpecEvent, SpecReading, SpecRequest, UsableSpec } from './specWork.ts';

/**
 * Fetches and reads a specification, and writes the documents of a usable one into the folder. Runs in a
 * process of its own (`specChild.ts`), because everything it reads is untrusted.
 *
 * @throws JobError when the entry document cannot be fetched
 */
export async function readSource(
  { source, outbound, fetchTimeoutMs, folder, validatorFolder }: SpecRequest,
  tell: (event: SpecEvent) => void,
): Promise<SpecReading> {
  const { close, ...opened } = await openSource(source, { outbound, fetchTimeoutMs, tell });
  try {
    if (opened.kind !== 'opened') return opened;
    const { entry, loadFile, validators } = opened;
    tell({ kind: 'reads' });
    const read = await readSpecification(entry, { loadFile, validatorFolder });
    if (!read.isUsable) return { kind: 'unusable', findings: read.findings, findingCount: read.findingCount };
    await writeDocuments(read, folder);
    return { ...described(read), validators: read.files.length === 1 ? validators : undefined };
  } catch (error) {
    // Nesting beyond the stack of any parser is a fault of the document.
    if (error instanceof RangeError && /call stack/i.test(error.message))
      throw new JobError('bad_content', 'The document is nested too deeply.', { cause: error });
    throw error;
  } finally {
    await close();
  }
}

type Usable = Extract<SpecificationRead, { isUsable: true }>;

/**
 * Describes a specification. Validators hold for the entry only: of several files another one may have
 * changed, so all are fetched again.
 */
function described(read: Usable): UsableSpec {
  const { format, openapi, contentHash, index, files, findingCount } = read;
  return {
    kind: 'usable',
    format,
    openapi,
    title: index.title.slice(0, 300),
    version: index.version.slice(0, 100),
    contentHash,
    counts: {
      operations: index.operations.length,
      webhooks: index.webhooks.length,
      schemas: index.schemas.length,
    },
    findingCount,
    otherFiles: files.length - 1,
  };
}

async function writeDocuments(
  { bundle, reader, index, files: [entry, ...others], findings }: Usable,
  folder: string,
): Promise<void> {
  const write = async (name: DocumentName, content: string | Uint8Array | Uint8Array[]) =>
    writeFile(join(folder, name), content);
  await write('document', entry!.bytes);
  await write('bundle', bundle);
  await write('yaml', toYaml(JSON.parse(bundle) as object));
  await write('filesystem', oneFile(reader));
  await write('index', JSON.stringify(index));
  await write('findings', JSON.stringify(findings));
  if (others.length > 0) await write('others', JSON.stringify(others.map(asText)));
}

/** The list of files that readers get: the whole specification is one, so they resolve no references. */
function oneFile(reader: string): string {
  return `[{"filename":"openapi.json","dir":".","isEntrypoint":true,"references":[],"specification":${reader}}]`;
}

function asText({ url, bytes }: SpecificationFile): { name: string; text: string } {
  return { name: url, text: new TextDecoder().decode(bytes) };
}
