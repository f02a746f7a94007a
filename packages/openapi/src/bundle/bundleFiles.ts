import type { Document, NormalizedProblem } from '@redocly/openapi-core';
import type { ReadLimits } from '../face.ts';
import type { GatheredFiles } from '../files/gatherFiles.ts';
import type { Findings } from '../findings.ts';
import { measure } from '../source/measure.ts';
import { isPart, partIn, type Part } from '../source/parts.ts';
import type { Source } from '../source/source.ts';
import { hideDataReferences, showDataReferences } from './dataReferences.ts';

/**
 * Makes one document of several files with Redocly's bundler: what other files contain becomes a component
 * named after its file, and references lead to it. Nothing is loaded: all files are there already.
 *
 * @returns  the document; undefined, with a finding, if the bundler fails
 */
export async function bundleFiles(
  entry: Source,
  {
    files: { sources, roots },
    limits,
    findings,
  }: { files: GatheredFiles; limits: ReadLimits; findings: Findings },
): Promise<Part | undefined> {
  const { BaseResolver, bundle, createConfig, Source: RedoclySource } = await import('@redocly/openapi-core');
  for (const { value, shape } of roots) hideDataReferences(value, shape);
  const documents = new Map(
    // The bundler changes its documents; positions are found in the unchanged ones.
    [...new Set(sources.values())].map((file) => [
      file,
      {
        source: new RedoclySource(file.url, ''),
        parsed:
          typeof file.value === 'string' ? file.value : (JSON.parse(JSON.stringify(file.value)) as unknown),
      },
    ]),
  );

  class GatheredResolver extends BaseResolver {
    override resolveExternalRef(base: string | null, ref: string): string {
      return URL.canParse(ref, base ?? entry.url) ? new URL(ref, base ?? entry.url).href : ref;
    }

    override async resolveDocument<T>(base: string | null, ref: string): Promise<Document<T>> {
      const source = sources.get(this.resolveExternalRef(base, ref));
      const document = source && documents.get(source);
      if (!document) throw new Error('This file could not be had.');
      return document as Document<T>;
    }
  }

  try {
    const { bundle: bundled, problems } = await bundle({
      doc: documents.get(entry),
      config: await createConfig({}),
      externalRefResolver: new GatheredResolver(),
    });
    const document = bundled.parsed as Part;
    measure(document, limits);
    showDataReferences(document);
    if (!Object.hasOwn(entry.value as Part, 'components') && isEmpty(partIn(document, 'components')))
      delete document['components'];
    reportRenamed(problems, { sources, findings });
    return document;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    findings.add({
      severity: 'error',
      rule: 'not-bundled',
      message: `The files cannot be made one document (${reason}); references into other files are left as they are.`,
      source: entry,
      pointer: '',
    });
    for (const { value } of roots) showDataReferences(value);
    return undefined;
  }
}

/** Two files may give different components the same name. */
function reportRenamed(
  problems: readonly NormalizedProblem[],
  { sources, findings }: { sources: ReadonlyMap<string, Source>; findings: Findings },
): void {
  for (const { message, location } of problems) {
    const [place] = location;
    const source = place && sources.get(place.source.absoluteRef);
    if (!message.startsWith('Two schemas are referenced') || !source) continue;
    const pointer = (place.pointer ?? '').replace(/^#\/?/, '/').replace(/^\/$/, '');
    findings.add({ severity: 'info', rule: 'component-renamed', message, source, pointer });
  }
}

function isEmpty(part: unknown): boolean {
  return isPart(part) && Object.keys(part).length === 0;
}
