import type { Finding } from './face.ts';
import { collectFindings } from './findings.ts';
import { standardLimits } from './limits.ts';

/** The severity of each rule; rules that are not named keep that of Redocly's `recommended`. */
export type LintSeverities = Record<string, 'off' | 'warning' | 'error'>;

/**
 * Judges the style of a bundled specification with the rules of Redocly.
 *
 * @param bundle  the JSON text that `readSpecification` returns; lines and columns are those of this text
 */
export async function lintSpecification(
  bundle: string,
  severities: LintSeverities = {},
): Promise<{ findings: Finding[]; findingCount: number }> {
  const { BaseResolver, createConfig, lintDocument, Source } = await import('@redocly/openapi-core');

  /** The bundle is complete: what it still refers to could not be had. */
  class NoFiles extends BaseResolver {
    override resolveExternalRef(_base: string | null, ref: string): string {
      return ref;
    }
    override async resolveDocument(): Promise<never> {
      throw new Error('This file could not be had.');
    }
  }

  const rules: Record<string, 'off' | 'warn' | 'error'> = {};
  for (const [name, severity] of Object.entries(severities))
    rules[name] = severity === 'warning' ? 'warn' : severity;
  const problems = await lintDocument({
    document: { source: new Source(bundleUrl, ''), parsed: JSON.parse(bundle) as unknown },
    config: await createConfig({ extends: ['recommended'], rules }),
    externalRefResolver: new NoFiles(),
  });
  const findings = collectFindings(standardLimits.findings);
  const source = { url: bundleUrl, text: bundle, format: 'json' } as const;
  for (const { severity, ruleId, message, location } of problems) {
    const pointer = (location[0]?.pointer ?? '#/').replace(/^#\/?/, '/').replace(/^\/$/, '');
    findings.add({
      severity: severity === 'warn' ? 'warning' : 'error',
      rule: ruleId,
      message,
      source,
      pointer,
    });
  }
  return findings.located();
}

const bundleUrl = 'bindery-bundle:///openapi.json';
