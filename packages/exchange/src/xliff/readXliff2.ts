import { readInline, type InlineTag, type InlineText } from '../inline/readInline.ts';
import type { Reading } from '../reading.ts';
import type { XmlElement, XmlTag } from '../xml/readXml.ts';
import { languageProblem } from './languageProblem.ts';
import { placeholderName, reportUnit } from './xliffUnit.ts';

/** Reads XLIFF 2.0 and 2.1. Elements of its modules are skipped. */
export function readXliff2(root: XmlTag, reading: Reading): XmlElement {
  const languages = { source: root.attribute('srcLang'), target: root.attribute('trgLang') };
  const problem = languageProblem(languages, reading.pair);
  return {
    child: (tag) => {
      if (tag.name !== 'file' || tag.namespace !== root.namespace) return undefined;
      const page = tag.attribute('original') ?? '';
      const units: XmlElement = {
        child: (inner) => {
          if (inner.namespace !== root.namespace) return undefined;
          if (inner.name === 'group') return units;
          return inner.name === 'unit' ? readUnit(inner, { page, problem, reading }) : undefined;
        },
      };
      return units;
    },
  };
}

/** A tool may have cut a unit into segments, with what stands between them. */
type Segment = { source?: InlineText; target?: InlineText; isBetween: boolean; isMoved: boolean };

function readUnit(
  unit: XmlTag,
  {
    page,
    problem,
    reading: { limits, found },
  }: { page: string; problem: string | undefined; reading: Reading },
): XmlElement {
  const segments: Segment[] = [];
  return {
    child: (tag) => {
      if (tag.namespace !== unit.namespace) return undefined;
      if (tag.name !== 'segment' && tag.name !== 'ignorable') return undefined;
      const segment: Segment = { isBetween: tag.name === 'ignorable', isMoved: false };
      segments.push(segment);
      return {
        child: (inner) => {
          const { name } = inner;
          if (inner.namespace !== unit.namespace || (name !== 'source' && name !== 'target'))
            return undefined;
          segment.isMoved ||= inner.attribute('order') !== undefined;
          return readInline(inner, { limits, tagOf, into: (text) => (segment[name] = text) });
        },
      };
    },
    end: () => {
      const id = unit.attribute('id') ?? '';
      const moved = segments.some(({ isMoved }) => isMoved)
        ? 'Its segments have another order in the translation.'
        : undefined;
      reportUnit(
        { id, page, line: unit.line },
        {
          source: joined(segments.map(({ source }) => source)),
          target: joined(
            segments.map(({ source, target, isBetween }) => target ?? (isBetween ? source : target)),
          ),
          languageProblem: problem ?? moved,
          found,
        },
      );
    },
  };
}

/** Undefined if one is missing. */
function joined(texts: readonly (InlineText | undefined)[]): InlineText | undefined {
  if (texts.length === 0 || texts.includes(undefined)) return undefined;
  const present = texts.filter((text) => text !== undefined);
  const problem = present.find((text) => text.problem !== undefined)?.problem;
  return { parts: present.flatMap(({ parts }) => parts), problem };
}

function tagOf(tag: XmlTag): InlineTag | undefined {
  if (['mrk', 'sm', 'em', 'cp'].includes(tag.name)) return { kind: 'mark' };
  const name = placeholderName(tag, tag.name === 'ec' ? 'startRef' : 'id');
  if (name === undefined) return undefined;
  switch (tag.name) {
    case 'pc':
      return { kind: 'pair', name };
    case 'ph':
      return { kind: 'atom', name };
    case 'sc':
      return { kind: 'open', name };
    case 'ec':
      return { kind: 'close', name };
    default:
      return undefined;
  }
}
