import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { documentOf, documentOfSchema } from '../fixtures/documents.ts';
import { compareSpecifications, diffAsHtml, diffAsMarkdown } from '../index.ts';

const before = documentOfSchema({ type: 'object', properties: { name: { type: 'string' } } });
const after = documentOfSchema({
  type: 'object',
  properties: { name: { type: 'string', minLength: 1 } },
  required: ['name'],
});
const diff = compareSpecifications(before, after);

describe('diffAsMarkdown', () => {
  it('lists breaking changes first, grouped by operation', () => {
    expect(diffAsMarkdown(diff, { title: 'Pets 1 to 2' })).toBe(`# Pets 1 to 2

1 breaking change, 1 warning, 2 other changes.

## Breaking changes

### \`POST /pets\`

- The property \`name\` of the request became required. (\`request-became-required\`)

## Warnings

### \`POST /pets\`

- The property \`name\` of the request has the new minimum length \`1\`. (\`request-min-length-set\`)

## Other changes

### \`POST /pets\`

- The property \`name\` of the response became required. (\`response-became-required\`)
- The property \`name\` of the response has the new minimum length \`1\`. (\`response-min-length-set\`)
`);
  });

  it('escapes a title', () => {
    expect(diffAsMarkdown(diff, { title: '*Pets* <b>\n# 2' })).toContain(
      String.raw`# \*Pets\* \<b\> \# 2` + '\n',
    );
  });
});

describe('diffAsHtml', () => {
  it('has a section for each severity with a list for each group', () => {
    const html = diffAsHtml(diff, { title: 'Pets' });
    expect(html).toContain('<p>1 breaking change, 1 warning, 2 other changes.</p>');
    expect(html).toContain(`<section class="breaking" aria-labelledby="breaking">
<h2 id="breaking">Breaking changes</h2>
<h3><code>POST /pets</code></h3>
<ul>
<li>The property <code>name</code> of the request became required. <small><code>request-became-required</code></small></li>
</ul>
</section>`);
  });
});

describe('names from hostile documents', () => {
  const hostile = '`</code><script>alert(1)</script>\n\n# [a](javascript:b) `';
  const removed = compareSpecifications(
    documentOf({
      tags: [hostile],
      operationId: hostile,
      parameters: [{ name: hostile, in: 'query', schema: { type: 'string', pattern: hostile } }],
    }),
    documentOf({ parameters: [{ name: hostile, in: 'query', schema: { type: 'string', enum: [hostile] } }] }),
  );

  it('do not become HTML markup', () => {
    const tags = new Set<string>();
    const pending = [...parse(diffAsHtml(removed, { title: hostile })).childNodes];
    for (const node of pending) {
      tags.add(node.nodeName);
      if ('childNodes' in node) pending.push(...node.childNodes);
    }
    expect(tags).not.toContain('script');
    expect(tags).not.toContain('a');
  });

  it('stay inside Markdown code spans', () => {
    const lines = diffAsMarkdown(removed, { title: 'Pets' }).split('\n');
    for (const line of lines) {
      expect(line.split('`').length % 2, line).toBe(1);
      expect(line.replaceAll(/`[^`]*`/g, '')).not.toMatch(/[<[]/);
    }
    expect(lines.filter((line) => line.startsWith('# '))).toEqual(['# Pets']);
  });
});

it('states that a report is not complete', () => {
  const incomplete = { ...diff, isComplete: false };
  expect(diffAsMarkdown(incomplete, { title: 'Pets' })).toContain('in more places than this report lists');
  expect(diffAsHtml(incomplete, { title: 'Pets' })).toContain('in more places than this report lists');
});
