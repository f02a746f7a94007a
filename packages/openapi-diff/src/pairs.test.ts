import { expect, it } from 'vitest';
import { severityOf, type Letter } from './fixtures/documents.ts';
import { pairs } from './fixtures/pairs.ts';
import { compareSpecifications } from './index.ts';

for (const { name, before, after, verdict } of pairs) {
  it(`${name}: ${verdict.length === 0 ? 'no change' : verdict.join(', ')}`, () => {
    const { changes } = compareSpecifications(before, after);
    expect(changes.map(({ rule, severity }) => `${severity} ${rule}`).sort()).toEqual(
      verdict.map((line) => `${severityOf[line[0] as Letter]}${line.slice(1)}`).sort(),
    );
  });
}
