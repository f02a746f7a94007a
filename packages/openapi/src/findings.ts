import type { Finding } from './face.ts';
import { offsetsOf, placesOf } from './source/locate.ts';
import type { Source } from './source/source.ts';

/** A finding whose line and column are computed only if it is kept. */
export type Remark = {
  severity: Finding['severity'];
  rule: string;
  message: string;
  source: Pick<Source, 'url' | 'text' | 'format'>;
  pointer: string;
  /** Of the character in the text, where no pointer leads to it. */
  offset?: number;
};

/** Collects findings: keeps a number of them, and counts all. */
export type Findings = {
  add(remark: Remark): void;
  /** The kept ones in the order of the files and lines, errors first where two are at one place. */
  located(): { findings: Finding[]; findingCount: number };
};

export function collectFindings(limit: number): Findings {
  const kept: Remark[] = [];
  let findingCount = 0;
  return {
    add(remark) {
      findingCount += 1;
      if (kept.length < limit) kept.push(remark);
    },
    located() {
      const findings = [...Map.groupBy(kept, ({ source }) => source)].flatMap(([source, remarks]) =>
        locate(source, remarks),
      );
      return { findings, findingCount };
    },
  };
}

function locate(source: Remark['source'], remarks: readonly Remark[]): Finding[] {
  const offsets = offsetsOf(
    source,
    remarks.filter(({ offset }) => offset === undefined).map(({ pointer }) => pointer),
  );
  const offsetOf = ({ offset, pointer }: Remark) => offset ?? offsets.get(pointer) ?? 0;
  const places = placesOf(source.text, remarks.map(offsetOf));
  return remarks
    .map((remark): Finding => {
      const { severity, rule, message, pointer } = remark;
      const { line, column } = places.get(offsetOf(remark)) ?? { line: 1, column: 1 };
      return { severity, rule, message, file: withoutLogin(source.url), pointer, line, column };
    })
    .sort((a, b) => a.line - b.line || a.column - b.column || rank[a.severity] - rank[b.severity]);
}

const rank = { error: 0, warning: 1, info: 2 };

/** A URL as it may be shown: without user and password. */
export function withoutLogin(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.username === '' && url.password === '') return address;
  url.username = '';
  url.password = '';
  return url.href;
}
