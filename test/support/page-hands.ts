import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright';
import { eventually } from './eventually';
import { isNightly } from './nightly';

const { resolve: fromHere } = createRequire(import.meta.url);
/** The axe of its Playwright builder. */
const AXE = createRequire(fromHere('@axe-core/playwright')).resolve('axe-core/axe.min.js');
let axeSource: string | undefined;

/**
 * All rules as the builder runs them, in a quarter of its time, because passes are neither reported nor transferred.
 */
const runAxe = (rules: Readonly<Record<string, unknown>>): string =>
  `axe.run(document, { resultTypes: ['violations'], rules: ${JSON.stringify(rules)} }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 200))))`;
/** Nine tenths of the time of axe. */
const CONTRAST = 'color-contrast';

/** Maximum controls before the one a test looks for, and steps that a key is held. */
const STEPS_MOST = 160;
const STEPS_HELD = 8;

type Scrolled = Readonly<{ scrollIntoView(how: Readonly<{ block: 'center' | 'nearest' }>): void }>;

export function handsOn(page: () => Page) {
  /** Waits until a claim is true; a missing element counts as false. The page's policy forbids waiting inside it. */
  const until = (claim: string) =>
    eventually(() =>
      page()
        .evaluate(claim)
        .catch(() => false),
    ).catch(() => {
      throw new Error(`Never so: ${claim}`);
    });

  /** Holds Tab until the claim is true for the focused control, `it`: only controls that the keyboard reaches count. */
  const tabUntil = async (claim: string): Promise<void> => {
    const isThere = `((it) => ${claim})(document.activeElement)`;
    // Checking after each step would take most of the time: the page ignores steps beyond the control.
    await page().evaluate(`addEventListener('keydown', window.stayThere = (event) => {
      if (event.key !== 'Tab' || !${isThere}) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true)`);
    let hasIt = await page().evaluate<boolean>(isThere);
    for (let steps = 0; !hasIt && steps < STEPS_MOST; steps += STEPS_HELD) {
      for (let step = 0; step < STEPS_HELD; step++) await page().keyboard.down('Tab');
      await page().keyboard.up('Tab');
      hasIt = await page().evaluate<boolean>(isThere);
    }
    await page().evaluate(`removeEventListener('keydown', window.stayThere, true)`);
    if (!hasIt) throw new Error(`Tab never reaches where ${claim}`);
  };
  const tabTo = (name: string): Promise<void> =>
    tabUntil(`(it.getAttribute('aria-label') ?? it.textContent.trim()) === ${JSON.stringify(name)}`);

  /** Axe violations as readable lines. Only test/e2e/layout.test.ts checks contrast outside the nightly run. */
  const violations = async (where: string, { contrast = isNightly } = {}): Promise<string[]> => {
    // Loaded until the page is loaded again.
    if (await page().evaluate('window.axe === undefined')) {
      axeSource ??= readFileSync(AXE, 'utf8');
      await page().evaluate(axeSource);
    }
    const found = await page().evaluate<string[]>(runAxe({ [CONTRAST]: { enabled: contrast } }));
    return found.map((each) => `${where}: ${each}`);
  };

  /** Drags the middle of one element to the middle of another in several moves, as a hand does. */
  const dragTo = async (from: Locator, to: Locator): Promise<void> => {
    // A page scrolls under a pointer near its edge.
    await to.evaluate((it) => (it as unknown as Scrolled).scrollIntoView({ block: 'center' }));
    await from.evaluate((it) => (it as unknown as Scrolled).scrollIntoView({ block: 'nearest' }));
    const [start, end] = await Promise.all([from.boundingBox(), to.boundingBox()]);
    if (!start || !end) throw new Error('They are not on the page');
    const middle = ({ x, y, width, height }: typeof start) => [x + width / 2, y + height / 2] as const;
    const { mouse } = page();
    await mouse.move(...middle(start));
    await mouse.down();
    await mouse.move(start.x + start.width / 2 - 12, start.y + start.height / 2 - 12, { steps: 4 });
    await mouse.move(...middle(end), { steps: 8 });
    await mouse.up();
  };
  return { until, tabUntil, tabTo, violations, dragTo };
}
