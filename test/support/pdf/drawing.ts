/** An SVG that draws this many squares in few bytes. */
export function drawing(uses: number): string {
  const levels = Math.ceil(Math.log10(uses)) - 1;
  const firstLevel = Math.ceil(uses / 10 ** levels);
  const groups = Array.from({ length: levels + 1 }, (_, level) => {
    const count = level === 0 ? firstLevel : 10;
    return `<g id="g${level + 1}">${`<use href="#g${level}" x="1"/>`.repeat(count)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><g id="g0"><rect x="${uses % 10}" width="1" height="1"/></g>${groups.join('')}</svg>`;
}
