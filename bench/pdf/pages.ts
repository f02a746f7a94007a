import type { FileItem } from '@bindery/content';
import type { TestPage } from '../../test/support/factories.ts';
import { seededRandom } from '../../test/support/seededRandom.ts';

const words =
  'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were all her she there would their we him been has when who will no more if out so up said what its about than into them can only other time new some could these two may first then do any like my now over such our man me even most made after also well'.split(
    ' ',
  );

/**
 * Pages like those of a documentation: some 650 words, 7 headings, code, a table, a list, links to other
 * pages, and a picture on one page in three.
 */
export function documentationPages(count: number, picture: FileItem): TestPage[] {
  const random = seededRandom(7);
  const sentence = (length: number) => {
    const text = Array.from({ length }, () => random.pick(words)).join(' ');
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  };
  return Array.from({ length: count }, (_, index) => {
    const sections = Array.from({ length: 6 }, (__, section) => {
      const target = random.below(count);
      return [
        `${section % 3 === 2 ? '###' : '##'} ${sentence(4).slice(0, -1)} ${index}-${section}`,
        `${sentence(30)} See [${sentence(3)}](/pages/page${target}), **${sentence(2)}** ${sentence(40)} \`${random.pick(words)}\`. ${sentence(20)}`,
      ].join('\n\n');
    });
    const code = Array.from(
      { length: 12 },
      (__, line) => `const value${line} = '${random.pick(words)}'; // ${sentence(4)}`,
    );
    const row = () => `| ${Array.from({ length: 4 }, () => sentence(2).slice(0, -1)).join(' | ')} |`;
    const parts = [
      sentence(20),
      ...sections,
      `\`\`\`js\n${code.join('\n')}\n\`\`\``,
      `${row()}\n| --- | --- | --- | --- |\n${Array.from({ length: 5 }, row).join('\n')}`,
      Array.from({ length: 4 }, () => `- ${sentence(8)}`).join('\n'),
      ...(index % 3 === 0 ? [`![${sentence(3)}](/files/${picture.id})`] : []),
      `Read on at [the site](https://example.org/?page=${index}).`,
    ];
    return {
      id: `page${index}`,
      title: `${sentence(3).slice(0, -1)} ${index}`,
      path: `page${index}`,
      source: `${parts.join('\n\n')}\n`,
    };
  });
}
