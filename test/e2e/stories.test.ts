import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { leaveBrowser, openBrowser } from '../support/browser';
import { eventually, patiently } from '../support/eventually';
import { describeGenerations, type Life, openWorld, type World } from '../support/lives';
import { type PanelProcess, startPanel } from '../support/panel-process';
import { COMMAND_LINE } from '../support/program-output';

const run = promisify(execFile);
const ANSWER = { kind: 'text', text: 'DONE' } as const;
const LIMITED = { kind: 'status', status: 429, headers: { 'retry-after': '840' } } as const;
/** A busy machine needs a while to read all surfaces: a hang lasts for minutes where its end is not the subject. */
const LONG = { firstTokenTimeoutMs: 300_000, stallTimeoutMs: 300_000, cooldownMs: 300_000, restMs: 300_000 };
const NUMBERS = { firstTokenTimeoutMs: 40_000, stallTimeoutMs: 40_000, cooldownMs: 300_000, restMs: 300_000 };
const ASKING = { permission: { bash: 'ask' } };

/** The texts that a person reads at one moment. */
type Surfaces = Readonly<Record<'now' | 'glance' | 'status' | 'line' | 'command', string>>;

describeGenerations('given a story on a real %s', 'OpenCode 1', (generation) => {
  let browser: Browser;
  let world: World;
  let life: Life;
  let panel: PanelProcess;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await openWorld(generation);
    life = await world.start();
    panel = await startPanel(world.home);
    page = await (await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })).newPage();
    await page.goto(panel.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await panel?.kill();
    await life?.stop();
    await world?.close();
  });
  afterEach(() => world.provider.clear());

  async function pageAt(view: string): Promise<string> {
    await page.evaluate(`location.hash = '#/${view}'`);
    await page.locator('main h1').waitFor();
    return page.locator('main').innerText();
  }

  async function cli(...args: readonly string[]): Promise<string> {
    const env = { ...process.env, UNDERSTUDY_HOME: world.home };
    return (await run(process.execPath, [...COMMAND_LINE, ...args], { env })).stdout;
  }

  async function surfaces(directory: string): Promise<Surfaces> {
    const aside = await life.open(directory);
    const [now, glance] = [await pageAt('now'), await pageAt('glance')];
    return {
      ...{ now, glance },
      ...{ status: await cli('status'), line: await cli('status', '--line') },
      command: await life.command(directory, aside, 'fallback-status'),
    };
  }

  /** All surfaces, once each of them matches; fails with the texts that do not. */
  const agree = (directory: string, patterns: readonly RegExp[], never: readonly RegExp[] = []): Promise<Surfaces> =>
    patiently(async () => {
      const texts = await surfaces(directory);
      for (const [name, text] of Object.entries(texts)) {
        for (const pattern of patterns) expect(text, name).toMatch(pattern);
        for (const pattern of never) expect(text, name).not.toMatch(pattern);
      }
      return texts;
    });

  it('when the primary hangs, then all surfaces show its wait, and afterwards the fallback model with the cause', async () => {
    const { directory, ids } = await world.makeCase({ defaults: NUMBERS });
    const [lead = '', next = ''] = ids;
    world.provider.script(lead, [{ kind: 'hang' }]);
    world.provider.script(next, [ANSWER]);
    const session = await life.begin(directory);
    const texts = await agree(directory, [/waiting for (?:the )?first token/], [/Nothing waits for you/]);
    for (const name of ['now', 'status', 'line', 'command'] as const) expect(texts[name]).toContain(lead);
    // The provider has the request, and has sent no byte.
    expect(world.provider.requests(lead).map(({ respondedAt }) => respondedAt)).toEqual([null]);
    await life.atRest(directory, session);
    expect(await life.answers(directory, session)).toContain(ANSWER.text);
    await agree(directory, [new RegExp(next)], [/waiting for (?:the )?first token/]);
    expect([world.provider.requests(lead).length, world.provider.requests(next).length]).toEqual([1, 1]);
    await life.remove(directory, session);
  });

  it('when OpenCode asks for a permission, then all surfaces show that it waits for the user, until that is given', async () => {
    const { directory, ids } = await world.makeCase({ defaults: NUMBERS, config: ASKING });
    const tool = generation === 'OpenCode 1' ? 'bash' : 'shell';
    const call = { name: tool, arguments: { command: 'echo', description: 'Prints' } };
    world.provider.script(ids[0] ?? '', [{ kind: 'toolCall', ...call }, ANSWER]);
    const session = await life.begin(directory);
    await agree(directory, [/waits for permission/], [/Nothing waits for you/]);
    // The provider answered: nobody waits for it.
    expect(world.provider.requests(ids[0] ?? '').map(({ respondedAt }) => respondedAt !== null)).toEqual([true]);
    await life.allow(directory, session);
    await life.atRest(directory, session);
    expect(await life.answers(directory, session)).toContain(ANSWER.text);
    await eventually(async () => !/waits for permission/.test(Object.values(await surfaces(directory)).join()));
    await life.remove(directory, session);
  });

  it('when the primary is limited and the next model fails too, then cause and time are both of the primary', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await world.makeCase({ models: 3, defaults: NUMBERS });
    const [lead = '', second = '', third = ''] = ids;
    world.provider.script(lead, [LIMITED]);
    world.provider.script(second, [{ kind: 'status', status: 500 }]);
    world.provider.script(third, [ANSWER]);
    const session = await life.begin(directory);
    await life.atRest(directory, session);
    const { now, status, command } = await agree(directory, [new RegExp(third)]);
    const cause = new RegExp(`${lead} is rate limited \\(429\\)`);
    for (const text of [now, status, command]) expect(text).toMatch(cause);
    // The time is the provider's: 14 minutes, and nothing of the second model has one.
    expect(status).toMatch(/1[34]m \d+s left, until about \d\d:\d\d \(provider says\)/);
    for (const text of [now, status, command]) expect(text).not.toMatch(new RegExp(`build.*${second} is`));
    await life.remove(directory, session);
  });

  it('when all models are unavailable, then all surfaces give the same model and time, also after the app has started anew', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await world.makeCase({ defaults: NUMBERS });
    const [lead = '', next = ''] = ids;
    world.provider.script(lead, [LIMITED]);
    world.provider.script(next, [{ ...LIMITED, headers: { 'retry-after': '600' } }]);
    const session = await life.begin(directory);
    await life.atRest(directory, session);
    const check = async (): Promise<void> => {
      const texts = await agree(directory, [/unavailable|no model left/], [/takes requests now|Nothing waits for you/]);
      const { now, status, command } = texts;
      // The provider named 10 minutes for one model and 14 for the other.
      const times = [now, status, command].map((text) => /back about (\d\d:\d\d)/.exec(text)?.[1]);
      expect(new Set(times).size, JSON.stringify(times)).toBe(1);
      expect(status).toMatch(new RegExp(`${next} is rate limited \\(429\\), (?:9m \\d+s|10m 0s) left`));
    };
    await check();
    await panel.kill();
    panel = await startPanel(world.home);
    await page.goto(panel.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await check();
    expect([world.provider.requests(lead).length, world.provider.requests(next).length]).toEqual([1, 1]);
    await life.remove(directory, session);
  });

  it('when one session of an agent hangs and another one has its answer, then surfaces name the session', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await world.makeCase({ defaults: LONG });
    const [lead = ''] = ids;
    world.provider.script(lead, [{ kind: 'hang' }, ANSWER]);
    const hanging = await life.begin(directory);
    await eventually(async () => world.provider.requests(lead).length === 1);
    const done = await life.begin(directory);
    await life.atRest(directory, done);
    const { status, line } = await agree(directory, [/waiting for (?:the )?first token/]);
    for (const text of [status, line]) expect(text).toMatch(/build \(ses_/);
    expect(status.match(/^ {2}build \(ses_/gm)).toHaveLength(2);
    expect(world.provider.requests(lead).map(({ respondedAt }) => respondedAt === null)).toEqual([true, false]);
    await life.remove(directory, hanging);
    await life.remove(directory, done);
    await agree(directory, [/./], [/waiting for (?:the )?first token/]);
  });

  it('when one of two projects hangs, then surfaces name that project, and the other one is shown as it is', {
    tags: ['nightly'],
  }, async () => {
    const one = await world.makeCase({ defaults: LONG });
    const two = await world.makeCase({ defaults: LONG });
    world.provider.script(one.ids[0] ?? '', [{ kind: 'hang' }]);
    world.provider.script(two.ids[0] ?? '', [ANSWER]);
    const sessions = [await life.begin(one.directory), await life.begin(two.directory)] as const;
    await life.atRest(two.directory, sessions[1]);
    const project = one.directory.split(/[\\/]/).at(-1);
    const { now, status, line } = await agree(one.directory, [/waiting for (?:the )?first token/]);
    for (const text of [now, status, line])
      expect(text).toMatch(new RegExp(`build in ${project} is waiting for the first token`));
    const aside = await life.open(two.directory);
    expect(await life.command(two.directory, aside, 'fallback-status')).not.toMatch(/waiting for/);
    await life.remove(one.directory, sessions[0]);
    await life.remove(two.directory, sessions[1]);
  });

  it('when a limit is over and the primary answers, then no surface has an alarm left', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await world.makeCase({ defaults: { ...NUMBERS, cooldownMs: 2_000, restMs: 2_000 } });
    const [lead = '', next = ''] = ids;
    const short = { ...LIMITED, headers: { 'retry-after': '8' } };
    world.provider.script(lead, [short, ANSWER]);
    world.provider.script(next, [short, ANSWER]);
    const session = await life.begin(directory);
    await life.atRest(directory, session);
    const answered = async (): Promise<boolean> => (await life.goOn(directory, session)).includes(ANSWER.text);
    await eventually(answered);
    await life.atRest(directory, session);
    await agree(directory, [/./], [/unavailable|no model left|has stopped|are failing|is stuck/]);
    expect(world.provider.requests(lead).length).toBeGreaterThan(1);
    await life.remove(directory, session);
  });

  it('when the chain is taken out of the file by hand, then the app shows it at once, without a message', async () => {
    const { directory, ids } = await world.makeCase({ defaults: LONG });
    const lead = ids[0] ?? '';
    world.provider.script(lead, [ANSWER]);
    const session = await life.begin(directory);
    await life.atRest(directory, session);
    const chained = async (): Promise<boolean> => {
      const { chains } = JSON.parse(await cli('status', '--json')) as {
        chains: { directory: string; isAlone?: boolean }[];
      };
      return chains.some((row) => row.directory === directory && row.isAlone !== true);
    };
    expect(await chained()).toBe(true);
    await writeFile(join(directory, '.opencode', 'model-fallback.json'), '{}');
    await eventually(async () => !(await chained()));
    expect(world.provider.requests(lead)).toHaveLength(1);
    await life.remove(directory, session);
  });

  it('when OpenCode is killed in a turn, then no surface calls it at work, and the app says that it is gone', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await world.makeCase({ defaults: LONG });
    world.provider.script(ids[0] ?? '', [{ kind: 'hang' }]);
    await life.begin(directory);
    await agree(directory, [/waiting for (?:the )?first token/]);
    await life.kill();
    const gone = async (): Promise<boolean> => {
      const texts = [await pageAt('now'), await pageAt('glance'), await cli('status'), await cli('status', '--line')];
      return texts.every((text) => /Not connected to OpenCode/.test(text) && !/running since|waiting for/.test(text));
    };
    await eventually(gone);
    life = await world.start();
  });
});
