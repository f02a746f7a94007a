import { readInline, textOfInline, type InlineTag, type InlineText } from '../inline/readInline.ts';
import { countsAs, isSameLanguage } from '../languages.ts';
import type { Reading } from '../reading.ts';
import type { ExchangeState } from '../unit.ts';
import type { XmlElement, XmlTag } from '../xml/readXml.ts';

type Variant = { language: string; text?: InlineText };

export function readTmx(reading: Reading): XmlElement {
  const body: XmlElement = { child: (tag) => (tag.name === 'tu' ? readUnit(tag, reading) : undefined) };
  return { child: ({ name }) => (name === 'body' ? body : undefined) };
}

function readUnit(tag: XmlTag, { pair, limits, found }: Reading): XmlElement {
  const id = tag.attribute('tuid') ?? '';
  const { line } = tag;
  const variants: Variant[] = [];
  const properties = new Map<string, string>();
  return {
    child: (inner) => {
      if (inner.name === 'prop') return readProperty(inner.attribute('type') ?? '', properties);
      if (inner.name !== 'tuv') return undefined;
      const variant: Variant = { language: inner.language ?? inner.attribute('lang') ?? '' };
      variants.push(variant);
      return { child: (segment) => (segment.name === 'seg' ? readSegment(variant, limits) : undefined) };
    },
    end: () => {
      const source = textIn(pair.source, variants);
      const target = textIn(pair.target, variants);
      const problem =
        source?.problem ??
        target?.problem ??
        (source && target ? undefined : `It has no text in ${source ? pair.target : pair.source}.`);
      if (problem !== undefined || !source || !target) {
        found({ id, line, problem: problem ?? '' });
        return;
      }
      const numberOf = numbering();
      const [role, state] = [properties.get('x-role'), properties.get('x-state')];
      found({
        id,
        source: textOfInline(source, numberOf),
        target: textOfInline(target, numberOf),
        role,
        state: isState(state) ? state : undefined,
        line,
      });
    },
  };
}

function readProperty(type: string, properties: Map<string, string>): XmlElement | undefined {
  if (type !== 'x-role' && type !== 'x-state') return undefined;
  return { text: (text) => properties.set(type, (properties.get(type) ?? '') + text) };
}

function isState(state: string | undefined): state is ExchangeState {
  return state === 'machine' || state === 'human';
}

/** Of several texts that count as one in a language, one in exactly that language. */
function textIn(language: string, variants: readonly Variant[]): InlineText | undefined {
  const usable = variants.filter((variant) => variant.text && countsAs(variant.language, language));
  return (usable.find((variant) => isSameLanguage(variant.language, language)) ?? usable[0])?.text;
}

/** White space of a segment is text, whatever `xml:space` says. */
function readSegment(variant: Variant, limits: Reading['limits']): XmlElement {
  const firsts = new Map<string, string>();
  let atoms = 0;
  return readInline(
    { isSpacePreserved: true },
    {
      limits,
      into: (text) => (variant.text = text),
      tagOf: (tag): InlineTag | undefined => {
        const number = tag.attribute('x');
        const pairNumber = tag.attribute('i') ?? '';
        switch (tag.name) {
          case 'hi':
            return { kind: 'mark' };
          case 'ph':
            atoms += 1;
            // Without a number, placeholders of both languages are taken to have the same order.
            return { kind: 'atom', name: `atom ${number ?? `at ${atoms}`}` };
          case 'bpt':
            firsts.set(pairNumber, number ?? `at ${pairNumber}`);
            return { kind: 'open', name: `pair ${firsts.get(pairNumber)}` };
          case 'ept':
            return { kind: 'close', name: `pair ${firsts.get(pairNumber)}` };
          default:
            return undefined;
        }
      },
    },
  );
}

/** Numbers names in the order in which they come: that of the source. */
function numbering(): (name: string) => number {
  const numbers = new Map<string, number>();
  return (name) => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size + 1);
    return numbers.size;
  };
}
