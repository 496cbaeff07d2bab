import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDemoChild, type DemoChild } from '../../src/node/opencode/demo-child';
import { leaveBrowser, openBrowser } from '../support/browser';
import { NIGHTLY } from '../support/nightly';
import { opencodeBinary } from '../support/opencode-binary';

const PROGRAM = join(import.meta.dirname, '..', '..', 'out', 'cli', 'understudy.js');

let browser: Browser;
let folder: string;
let temporary: string;
let demo: DemoChild;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => leaveBrowser(browser));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'us-'));
  temporary = join(folder, 't');
  await mkdir(temporary);
});
afterEach(async () => {
  await demo?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const open = (opencode: string, change: NodeJS.ProcessEnv = {}): DemoChild =>
  createDemoChild({
    commandLine: [process.execPath, PROGRAM],
    env: {
      ...process.env,
      ...{ TMPDIR: temporary, TEMP: temporary, TMP: temporary, OPENCODE_BIN: opencode },
      UNDERSTUDY_HOME: join(folder, 'users-own'),
      ...change,
    },
  });

describe('given the demo as a process beside a panel', () => {
  it('when it is started, then its own panel is marked and tells one failure after another; stopped, nothing is left', {
    ...NIGHTLY,
    timeout: 300_000,
  }, async () => {
    demo = open((await opencodeBinary()).path);
    expect(demo.status()).toEqual({ state: 'off' });
    const [first, second] = await Promise.all([demo.start(), demo.start()]);
    expect(first).toEqual({ state: 'running', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?t=/) });
    expect(second).toEqual(first);
    const page = await browser.newPage();
    await page.goto(first.state === 'running' ? first.url : '');
    await page.getByText('Demo: simulated models, no cost').waitFor();
    // Titles are asked for as well, so that nobody can tell which trouble meets whom first.
    await page
      .getByText(/(build|plan) switched aurora-large → \S+: /)
      .first()
      .waitFor({ timeout: 90_000 });
    await page.locator('.map-agent', { hasText: /^plan$/ }).waitFor({ timeout: 90_000 });
    expect(await page.getByRole('button', { name: 'Start the demo' }).count()).toBe(0);
    await page.close();
    expect([await demo.stop(), demo.status()]).toEqual([{ state: 'off' }, { state: 'off' }]);
    expect((await readdir(temporary)).filter((name) => name.startsWith('understudy-'))).toEqual([]);
  });

  for (const [what, sign, options] of [
    ['its agents', '.map-agent:text-is("build")', {}],
    // The recording takes 13 s to its first switch.
    ['its first switch', 'text=/build switched aurora-large → \\S+: /', NIGHTLY],
  ] as const)
    it(`when there is no OpenCode, then its panel plays a recording, shows ${what}, says so in every view, and leaves nothing`, {
      ...options,
      timeout: 120_000,
    }, async () => {
      demo = open('', { PATH: folder, Path: folder, HOME: folder, USERPROFILE: folder });
      const started = await demo.start();
      expect(started).toEqual({ state: 'running', url: expect.stringMatching(/^http/) });
      const page = await browser.newPage();
      await page.goto(started.state === 'running' ? started.url : '');
      await page.getByText('Demo, recorded: no OpenCode was found on this computer').waitFor();
      await page.locator(sign).first().waitFor({ timeout: 60_000 });
      await page.close();
      expect(await demo.stop()).toEqual({ state: 'off' });
      expect((await readdir(temporary)).filter((name) => name.startsWith('understudy-'))).toEqual([]);
    });

  it('when the OpenCode that was named is none, then it says so, and can be tried again', async () => {
    demo = open(join(folder, 'nowhere'));
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await demo.start()).toEqual({
        state: 'failed',
        reason: expect.stringMatching(/nowhere \(from OPENCODE_BIN\) is not an executable file$/),
      });
  });
});
