import type { ComputedSource } from './types.ts';
import { quoted } from '../contentWarnings.ts';
import { booleanOf, membersOf, readYaml, textOf } from '../frontmatter/yaml.ts';

const maxBytes = 64_000;

/**
 * Reads the YAML of a computed entry of SUMMARY.md. Without a source, the entry becomes an empty page with
 * the returned title.
 */
export function readComputed(fence: string): { computed?: ComputedSource; title: string; problem?: string } {
  const reading = readYaml(new TextEncoder().encode(fence), maxBytes);
  if ('problem' in reading)
    return { title: 'Untitled', problem: `the code block of an entry is not read: ${reading.problem}.` };
  const members = membersOf(reading.value);
  const type = textOf(members.get('type')) ?? '';
  const props = membersOf(members.get('props'));
  const dependencies = membersOf(members.get('dependencies'));
  const reference = (name: string, kind: string) =>
    textOf(membersOf(membersOf(dependencies.get(name)).get('ref')).get(kind)) ?? '';

  if (type === 'builtin:openapi') {
    const spec = reference('spec', 'spec');
    if (!spec)
      return {
        title: 'OpenAPI',
        problem: 'a computed entry names no specification and became an empty page.',
      };
    const downloadLink = booleanOf(props.get('downloadLink'));
    const grouping = (['by-tag', 'by-operation'] as const).find(
      (choice) => choice === textOf(props.get('grouping')),
    );
    return {
      title: spec,
      computed: {
        type,
        props: {
          models: booleanOf(props.get('models')) ?? true,
          downloadLink,
          grouping,
        },
        dependencies: { spec: { ref: { kind: 'openapi', spec } } },
      },
    };
  }
  if (type === 'builtin:translation') {
    const translation = reference('translation', 'translation');
    if (!translation)
      return {
        title: 'Translation',
        problem: 'a computed entry names no translation and became an empty page.',
      };
    return {
      title: translation,
      computed: {
        type,
        props: {},
        dependencies: { translation: { ref: { kind: 'translation', translation } } },
      },
    };
  }
  return {
    title: 'Untitled',
    problem: `an entry has the unknown type ${quoted(type)} and became an empty page.`,
  };
}
