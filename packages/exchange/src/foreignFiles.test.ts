import { describe, expect, it } from 'vitest';
import { readUnits } from './index.ts';

const pair = { source: 'en', target: 'es' };

async function read(format: 'tmx' | 'xliff', file: string | Buffer) {
  const units = await Array.fromAsync(readUnits([Buffer.from(file)], { format, pair }));
  return units.map(({ line: _line, ...unit }) => unit);
}

const xliff12 = (units: string, attributes = '') => `<?xml version="1.0"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:my="urn:my" version="1.2">
  <file original="a.md" source-language="en" target-language="es" datatype="x-markdown"${attributes}>
    <header><note>Not a <my:b/> unit</note></header><body>${units}</body>
  </file>
</xliff>`;

const xliff2 = (units: string) => `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0"
  xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0" version="2.1" srcLang="en" trgLang="es">
  <file id="f" original="a.md"><notes><note>Not a unit</note></notes>${units}</file></xliff>`;

const tmx = (units: string) => `<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header creationtool="other" srclang="en"/><body>${units}</body></tmx>`;

describe('XLIFF 1.2 of other tools', () => {
  it('may hold suggestions, marks, groups, CDATA, pretty printing, and elements of the tool', async () => {
    const units = `<group><trans-unit id="a" my:seen="yes">
      <source>
        Read <mrk mtype="x-term">the</mrk>
        <g id="1">page</g> <![CDATA[<now>]]>
      </source>
      <seg-source><mrk mid="0" mtype="seg">Not this.</mrk></seg-source>
      <target state="final"><g id="1">Página</g> &lt;ya&gt;&#233;</target>
      <alt-trans><source>Nor this.</source><target>Ni esto.</target></alt-trans>
      <my:source>Nor this.</my:source>
    </trans-unit></group>`;
    expect(await read('xliff', xliff12(units))).toEqual([
      {
        id: 'a',
        page: 'a.md',
        source: 'Read the <g id="1">page</g> &lt;now&gt;',
        target: '<g id="1">Página</g> &lt;ya&gt;é',
      },
    ]);
  });

  it('may hold several files, with a prefix or without a namespace', async () => {
    const file = (name: string, target: string) => `<x:file original="${name}" source-language="en"
      target-language="${target}"><x:body><x:trans-unit id="a" xml:space="preserve"><x:source> One </x:source>
      <x:target>Uno</x:target></x:trans-unit></x:body></x:file>`;
    const files = [file('a.md', 'es-MX'), file('b.md', 'fr')].join('');
    expect(
      await read('xliff', `<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:1.2">${files}</x:xliff>`),
    ).toEqual([
      { id: 'a', page: 'a.md', source: ' One ', target: 'Uno' },
      { id: 'a', problem: 'Its translation is fr, not es.' },
    ]);
    const plain = xliff12('<trans-unit id="a"><source>A</source><target/></trans-unit>');
    expect(await read('xliff', plain.replace(/ xmlns="[^"]*"/, ''))).toEqual([
      { id: 'a', page: 'a.md', source: 'A' },
    ]);
  });

  it('has a fault only in a unit with a tag that is not a placeholder', async () => {
    const units = [
      '<trans-unit id="a"><source>A <bpt id="1">b</bpt></source><target>A</target></trans-unit>',
      '<trans-unit id="b"><source>A</source><target>A <g id="x">b</g></target></trans-unit>',
      '<trans-unit id="c"><target>A</target></trans-unit>',
      '<trans-unit><source>A</source><target>B</target></trans-unit>',
    ];
    expect(await read('xliff', xliff12(units.join('')))).toEqual([
      { id: 'a', problem: 'It contains <bpt>, which is no placeholder of its source.' },
      { id: 'b', problem: 'It contains <g>, which is no placeholder of its source.' },
      { id: 'c', problem: 'It has no source.' },
      { id: '', page: 'a.md', source: 'A', target: 'B' },
    ]);
  });

  it.each(['utf16le', 'utf-8', 'latin1'] as const)('may be in %s', async (encoding) => {
    const mark = encoding === 'latin1' ? '' : '\ufeff';
    const name = { latin1: 'ISO-8859-1', utf16le: 'UTF-16', 'utf-8': 'UTF-8' }[encoding];
    const file = xliff12('<trans-unit id="a"><source>A</source><target>ñandú</target></trans-unit>');
    const declared = `${mark}${file.replace('<?xml version="1.0"?>', `<?xml version="1.0" encoding="${name}"?>`)}`;
    const [unit] = await read('xliff', Buffer.from(declared, encoding));
    expect(unit).toMatchObject({ target: 'ñandú' });
  });
});

describe('XLIFF 2 of other tools', () => {
  it('may split units into segments, and pairs into separate tags', async () => {
    const units = `<group id="g"><unit id="a"><notes><note>n</note></notes>
      <mtc:matches><mtc:match ref="#1"><source>No</source><target>No</target></mtc:match></mtc:matches>
      <segment><source xml:space="preserve">One. </source><target xml:space="preserve">Uno. </target></segment>
      <segment><source>Read <sc id="1"/>it<ec startRef="1"/>.</source>
        <target><sc id="1"/>Lea<ec startRef="1"/><mrk id="m1"><sm id="m2"/>lo</mrk>.</target></segment>
      <ignorable><source xml:space="preserve"> </source></ignorable></unit></group>`;
    expect(await read('xliff', xliff2(units))).toEqual([
      {
        id: 'a',
        page: 'a.md',
        source: 'One. Read <g id="1">it</g>. ',
        target: 'Uno. <g id="1">Lea</g>lo. ',
      },
    ]);
  });

  it('has an untranslated unit while a segment is, and a fault if segments moved or placeholders overlap', async () => {
    const one = '<segment><source>A</source><target>B</target></segment>';
    const units = [
      `<unit id="a">${one}<segment><source>C</source></segment></unit>`,
      `<unit id="b">${one}<segment><source>C</source><target order="1">D</target></segment></unit>`,
      '<unit id="c"><segment><source><pc id="1">A<sc id="2"/></pc><ec startRef="2"/></source></segment></unit>',
    ];
    expect(await read('xliff', xliff2(units.join('')))).toEqual([
      { id: 'a', page: 'a.md', source: 'AC' },
      { id: 'b', problem: 'Its segments have another order in the translation.' },
      { id: 'c', problem: 'Its placeholders overlap at 1.' },
    ]);
  });
});

describe('TMX of other tools', () => {
  it('may hold other languages, notes, and placeholders with numbers of their own', async () => {
    const units = `<tu><note>n</note><prop type="x-client">c</prop>
      <tuv xml:lang="fr"><seg>Non</seg></tuv><tuv xml:lang="ES-mx"><seg>Mal</seg></tuv>
      <tuv xml:lang="en-US"><seg>Read <bpt i="7" x="70">&lt;b></bpt><hi>the</hi> page<ept i="7">&lt;/b></ept> <ph x="9">{0}</ph></seg></tuv>
      <tuv lang="es"><seg><ph x="9">{0}</ph> lea <bpt i="1" x="70">&lt;b></bpt>la página<ept i="1">&lt;/b></ept></seg></tuv></tu>`;
    expect(await read('tmx', tmx(units))).toEqual([
      {
        id: '',
        source: 'Read <g id="1">the page</g> <x id="2"/>',
        target: '<x id="2"/> lea <g id="1">la página</g>',
      },
    ]);
  });

  it('keeps the order of placeholders without numbers, and has a fault in a unit without a language', async () => {
    const units = `<tu tuid="a"><tuv xml:lang="en"><seg>A <ph>1</ph><ph>2</ph></seg></tuv>
      <tuv xml:lang="es"><seg>B <ph>1</ph><ph>2</ph></seg></tuv></tu>
      <tu tuid="b"><tuv xml:lang="en"><seg>A</seg></tuv><tuv xml:lang="fr"><seg>B</seg></tuv></tu>
      <tu tuid="c"><tuv xml:lang="en"><seg>A<ut>x</ut></seg></tuv><tuv xml:lang="es"><seg>B</seg></tuv></tu>`;
    expect(await read('tmx', tmx(units))).toEqual([
      { id: 'a', source: 'A <x id="1"/><x id="2"/>', target: 'B <x id="1"/><x id="2"/>' },
      { id: 'b', problem: 'It has no text in es.' },
      { id: 'c', problem: 'It contains <ut>, which is no placeholder of its source.' },
    ]);
  });
});
