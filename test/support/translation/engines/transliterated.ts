const scripts: Readonly<Record<string, string>> = {
  ja: 'アビチディエフガヒイジクルムノオプキラスツウヴワザヤヨ',
  ar: 'ابتدهفغحيجكلمنوبقرستعفوكيز',
  de: 'äbcdëfghïjklmnöpqrstüvwxÿz',
};

/**
 * A translation that a test can foresee: letters become those of the language's script, one for one. Tags and
 * character references stay.
 */
export function transliterated(text: string, language: string): string {
  const letters = Array.from(scripts[language.slice(0, 2).toLowerCase()] ?? '');
  return text.replaceAll(/<[^<>]*>|&[#\w]+;|[a-z]/gi, (piece) => {
    const letter = piece.length === 1 && letters[piece.toLowerCase().charCodeAt(0) - 97];
    if (!letter) return piece;
    return /[A-Z]/.test(piece) ? letter.toUpperCase() : letter;
  });
}
