import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configured, SWITCHED_TURN } from '../core/virtual-core';
import { tellAsCompanion } from '../support/companion';
import { barOf, choose, keepMenu, saveTo, toldBy, withTrayHost } from '../support/desktop/bar';
import { type Desktop, launchDesktop, realElectron } from '../support/desktop/launch';
import { eventually } from '../support/eventually';

/** A real bar cannot be looked at from here. */
const overStandIn = realElectron() === null ? describe : describe.skip;

let home: string;
let desktop: Desktop;

const makeHome = async (): Promise<void> => {
  home = await mkdtemp(join(tmpdir(), 'us-'));
};
const leave = async (): Promise<void> => {
  await desktop?.close();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
};

const bar = () => barOf(desktop);
const labels = async () => (await bar()).labels.join('\n');

overStandIn('given the icon of the built app, which has no window, beside a companion whose lead was limited', () => {
  let hangUp = (): void => undefined;

  beforeAll(async () => {
    await makeHome();
    desktop = await launchDesktop({ home, args: ['--hidden'], env: await withTrayHost(home) });
    await eventually(() => readFile(join(home, 'token')).catch(() => null));
    await eventually(async () => {
      const { icon, toolTip } = await bar();
      return icon === 'healthy-idle' && toolTip === 'Waiting for OpenCode';
    });
    hangUp = await tellAsCompanion(home, [configured(), ...SWITCHED_TURN]);
    await eventually(async () => (await labels()).includes('↓ build'));
  });
  afterAll(() => {
    hangUp();
    return leave();
  });

  it('when OpenCode has come and fallen back, then icon, tooltip and menu have followed', async () => {
    await expect.poll(bar).toMatchObject({
      icon: 'fallback',
      toolTip: expect.stringMatching(/^build uses two, 2 of 3\. one is rate limited \(429\)/),
      labels: expect.arrayContaining([expect.stringMatching(/^↓ build {2}two · 2 of 3/)]),
    });
  });

  it('when a scorecard is exported, then the file lies where it was wanted, for this user alone, and is shown', async () => {
    const path = join(home, 'mine.md');
    await saveTo(desktop, path);
    await choose(desktop, ['Export last scorecard', 'Markdown']);
    await expect.poll(async () => (await toldBy(desktop)).opened).toEqual([path]);
    expect(await readFile(path, 'utf8')).toMatch(/^# /);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('when its menu pauses, resumes and resets, then the core does it; what is no longer so is refused and said', async () => {
    await keepMenu(desktop);
    await choose(desktop, ['Pause automatic fallback', '15 min']);
    await expect.poll(labels).toMatch(/Resume automatic fallback \(until \d\d:\d\d\)/);
    await choose(desktop, ['Pause automatic fallback', '1 h'], true);
    await expect
      .poll(async () => (await toldBy(desktop)).said)
      .toEqual(['The pause has changed since you last viewed it. Review it, then decide.']);
    await choose(desktop, ['Resume automatic fallback']);
    await expect.poll(labels).toContain('Pause automatic fallback');
    await choose(desktop, ['↓ build', 'Reset primary']);
    await expect.poll(labels).not.toContain('cooling');
    await expect.poll(() => choose(desktop, ['↓ build', 'Pin here']).then(String, String)).toBe('undefined');
    await expect.poll(() => choose(desktop, ['↓ build', 'Unpin']).then(String, String)).toBe('undefined');
    expect((await toldBy(desktop)).said.length).toBe(1);
  });

  it('when notices are muted, then the preferences say so', async () => {
    await choose(desktop, ['Mute notifications', '1 h']);
    await expect.poll(labels).toMatch(/Unmute notifications \(until \d\d:\d\d\)/);
    expect(await readFile(join(home, 'preferences.json'), 'utf8')).toContain('mutedUntil');
  });

  it('when OpenCode leaves, then icon, tooltip and menu follow', async () => {
    hangUp();
    await expect
      .poll(bar)
      .toMatchObject({ icon: 'disconnected', toolTip: expect.stringMatching(/^Not connected to OpenCode\./) });
    expect((await bar()).labels[0]).toBe('⚑ Not connected to OpenCode.');
  });

  it('when a view is chosen, then the window opens on it', async () => {
    await choose(desktop, ['Models']);
    const page = await desktop.firstPage();
    await page.waitForURL(/#\/models$/);
  });
});

overStandIn('given the window beside the icon', () => {
  beforeEach(makeHome);
  afterEach(leave);

  it('when its page speaks German, then so does the menu, also after the next start', {
    tags: ['nightly'],
  }, async () => {
    desktop = await launchDesktop({ home, env: await withTrayHost(home) });
    const page = await desktop.firstPage();
    await page.evaluate(`window.understudy.ask('shell.language', { language: 'de' })`);
    await expect.poll(labels).toContain('Einstellungen…');
    expect((await bar()).toolTip).toBe('Wartet auf OpenCode');
    await desktop.close();
    const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}` };
    desktop = await launchDesktop({ home, args: ['--hidden'], env });
    await expect.poll(labels).toContain('Einstellungen…');
  });

  it('when no icon is seen, then it says once what closing means', { tags: ['nightly'] }, async () => {
    desktop = await launchDesktop({ home, env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' } });
    const page = await desktop.firstPage();
    const notice = page.getByText('This desktop shows no tray icons');
    await notice.waitFor();
    const { violations } = await new AxeBuilder({ page: page as never }).setLegacyMode().analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate(`window.understudy.ask('shell.get', {}).then(({ tray }) => tray)`)).toBe('absent');
    expect(await notice.count()).toBe(0);
  });
});
