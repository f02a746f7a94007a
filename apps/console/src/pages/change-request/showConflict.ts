import { hash } from 'node:crypto';
import type { ChangeRequestConflict } from '@bindery/contract';
import { diffWords, type Budget } from '@bindery/document-diff';
import { html, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { showRuns } from '../compare/showRuns.ts';

/** A conflict on the page that settles it. */
export type ListedConflict = {
  conflict: ChangeRequestConflict;
  /** Names its fields. It stays the same while its texts do, so that a choice outlives another revision. */
  key: string;
};

/** The choice that the API refused, if any. */
export type Chosen = { take: string | undefined; text: string | undefined };

export function withKeys(conflicts: readonly ChangeRequestConflict[]): ListedConflict[] {
  const counts = new Map<string, number>();
  return conflicts.map((conflict) => {
    const { id: _, title: __, path: ___, ...content } = conflict;
    const name = hash('sha256', JSON.stringify(content)).slice(0, 16);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return { conflict, key: `${name}-${count}` };
  });
}

const fieldNames: Record<ChangeRequestConflict['field'], string> = {
  document: 'Text',
  title: 'Title',
  slug: 'Name in the address',
  position: 'Position',
  deleted: 'Removal or change',
  value: 'Value',
};
const blockNames: Record<string, string> = { frontmatter: 'Metadata', target: 'Target', source: 'Source' };

type ConflictLook = {
  index: number;
  budget: Budget;
  /** Undefined where the caller cannot choose. */
  chosen: Chosen | undefined;
  /** The path of the change request in the console. */
  path: string;
};

/** A conflict with its versions, and where the caller can choose, one of them to take. */
export function showConflict(listed: ListedConflict, { index, budget, chosen, path }: ConflictLook): Html {
  const { conflict, key } = listed;
  const { base, main, changeRequest, page, cut } = conflict;
  const changes = page === undefined ? '' : `${path}/changes${apiPath`/${page}`}`;
  return html`<fieldset class="conflict"><legend>${index + 1}. ${nameOfConflict(conflict)}</legend>
${versionOf('Before both', base === null ? undefined : [{ kind: 'same', text: base }])}
<div class="texts"><div>${chosen && choice(key, 'main', { chosen, label: 'Take the main content' })}
${versionOf('Main content', main === null ? undefined : diffWords(base ?? '', main, budget))}</div>
<div>${chosen && choice(key, 'change-request', { chosen, label: 'Take the change request' })}
${versionOf('Change request', changeRequest === null ? undefined : diffWords(base ?? '', changeRequest, budget))}</div></div>
${cut && html`<p class="hint">The texts are longer; their beginnings are shown.</p>`}
${chosen && ownText(listed, chosen)}
${page !== undefined && html`<p><a href="${changes}">All changes of this page in the change request</a></p>`}</fieldset>`;
}

function nameOfConflict({ field, block = '', title, path, ...conflict }: ChangeRequestConflict): Value {
  const { page, file, reusableContent, variable, redirect } = conflict;
  const names = {
    page: page && (title ?? page),
    file,
    'reusable content': reusableContent && (title ?? reusableContent),
    variable,
    redirect,
  };
  const [kind, name] = Object.entries(names).find(([, value]) => value !== undefined) ?? ['content', ''];
  const what = field === 'document' ? (blockNames[block] ?? fieldNames.document) : fieldNames[field];
  return html`${what} of ${kind} ${name} ${path !== undefined && html`<code>${path}</code>`}`;
}

function versionOf(title: string, runs: Parameters<typeof showRuns>[0] | undefined): Html {
  return html`<p class="kind">${title}</p>
${runs ? html`<p class="text">${showRuns(runs, 'both')}</p>` : html`<p class="soft">none</p>`}`;
}

function choice(key: string, take: string, { chosen, label }: { chosen: Chosen; label: string }): Html {
  return html`<label class="check"><input type="radio" name="take-${key}" value="${take}" required ?checked=${chosen.take === take}>${label}</label>`;
}

/** Begins with the changes of both sides, as far as they are on different lines. */
function ownText({ conflict: { merged, cut }, key }: ListedConflict, chosen: Chosen): Value {
  if (merged === undefined) return undefined;
  if (cut)
    return choice(key, 'merged', {
      chosen,
      label: 'Take the lines of both, and those of the change request where both changed the same',
    });
  const text = chosen.text ?? merged ?? '';
  return html`${choice(key, 'text', { chosen, label: 'Take this text' })}
<textarea name="text-${key}" class="page-text" rows="4" spellcheck="true" aria-label="A text of your own" aria-describedby="about-${key}">
${text}</textarea>
<p class="hint" id="about-${key}">Markdown. Without any text, this part of the page is removed.</p>`;
}
