import type { ContentWarning, ContentWarningCode } from './types.ts';

/** Collects warnings, at most `perCode` of each kind: a repository that is wrong everywhere says so once and is counted. */
export type Warnings = {
  add(code: ContentWarningCode, message: string, path?: string): void;
  list(): ContentWarning[];
};

/** What is merely not used is worth a line, not a worry. */
const infoCodes: ReadonlySet<ContentWarningCode> = new Set<ContentWarningCode>(['config_unknown', 'frontmatter_unknown']);

const shownLength = 120;

export function collectWarnings(perCode: number): Warnings {
  const kept: ContentWarning[] = [];
  const counts = new Map<ContentWarningCode, number>();

  return {
    add(code, message, path) {
      const count = (counts.get(code) ?? 0) + 1;
      counts.set(code, count);
      if (count > perCode) return;
      kept.push({ level: levelOf(code), code, message, ...(path !== undefined && { path }) });
    },
    list() {
      const uncounted = [...counts].filter(([, count]) => count > perCode);
      return [
        ...kept,
        ...uncounted.map(([code, count]): ContentWarning => ({
          level: levelOf(code),
          code,
          message: `${count - perCode} more of the same kind as the ones above (${code}).`,
        })),
      ];
    },
  };
}

/** Text of the repository inside a message: on one line, without control characters, and short. */
export function quoted(text: string): string {
  const shown = text.slice(0, shownLength).replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ');
  return `“${shown}${text.length > shownLength ? '…' : ''}”`;
}

function levelOf(code: ContentWarningCode): ContentWarning['level'] {
  return infoCodes.has(code) ? 'info' : 'warning';
}
