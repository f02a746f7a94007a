import type { Severity } from '../specificationDiff.ts';

/** A rule of schemas: its severity where clients send the values, and where they receive them. */
export type DirectedRule = { request: Severity; response: Severity; message: string };

const breaks = { request: 'breaking', response: 'breaking' } as const;
const isNoted = { request: 'info', response: 'info' } as const;
/** The API accepts less, and returns less: only requests that were valid can fail. */
const narrows = { request: 'breaking', response: 'info' } as const;
/** The API accepts more, and returns more: only clients that read it can fail. */
const widens = { request: 'info', response: 'breaking' } as const;
const mayWiden = { request: 'info', response: 'warning' } as const;

/** Rules of schemas. Their ids begin with `request-` or `response-`. */
export const schemaRules = {
  'type-changed': { ...breaks, message: '{place} changed its type from {from} to {to}.' },
  'type-widened': { ...widens, message: '{place} widened its type from {from} to {to}.' },
  'type-narrowed': { ...narrows, message: '{place} narrowed its type from {from} to {to}.' },
  'format-changed': { ...breaks, message: '{place} changed its format from {from} to {to}.' },
  'became-nullable': { ...widens, message: '{place} became nullable.' },
  'became-not-nullable': { ...narrows, message: '{place} became not nullable.' },

  'enum-introduced': { ...narrows, message: '{place} is now limited to {to}.' },
  'enum-dropped': { ...mayWiden, message: '{place} is no longer limited to {from}.' },
  'enum-value-added': { ...mayWiden, message: '{place} has the new enum values {to}.' },
  'enum-value-removed': { ...narrows, message: '{place} lost the enum values {from}.' },

  ...lowerLimit('minimum', 'minimum', 'warning'),
  ...lowerLimit('min-length', 'minimum length', 'warning'),
  ...lowerLimit('min-items', 'minimum number of items', 'breaking'),
  ...lowerLimit('min-properties', 'minimum number of properties', 'warning'),
  ...upperLimit('maximum', 'maximum'),
  ...upperLimit('max-length', 'maximum length'),
  ...upperLimit('max-items', 'maximum number of items'),
  ...upperLimit('max-properties', 'maximum number of properties'),

  'pattern-added': { ...narrows, message: '{place} must now match the pattern {to}.' },
  'pattern-changed': { ...narrows, message: '{place} changed its pattern from {from} to {to}.' },
  'pattern-removed': { ...mayWiden, message: '{place} need no longer match the pattern {from}.' },
  'multiple-of-tightened': { ...narrows, message: '{place} must now be a multiple of {to}.' },
  'multiple-of-loosened': { ...widens, message: '{place} need no longer be a multiple of {from}.' },
  'unique-items-tightened': { ...narrows, message: '{place} must now have unique items.' },
  'unique-items-loosened': { ...widens, message: '{place} may now repeat items.' },
  'default-changed': { ...isNoted, message: '{place} changed its default from {from} to {to}.' },

  'property-added-optional': { ...isNoted, message: '{place} was added and is optional.' },
  'property-added-required': { ...narrows, message: '{place} was added and is required.' },
  'property-added-with-default': {
    ...isNoted,
    message: '{place} was added, is required, and has a default.',
  },
  'property-removed-optional': {
    request: 'warning',
    response: 'warning',
    message: '{place}, which was optional, was removed.',
  },
  'property-removed-required': {
    request: 'warning',
    response: 'breaking',
    message: '{place}, which was required, was removed.',
  },
  'became-required': { ...narrows, message: '{place} became required.' },
  'became-optional': { ...widens, message: '{place} became optional.' },
  'became-read-only': {
    request: 'warning',
    response: 'warning',
    message: '{place} became read-only.',
  },
  'became-write-only': {
    request: 'warning',
    response: 'warning',
    message: '{place} became write-only.',
  },
  'additional-properties-closed': {
    ...narrows,
    message: '{place} allows no additional properties any more.',
  },
  'additional-properties-opened': { ...mayWiden, message: '{place} now allows additional properties.' },

  'all-of-added': { ...narrows, message: '{place} must now also satisfy {to}.' },
  'all-of-removed': {
    request: 'warning',
    response: 'info',
    message: '{place} need no longer satisfy {from}.',
  },
  'one-of-added': { ...widens, message: '{place} has the new alternative {to} in `oneOf`.' },
  'one-of-removed': { ...narrows, message: '{place} lost the alternative {from} of `oneOf`.' },
  'any-of-added': { ...widens, message: '{place} has the new alternative {to} in `anyOf`.' },
  'any-of-removed': { ...narrows, message: '{place} lost the alternative {from} of `anyOf`.' },
  'alternatives-introduced': { ...narrows, message: '{place} must now satisfy one of several alternatives.' },
  'alternatives-dropped': {
    ...widens,
    message: '{place} need no longer satisfy one of several alternatives.',
  },
  'alternatives-changed': { ...breaks, message: '{place} changed its alternatives from {from} to {to}.' },
  'discriminator-added': { ...isNoted, message: '{place} has the new discriminator {to}.' },
  'discriminator-changed': { ...breaks, message: '{place} changed its discriminator from {from} to {to}.' },
  'discriminator-mapping-added': { ...mayWiden, message: '{place} has the new discriminator value {name}.' },
  'discriminator-mapping-removed': { ...breaks, message: '{place} lost the discriminator value {name}.' },

  'keyword-added': { ...narrows, message: '{place} has the new keyword {name}.' },
  'keyword-removed': { ...widens, message: '{place} lost the keyword {name}.' },
  'keyword-changed': { ...breaks, message: '{place} changed the keyword {name}.' },
} as const satisfies Record<string, DirectedRule>;

/** Raising a lower limit narrows. */
function lowerLimit<Id extends string>(id: Id, name: string, set: Severity) {
  return {
    ...limitRule(`${id}-raised`, narrows, `{place} raised its ${name} from {from} to {to}.`),
    ...limitRule(`${id}-lowered`, widens, `{place} lowered its ${name} from {from} to {to}.`),
    ...setAndUnset(id, name, set),
  };
}

/** Lowering an upper limit narrows. */
function upperLimit<Id extends string>(id: Id, name: string) {
  return {
    ...limitRule(`${id}-lowered`, narrows, `{place} lowered its ${name} from {from} to {to}.`),
    ...limitRule(`${id}-raised`, widens, `{place} raised its ${name} from {from} to {to}.`),
    ...setAndUnset(id, name, 'warning'),
  };
}

/** Many new limits only write down what the API enforced before, so setting one is a warning by default. */
function setAndUnset<Id extends string>(id: Id, name: string, set: Severity) {
  return {
    ...limitRule(`${id}-set`, { request: set, response: 'info' }, `{place} has the new ${name} {to}.`),
    ...limitRule(`${id}-unset`, widens, `{place} lost its ${name} {from}.`),
  };
}

function limitRule<Id extends string>(
  id: Id,
  severities: { request: Severity; response: Severity },
  message: string,
): Record<Id, DirectedRule> {
  return { [id]: { ...severities, message } } as Record<Id, DirectedRule>;
}
