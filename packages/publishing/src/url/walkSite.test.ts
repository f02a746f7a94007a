import { describe, expect, it } from 'vitest';
import { shownTo } from '../site/shownTo.ts';
import { walkSite } from './walkSite.ts';

type Variant = { _id: string; path: string; space: string; section?: string; condition?: string };
type Section = { _id: string; path: string; defaultSiteSpace?: string; condition?: string };
type Parts = {
  site: { defaultSiteSpace?: string; defaultSection?: string };
  sections: Section[];
  siteSpaces: Variant[];
};

const variant = (id: string, fields: Partial<Variant> = {}) => ({
  _id: id,
  path: id,
  space: `space-${id}`,
  ...fields,
});

const flat: Parts = {
  site: { defaultSiteSpace: 'v2' },
  sections: [],
  siteSpaces: [variant('v1'), variant('v2'), variant('beta', { condition: 'visitor.claims.beta' })],
};

const sectioned: Parts = {
  site: { defaultSection: 'guides' },
  sections: [
    { _id: 'guides', path: 'guides', defaultSiteSpace: 'g-en' },
    { _id: 'api', path: 'api', defaultSiteSpace: 'a' },
    { _id: 'inside', path: 'inside', condition: 'visitor.claims.staff', defaultSiteSpace: 'i' },
    { _id: 'empty', path: 'empty' },
  ],
  siteSpaces: [
    variant('g-en', { section: 'guides', path: 'en' }),
    variant('g-de', { section: 'guides', path: 'de' }),
    variant('a', { section: 'api', path: 'v1' }),
    variant('i', { section: 'inside', path: 'x' }),
  ],
};

const at = (parts: Parts, path: string, claims: Record<string, unknown> = {}) => {
  const found = walkSite({ ...parts, ...shownTo(claims, parts) }, path === '' ? [] : path.split('/'));
  return found && [found.section?._id, found.siteSpace._id, found.used, found.isComplete];
};

describe('a site without sections', () => {
  it.each([
    ['', [undefined, 'v2', 0, false]],
    ['v1', [undefined, 'v1', 1, true]],
    ['v1/page', [undefined, 'v1', 1, true]],
    ['page', [undefined, 'v2', 0, true]],
    // The name of the default leads to it too; its own URL is that of the site.
    ['v2/page', [undefined, 'v2', 1, true]],
    ['beta', [undefined, 'v2', 0, true]],
  ])('%j leads to %j', (path, expected) => {
    expect(at(flat, path)).toEqual(expected);
  });

  it('shows content with a condition to visitors who meet it', () => {
    expect(at(flat, 'beta/page', { beta: true })).toEqual([undefined, 'beta', 1, true]);
  });

  it('has no content when it is empty or all its content is hidden', () => {
    expect(at({ site: {}, sections: [], siteSpaces: [] }, '')).toBeUndefined();
    expect(at({ ...flat, siteSpaces: flat.siteSpaces.slice(2) }, '')).toBeUndefined();
  });

  it('falls back to the next space when the default is hidden', () => {
    const parts = { ...flat, site: { defaultSiteSpace: 'beta' } };
    expect(at(parts, 'x')).toEqual([undefined, 'v1', 0, true]);
  });

  it('is complete without a path when it has one space', () => {
    expect(at({ ...flat, siteSpaces: flat.siteSpaces.slice(0, 1) }, '')).toEqual([undefined, 'v1', 0, true]);
  });
});

describe('a site with sections', () => {
  it.each([
    ['', ['guides', 'g-en', 0, false]],
    ['api', ['api', 'a', 1, true]],
    ['api/page', ['api', 'a', 1, true]],
    ['guides', ['guides', 'g-en', 1, false]],
    ['guides/de/page', ['guides', 'g-de', 2, true]],
    ['de/page', ['guides', 'g-de', 1, true]],
    ['de', ['guides', 'g-de', 1, true]],
    ['page', ['guides', 'g-en', 0, true]],
    ['inside', ['guides', 'g-en', 0, true]],
    ['empty', ['guides', 'g-en', 0, true]],
  ])('%j leads to %j', (path, expected) => {
    expect(at(sectioned, path)).toEqual(expected);
  });

  it('shows a section with a condition to visitors who meet it', () => {
    expect(at(sectioned, 'inside', { staff: true })).toEqual(['inside', 'i', 1, true]);
  });
});
