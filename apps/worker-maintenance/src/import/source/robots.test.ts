import { describe, expect, it } from 'vitest';
import { readRobots } from './robots.ts';
import { bound } from '../../../../../test/support/machine.ts';

const rules = (text: string) => readRobots(text, 'bindery');

describe('robots.txt', () => {
  it.each([
    ['', '/a', true],
    ['User-agent: *\nDisallow: /', '/a', false],
    ['User-agent: *\nDisallow:', '/a', true],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['User-agent: other\nDisallow: /', '/a', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: Bindery\nAllow: /', '/a', true],
    ['User-agent: *\nAllow: /\n\nUser-agent: bindery\nDisallow: /private', '/private/x', false],
    ['User-agent: a\nUser-agent: bindery\nDisallow: /x', '/x', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/docs/a.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/docs/a.pdf?x', true],
    ['User-agent: *\nDisallow: /*?', '/docs?x', false],
    ['User-agent: *\nDisallow: /a$', '/a', false],
    ['User-agent: *\nDisallow: /a$', '/ab', true],
    ['User-agent: *\nDisallow: /*a*b$', '/xaxb', false],
    ['User-agent: *\nDisallow: /*ab$', '/ab', false],
    ['User-agent: * # all\r\nDisallow: /a # not this\r\n', '/a', false],
    ['Disallow: /', '/a', true],
    ['User-agent: *\n disallow :/a', '/a', false],
    ['User-agent: *\n# Disallow: /a', '/a', true],
    ['User-agent: *\nDis allow: /a', '/a', true],
    ['<html>not robots</html>', '/a', true],
  ])('%j on %s: %s', (text, path, isOpen) => {
    expect(rules(text)(path)).toBe(isOpen);
  });

  it('is read quickly, whatever its content', () => {
    const wildcards = `User-agent: *\n${`Disallow: /${'*a'.repeat(500)}$\n`.repeat(2_000)}`;
    const spaces = `User-agent: *\nDisallow:${' '.repeat(200_000)}#\u2028x`;
    for (const text of [wildcards, spaces]) {
      const startMs = performance.now();
      rules(text)(`/${'a'.repeat(2_000)}b`);
      expect(performance.now() - startMs).toBeLessThan(bound(2_000));
    }
  });
});
