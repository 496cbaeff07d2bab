import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { complaintsOf } from '../support/browser';
import { addressOf, type Desktop, type DesktopOptions, launchDesktop } from '../support/desktop/launch';

let home: string;
let open: Desktop[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'us-'));
});
afterEach(async () => {
  await Promise.all(open.map((desktop) => desktop.close()));
  open = [];
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

async function launch(options: Partial<DesktopOptions> = {}): Promise<Desktop> {
  const desktop = await launchDesktop({ home, ...options });
  open.push(desktop);
  return desktop;
}

describe('given the built desktop app', () => {
  it('when it starts, then the panel is drawn from its own scheme, live, without a word on the console', async () => {
    const desktop = await launch();
    const page = await desktop.firstPage();
    const complaints = complaintsOf(page);
    expect(addressOf(page)).toBe('app://understudy/#/now');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Waiting for OpenCode.');
    expect(await page.evaluate(`[typeof require, typeof process, typeof module]`)).toEqual(Array(3).fill('undefined'));
    expect(complaints).toEqual([]);
  });
});
