import { child, follow, type Located, type SpecDocument } from '../engine/document.ts';
import { report } from '../engine/report.ts';
import type { Scope } from '../engine/scope.ts';
import { enter } from '../engine/shared.ts';
import type { LocatedPair } from '../schema/form/forms.ts';
import { pushSchemas } from '../schema/pushSchemas.ts';

/** Compares the headers of two responses. */
export function compareHeaders(scope: Scope, { before, after }: LocatedPair): void {
  const [old, now] = [headersOf(scope.run.before, before), headersOf(scope.run.after, after)];
  for (const [name, header] of old) {
    const other = now.get(name);
    if (!other) {
      const rule = isRequired(header)
        ? 'response-header-removed-required'
        : 'response-header-removed-optional';
      report(scope, rule, { before: header.pointer, name });
      continue;
    }
    const entered = enter(scope, header, other);
    if (entered) compareHeader(entered, { before: header, after: other });
  }
  for (const [name, header] of now)
    if (!old.has(name)) report(scope, 'response-header-added', { after: header.pointer, name });
}

function compareHeader(scope: Scope, { before, after }: LocatedPair): void {
  if (isRequired(before) && !isRequired(after))
    report(scope, 'response-header-became-optional', { before: before.pointer, after: after.pointer });
  pushSchemas(scope, child(before, 'schema'), child(after, 'schema'));
}

/** Headers by their names, of which the case does not count. */
function headersOf(document: SpecDocument, response: Located): Map<string, Located> {
  const headers = child(response, 'headers');
  return new Map(
    Object.keys(headers.node)
      .filter((name) => name.toLowerCase() !== 'content-type')
      .map((name) => [name.toLowerCase(), follow(document, child(headers, name))]),
  );
}

function isRequired({ node }: Located): boolean {
  return node['required'] === true;
}
