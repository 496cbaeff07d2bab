import { execFile } from 'node:child_process';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { barOf, withTrayHost } from '../support/desktop/bar';
import { type Desktop, launchDesktop, realElectron } from '../support/desktop/launch';
import { eventually, patiently } from '../support/eventually';
import { describeGenerations, type Life, openWorld, type World } from '../support/lives';
import { COMMAND_LINE } from '../support/program-output';

const run = promisify(execFile);
const ANSWER = { kind: 'text', text: 'DONE' } as const;
const LIMITED = { kind: 'status', status: 429, headers: { 'retry-after': '840' } } as const;
/** A busy machine needs a while to read all surfaces: a hang lasts for minutes where its end is not the subject. */
const LONG = { firstTokenTimeoutMs: 300_000, stallTimeoutMs: 300_000, cooldownMs: 300_000, restMs: 300_000 };
const NUMBERS = { firstTokenTimeoutMs: 40_000, stallTimeoutMs: 40_000, cooldownMs: 300_000, restMs: 300_000 };
const COSTS = [
  { input: 200_000, output: 200_000 },
  { input: 20_000, output: 20_000 },
] as const;
/** Prices of the user's own file, for each case that there can be: no budget goes by a project's word. */
const PRICES = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => at + 1).flatMap((number) =>
    ['lead', 'understudy1'].map((role, at) => [
      `${role}-${number}`,
      { models: { [`${role}-model-${number}`]: { cost: COSTS[at] } } },
    ]),
  ),
);
const HELPED = {
  agent: { title: { disable: true }, helper: { mode: 'subagent', description: 'Helps', prompt: 'Help.' } },
};
const TASK = { description: 'Help', prompt: 'SUB TASK' } as const;
const ASK_HELPER = {
  'OpenCode 1': { kind: 'toolCall', name: 'task', arguments: { ...TASK, subagent_type: 'helper' } },
  'OpenCode 2': { kind: 'toolCall', name: 'subagent', arguments: { ...TASK, agent: 'helper' } },
} as const;
const ASKING = { permission: { bash: 'ask' } };

/** The texts that a person reads at one moment. */
type Surfaces = Readonly<Record<'now' | 'glance' | 'status' | 'line' | 'command', string> & { tray?: string }>;

describeGenerations('given a story on a real %s', 'OpenCode 1', (generation) => {
  let world: World;
  let life: Life;
  let desktop: Desktop;
  let env: Readonly<Record<string, string>>;
  let page: Page;

  const startApp = async (): Promise<void> => {
    desktop = await launchDesktop({ home: world.home, env });
    page = await desktop.firstPage();
    await page.getByRole('heading', { level: 1 }).waitFor();
  };

  beforeAll(async () => {
    world = await openWorld(generation, { provider: PRICES });
    env = await withTrayHost(world.home);
    life = await world.start();
    await startApp();
  });
  afterAll(async () => {
    await desktop?.close();
    await life?.stop();
    await world?.close();
  });
  afterEach(() => world.provider.clear());

  async function pageAt(view: string): Promise<string> {
    await page.evaluate(`location.hash = '#/${view}'`);
    await page.locator('main h1').waitFor();
    return page.locator('main').innerText();
  }

  async function cliIn(cwd: string, ...args: readonly string[]): Promise<string> {
    const own = { ...process.env, UNDERSTUDY_HOME: world.home };
    return (await run(process.execPath, [...COMMAND_LINE, ...args], { cwd, env: own })).stdout;
  }
  const cli = (...args: readonly string[]): Promise<string> => cliIn('.', ...args);

  async function surfaces(directory: string): Promise<Surfaces> {
    const aside = await life.open(directory);
    const [now, glance] = [await pageAt('now'), await pageAt('glance')];
    const bar = realElectron() === null ? await barOf(desktop) : null;
    return {
      ...(bar ? { tray: [bar.toolTip, ...bar.labels].join('\n') } : {}),
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
      await record(texts);
      return texts;
    });

  /** Adds what was read, and what the provider has on record, to the file that `STORY_LOG` names: one JSON object a line. */
  async function record(texts: Surfaces): Promise<void> {
    if (!process.env.STORY_LOG) return;
    const provider = world.provider.requests().map(({ at, model, respondedAt }) => ({ at, model, respondedAt }));
    const story = expect.getState().currentTestName;
    await appendFile(process.env.STORY_LOG, `${JSON.stringify({ at: Date.now(), story, texts, provider })}\n`);
  }

  it('when the primary hangs, then all surfaces show its wait, and afterwards the fallback model with the cause', async () => {
    const { directory, ids } = await world.makeCase({ defaults: NUMBERS });
    const [lead = '', next = ''] = ids;
    world.provider.script(lead, [{ kind: 'hang' }]);
    world.provider.script(next, [ANSWER]);
    const session = await life.begin(directory);
    const texts = await agree(directory, [/waiting for (?:the )?first token/], [/Nothing needs your attention/]);
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
    await agree(directory, [/waits for permission/], [/Nothing needs your attention/]);
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
    const toasts = await life.toasts(directory);
    const session = await life.begin(directory);
    await life.atRest(directory, session);
    const check = async (): Promise<void> => {
      const texts = await agree(
        directory,
        [/unavailable|no model left|no available model/],
        [/accepts requests now|Nothing needs your attention/],
      );
      const { now, status, command } = texts;
      // The provider named 10 minutes for one model and 14 for the other.
      // An earlier one may tell of the switch, with the time of the primary.
      const told = () => toasts?.texts().filter((text) => /no available model/.test(text)) ?? [];
      if (toasts) await eventually(async () => told().length > 0);
      const times = [now, status, command, ...told()].map((text) => /back about (\d\d):(\d\d)/.exec(text));
      const minutes = times.map((time) => 60 * Number(time?.[1]) + Number(time?.[2]));
      // Companion and app round to minutes, each by its own clock.
      expect(Math.max(...minutes) - Math.min(...minutes), JSON.stringify(times)).toBeLessThanOrEqual(1);
      expect(status).toMatch(new RegExp(`${next} is rate limited \\(429\\), (?:9m \\d+s|10m 0s) left`));
    };
    await check();
    await desktop.close();
    await startApp();
    await check();
    expect([world.provider.requests(lead).length, world.provider.requests(next).length]).toEqual([1, 1]);
    toasts?.close();
    await life.remove(directory, session);
    // The project stays open, and what it lacks would be in every headline.
    await cli('model', 'reset', 'all');
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
    await agree(directory, [/./], [/unavailable|no model left|no available model|has stopped|are failing|is stuck/]);
    expect(world.provider.requests(lead).length).toBeGreaterThan(1);
    await life.remove(directory, session);
  });

  it('when OpenCode asks the pinned model again and again, then all surfaces show that the agent is stuck, until it answers', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids, chain } = await world.makeCase({ defaults: NUMBERS });
    const [lead = '', next = ''] = ids;
    let isWell = false;
    world.provider.script(lead, [ANSWER]);
    world.provider.script(next, () => (isWell ? ANSWER : { kind: 'status', status: 500 }));
    await life.atRest(directory, await life.begin(directory));
    await cliIn(directory, 'agent', 'pin', 'build', chain[1] ?? '');
    const session = await life.begin(directory);
    const texts = await agree(directory, [/is stuck/], [/Nothing needs your attention/]);
    expect([texts.now, texts.status]).toEqual(Array(2).fill(expect.stringContaining(next)));
    isWell = true;
    await life.atRest(directory, session);
    await agree(directory, [new RegExp(next)], [/is stuck/]);
    expect(world.provider.requests(next).length).toBeGreaterThan(2);
    expect(world.provider.requests(lead).length).toBe(1);
    await cliIn(directory, 'agent', 'unpin', 'build');
    await life.remove(directory, session);
  });

  it('when the chain is taken out of the file by hand, then the app shows it at once, without a message', async () => {
    const { directory, ids, configure } = await world.makeCase({ defaults: LONG });
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
    await configure({});
    await eventually(chained);
    await life.remove(directory, session);
  });

  it('when a sub-agent goes on with a fallback model, then surfaces show it while it works, and nothing of it afterwards', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await world.makeCase({ defaults: LONG, config: HELPED });
    const [lead = '', next = ''] = ids;
    const asked = (request: unknown, text: string): boolean => JSON.stringify(request).includes(text);
    world.provider.script(lead, (request) => {
      if (asked(request, 'CHILD ANSWERS')) return ANSWER;
      return asked(request, 'SUB TASK') && !asked(request, '"One"') ? LIMITED : ASK_HELPER[generation];
    });
    let release = (_: unknown): void => undefined;
    const until = new Promise((resolve) => {
      release = resolve;
    });
    const child = { kind: 'text', text: 'CHILD ANSWERS' } as const;
    world.provider.script(next, (request) => (asked(request, '"One"') ? ANSWER : { kind: 'held', until, of: child }));
    const session = await life.begin(directory);
    const { status } = await agree(directory, [/helper/], [/Nothing needs your attention/]);
    expect(status).toMatch(new RegExp(`helper .*${next}`));
    release(null);
    await life.atRest(directory, session);
    const ended = /helper[^\n]* (?:uses|use a fallback)|helper[^\n]*waiting/;
    await agree(directory, [new RegExp(next)], [ended]);
    await life.remove(directory, session);
  });

  it('when a policy asks before another model answers, then all surfaces wait for that answer, and for nothing after it', {
    tags: ['nightly'],
  }, async () => {
    const asking = (chain: readonly string[]) => ({ '*': { fallbackModels: chain.slice(1), policy: 'council' } });
    const { directory, ids } = await world.makeCase({ defaults: LONG, agents: asking });
    const [lead = '', next = ''] = ids;
    world.provider.script(lead, [LIMITED]);
    world.provider.script(next, [ANSWER]);
    const session = await life.begin(directory);
    await agree(directory, [/waits for (?:your|an) answer/], [/Nothing needs your attention/]);
    expect(world.provider.requests(next)).toHaveLength(0);
    await cli('answer', 'yes');
    await life.atRest(directory, session);
    expect(await life.answers(directory, session)).toContain(ANSWER.text);
    await agree(directory, [new RegExp(next)], [/waits for (?:your|an) answer/]);
    expect([world.provider.requests(lead).length, world.provider.requests(next).length]).toEqual([1, 1]);
    await life.remove(directory, session);
  });

  it('when a budget is spent, then all surfaces say which amount of which, and that nothing is sent', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await world.makeCase({ defaults: LONG, costs: COSTS });
    const file = join(world.sandbox.configDirectory, 'model-fallback.json');
    const budget = { projects: { [directory]: { day: 0.01, action: 'stop' } } };
    await writeFile(file, JSON.stringify({ budget }));
    const [lead = ''] = ids;
    world.provider.script(lead, [ANSWER]);
    const session = await life.begin(directory);
    await life.atRest(directory, session);
    const { now, status, command } = await agree(
      directory,
      [/[Bb]udget (?:for .+ is )?spent/],
      [/Nothing needs your attention/],
    );
    for (const text of [now, status, command]) expect(text).toMatch(/of (?:today’s )?\$0\.01/);
    await life.goOn(directory, session).catch(() => undefined);
    // One request left, before anything was spent.
    expect(world.provider.requests(lead)).toHaveLength(1);
    await agree(directory, [/[Bb]udget (?:for .+ is )?spent/], [/Nothing needs your attention/]);
    await writeFile(file, '{}');
    await life.remove(directory, session);
  });

  it('when an agent leaves a plan before its limit, then surfaces give its figure and never a refusal, also after the app has started anew', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await world.makeCase({ defaults: LONG });
    const [lead = '', next = ''] = ids;
    const resetAt = Math.ceil(Date.now() / 1_000) + 3_600;
    const headers = {
      'anthropic-ratelimit-unified-5h-utilization': '0.98',
      'anthropic-ratelimit-unified-5h-reset': String(resetAt),
      'anthropic-ratelimit-unified-5h-status': 'allowed',
    };
    world.provider.script(lead, [{ kind: 'headers', headers, of: ANSWER }]);
    world.provider.script(next, [ANSWER]);
    const session = await life.begin(directory);
    await life.atRest(directory, session);
    // A message that comes before the session has come to rest is answered with the one before.
    await eventually(async () => {
      if (world.provider.requests(next).length === 0) await life.goOn(directory, session);
      return world.provider.requests(next).length === 1;
    });
    await life.atRest(directory, session);
    const check = async (): Promise<void> => {
      const refused = new RegExp(`${lead} is (?:out of quota|rate limited)`);
      const { now, status, command } = await agree(directory, [new RegExp(next)], [refused]);
      for (const text of [now, status, command]) expect(text).toMatch(/98\s?%/);
    };
    await check();
    await desktop.close();
    await startApp();
    await check();
    expect([world.provider.requests(lead).length, world.provider.requests(next).length]).toEqual([1, 1]);
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
