import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { eventually } from './eventually';

/** More controls than any view has before the one a test looks for. */
const PRESSES_MOST = 150;

/** What tests do to a page with a keyboard, and what they ask of it. `page` is asked for each time. */
export function handsOn(page: () => Page) {
  /** Waits until a claim about the page is so; the page's own policy lets nobody wait inside of it. */
  const until = (claim: string) =>
    eventually(() => page().evaluate(claim)).catch(() => {
      throw new Error(`Never so: ${claim}`);
    });

  /** Presses Tab until this is so of the control with the focus, `it`: only what a keyboard reaches is there. */
  const tabUntil = async (claim: string): Promise<void> => {
    for (let presses = 0; presses < PRESSES_MOST; presses++) {
      if (await page().evaluate(`((it) => ${claim})(document.activeElement)`)) return;
      await page().keyboard.press('Tab');
    }
    throw new Error(`Tab never reaches where ${claim}`);
  };
  const tabTo = (name: string): Promise<void> =>
    tabUntil(`(it.getAttribute('aria-label') ?? it.textContent.trim()) === ${JSON.stringify(name)}`);

  /** What axe finds wrong, as readable lines. */
  const violations = async (where: string): Promise<string[]> => {
    // The one cast: axe's own types are of another build of Playwright.
    const found = await new AxeBuilder({ page: page() as never }).analyze();
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${where}: ${id} ${html.slice(0, 200)}`),
    );
  };
  return { until, tabUntil, tabTo, violations };
}
