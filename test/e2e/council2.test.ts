import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isOf } from '../../src/node/opencode';
import { companionFolder, putCompanion } from '../../src/node/setup/companion-files';
import { refOf } from '../../src/plugin/opencode2/session/model-ref';
import { builtPlugin } from '../support/built-companion';
import { councilPromises } from '../support/council-promises';
import {
  type Answers,
  type CouncilStage,
  DONE,
  dutiful,
  isFact,
  ofType,
  openCouncilStage,
  type Run,
  readAsked,
  saying,
  sixOf,
} from '../support/council-stage';
import { SIX } from '../support/council-world';
import { NIGHTLY } from '../support/nightly';
import { opencode2Binary, openRealStage } from '../support/opencode2/real';

const OPENCODE2 = process.env.OPENCODE2_BIN ?? '';

let stage: CouncilStage;

beforeAll(async () => {
  if (OPENCODE2 !== '') stage = await openCouncilStage(async () => opencode2Binary());
});
afterEach(() => stage?.stopAll());
afterAll(() => stage?.close());

councilPromises({
  name: 'on OpenCode 2',
  isThere: OPENCODE2 !== '',
  stage: () => stage,
  sessions: '/api/session',
  place: 'path',
});

/** A request of this run, and of none before it, that says all this. */
const asks =
  ({ name }: Pick<Run, 'name'>, ...words: readonly string[]) =>
  ({ body }: Readonly<{ body: unknown }>): boolean =>
    [name, ...words].every((word) => JSON.stringify(body).includes(word));

describe.skipIf(OPENCODE2 === '')('given a real OpenCode 2, and a speaker that fails', NIGHTLY, () => {
  it('when it does not let us in, then it is asked once and fails for what it said', async () => {
    let failures = 0;
    const { run } = await stage.playing(({ hero, stage: name }) =>
      hero === 'Sentinel' && name === 'Reconnaissance' && failures++ < 1 ? { kind: 'status', status: 401 } : null,
    );
    const startedAt = Date.now();
    await run.until(isFact('run:finished'));
    expect(ofType(await run.facts(), 'speaker:deferred')).toMatchObject([{ speaker: 'beta', kind: 'auth' }]);
    // OpenCode alone would have asked ten times more.
    expect(Date.now() - startedAt).toBeLessThan(30_000);
  });

  it('when OpenCode does not know its model, then that is the reason', async () => {
    const speakers = ['alpha', 'beta'].map((name) => ({
      ...{ name, model: `${name}/${name === 'beta' ? 'gone' : `${name}-model`}`, fallback: null, vendor: name },
    }));
    const { run } = await stage.playing(() => null, { speakers, heroes: ['alpha', 'beta'] });
    await run.until(isFact('run:finished'));
    const facts = await run.facts();
    const kinds = (await run.events()).flatMap((event) => (event.type === 'turn.failed' ? [event.fault.kind] : []));
    expect(new Set(kinds)).toEqual(new Set(['model_not_found']));
    expect(ofType(facts, 'speaker:degraded')).toMatchObject([{ speaker: 'beta' }]);
  });
});

/** Plays until somebody hangs in Deep Analysis. */
async function hanging(answers: Answers) {
  let isHanging = true;
  const played = await stage.playing((asked, nth) =>
    isHanging && asked.hero === 'Healer' && asked.stage === 'Deep Analysis' ? { kind: 'hang' } : answers(asked, nth),
  );
  await stage.provider.waitForRequest(asks(played.run, 'You are the Healer', 'Deep Analysis'));
  return {
    ...played,
    release() {
      isHanging = false;
    },
  };
}

/** How often each command of a run was asked of its model, where that was more than once. */
function askedTwice(): readonly string[] {
  const asks = new Map<string, number>();
  for (const { text } of stage.asked) {
    const command = /\(r[\w-]+\/(c\d+)\)\s*$/.exec(text)?.[1] ?? '';
    asks.set(command, (asks.get(command) ?? 0) + 1);
  }
  return [...asks].filter(([, times]) => times > 1).map(([command]) => command);
}

describe.skipIf(OPENCODE2 === '')('given a real OpenCode 2 that ends in the middle of a run', NIGHTLY, () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'when it was ended by %s and another one takes the run up, then nothing is lost and nobody asked twice',
    async (signal) => {
      const finding = {
        ...{ severity: 'major', title: 'Kept', file: 'src/cart.js', line: 8 },
        ...{ quote: 'return eval(code);', evidence: 'e' },
      };
      const { run, opencode, release } = await hanging(({ hero, stage: name }) =>
        hero === 'Sentinel' && name === 'Reconnaissance'
          ? saying({ tool: 'PostFindings', findings: [finding] }, DONE)
          : null,
      );
      process.kill(opencode.child.pid, signal);
      await opencode.child.exited;
      const answered = (await run.events()).flatMap((event) => (event.type === 'turn.answered' ? [event.command] : []));
      expect((await run.events()).some(({ type }) => type === 'turn.failed')).toBe(false);
      release();
      await run.play();
      await run.until(isFact('run:finished'));
      const state = await run.state();
      expect(sixOf(state.completed)).toEqual(SIX);
      expect(state.board).toHaveLength(1);
      expect(new Set(state.members.map(({ session }) => session)).size).toBe(state.members.length);
      const twice = askedTwice();
      // Those that were under way, and nobody who had answered.
      expect(twice.length).toBeLessThanOrEqual(3);
      expect(twice.filter((command) => answered.some((id) => id === command))).toEqual([]);
    },
    90_000,
  );

  it('when its service starts next, then that does not go on with participants by itself', async () => {
    const { run, opencode } = await hanging(() => null);
    process.kill(opencode.child.pid, 'SIGKILL');
    await opencode.child.exited;
    const before = stage.provider.requests().filter(asks(run)).length;
    const env = await serviceEnvironment();
    const service = spawn(OPENCODE2, ['serve', '--service'], { cwd: stage.sandbox.directory, env, stdio: 'ignore' });
    try {
      const healer = (await run.state()).members.find(({ id }) => id === 'healer')?.session ?? '';
      await expect.poll(() => outcomeOf(healer, env), { timeout: 60_000, interval: 250 }).toBe('interrupted');
      expect(stage.provider.requests().filter(asks(run))).toHaveLength(before);
    } finally {
      service.kill('SIGKILL');
    }
  }, 120_000);
});

/** What the user's own service is started with: the companion is installed. */
async function serviceEnvironment(): Promise<NodeJS.ProcessEnv> {
  const put = await putCompanion({ home: stage.home, source: builtPlugin() });
  if (!put.ok) throw new Error(put.reason);
  const content = JSON.stringify({ plugins: [pathToFileURL(companionFolder(stage.home)).href] });
  return { ...stage.sandbox.env, UNDERSTUDY_HOME: stage.home, OPENCODE_CONFIG_CONTENT: content };
}

/** How the last execution of a session came out, as the user's service says it; null while it does not. */
async function outcomeOf(session: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const file = join(env.XDG_STATE_HOME ?? '', 'opencode', 'service.json');
  const { url, password } = await readFile(file, 'utf8').then(JSON.parse, () => ({}));
  if (typeof url !== 'string') return null;
  const authorization = `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`;
  const answer = await fetch(`${url}/api/session/${session}`, { headers: { authorization } }).catch(() => null);
  const read = (await answer?.json().catch(() => null)) as { data?: { outcome?: string } } | null;
  return read?.data?.outcome ?? null;
}

describe.skipIf(OPENCODE2 === '')('given a user who calls a council from a session of OpenCode 2', () => {
  it('when they say yes to what it would be, then it is played, and an ordinary request is the same as before', async () => {
    const real = await openRealStage();
    try {
      const { directory, ids, chain } = await real.makeCase();
      const bodies: string[] = [];
      for (const id of ids)
        real.provider.script(id, ({ body }) => {
          const asked = readAsked(id, body);
          if (asked.hero === '') bodies.push(JSON.stringify(body));
          return asked.hero === '' ? { kind: 'text', text: 'OK' } : dutiful(asked);
        });
      const seat = await real.sitIn(directory, { model: refOf(chain[0] ?? '') });
      const told = (): readonly string[] =>
        real.events
          .seen()
          .filter((event) => event.type === 'session.inbox.enqueued' && isOf(seat.id)(event))
          .flatMap(({ properties }) => {
            const { type, payload } = properties.item as Readonly<{
              type: string;
              payload: Readonly<{ text: string; description?: string }>;
            }>;
            // Its terminal draws the description, and nothing else of it.
            return type === 'synthetic' && payload.description === payload.text ? [payload.text] : [];
          });
      const call = async (name: string, text = ''): Promise<string> => {
        const before = told().length;
        await real.server.request('POST', `/session/${seat.id}/command`, { body: { name, text } });
        await expect.poll(() => told().length, { timeout: 10_000 }).toBeGreaterThan(before);
        return told().at(-1) ?? '';
      };
      const ordinary = async (): Promise<string> => {
        await (await real.sitIn(directory, { model: refOf(chain[0] ?? '') })).ask('Hello');
        // OpenCode 2 tells a model which session it is in.
        return (bodies.at(-1) ?? '').replace(/ses_\w+/g, 'ses');
      };
      const before = await ordinary();
      expect(await call('council', '.')).toContain('/yes starts it, /no cancels it.');
      expect(await call('yes')).toContain('The council has started');
      expect(await ordinary()).toBe(before);
      await expect.poll(() => call('council', 'status'), { timeout: 40_000, interval: 500 }).toContain('is over');
      expect(told().some((text) => text.includes('The council has finished.'))).toBe(true);
      expect(await call('council', 'export')).toContain('Participants');
      // No model is shown what was typed and answered.
      expect(bodies.join()).not.toContain('The council has started');
    } finally {
      await real.close();
    }
  }, 90_000);
});
