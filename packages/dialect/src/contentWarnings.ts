export type ContentWarningCode =
  | 'config_yaml'
  | 'config_value'
  | 'config_unknown'
  | 'config_structure'
  | 'config_redirect'
  | 'summary_empty'
  | 'summary_ignored'
  | 'summary_missing_file'
  | 'summary_outside'
  | 'summary_duplicate'
  | 'summary_anchor'
  | 'summary_children'
  | 'summary_computed'
  | 'summary_depth'
  | 'page_path'
  | 'page_depth'
  | 'page_size'
  | 'page_targets'
  | 'page_cover'
  | 'frontmatter_yaml'
  | 'frontmatter_value'
  | 'frontmatter_unknown'
  | 'variables_yaml'
  | 'variables_value';

/** Content that was omitted or may be misread, for the job's log. `path` is a file of the repository. */
export type ContentWarning = {
  level: 'info' | 'warning';
  code: ContentWarningCode;
  message: string;
  path?: string;
};

export type PageProblem = { code: ContentWarningCode; message: string };

/** Collects warnings, at most `perCode` of each kind and then a count of the rest. */
export type Warnings = {
  add(code: ContentWarningCode, message: string, path?: string): void;
  list(): ContentWarning[];
};

/** Unused settings are reported as information only. */
const infoCodes: ReadonlySet<ContentWarningCode> = new Set<ContentWarningCode>([
  'config_unknown',
  'frontmatter_unknown',
]);

const shownLength = 120;

export function collectWarnings(perCode: number): Warnings {
  const kept: ContentWarning[] = [];
  const counts = new Map<ContentWarningCode, number>();

  return {
    add(code, message, path) {
      const count = (counts.get(code) ?? 0) + 1;
      counts.set(code, count);
      if (count > perCode) return;
      kept.push({ level: levelOf(code), code, message, path });
    },
    list() {
      const uncounted = [...counts].filter(([, count]) => count > perCode);
      return [
        ...kept,
        ...uncounted.map(([code, count]): ContentWarning => ({
          level: levelOf(code),
          code,
          message: `${count - perCode} more like the ones above (${code}).`,
        })),
      ];
    },
  };
}

/** Quotes text of the repository in a message: on one line, without control characters, and short. */
export function quoted(text: string): string {
  const shown = text.slice(0, shownLength).replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ');
  return `“${shown}${text.length > shownLength ? '…' : ''}”`;
}

function levelOf(code: ContentWarningCode): ContentWarning['level'] {
  return infoCodes.has(code) ? 'info' : 'warning';
}
