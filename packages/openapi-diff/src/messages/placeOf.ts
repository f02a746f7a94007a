import type { Finding, Run } from '../engine/scope.ts';
import { code } from '../rules/code.ts';
import { rules } from '../rules/rules.ts';
import type { Direction, Place } from '../specificationDiff.ts';
import { findPart, type Part } from './findPart.ts';
import { propertyPath } from './propertyPath.ts';

/** The part of the API that a finding is about, and the words for it at the beginning of a sentence. */
export function placeOf(run: Run, { rule, before, after }: Finding): { place: Place; subject: string } {
  // The other document has only the place from which a part was removed.
  const isOld = before !== undefined && (after === undefined || rule.includes('-removed'));
  const { part, inside } = findPart(isOld ? run.before : run.after, (isOld ? before : after) ?? '');
  const words = wordsFor(part, rules[rule].direction ?? 'request');
  const path = propertyPath(inside);
  if (path === '') return { place: part.place, subject: words.alone };
  const { schema } = part.place;
  return {
    place: { part: 'property', name: path, schema },
    subject: `${path === '[]' ? 'The items' : `The property ${code(path)}`} of ${words.within}`,
  };
}

/** The words for a part at the beginning of a sentence, and as the owner of a property. */
function wordsFor(
  { place, location, isSent }: Part,
  direction: Direction,
): { alone: string; within: string } {
  const { part, name = '', schema = '' } = place;
  const message = isSent ? 'webhook' : direction;
  if (part === 'schema')
    return {
      alone: `The schema ${code(schema)} in ${direction}s`,
      within: `${code(schema)} in ${direction}s`,
    };
  if (part === 'body') return { alone: `The body of the ${message}`, within: `the ${message}` };
  if (part === 'parameter') return named(`${location} parameter ${code(name)}`);
  if (part === 'header') return named(`response header ${code(name)}`);
  return named(part === 'response' ? `response ${code(name)}` : part);
}

function named(words: string): { alone: string; within: string } {
  return { alone: `The ${words}`, within: `the ${words}` };
}
