import type { Data, Processor } from 'unified';
import type { Literal } from 'mdast';
import type { BlockTags } from './blockTags.ts';

/**
 * A line that begins with a tag such as `{% hint style="info" %}`; `value` is the whole line, which may
 * contain more.
 */
export type BlockTagLine = Literal & { type: 'blockTag' };

declare module 'mdast' {
  interface BlockContentMap {
    blockTag: BlockTagLine;
  }
  interface RootContentMap {
    blockTag: BlockTagLine;
  }
}
declare module 'micromark-util-types' {
  interface TokenTypeMap {
    blockTag: 'blockTag';
  }
}

type Extension = NonNullable<Data['micromarkExtensions']>[number];
type Construct = Extract<NonNullable<Extension['flow']>[string], { tokenize: unknown }>;
type State = ReturnType<Construct['tokenize']> | undefined;

const openBrace = 123;
const percent = 37;
const closeBrace = 125;
const space = 32;
const tab = -2;
const virtualSpace = -1;
const longestName = 48;

const isLineEnding = (code: number | null) => code === null || code < tab;
const isSpace = (code: number | null) => code === space || code === tab || code === virtualSpace;
const isLetter = (code: number | null) =>
  code !== null && ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 45);

/**
 * A syntax extension of remark for block tags: recognized where a block may begin, so never in code or in the
 * middle of a text.
 */
export function blockTagSyntax(tags: BlockTags) {
  return function (this: Processor): void {
    const data = this.data();
    (data.micromarkExtensions ??= []).push({ flow: { [openBrace]: blockTag(tags) } });
    (data.fromMarkdownExtensions ??= []).push({
      enter: {
        blockTag(token) {
          this.enter({ type: 'blockTag', value: this.sliceSerialize(token) }, token);
        },
      },
      exit: {
        blockTag(token) {
          this.exit(token);
        },
      },
    });
  };
}

const blockTag = (tags: BlockTags): Construct => ({
  name: 'blockTag',
  tokenize(effects, ok, nok) {
    let name = '';
    let wasPercent = false;
    return start;

    function start(code: number | null): State {
      effects.enter('blockTag');
      effects.consume(code);
      return afterBrace;
    }
    function afterBrace(code: number | null): State {
      if (code !== percent) return nok(code);
      effects.consume(code);
      return beforeName;
    }
    function beforeName(code: number | null): State {
      if (!isSpace(code) && code !== 45) return inName(code);
      effects.consume(code);
      return beforeName;
    }
    function inName(code: number | null): State {
      if (code !== null && isLetter(code) && name.length < longestName) {
        name += String.fromCharCode(code);
        effects.consume(code);
        return inName;
      }
      return tags.isTag(name) ? inTag(code) : nok(code);
    }
    function inTag(code: number | null): State {
      if (isLineEnding(code)) return nok(code);
      const isEnd = wasPercent && code === closeBrace;
      wasPercent = code === percent;
      effects.consume(code);
      return isEnd ? inRest : inTag;
    }
    function inRest(code: number | null): State {
      if (isLineEnding(code)) {
        effects.exit('blockTag');
        return ok(code);
      }
      effects.consume(code);
      return inRest;
    }
  },
});
