import type { Change, Severity, SpecificationDiff } from '../specificationDiff.ts';

/** The changes of one severity, grouped by the operations that they affect. */
export type ReportSection = { severity: Severity; title: string; groups: ReportGroup[] };

/** Changes of the same operations. */
export type ReportGroup = {
  /** The first operations, as `GET /pets`; empty for changes of the whole API. */
  operations: string[];
  /** Number of operations that `operations` leaves out. */
  more: number;
  changes: Change[];
};

/** Arranges a diff for readers: breaking changes first, each severity by operations. */
export function sectionsOf({ changes }: SpecificationDiff): ReportSection[] {
  return severities.flatMap(({ severity, title }) => {
    const own = changes.filter((change) => change.severity === severity);
    return own.length === 0 ? [] : [{ severity, title, groups: groupsOf(own) }];
  });
}

/** The numbers of changes in words: `2 breaking changes, 1 warning, 0 other changes`. */
export function countsInWords({ counts: { breaking, warning, info } }: SpecificationDiff): string {
  return [
    `${breaking} breaking ${breaking === 1 ? 'change' : 'changes'}`,
    `${warning} ${warning === 1 ? 'warning' : 'warnings'}`,
    `${info} other ${info === 1 ? 'change' : 'changes'}`,
  ].join(', ');
}

/** A remark for readers of a diff that does not hold all changes. */
export const incompleteRemark = 'The documents differ in more places than this report lists.';

function groupsOf(changes: Change[]): ReportGroup[] {
  const groups = Map.groupBy(changes, ({ operations, operationCount }) =>
    JSON.stringify([operations, operationCount]),
  );
  return [...groups.values()].map((own) => {
    const { operations = [], operationCount = 0 } = own[0] ?? {};
    const shown = operations.slice(0, shownOperations);
    return {
      operations: shown.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
      more: operationCount - shown.length,
      changes: own,
    };
  });
}

const shownOperations = 5;
const severities: { severity: Severity; title: string }[] = [
  { severity: 'breaking', title: 'Breaking changes' },
  { severity: 'warning', title: 'Warnings' },
  { severity: 'info', title: 'Other changes' },
];
