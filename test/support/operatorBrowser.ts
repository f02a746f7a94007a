import axe from 'axe-core';
import type { Page } from 'puppeteer-core';

type AxeResult = {
  passes: unknown[];
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
};

/** Checks a page with axe. @returns each violation in one line; empty when there is none */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { passes, violations } = (await page.evaluate('axe.run(document)')) as AxeResult;
  if (passes.length < 10) throw new Error(`axe checked ${passes.length} rules only.`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary}`),
  );
}

/** Presses Tab until an element with this text or label has the focus. @throws Error when none gets it */
export async function tabTo(page: Page, wanted: string): Promise<void> {
  const seen: string[] = [];
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab');
    const focused = (await page.evaluate(nameOfFocused)) as string;
    if (focused === wanted) return;
    seen.push(focused);
  }
  throw new Error(`No Tab reached "${wanted}", only ${seen.join(', ')}.`);
}

const nameOfFocused = `(() => {
  const { activeElement: element } = document;
  const label = element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent;
  return (label ?? element?.textContent ?? '').trim();
})()`;

/** Presses a key that leads to another page, and waits for that page. */
export async function pressAndFollow(page: Page, key: 'Enter'): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.keyboard.press(key)]);
}
