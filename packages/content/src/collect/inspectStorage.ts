import type { BlobStore } from '@bindery/storage';
import { marksAtOnce, pagesOf } from './collectOrganization.ts';
import { isInShare, markReachable, type Reached } from './markReachable.ts';
import type { ContentKind } from './roots.ts';
import { organizationAfter, storedKinds } from './storedKinds.ts';

const examplesKept = 10;

/**
 * A kind of content: the number of stored items, the unreachable ones, and the missing ones with references.
 */
export type KindReport = {
  stored: number;
  unreachable: { count: number; /** Keys. */ examples: string[] };
  missing: { count: number; examples: Pick<Reached, 'name' | 'from'>[] };
};

/**
 * Compares stored content with the references to it, in all organizations; writes nothing. Unreachable
 * content is normal: its writer has not referred to it yet, or it awaits removal.
 */
export async function inspectStorage(
  blobs: BlobStore,
  signal: AbortSignal,
): Promise<Record<ContentKind, KindReport>> {
  const report = { node: emptyReport(), document: emptyReport(), blob: emptyReport() };
  for (let organization = await organizationAfter(blobs, ''); organization !== undefined;) {
    await inspectOrganization(organization, { blobs, signal, report });
    organization = await organizationAfter(blobs, organization);
  }
  return report;
}

const emptyReport = (): KindReport => ({
  stored: 0,
  unreachable: { count: 0, examples: [] },
  missing: { count: 0, examples: [] },
});

async function inspectOrganization(
  organization: string,
  {
    blobs,
    signal,
    report,
  }: { blobs: BlobStore; signal: AbortSignal; report: Record<ContentKind, KindReport> },
): Promise<void> {
  const kinds = storedKinds(blobs);
  const stores = Object.fromEntries(kinds) as Record<ContentKind, (typeof kinds)[number][1]>;
  const noteMissing = ({ kind, name, from }: Reached) => note(report[kind].missing, { name, from });
  const leaves = (await stores.document.count(organization)) + (await blobs.count(organization));
  const of = Math.ceil((leaves + 1) / marksAtOnce);
  for (let index = 0; index < of; index += 1) {
    const share = { index, of };
    const marks = await markReachable(organization, {
      share,
      signal,
      onMissing: (node) => {
        if (index === 0) noteMissing(node);
      },
      onReached: async (batch) => {
        for (const [kind, reached] of Map.groupBy(batch, (one) => one.kind)) {
          const stored = await stores[kind].find(reached.map(({ name }) => `${organization}:${name}`));
          for (const one of reached)
            if (!one.mayBeGone && !stored.has(`${organization}:${one.name}`)) noteMissing(one);
        }
      },
    });
    for (const [kind, items] of kinds) {
      for await (const { keys } of pagesOf(items, { organization, signal })) {
        for (const key of keys) {
          const name = key.slice(organization.length + 1);
          if (!isInShare({ kind, name }, share)) continue;
          report[kind].stored += 1;
          if (!marks[kind].has(name)) note(report[kind].unreachable, key);
        }
      }
    }
  }
}

function note<Example>(list: { count: number; examples: Example[] }, example: Example): void {
  list.count += 1;
  if (list.examples.length < examplesKept) list.examples.push(example);
}
