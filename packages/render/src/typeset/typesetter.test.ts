import { setImmediate } from 'node:timers/promises';
import { bundledThemes } from 'shiki/themes';
import { afterAll, describe, expect, it } from 'vitest';
import { themeName, tokenClasses } from './tokenColors.ts';
import { createTypesetter } from './typesetter.ts';

const typesetter = createTypesetter();
afterAll(async () => typesetter.close());

describe('highlighted code', () => {
  it('has all its characters, in lines', async () => {
    const page = typesetter.forPage();
    const samples: [string, string][] = [
      ['ts', 'const a: number = 1;\n\n  // done\t'],
      ['JSON', '{"a": [1, null]}'],
      ['c++', 'int main() { return 0; }'],
      ['nosuch', 'a\n b'],
      ['', ''],
      ['__proto__', 'x'],
      ['rust', 'fn main() {}\n'],
      ['yaml', 'a: "é 日本 🙂"'],
    ];
    for (const [language, code] of samples) {
      const lines = await page.highlighted(code, language);
      expect(lines.map((line) => line.map(({ text }) => text).join('')).join('\n')).toBe(code);
    }
  });

  it('has a class for each colour of its theme', async () => {
    const { default: theme } = await bundledThemes[themeName]();
    const rules = (theme.tokenColors ?? theme.settings ?? []) as { settings: { foreground?: string } }[];
    const colors = new Set(rules.flatMap(({ settings }) => settings.foreground?.toLowerCase() ?? []));
    // Text, and marks of what no page shows: brackets without a partner, ignored lines.
    for (const plain of ['#1f2328', '#57606a', '#f6f8fa', '#eaeef2']) colors.delete(plain);
    expect([...tokenClasses.keys()].toSorted()).toEqual([...colors].toSorted());
  });

  it('is plain where it is too long', async () => {
    const lines = await typesetter.forPage().highlighted('let a = 1;\n'.repeat(10_000), 'js');
    expect(lines[0]).toEqual([{ text: 'let a = 1;' }]);
  });

  it('is plain on a page that is not typeset', async () => {
    const page = typesetter.forPage({ isTypeset: false });
    expect(await page.highlighted('let a', 'js')).toEqual([[{ text: 'let a' }]]);
    expect(await page.formula('x^2', 'block')).toBeUndefined();
  });

  it('is plain after its thread ended, and has colours on the next page', async () => {
    const ended = createTypesetter();
    const page = ended.forPage();
    const first = page.highlighted('let a', 'js');
    await setImmediate();
    await ended.close();
    expect(await first).toEqual([[{ text: 'let a' }]]);
    expect(await page.highlighted('let b', 'js')).toEqual([[{ text: 'let b' }]]);
    expect((await ended.forPage().highlighted('let c', 'js'))[0]?.[0]).toEqual({
      text: 'let',
      color: 't-keyword',
    });
    await ended.close();
  });
});

describe('formulas', () => {
  it.each([
    ['x^2', true],
    ['\\frac{1}{2}', true],
    ['\\text{日本 🙂}', true],
    ['\\def\\a{\\a\\a}\\a', false],
    ['{'.repeat(4_000), false],
    ['x'.repeat(6_000), false],
    ['\\nosuch', false],
    [' ', false],
  ])('%j are typeset: %s', async (tex, isTypeset) => {
    expect((await typesetter.forPage().formula(tex, 'block')) !== undefined).toBe(isTypeset);
  });

  it.each(['\\href{javascript:alert(1)}{x}', '\\includegraphics{https://evil.example/a}', '\\htmlId{a}{x}'])(
    '%j have no address or attribute from their author',
    async (tex) => {
      const html = await typesetter.forPage().formula(tex, 'inline');
      expect(html).not.toMatch(/href=|src=|id=|<a|<img|javascript|evil/);
    },
  );

  it('are not hidden from screen readers', async () => {
    expect(await typesetter.forPage().formula('x^2', 'inline')).not.toContain('aria-hidden');
  });
});
