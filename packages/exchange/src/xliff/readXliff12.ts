import { readInline, type InlineTag, type InlineText } from '../inline/readInline.ts';
import type { Reading } from '../reading.ts';
import type { XmlElement, XmlTag } from '../xml/readXml.ts';
import { languageProblem } from './languageProblem.ts';
import { placeholderName, reportUnit } from './xliffUnit.ts';

type File = { page: string; problem: string | undefined };

/** Reads XLIFF 1.0 to 1.2. */
export function readXliff12({ namespace }: XmlTag, reading: Reading): XmlElement {
  return {
    child: (tag) => {
      if (tag.name !== 'file' || tag.namespace !== namespace) return undefined;
      const languages = {
        source: tag.attribute('source-language'),
        target: tag.attribute('target-language'),
      };
      const file: File = {
        page: tag.attribute('original') ?? '',
        problem: languageProblem(languages, reading.pair),
      };
      const units = readUnitsOf(file, namespace, reading);
      return {
        child: (inner) => (inner.name === 'body' && inner.namespace === namespace ? units : undefined),
      };
    },
  };
}

/** The body of a file, and a group within it. */
function readUnitsOf(file: File, namespace: string, reading: Reading): XmlElement {
  const units: XmlElement = {
    child: (tag) => {
      if (tag.namespace !== namespace) return undefined;
      if (tag.name === 'group') return units;
      return tag.name === 'trans-unit' ? readUnit(tag, file, reading) : undefined;
    },
  };
  return units;
}

function readUnit(unit: XmlTag, { page, problem }: File, { limits, found }: Reading): XmlElement {
  let source: InlineText | undefined;
  let target: InlineText | undefined;
  const textOf = (tag: XmlTag, into: (text: InlineText) => void) => readInline(tag, { limits, tagOf, into });
  return {
    child: (tag) => {
      if (tag.namespace !== unit.namespace) return undefined;
      if (tag.name === 'source') return textOf(tag, (text) => (source = text));
      // Others, such as `alt-trans`, have a source and a target too: suggestions.
      return tag.name === 'target' ? textOf(tag, (text) => (target = text)) : undefined;
    },
    end: () => {
      const id = unit.attribute('id') ?? '';
      reportUnit({ id, page, line: unit.line }, { source, target, languageProblem: problem, found });
    },
  };
}

function tagOf(tag: XmlTag): InlineTag | undefined {
  if (tag.name === 'mrk') return { kind: 'mark' };
  const name = placeholderName(tag, 'id');
  if (name === undefined) return undefined;
  if (tag.name === 'g') return { kind: 'pair', name };
  return tag.name === 'x' ? { kind: 'atom', name } : undefined;
}
