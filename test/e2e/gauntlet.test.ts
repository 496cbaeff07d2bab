import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../src/demo/scripted-provider';
import { runOpencode } from '../../src/node/opencode';
import { GENERATIONS, isHere, type Life, sharedWorld, type World } from '../support/lives';
import { nightlyIf } from '../support/nightly';
import { opencodeBinary } from '../support/opencode-binary';
import { opencode2Binary } from '../support/opencode2/real';
import { openApp } from '../support/stage';

const LEAD = { kind: 'text', text: 'LEAD ANSWERS' } as const;
const UNDERSTUDY = {
  kind: 'text',
  text: 'UNDERSTUDY ANSWERS',
  usage: { inputTokens: 1_000, outputTokens: 500 },
} as const;
/** A limit whose end its provider names, in s. */
const limited = (seconds: number) =>
  ({ kind: 'status', status: 429, headers: { 'retry-after': String(seconds) } }) as const;
const LONG = { cooldownMs: 600_000, retryOriginalAfterMs: 600_000, restMs: 600_000, firstTokenTimeoutMs: 60_000 };
/** Three dollars for a million tokens in, fifteen for a million out. */
const PRICE = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };

/** How each generation calls an agent that another one asks. */
const ASK_HELPER = {
  'OpenCode 1': { name: 'task', arguments: { description: 'Help', prompt: 'SUB TASK', subagent_type: 'helper' } },
  'OpenCode 2': { name: 'subagent', arguments: { description: 'Help', prompt: 'SUB TASK', agent: 'helper' } },
} as const;
const RUN = { 'OpenCode 1': ['One'], 'OpenCode 2': ['One', '--standalone'] } as const;

const timesIn = ({ body }: RecordedRequest, text: string): number => JSON.stringify(body).split(text).length - 1;

/** What the README promises, said once and played on both generations: docs/generations.md is its table. */
describe.each(GENERATIONS.filter(isHere))('given %s and what the README promises', (generation) => {
  // Other daily tests prove the rule of these on OpenCode 1.
  const PROVEN = nightlyIf(generation === 'OpenCode 1');
  let world: World;
  let life: Life;
  beforeAll(async () => {
    const shared = await sharedWorld(generation);
    ({ life } = shared);
    world = shared;
  });
  afterAll(() => world?.close());
  beforeEach(() => world.provider.clear());

  const asked = (ids: readonly string[]) => ids.map((id) => world.provider.requests(id).length);
  /** The answer to the first message of a session. */
  const first = async (directory: string) => {
    const session = await life.begin(directory);
    return { session, again: () => life.goOn(directory, session) };
  };

  it(
    'when the lead is limited, then the turn goes on with the next model, and the message is not sent again',
    PROVEN,
    async () => {
      const { directory, ids, chain } = await world.makeCase({ defaults: LONG });
      world.provider.script(ids[0] ?? '', [limited(60)]);
      world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
      const session = await life.begin(directory);
      await expect.poll(() => asked(ids)).toEqual([1, 1]);
      const [request] = world.provider.requests(ids[1]);
      expect(request && timesIn(request, '"One"')).toBe(1);
      // The model the session has chosen is not touched.
      await expect.poll(() => life.modelOf(directory, session)).toBe(chain[0]);
    },
  );

  it(
    'when the lead is out, then it is not asked; when it is well, then the next message is its own again',
    PROVEN,
    async () => {
      const { directory, ids } = await world.makeCase({ defaults: { cooldownMs: 2_500, retryOriginalAfterMs: 2_500 } });
      world.provider.script(ids[0] ?? '', [{ kind: 'status', status: 429 }, LEAD]);
      world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
      const { again } = await first(directory);
      await expect.poll(() => asked(ids)).toEqual([1, 1]);
      expect([await again(), asked(ids)]).toEqual(['UNDERSTUDY ANSWERS', [1, 2]]);
      await expect.poll(again, { interval: 500 }).toBe('LEAD ANSWERS');
      expect(asked(ids)[0]).toBe(2);
    },
  );

  it('when a sub-agent’s model is limited, then its parent receives the answer of the next one', PROVEN, async () => {
    const { directory, ids } = await world.makeCase({
      models: 2,
      defaults: LONG,
      config: {
        agent: { title: { disable: true }, helper: { mode: 'subagent', description: 'Helps', prompt: 'Help.' } },
      },
    });
    const call = { kind: 'toolCall', ...ASK_HELPER[generation] } as const;
    world.provider.script(ids[0] ?? '', (request) => {
      if (timesIn(request, 'CHILD ANSWERS') > 0) return { kind: 'text', text: 'PARENT HAS HEARD' };
      return timesIn(request, 'SUB TASK') > 0 && timesIn(request, '"One"') === 0 ? limited(60) : call;
    });
    world.provider.script(ids[1] ?? '', (request) =>
      timesIn(request, '"One"') > 0
        ? { kind: 'text', text: 'PARENT HAS HEARD' }
        : { kind: 'text', text: 'CHILD ANSWERS' },
    );
    const { again } = await first(directory);
    const heard = () =>
      ids.flatMap((id) => world.provider.requests(id)).some((request) => timesIn(request, 'CHILD ANSWERS') > 0);
    await expect.poll(heard).toBe(true);
    expect(await again()).toBe('PARENT HAS HEARD');
  });

  it('when a turn moves, then it is known who speaks, since when, for what reason, until when and by whose clock, and what it costs', async () => {
    const app = await openApp(world.home);
    try {
      const { directory, ids, chain } = await world.makeCase({
        defaults: { ...LONG, retryOriginalAfterMs: 1_000 },
        costs: [PRICE, PRICE],
      });
      world.provider.script(ids[0] ?? '', [limited(600)]);
      world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
      const before = Date.now();
      await life.begin(directory);
      const rowIn = ({ sessions }: Awaited<ReturnType<typeof app.snapshot>>) =>
        sessions.find((row) => row.directory === directory)?.agents[0];
      const usageOf = ({ models }: Awaited<ReturnType<typeof app.snapshot>>) =>
        models.find(({ model }) => model === chain[1])?.usage;
      const snapshot = await app.until((each) => rowIn(each)?.position === 1 && usageOf(each) != null);
      expect(rowIn(snapshot)).toMatchObject({
        ...{ agent: 'build', active: chain[1], lead: chain[0], position: 1 },
        why: { kind: 'rate_limit', status: 429, from: chain[0], source: 'provider' },
      });
      const { since = 0, why } = rowIn(snapshot) ?? {};
      expect([since >= before, (why?.until ?? 0) - before > 590_000]).toEqual([true, true]);
      // 1,000 in and 500 out.
      expect(usageOf(snapshot)?.cost).toBeCloseTo(0.003 + 0.0075, 6);
    } finally {
      await app.close();
    }
  });

  it('when nobody of the chain is left, then the turn ends, and nobody is asked again', async () => {
    const { directory, ids } = await world.makeCase({ models: 3, defaults: LONG });
    for (const id of ids) world.provider.script(id, [limited(600)]);
    const { again } = await first(directory);
    await expect.poll(() => asked(ids)).toEqual([1, 1, 1]);
    await again();
    expect(asked(ids)).toEqual([1, 1, 1]);
  });

  it('when a request is one the provider calls invalid, then that is no reason to switch', PROVEN, async () => {
    const { directory, ids } = await world.makeCase({ defaults: LONG });
    world.provider.script(ids[0] ?? '', [{ kind: 'status', status: 400 }, LEAD]);
    world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
    const { again } = await first(directory);
    await expect.poll(() => asked(ids)[0]).toBe(1);
    // A message that comes while the turn ends joins it.
    await expect.poll(again).toBe('LEAD ANSWERS');
    expect(asked(ids)[1]).toBe(0);
  });

  it('when it is one `opencode run`, then it ends well, with the next model’s answer', PROVEN, async () => {
    const { directory, ids } = await world.makeCase({ defaults: LONG });
    world.provider.script(ids[0] ?? '', [limited(60)]);
    world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
    const binary = generation === 'OpenCode 1' ? await opencodeBinary() : opencode2Binary();
    const env = { UNDERSTUDY_HOME: world.home };
    const { exitCode, stdout } = await runOpencode({
      binary,
      sandbox: world.sandbox,
      directory,
      args: RUN[generation],
      env,
    });
    expect([exitCode, stdout.includes('UNDERSTUDY ANSWERS'), asked(ids)]).toEqual([0, true, [1, 1]]);
  });

  it('when the app does not run, then turns move all the same, it hears of them later, and other OpenCodes at once', async () => {
    const { directory, ids, chain } = await world.makeCase({ defaults: LONG });
    world.provider.script(ids[0] ?? '', [limited(600)]);
    world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
    await life.begin(directory);
    await expect.poll(() => asked(ids)).toEqual([1, 1]);
    await expect.poll(() => world.isKnown(ids[0] ?? '')).toBe(true);
    const other = await world.start();
    try {
      await other.begin(directory);
      await expect.poll(() => asked(ids)).toEqual([1, 2]);
    } finally {
      await other.stop();
    }
    const app = await openApp(world.home);
    try {
      const { events } = await app.until((each) =>
        each.events.some(({ model, to }) => model === chain[0] && to === chain[1]),
      );
      expect(events.some(({ code }) => code === 'switch.rate_limit')).toBe(true);
    } finally {
      await app.close();
    }
  });

  it('when commands are typed, then they answer without asking any model', async () => {
    const { directory, ids } = await world.makeCase({ defaults: LONG });
    world.provider.script(ids[0] ?? '', [limited(600), LEAD]);
    world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
    const { session, again } = await first(directory);
    await expect.poll(() => asked(ids)).toEqual([1, 1]);
    expect(await life.command(directory, session, 'fallback-status')).toContain('2 of 2');
    expect(await life.command(directory, session, 'yes')).toContain('No question is open.');
    expect(asked(ids)).toEqual([1, 1]);
    await life.command(directory, session, 'retry', ids[0]);
    expect([await again(), asked(ids)]).toEqual(['LEAD ANSWERS', [2, 1]]);
  });

  it('when a drill is asked for, then the next model is asked, and no provider is', PROVEN, async () => {
    const app = await openApp(world.home);
    try {
      const { directory, ids, chain } = await world.makeCase({ defaults: LONG });
      world.provider.script(ids[0] ?? '', [LEAD]);
      await life.begin(directory);
      await expect.poll(() => asked(ids)).toEqual([1, 0]);
      await app.until(({ instances }) => instances.some(({ directories }) => directories.includes(directory)));
      expect(await app.host.handlers['drill.run']({ directory, agent: 'build' })).toMatchObject({
        ok: true,
        from: chain[0],
        to: chain[1],
      });
      expect(asked(ids)).toEqual([1, 0]);
    } finally {
      await app.close();
    }
  });
});
