import { wordIn } from '../syntax/writeTags.ts';
import { element } from '../tree/html.ts';
import type { DocumentBlock } from '@bindery/contract';
import { flagIn, iconIn, oneOf } from '../syntax/attributes.ts';
import type { Element } from '../syntax/elements.ts';
import { deepestBlock } from '../tree/limits.ts';
import { block, present, wordsOf } from '../tree/nodes.ts';
import { blocksOf, deeper, type ParseContext } from '../tree/parseContext.ts';
import type { Block } from './block.ts';
import { codeBlock } from './code/codeBlock.ts';
import { words, writeContainer } from './forms/tagWriters.ts';

/** `{% prompt description="" %}` around a fence. */
export const prompt: Block = {
  tags: { prompt: { read: readPrompt } },
  write: writeContainer('prompt', (data) =>
    words(data, 'description', 'icon', 'openInAIProviders', 'defaultExpanded'),
  ),
  render: ({ data, nodes }, context) =>
    element('section', { class: 'prompt' }, [
      element('p', { class: 'label' }, context.words.prompt),
      element('p', { class: 'title' }, wordIn(data, 'description')),
      context.render(nodes),
    ]),
};

function readPrompt({ attributes, children }: Element, context: ParseContext): DocumentBlock[] {
  if (context.level + 2 > deepestBlock) return blocksOf(children, context);
  const blocks = blocksOf(children, deeper(context, 2));
  const code = blocks.find(({ type }) => type === 'code');
  const rest = blocks.filter((each) => each !== code);
  const data = present({
    description: attributes.get('description') ?? '',
    icon: iconIn(attributes),
    openInAIProviders: flagIn(attributes, 'openinaiproviders'),
    defaultExpanded: oneOf(attributes.get('defaultexpanded'), ['hidden', 'partial', 'full']),
  });
  // Without a fence, the whole content is the prompt.
  const nodes = [code ?? codeBlock(rest.map(wordsOf).join('\n\n'), {})];
  return [block('prompt', { data, nodes }), ...(code ? rest : [])];
}
