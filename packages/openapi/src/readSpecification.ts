import { createHash } from 'node:crypto';
import { traceOrigins, type Origin } from './bundle/origins.ts';
import { bundleFiles } from './bundle/bundleFiles.ts';
import { checkDocument } from './check/checkDocument.ts';
import type { LoadFile, ReadLimits, SpecificationFile, SpecificationRead } from './face.ts';
import { gatherFiles } from './files/gatherFiles.ts';
import { collectFindings, type Findings } from './findings.ts';
import { indexSpecification } from './indexSpecification.ts';
import { standardLimits } from './limits.ts';
import { readerForm } from './reader/readerForm.ts';
import { decode } from './source/decode.ts';
import { duplicateKeys } from './source/duplicateKeys.ts';
import { isPart, memberOf, type Part } from './source/parts.ts';
import { readSource, type Source } from './source/source.ts';
import { Unreadable } from './source/unreadable.ts';
import { versionOf, type OpenapiVersion } from './version.ts';

/**
 * Reads a specification: decodes and parses it, follows references into other files, checks it, and bundles
 * it into one document.
 *
 * Costs processor time and memory by the size of the document: call it in a child process with limits.
 *
 * @param entry  the file that the specification begins with; relative references resolve against its URL
 * @param options.validatorFolder  of `prepareValidators`; without it, each process compiles the schema of the
 *   version, which takes half a second
 * @returns      a usable specification whenever the version is known and there is one of paths, webhooks and
 *   components, whatever else is wrong with it; what is wrong are findings
 * @throws       what `loadFile` throws, except FileRefused, which becomes a finding
 */
export async function readSpecification(
  entry: SpecificationFile,
  options: { loadFile: LoadFile; limits?: Partial<ReadLimits>; validatorFolder?: string },
): Promise<SpecificationRead> {
  const limits = { ...standardLimits, ...options.limits };
  const findings = collectFindings(limits.findings);
  const begun = beginReading(entry, { limits, findings });
  if (!begun) return { isUsable: false, ...findings.located() };
  const { source, version } = begun;

  const files = await gatherFiles(source, { loadFile: options.loadFile, limits, findings });
  const others = [...new Set(files.sources.values())].filter((each) => each !== source);
  for (const each of [source, ...others]) reportText(each, findings);
  const bundled = others.length > 0 ? await bundleFiles(source, { files, limits, findings }) : undefined;
  const document = bundled ?? begun.document;

  let originOf: ((pointer: string) => Origin) | undefined;
  await checkDocument(
    {
      document,
      version,
      report({ pointer, ...finding }) {
        if (bundled) originOf ??= traceOrigins(bundled, source, files.sources);
        findings.add({ ...finding, ...(originOf?.(pointer) ?? { source, pointer }) });
      },
    },
    options.validatorFolder,
  );

  const bundle = JSON.stringify(document);
  const index = indexSpecification(document, version.minor);
  const reader = await readerForm(document, { version, entry: source, findings });
  return {
    isUsable: true,
    format: source.format,
    openapi: version.number,
    bundle,
    contentHash: createHash('sha256').update(bundle).digest('hex'),
    reader,
    index,
    files: [source, ...others].map(({ url, bytes }) => ({ url, bytes })),
    ...findings.located(),
  };
}

/** Undefined, with a finding, for what is no specification. */
function beginReading(
  entry: SpecificationFile,
  { limits, findings }: { limits: ReadLimits; findings: Findings },
): { source: Source; document: Part; version: OpenapiVersion } | undefined {
  try {
    if (entry.bytes.length > limits.fileBytes) {
      const megabytes = Math.round(limits.fileBytes / 1024 / 1024);
      throw new Unreadable('too-large', `The document is larger than ${megabytes} MiB.`);
    }
    const source = readSource(entry, limits);
    const document = source.value;
    if (!isPart(document)) throw notAnObject(document);
    const version = versionOf(document);
    const parts = version.minor === '2.0' ? ['paths', 'definitions'] : ['paths', 'webhooks', 'components'];
    if (!parts.some((name) => isPart(memberOf(document, name)) || memberOf(document, name) === null)) {
      const message = `The document has none of ${parts.join(', ')}, so it describes nothing.`;
      throw new Unreadable('nothing-described', message);
    }
    if (version.warning !== undefined) {
      document[version.member] = version.number;
      const pointer = `/${version.member}`;
      findings.add({ severity: 'warning', rule: 'version', message: version.warning, source, pointer });
    }
    return { source, document, version };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const { rule, message, offset } = error;
    const source = { url: entry.url, text: decode(entry.bytes).text, format: 'yaml' } as const;
    findings.add({ severity: 'error', rule, message, source, pointer: '', offset });
    return undefined;
  }
}

function notAnObject(value: unknown): Unreadable {
  const kindIfAny = Array.isArray(value) ? 'a list' : 'plain text';
  const kind = value === null ? 'empty' : kindIfAny;
  const message = `The document is ${kind}; a specification is an object of JSON or YAML.`;
  return new Unreadable('not-an-object', message);
}

/** Reports what a parser forgives. */
function reportText(source: Source, findings: Findings): void {
  if (source.hasInvalidBytes) {
    findings.add({
      severity: 'warning',
      rule: 'invalid-encoding',
      message: 'The file has bytes that are no valid text in UTF-8 or UTF-16; they are replaced.',
      source,
      pointer: '',
      offset: Math.max(0, source.text.indexOf('\uFFFD')),
    });
  }
  if (!source.hasDuplicateKeys) return;
  for (const { pointer, key, offset } of duplicateKeys(source)) {
    const message = `The member "${key}" is there twice; only the last one counts.`;
    findings.add({ severity: 'error', rule: 'duplicate-key', message, source, pointer, offset });
  }
}
