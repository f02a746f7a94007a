import { SitePath } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { freePath, givenPath } from './paths.ts';

const free = (title: string, ...taken: string[]) =>
  freePath(title, { taken: new Set(taken), empty: 'space' });

describe('a free path', () => {
  it('is the slug of the title, with a number appended if that slug is taken', () => {
    expect(free('Getting started')).toBe('getting-started');
    expect(free('API', 'api')).toBe('api-2');
    expect(free('API', 'Api')).toBe('api-2');
    expect(free('API', 'api', 'api-2', 'api-4')).toBe('api-3');
    expect(free('!?')).toBe('space');
    expect(free('', 'space')).toBe('space-2');
  });

  it('has at most 100 characters including its number, and splits no character', () => {
    expect(free('x'.repeat(128))).toHaveLength(100);
    expect(free('x'.repeat(128), 'x'.repeat(100))).toBe(`${'x'.repeat(98)}-2`);
    expect(free(`x${'𐐷'.repeat(80)}`).isWellFormed()).toBe(true);
  });

  it.each(['Getting started', 'Über uns', '入門', 'हिन्दी', 'ภาษาไทย', 'v1.0_beta', '🎉'])(
    'for %s is valid as a given path',
    (title) => {
      expect(SitePath.safeParse(free(title)).success).toBe(true);
      expect(givenPath(free(title))).toBe(free(title));
    },
  );
});
