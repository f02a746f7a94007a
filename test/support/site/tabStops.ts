import { readFileSync } from 'node:fs';
import type { Page } from 'puppeteer-core';

/** An element that has the focus. */
export type TabStop = {
  /** Its label or its text. */
  name: string;
  /** Reasons why a reader does not see that it has the focus. */
  problems: string[];
  /** Its place among all elements of the page. */
  at: number;
};

/** More stops than a page of a test has. */
const maxStops = 200;
const describeFocus = readFileSync(new URL('describeFocus.js', import.meta.url), 'utf8');

/** The element with the focus; undefined when none has it. */
export async function focusOf(page: Page): Promise<TabStop | undefined> {
  return (await page.evaluate(describeFocus)) as TabStop | undefined;
}

/** Presses Tab, or Shift+Tab to go back. @returns the element that has the focus then */
export async function pressTab(page: Page, { isBack = false } = {}): Promise<TabStop | undefined> {
  if (isBack) await page.keyboard.down('Shift');
  await page.keyboard.press('Tab');
  if (isBack) await page.keyboard.up('Shift');
  return focusOf(page);
}

/**
 * Presses Tab until the focus leaves the page.
 *
 * @returns all stops in their order
 * @throws Error when the focus comes back to an earlier stop: no key leads out of the page
 */
export async function tabThrough(page: Page, direction: { isBack?: boolean } = {}): Promise<TabStop[]> {
  const stops: TabStop[] = [];
  for (;;) {
    const stop = await pressTab(page, direction);
    if (!stop) return stops;
    if (stops.some(({ at }) => at === stop.at) || stops.length === maxStops)
      throw new Error(`The focus stays in the page: it is at "${stop.name}" after ${stops.length} stops.`);
    stops.push(stop);
  }
}
