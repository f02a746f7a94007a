import { valueAt, type SpecDocument } from '../engine/document.ts';
import { asObject, pointerStep, pointerSteps } from '../engine/json.ts';
import type { Place } from '../specificationDiff.ts';

/** A part of an operation or of the components. */
export type Part = {
  place: Place;
  /** The location of a parameter: `query`. */
  location?: string;
  /** Part of a request that the API sends: of a webhook or callback. */
  isSent: boolean;
};

/** The part that a pointer leads to, and the steps that lead on inside of its schema. */
export function findPart(document: SpecDocument, pointer: string): { part: Part; inside: string[] } {
  const steps = pointerSteps(pointer);
  const [section = '', name = ''] = steps;
  if (section === 'components' && name === 'schemas')
    return {
      part: { place: { part: 'schema', schema: steps[2] ?? '' }, isSent: false },
      inside: steps.slice(3),
    };

  let part: Part = {
    place: { part: 'operation' },
    isSent: section === 'webhooks' || section === 'x-webhooks',
  };
  // Names of paths and components could be those of keywords.
  for (let at = section === 'components' ? 1 : firstKeyword(section); at < steps.length;) {
    const step = steps[at] ?? '';
    if (step === 'schema') return { part, inside: steps.slice(at + 1) };
    const read = readers[step];
    part = read?.part({ document, steps: steps.slice(0, at + 2), part }) ?? part;
    at += read?.length ?? 1;
  }
  return { part, inside: [] };
}

function firstKeyword(section: string): number {
  return section === 'paths' || section.endsWith('webhooks') ? 2 : 0;
}

type Reader = {
  length: number;
  part: (read: { document: SpecDocument; steps: string[]; part: Part }) => Part;
};

const readers: { [step: string]: Reader | undefined } = Object.assign(Object.create(null) as object, {
  parameters: {
    length: 2,
    part: ({ document, steps, part }) => {
      const parameter = asObject(valueAt(document, steps.map(pointerStep).join('')));
      const place: Place = { part: 'parameter', name: String(parameter['name']) };
      return { ...part, place, location: String(parameter['in']) };
    },
  },
  requestBody: { length: 1, part: ({ part }) => ({ ...part, place: { part: 'body' } }) },
  requestBodies: { length: 2, part: ({ part }) => ({ ...part, place: { part: 'body' } }) },
  content: {
    length: 2,
    part: ({ part }) => (part.place.part === 'response' ? { ...part, place: { part: 'body' } } : part),
  },
  responses: { length: 2, part: ({ steps, part }) => withName(part, 'response', steps) },
  headers: { length: 2, part: ({ steps, part }) => withName(part, 'header', steps) },
  callbacks: { length: 4, part: ({ part }) => ({ ...part, isSent: true }) },
  security: { length: 1, part: ({ part }) => ({ ...part, place: { part: 'security' } }) },
  securitySchemes: { length: 2, part: ({ steps, part }) => withName(part, 'security', steps) },
  servers: { length: 1, part: ({ part }) => ({ ...part, place: { part: 'server' } }) },
} satisfies Record<string, Reader>);

function withName(part: Part, kind: Place['part'], steps: string[]): Part {
  return { ...part, place: { part: kind, name: steps.at(-1) ?? '' } };
}
