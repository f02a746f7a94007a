import { UpdateSiteCustomization } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { changedOverrides, effectiveCustomization } from './effectiveCustomization.ts';

const updatedAt = new Date();
const defaults = UpdateSiteCustomization.parse({});
const siteWith = (settings: object) => ({
  customization: { settings: UpdateSiteCustomization.parse(settings), updatedAt },
});
const black = { light: '#000', dark: '#000' };

describe('the look of a site', () => {
  it('is the defaults until it is set', () => {
    expect(effectiveCustomization({})).toEqual(defaults);
    expect(effectiveCustomization({}, {})).toEqual(defaults);
  });

  it('has the given settings, and the defaults of all others', () => {
    const { styling, ...rest } = effectiveCustomization(
      siteWith({ styling: { theme: 'bold' }, header: { links: [] } }),
    );
    expect(styling).toEqual({ ...defaults.styling, theme: 'bold' });
    expect(rest).toEqual(Object.fromEntries(Object.entries(defaults).filter(([name]) => name !== 'styling')));
  });

  it('has the defaults of settings that were added after it was saved', () => {
    const { ai: _ai, styling, ...old } = defaults;
    const { search: _search, ...oldStyling } = styling;
    const settings = { ...old, styling: oldStyling } as unknown as typeof defaults;
    expect(effectiveCustomization({ customization: { settings, updatedAt } })).toEqual(defaults);
  });
});

describe('the look of a site space', () => {
  it('is the look of the site with its own overrides, setting by setting', () => {
    const site = siteWith({
      title: 'Docs',
      styling: { theme: 'bold', corners: 'straight' },
      footer: { copyright: 'Us' },
    });
    const overrides = {
      title: 'Guide',
      styling: { theme: 'muted' as const, sidebar: { list: 'pill' as const } },
      footer: { groups: [] },
    };
    const look = effectiveCustomization(site, { customization: { overrides, updatedAt } });
    expect(look.title).toBe('Guide');
    expect(look.styling).toEqual({
      ...defaults.styling,
      theme: 'muted',
      corners: 'straight',
      sidebar: { ...defaults.styling.sidebar, list: 'pill' },
    });
    expect(look.footer).toEqual({ copyright: 'Us', groups: [] });
  });

  it('replaces values as a whole', () => {
    const link = { title: 'A', to: null, links: [] };
    const site = siteWith({
      header: { links: [link, link], logo: { light: 'https://a.org/l', dark: 'https://a.org/d' } },
      favicon: { emoji: '1f331' },
    });
    const logo = { light: 'https://b.org/l', dark: 'https://b.org/l' };
    const overrides = { header: { links: [link], logo }, favicon: {}, styling: { primaryColor: black } };
    const { header, favicon, styling } = effectiveCustomization(site, {
      customization: { overrides, updatedAt },
    });
    expect([header.links, header.logo, favicon, styling.primaryColor]).toEqual([[link], logo, {}, black]);
  });

  it('does not modify the look of the site or the defaults', () => {
    const site = siteWith({});
    const before = structuredClone(site);
    const look = effectiveCustomization(site, {
      customization: { overrides: { styling: { sidebar: { list: 'pill' } } }, updatedAt },
    });
    expect(look.styling.sidebar.list).toBe('pill');
    expect(site).toEqual(before);
    expect(effectiveCustomization({})).toEqual(defaults);
  });
});

it('a change of the look writes each setting separately', () => {
  expect(
    changedOverrides({
      title: null,
      favicon: { emoji: '1f331' },
      styling: {
        theme: 'bold',
        tint: null,
        primaryColor: black,
        sidebar: { list: 'line', background: null },
      },
      header: {},
      footer: { groups: [] },
    }),
  ).toEqual({
    set: {
      favicon: { emoji: '1f331' },
      'styling.theme': 'bold',
      'styling.primaryColor': black,
      'styling.sidebar.list': 'line',
      'footer.groups': [],
    },
    unset: ['title', 'styling.tint', 'styling.sidebar.background'],
  });
});
