import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { type RecordedRequest, type ScriptedStep, wireBasePath } from '../../src/demo/scripted-provider';
import { type Attention, attentionOf } from '../../src/wording/attention';
import { eventSentence } from '../../src/wording/event-words';
import { describeGenerations, type Life, openWorld, type World } from '../support/lives';
import { type App, openApp, QUICK } from '../support/stage';

const MODEL = 'sonnet';
const KEYS = { home: 'key-of-home', work: 'key-of-work' } as const;
const LEAD = 'HOME ANSWERS';
const OTHER = 'WORK ANSWERS';
const HOUR_MS = 3_600_000;
const WEEK_MS = 60_000;

const header = (name: string, [used, resetAt]: readonly [used: number, resetAt: number]) => ({
  [`anthropic-ratelimit-unified-${name}-utilization`]: String(used),
  [`anthropic-ratelimit-unified-${name}-reset`]: String(Math.ceil(resetAt / 1_000)),
});

/** An answer that says how full the plans of its account are. */
const planned = (text: string, plans: Readonly<Record<string, readonly [number, number]>>): ScriptedStep => ({
  kind: 'headers',
  headers: Object.assign({}, ...Object.entries(plans).map(([name, plan]) => header(name, plan))),
  of: { kind: 'text', text },
});

const keyOf = ({ headers }: RecordedRequest): string => (headers.authorization ?? '').replace('Bearer ', '');

/** A project whose model two providers have, as people have two accounts of one on OpenCode 1. */
function addProject({ sandbox, provider }: World): Promise<string> {
  const npm = '@ai-sdk/openai-compatible';
  const models = { [MODEL]: { name: MODEL, tool_call: true, limit: { context: 128_000, output: 8_000 } } };
  const of = (apiKey: string) => ({
    npm,
    options: { baseURL: `${provider.url}${wireBasePath('openai-compatible')}`, apiKey },
    models,
  });
  return sandbox.addProject('spread', {
    git: true,
    config: { model: `home/${MODEL}`, provider: { home: of(KEYS.home), work: of(KEYS.work) } },
    files: {
      '.opencode/model-fallback.json': JSON.stringify({
        defaults: QUICK,
        agents: { '*': { fallbackModels: [`work/${MODEL}`] } },
      }),
    },
  });
}

describeGenerations('given %s and one model by two providers', 'OpenCode 1', (generation) => {
  let world: World;
  let app: App;
  let life: Life;
  beforeEach(async () => {
    world = await openWorld(generation);
    app = await openApp(world.home);
  });
  afterEach(async () => {
    await life?.stop();
    await app?.close();
    await world?.close();
  });

  const askedBy = (key: string): number => world.provider.requests(MODEL).filter((each) => keyOf(each) === key).length;
  const asked = () => [askedBy(KEYS.home), askedBy(KEYS.work)] as const;

  /** A session whose lead has answered once, with 72 % of its week used, and whose other account then once, with 23 %. */
  async function open(headroom: unknown) {
    await mkdir(world.sandbox.configDirectory, { recursive: true });
    await writeFile(join(world.sandbox.configDirectory, 'model-fallback.json'), JSON.stringify({ headroom }));
    let began = 0;
    // An account nobody has asked says nothing: the other one has to answer once, while the lead is near a limit.
    let isNear = true;
    world.provider.script(MODEL, (request) => {
      began ||= Date.now();
      const late = Date.now() + HOUR_MS;
      if (keyOf(request) === KEYS.work) return planned(OTHER, { '7d': [0.23, late] });
      return planned(
        LEAD,
        isNear
          ? { '5h': [0.98, late], '7d': [0.72, began + WEEK_MS] }
          : { '7d': Date.now() < began + WEEK_MS ? [0.72, began + WEEK_MS] : [0.02, late] },
      );
    });
    const directory = await addProject(world);
    life = await world.start();
    const first = await life.begin(directory);
    await expect.poll(asked).toEqual([1, 0]);
    expect([await life.goOn(directory, first), asked()]).toEqual([OTHER, [1, 1]]);
    isNear = false;
    const { rev } = await app.snapshot();
    await app.host.handlers['health.reset']({ target: { provider: 'home' }, rev, actor: 'panel' });
    await app.until(({ headroom }) => headroom.every(({ provider }) => provider !== 'home'));
    const session = await life.begin(directory);
    await expect.poll(asked).toEqual([2, 1]);
    return { say: () => life.goOn(directory, session), endOfWeek: began + WEEK_MS };
  }

  it('when the emptier one is to answer first, then it does and stays, which is no fallback, and the lead is back when its week begins anew', {
    tags: ['nightly'],
  }, async () => {
    const { say, endOfWeek } = await open({ spread: true });
    expect([asked(), await say(), await say(), asked()]).toEqual([[2, 1], OTHER, OTHER, [2, 3]]);
    const rowOf = ({ sessions }: Snapshot) => sessions.flatMap(({ agents }) => agents).find(({ isSpread }) => isSpread);
    const snapshot = await app.until((each) => rowOf(each)?.turns === 3);
    const row = rowOf(snapshot);
    expect(row).toMatchObject({
      ...{ lead: `home/${MODEL}`, active: `work/${MODEL}`, switches: 0 },
      why: { near: { code: 'headroom.spread', used: 0.72, there: { account: 'work', used: 0.23 } }, until: null },
    });
    const isAbout = (item: Attention): boolean => 'row' in item && item.row.key === row?.key;
    expect(attentionOf(snapshot).filter(isAbout)).toEqual([]);
    const told = snapshot.events.filter(({ code }) => code === 'headroom.spread').map(eventSentence);
    expect(told).toEqual([`build uses work: ${MODEL} has used 72\u202f% of its week limit, there 23\u202f%`]);
    await expect.poll(say, { interval: 1_000, timeout: 90_000 }).toBe(LEAD);
    expect(Date.now()).toBeGreaterThanOrEqual(endOfWeek - 1_000);
    expect(await say()).toBe(LEAD);
  });

  it('when nothing is said of it, then the lead answers again as soon as its limit has room', {
    tags: ['nightly'],
  }, async () => {
    const { say } = await open({});
    expect([asked(), await say(), asked()]).toEqual([[2, 1], LEAD, [3, 1]]);
  });
});
