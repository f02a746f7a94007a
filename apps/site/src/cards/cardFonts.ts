import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A font of cards for texts that the app's own font does not have. */
export type CardFont = {
  /** The path of its file. */
  path: string;
  family: string;
  isRightToLeft: boolean;
};

type ScriptFont = {
  /** As `bindery fonts --to DIR` and `npm start` name it. */
  file: string;
  family: string;
  /** Its characters beside those of the app's own font. */
  characters: RegExp;
  /** Languages whose texts it is for, where several fonts have them. */
  languages?: readonly string[];
  isRightToLeft?: true;
};

/** Punctuation, and Latin letters as wide as ideographs. */
const wide = String.raw`\u3000-\u303F\uFF00-\uFFEF`;

/**
 * Of fonts that have a text, the one for its language is used, else the first one. None for scripts of India:
 * the drawing puts their vowel signs in wrong places.
 */
const scriptFonts: readonly ScriptFont[] = [
  {
    file: 'NotoSansSC_400Regular.ttf',
    family: 'Noto Sans SC',
    characters: new RegExp(String.raw`[\p{sc=Han}${wide}]`, 'gu'),
    languages: ['zh'],
  },
  {
    file: 'NotoSansJP_400Regular.ttf',
    family: 'Noto Sans JP',
    characters: new RegExp(String.raw`[\p{sc=Han}\p{scx=Hira}\p{scx=Kana}${wide}]`, 'gu'),
    languages: ['ja'],
  },
  {
    file: 'NotoSansKR_400Regular.ttf',
    family: 'Noto Sans KR',
    characters: new RegExp(String.raw`[\p{sc=Hang}\p{sc=Han}${wide}]`, 'gu'),
    languages: ['ko'],
  },
  {
    file: 'Amiri_400Regular.ttf',
    family: 'Amiri',
    characters: /[\p{scx=Arab}\u200C\u200D]/gu,
    isRightToLeft: true,
  },
  {
    file: 'NotoSansHebrew_400Regular.ttf',
    family: 'Noto Sans Hebrew',
    characters: /\p{sc=Hebr}/gu,
    isRightToLeft: true,
  },
  { file: 'NotoSansThai_400Regular.ttf', family: 'Noto Sans Thai', characters: /\p{sc=Thai}/gu },
];

/** The fonts of a folder, by their file names. */
export type CardFonts = {
  /**
   * Finds the font for a text.
   *
   * @param isOwn  whether the app's own font has a text
   * @returns undefined when no font has all characters that the app's own font does not have
   */
  find(text: string, options: { language: string; isOwn: (text: string) => boolean }): CardFont | undefined;
};

/** How often a folder without fonts is looked at again: `npm start` downloads them while the site runs. */
const lookMs = 60_000;

/** @param folder  as `bindery fonts --to DIR` makes it; without one, no text has a font */
export function createCardFonts(folder: string | undefined): CardFonts {
  let there = new Set<string>();
  let lookedMs = -Infinity;
  return {
    find(text, { language, isOwn }) {
      if (folder === undefined) return undefined;
      if (there.size === 0 && performance.now() - lookedMs > lookMs) {
        lookedMs = performance.now();
        there = new Set(namesIn(folder));
      }
      const able = scriptFonts.filter(
        ({ file, characters }) => there.has(file) && isOwn(text.replaceAll(characters, '')),
      );
      const [tag] = language.toLowerCase().split('-');
      const font = able.find(({ languages }) => languages?.includes(tag ?? '')) ?? able[0];
      if (!font) return undefined;
      const { file, family, isRightToLeft = false } = font;
      return { path: join(folder, file), family, isRightToLeft };
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It is not there yet.
    return [];
  }
}
