import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectExpressions } from '../support/expressions/collectExpressions.ts';

const project = resolve(import.meta.dirname, '../..');

/** Expressions that name a scheme without deciding where a link may lead. */
const otherUses: Record<string, string> = {
  'packages/contract/src/document/linkTarget.ts': 'decides it',
  'packages/contract/src/input/input.ts': 'takes nothing but http and https',
  'packages/dialect/src/syntax/markdownParser.ts': 'finds where a bare link may begin',
  'packages/dialect/src/links/tagTargets.ts': 'the grammar of links in angle brackets',
  'packages/dialect/src/repository-format/planFromSummary.ts': 'addresses of one application',
  'packages/openapi/src/reader/descriptionHtml.ts': 'those of a description, of the safe ones',
  'packages/pdf/src/book/links.ts': 'what a browser printed, which may have been taken over',
  'packages/render/src/page/pageContext.ts': 'finds web addresses; links.ts decides',
  'apps/worker-pdf/src/book/front/hrefOfLink.ts': 'the schemes that a PDF may have, of those that are safe',
  'packages/translation/src/page/textPieces.ts': 'finds addresses in texts; none becomes a target',
  'packages/content/src/references/spaceUrl.ts': 'addresses of one application',
  'packages/runtime/src/config.ts': 'what the operator sets',
  'packages/runtime/src/config/api.ts': 'what the operator sets',
  'packages/runtime/src/config/hostnames.ts': 'what the operator sets',
  'packages/runtime/src/config/blobs.ts': 'what the operator sets',
  'packages/runtime/src/config/console.ts': 'what the operator sets',
  'packages/runtime/src/config/openId.ts': 'what the operator sets',
  'packages/runtime/src/config/stores.ts': 'what the operator sets',
  'packages/runtime/src/config/tracing.ts': 'what the operator sets',
  'packages/runtime/src/config/translation.ts': 'what the operator sets',
  'packages/runtime/src/scrubSecrets.ts': 'logins in texts',
};

describe('URL schemes of link targets', () => {
  it('are matched by one module', () => {
    const readers = collectExpressions()
      .filter(({ source }) => /javascript|vbscript|mailto|https\?|\[a-z\]\[a-z0-9+.\\-]*[*]:/i.test(source))
      .map(({ place }) => place.replace(/:\d+$/, ''));
    expect([...new Set(readers)].filter((file) => !Object.hasOwn(otherUses, file))).toEqual([]);
  });

  it('are compared nowhere else', () => {
    // Requests that leave the platform and the platform's own origin have rules of their own.
    const elsewhere = [
      'packages/outbound/**',
      'apps/api/src/admin/operatorSession.ts',
      'apps/console/src/session/cookies.ts',
      'apps/site/src/visit/openVisit.ts',
      'packages/runtime/src/config.ts',
      'packages/sign-in/src/openid/openIdProvider.ts',
      'packages/contract/src/document/linkTarget.ts',
      '**/*.test.ts',
    ];
    const files = globSync('{apps,packages}/*/src/**/*.ts', { cwd: project, exclude: elsewhere });
    expect(files.length).toBeGreaterThan(500);
    const comparing = /\.protocol\b|startsWith\(\s*'(?:https?|javascript|data|mailto):/;
    const found = files.filter((file) => comparing.test(readFileSync(resolve(project, file), 'utf8')));
    expect(found).toEqual([]);
  });
});
