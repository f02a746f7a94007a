import { expect, it } from 'vitest';
import { placeHeadings } from './placeHeadings.ts';

const headings = (...titles: string[]) => titles.map((title) => ({ id: title, level: 1, title }));
const drawn = (...titles: string[]) =>
  titles.map((title, index) => ({ title, page: 1, x: 0, y: 100 - index, element: index }));
const places = (all: string[], visible: string[]) =>
  placeHeadings(headings(...all), drawn(...visible), 7).map(({ element, page, y }) => element ?? [page, y]);

it('places the headings in their order when all are drawn, whatever their titles', () => {
  expect(places(['One', '\\frac{x}{y}'], ['One', 'xy'])).toEqual([0, 1]);
});

it('places a heading that is not drawn at the heading before it', () => {
  expect(places(['One', '\\hspace{1em}', 'Two words'], ['One', 'Twowords'])).toEqual([0, [1, 100], 1]);
  expect(places(['One', 'Two', 'Two'], ['One', 'Two'])).toEqual([0, 1, [1, 99]]);
});

it('places headings before the first drawn heading on the first page', () => {
  expect(places(['\\hspace{1em}', 'One'], ['One'])).toEqual([[7, 14_400], 0]);
  expect(places(['One', 'Two'], [])).toEqual([
    [7, 14_400],
    [7, 14_400],
  ]);
});

it('uses all drawn headings even if formulas have other signs than their source', () => {
  expect(places(['One', '\\alpha', '\\hspace{1em}', 'End'], ['One', 'α', 'End'])).toEqual([
    0,
    [1, 100],
    1,
    2,
  ]);
});
