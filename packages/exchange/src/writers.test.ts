import { describe, expect, it } from 'vitest';
import { writeTmx } from './tmx/writeTmx.ts';
import type { ExchangeUnit } from './unit.ts';
import { writeXliff12 } from './xliff/writeXliff12.ts';
import { writeXliff21 } from './xliff/writeXliff21.ts';

const pair = { source: 'en', target: 'es' };
const unit: ExchangeUnit = {
  id: 'a',
  source: 'See <g id="1">it &amp; go</g>',
  target: '<g id="1">Véalo</g><x id="2"/>\u0000',
  role: 'cell',
  state: 'human',
  page: 'a&"b".md',
};

async function text(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join('');
}

describe('a unit', () => {
  it('of TMX has its native codes as text', async () => {
    const written = await text(writeTmx([unit, { id: 'b', source: 'Not translated' }], pair));
    expect(written).toContain('<!DOCTYPE tmx SYSTEM "tmx14.dtd">');
    expect(written.slice(written.indexOf('<body>'))).toBe(`<body>
<tu tuid="a"><prop type="x-role">cell</prop><prop type="x-state">human</prop>
<tuv xml:lang="en"><seg>See <bpt i="1" x="1">&lt;g id="1"&gt;</bpt>it &amp; go<ept i="1">&lt;/g&gt;</ept></seg></tuv>
<tuv xml:lang="es"><seg><bpt i="1" x="1">&lt;g id="1"&gt;</bpt>Véalo<ept i="1">&lt;/g&gt;</ept><ph x="2">&lt;x id="2"/&gt;</ph></seg></tuv>
</tu>
</body>
</tmx>
`);
  });

  it('of XLIFF 1.2 belongs to the file of its page', async () => {
    const written = await text(
      writeXliff12([unit, { id: 'b', source: 'New', page: 'b', state: 'kept' }], pair),
    );
    expect(written.slice(written.indexOf('<file')))
      .toBe(`<file original="a&amp;&quot;b&quot;.md" source-language="en" target-language="es" datatype="x-markdown">
<body>
<trans-unit id="a" restype="x-cell" approved="yes" xml:space="preserve">
<source xml:lang="en">See <g id="1">it &amp; go</g></source>
<target xml:lang="es" state="translated"><g id="1">Véalo</g><x id="2"/></target>
</trans-unit>
</body>
</file>
<file original="b" source-language="en" target-language="es" datatype="x-markdown">
<body>
<trans-unit id="b" xml:space="preserve">
<source xml:lang="en">New</source>
</trans-unit>
</body>
</file>
</xliff>
`);
  });

  it('of XLIFF 2.1 has a segment', async () => {
    const written = await text(writeXliff21([{ ...unit, state: 'machine' }], pair));
    expect(written.slice(written.indexOf('<file')))
      .toBe(`<file id="f1" original="a&amp;&quot;b&quot;.md" xml:space="preserve">
<unit id="a" type="bindery:cell">
<segment state="translated" subState="bindery:machine">
<source>See <pc id="1">it &amp; go</pc></source>
<target><pc id="1">Véalo</pc><ph id="2"/></target>
</segment>
</unit>
</file>
</xliff>
`);
  });
});
