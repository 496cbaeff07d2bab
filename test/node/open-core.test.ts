import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, open as openFile, readFile, realpath, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { PRESETS, viewOf } from '../../src/engine/tools';
import { heedCouncils } from '../../src/features/council/plugin/talking';
import { joinAsCompanion } from '../../src/features/fleet/plugin/fleet';
import { attachCore } from '../../src/node/attach-core';
import { socketAddress } from '../../src/node/base/state-home';
import { readToken } from '../../src/node/base/token';
import { trustPath } from '../../src/node/config/trust';
import { openAccountBooks } from '../../src/node/data/account-books';
import { lastKnown } from '../../src/node/data/last-known';
import { openCore } from '../../src/node/open-core';
import { companionPath } from '../../src/node/setup/companion-files';
import { DEFAULT_CHANNEL_LIMITS } from '../../src/node/socket/line-channel';
import { connectToApp } from '../../src/node/socket/socket-client';
import { openDatabase } from '../../src/node/store/driver';
import { createBrain } from '../../src/plugin/base/brain';
import { linkToApp } from '../../src/plugin/runtime/link';
import { shareHealth } from '../../src/plugin/stores/shared-health';
import { createTitles } from '../../src/plugin/stores/titles';
import { createUnknownHeaders } from '../../src/plugin/stores/unknown-headers';
import { type CompanionEvent, VIEWER_LINE_BYTES } from '../../src/protocol';
import { droppedLines, statusText } from '../../src/wording/status-text';
import { CHAIN, COMPANION, configured, DIRECTORY, failed, prompted, scopeOf, started } from '../core/virtual-core';
import { patiently } from '../support/eventually';
import { companion, type Home, look, newHome, open, toldTurn, until } from './core-support';

/** What a connection may queue before it counts as dead. */
const QUEUE_BYTES = DEFAULT_CHANNEL_LIMITS.maxQueuedBytes;

const isCooling = ({ models }: Snapshot): boolean =>
  models.some((row) => row.model === CHAIN[0] && row.state === 'cooling');
const modelsOf = ({ models }: Snapshot) =>
  models.map(({ model, state, calls, failed, lastFailure }) => ({
    model,
    state,
    calls,
    failed,
    kind: lastFailure?.kind,
  }));

/** From now on no open file takes a line more. @returns what ends that. */
async function refuse({ home }: Home): Promise<() => void> {
  // What all open files share: a module put in another's place is not seen by a core that others loaded before.
  const probe = await openFile(home);
  const anyFile = Object.getPrototypeOf(probe) as typeof probe;
  await probe.close();
  const refusal = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const spy = vi.spyOn(anyFile, 'appendFile').mockRejectedValue(refusal);
  const takes = (): void => spy.mockRestore();
  onTestFinished(takes);
  return takes;
}

describe('given the first shell of a user', () => {
  it('when it opens the core, then it owns it and shows nothing yet', async () => {
    const core = await open(await newHome());
    expect([core.role, core.otherPanelUrl, (await look(core)).connection.status]).toEqual(['owner', null, 'waiting']);
  });

  it('when the system refuses what it needs, then it says what, and what to do', async () => {
    const place = await newHome();
    const claim = join(place.home, 'core.sock.claim');
    await mkdir(claim, { recursive: true });
    await utimes(claim, 0, 0);
    await expect(open(place)).rejects.toThrow(
      `Check that the disk has free space and that you may write to ${place.home}`,
    );
  });

  it('when nobody owns a core, then there is nothing to attach to', async () => {
    const { env } = await newHome();
    expect(await attachCore({ runtime: 'test', env })).toBeNull();
  });

  it('when a configuration file is broken, then the picture names the place; mended, it is clean', async () => {
    const place = await newHome();
    const folder = join(place.env.XDG_CONFIG_HOME ?? '', 'opencode');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'model-fallback.json'), '{ "agents": ');
    const core = await open(place);
    const { config } = await until(core, (snapshot) => snapshot.config.length > 0);
    expect(config[0]).toMatchObject({
      path: join(folder, 'model-fallback.json'),
      problems: [{ severity: 'error', line: 1 }],
    });
  });
});

describe('given a project that uses a policy of the user’s own file', () => {
  it('when that file does not define it yet, then the project’s row says so; defined, the row is clean', async () => {
    const place = await newHome();
    const project = join(place.home, '..', 'project');
    const file = join(project, '.opencode', 'model-fallback.json');
    const own = join(place.env.XDG_CONFIG_HOME ?? '', 'opencode', 'model-fallback.json');
    await mkdir(join(project, '.opencode'), { recursive: true });
    await mkdir(join(own, '..'), { recursive: true });
    await writeFile(file, '{ "defaults": { "policy": "mine" }, "agents": { "*": { "fallbackModels": ["a/1"] } } }');
    const core = await open(place);
    (await companion(place)).tell(configured(project));
    const rowOf = ({ config }: Snapshot) => config.find(({ path }) => path === file);
    const before = await until(core, (snapshot) => rowOf(snapshot) !== undefined);
    expect(rowOf(before)?.problems).toMatchObject([{ severity: 'warning', line: 1, column: 27 }]);
    await writeFile(own, '{ "policies": { "mine": { "extends": "steady" } } }');
    // Either file may be looked at first.
    const after = await until(
      core,
      (snapshot) => snapshot.config.length === 2 && rowOf(snapshot)?.problems.length === 0,
    );
    expect(after.config.map(({ path }) => path)).toEqual([own, file]);
  });
});

describe('given a damaged file of what projects were allowed', () => {
  it('when the panel allows one more, then the file is moved aside, and the log says so', async () => {
    const place = await newHome();
    const project = join(await realpath(join(place.home, '..')), 'project');
    const limits = [
      [join(String(place.env.XDG_CONFIG_HOME), 'opencode'), 2],
      [join(project, '.opencode'), 9],
    ] as const;
    for (const [folder, maxFallbackDepth] of limits) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'model-fallback.json'), JSON.stringify({ defaults: { maxFallbackDepth } }));
    }
    const core = await open(place);
    (await companion(place)).tell(configured(project));
    await until(core, ({ instances }) => instances.some(({ directories }) => directories.includes(project)));
    const { handlers } = core.host;
    const ids = (await handlers['trust.get'](null)).projects.flatMap(({ asked }) => asked.map(({ id }) => id));
    await writeFile(trustPath(place.home), 'rubbish', { mode: 0o600 });
    expect(await handlers['trust.allow']({ directory: project, project, ids })).toEqual({ ok: true });
    expect((await look(core)).events.map(({ detail }) => detail)).toContainEqual(
      expect.stringMatching(/trusted-projects\.json could not be read\. It was moved to .*\.corrupt-/),
    );
  });
});

describe('given a person at a second shell', () => {
  it('when they pause switching and answer a question, then the companion hears of both', async () => {
    const place = await newHome();
    await open(place);
    const viewer = await open(place, 'cli');
    const { tell, syncs, acts } = await companion(place);
    const { config, ...rest } = configured() as Extract<CompanionEvent, { type: 'scope.configured' }>;
    const agents = { build: { chain: [...CHAIN], policy: PRESETS.council } } as unknown as typeof config.agents;
    tell({ ...rest, config: { ...config, abilities: ['ask'], agents } });
    for (const event of [prompted(), started(), failed('a1', { phase: 'body', status: 401 })]) tell(event);
    const { rev, questions } = await until(viewer, (snapshot) => snapshot.questions.length === 1);
    const ask = viewer.host.handlers['person.act'];
    const answered = await ask({
      act: { type: 'question.answered', question: questions[0]?.id ?? '', yes: true },
      rev,
      actor: 'cli',
    });
    const paused = await ask({ act: { type: 'switching.paused', forMs: 60_000 }, rev, actor: 'cli' });
    expect([answered.accepted, paused.accepted]).toEqual([true, true]);
    await patiently(() => expect(syncs.at(-1)?.health.pause).toMatchObject({ by: 'cli' }));
    expect(acts).toEqual([{ type: 'question.answered', question: questions[0]?.id, yes: true, actor: 'cli' }]);
  });
});

describe('given a failure that nobody can name', () => {
  it('when a viewer asks, then it is listed, until the user’s own file names it', async () => {
    const place = await newHome();
    const core = await open(place);
    const viewer = await open(place, 'cli');
    const told = await companion(place);
    const strange = failed('a1', { phase: 'body', message: 'Moon 17 hides your allowance' });
    for (const event of [configured(), prompted(), started(), strange]) told.tell(event);
    await until(core, ({ unknownPhrases }) => unknownPhrases === 1);
    const listed = await viewer.host.handlers['phrases.unknown']({ offset: 0, limit: 50 });
    const file = join(place.env.XDG_CONFIG_HOME ?? '', 'opencode', 'model-fallback.json');
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, '{ "patterns": [{ "phrase": "hides your allowance", "kind": "quota" }] }');
    await until(viewer, ({ unknownPhrases }) => unknownPhrases === 0);
    expect([listed.entries.map(({ provider, text, count }) => [provider, text, count]), listed.total]).toEqual([
      [['lead', 'Moon 17 hides your allowance', 1]],
      1,
    ]);
  });
});

describe('given two companions of one app whose lead is due for a probe', () => {
  it('when both ask for it over the socket, then one is granted', async () => {
    const place = await newHome();
    const core = await open(place);
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) => companion(place, { ...COMPANION, instance: name, epoch: name })),
    );
    const health = {
      ...scopeOf().health,
      breaker: { failureThreshold: 1, windowMs: 60_000, cooldownMs: 0, growth: 1 },
    };
    const config = { ...(configured() as { config: object }).config, health };
    one?.tell({ type: 'scope.configured', directory: DIRECTORY, config } as CompanionEvent);
    for (const event of [prompted(), started(), failed('a1', { phase: 'body', status: 500 })]) one?.tell(event);
    await until(core, ({ models }) => models.some(({ failed: count }) => count === 1));
    const granted = [await one?.borrow(CHAIN[0]), await two?.borrow(CHAIN[0]), await one?.borrow(CHAIN[1])];
    expect(granted).toEqual([true, false, true]);
  });
});

describe('given a second shell', () => {
  it('when it opens the core, then it is a viewer of the first, and hears what the first hears', async () => {
    const place = await newHome();
    const owner = await open(place);
    const viewer = await open(place, 'cli');
    await toldTurn(place);
    const seen = await until(viewer, isCooling);
    expect([viewer.role, modelsOf(seen)]).toEqual(['viewer', modelsOf(await until(owner, isCooling))]);
  });

  it('when it is a while without time to read, then the last it hears is the newest picture, although nothing happens after it', async () => {
    const place = await newHome();
    const owner = await open(place);
    const connected = await connectToApp({
      addressFor: (token) => socketAddress(place.home, token),
      readToken: () => readToken(place.home),
      hello: { role: 'viewer', name: 'test', lineBytes: VIEWER_LINE_BYTES },
      keepsProcessAlive: true,
      limits: { maxLineBytes: VIEWER_LINE_BYTES },
    });
    if (!connected.ok) throw new Error(connected.message);
    onTestFinished(() => connected.link.close());
    const told = await companion(place);
    const plan = { chain: [...CHAIN], policy: PRESETS.swift };
    const agents = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`agent-${n}`, plan]));
    for (let n = 1; n <= 20; n++) {
      const directory = `${DIRECTORY}/${n}`;
      const config = { ...scopeOf(), agents } as Extract<CompanionEvent, { type: 'scope.configured' }>['config'];
      told.tell({ type: 'scope.configured', directory, config });
      await until(owner, ({ chains }) => chains.length >= 100 * n);
    }
    const heard: number[] = [];
    connected.link.onMessage((message) => {
      if (message.type === 'push' && message.name === 'snapshot') heard.push((message.data as Snapshot).rev);
    });
    await patiently(async () => expect(heard.at(-1)).toBe((await look(owner)).rev));
    // It has missed some, or the proof is of nothing.
    expect(heard.length).toBeLessThan(20);
  });

  it('when it asks and resets, then the owner answers, and a refusal comes with its reason', async () => {
    const place = await newHome();
    const owner = await open(place);
    const viewer = await open(place);
    await toldTurn(place);
    const { rev } = await until(viewer, isCooling);
    const target = { model: CHAIN[0] };
    const stale = await viewer.host.handlers['health.reset']({ target, rev: 0, actor: 'panel' });
    const fresh = await viewer.host.handlers['health.reset']({ target, rev, actor: 'panel' });
    const after = await until(owner, (snapshot) => !isCooling(snapshot));
    expect([stale, fresh.accepted, after.models.find((row) => row.model === CHAIN[0])?.state]).toEqual([
      { accepted: false, reason: expect.stringContaining('has changed since you last viewed it') },
      true,
      'ready',
    ]);
  });

  it('when it asks for nonsense, then it is told so and stays attached', async () => {
    const place = await newHome();
    await open(place);
    const viewer = await open(place);
    await expect(viewer.host.handlers['health.reset']({ target: 7, rev: 0 } as never)).rejects.toThrow(/Invalid input/);
    expect((await look(viewer)).v).toBe(1);
  });

  it('when the first serves a panel from a living process, then the second is told its address, until it closes', async () => {
    const place = await newHome();
    const child = spawn('/bin/sh', ['-c', 'exec sleep 60'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const owner = await open(place);
    await owner.announcePanel('http://127.0.0.1:1/');
    const own = JSON.parse(await readFile(join(place.home, 'panel.json'), 'utf8')) as { pid: number };
    await writeFile(join(place.home, 'panel.json'), JSON.stringify({ url: 'http://127.0.0.1:2/', pid: child.pid }));
    const alive = await open(place);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const dead = await open(place);
    expect([own.pid, alive.otherPanelUrl, dead.otherPanelUrl]).toEqual([process.pid, 'http://127.0.0.1:2/', null]);
  });

  it('when an owner closes, then its panel is no longer announced', async () => {
    const place = await newHome();
    const owner = await open(place);
    await owner.announcePanel('http://127.0.0.1:1/');
    await owner.close();
    await expect(readFile(join(place.home, 'panel.json'))).rejects.toThrow('ENOENT');
  });

  it('when the owner goes away, then asking fails with words for people', async () => {
    const place = await newHome();
    const owner = await open(place);
    const viewer = await open(place);
    await owner.close();
    await expect(look(viewer)).rejects.toThrow('The connection to Understudy was lost.');
  });
});

describe('given a companion', () => {
  it('when it connects, then it is welcomed with what the core has of it, and is shown', async () => {
    const place = await newHome();
    const core = await open(place);
    const first = await toldTurn(place);
    await until(core, isCooling);
    first.leave();
    await until(core, ({ connection }) => connection.status === 'lost');
    const again = await companion(place);
    const other = await companion(place, { ...COMPANION, instance: 'i2', epoch: 'e2' });
    const { instances } = await until(core, (snapshot) => snapshot.instances.length === 2);
    expect([first.haveSeq, again.haveSeq, other.haveSeq, instances.map(({ status }) => status)]).toEqual([
      null,
      7,
      null,
      ['connected', 'connected'],
    ]);
  });

  it('when health changes, then every companion hears of it with its own last number', async () => {
    const place = await newHome();
    await open(place);
    const other = await companion(place, { ...COMPANION, instance: 'i2', epoch: 'e2' });
    const first = await toldTurn(place);
    await expect.poll(() => first.syncs.at(-1)?.seenSeq).toBe(7);
    const limits = other.syncs.at(-1)?.health.models.find(([model]) => model === CHAIN[0])?.[1].limit;
    expect([other.syncs.at(-1)?.seenSeq, limits?.kind]).toEqual([null, 'rate_limit']);
  });
});

describe('given a disk that refuses what is written', () => {
  /** The disk is full once the core is open, whatever it has written by then: `takes` makes room again. */
  async function refusing() {
    const place = await newHome();
    const core = await open(place);
    const takes = await refuse(place);
    return { place, core, takes, log: join(place.home, 'events.jsonl') };
  }
  const toldIn = async (log: string): Promise<unknown[]> =>
    (await readFile(log, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { from: { seq: number } | null }).from?.seq)
      .filter((seq) => seq !== undefined);

  it('when a turn is told, then it is shown at once and not acknowledged; taken, each event stands there once', async () => {
    const { place, core, takes, log } = await refusing();
    const told = await toldTurn(place);
    const { events } = await until(
      core,
      (snapshot) => isCooling(snapshot) && snapshot.events.some(({ detail }) => detail?.includes('cannot be written')),
    );
    expect([events.length > 0, told.acknowledged]).toEqual([true, []]);
    takes();
    await patiently(() => expect(told.acknowledged.at(-1)).toBe(7));
    expect(await toldIn(log)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('when the companion connects anew meanwhile, then it sends nothing twice, and hears of it when it is written', async () => {
    const { place, core, takes, log } = await refusing();
    const told = await toldTurn(place);
    await until(core, isCooling);
    told.leave();
    const again = await companion(place);
    expect([again.haveSeq, again.acknowledged]).toEqual([7, []]);
    takes();
    await patiently(() => expect(again.acknowledged.at(-1)).toBe(7));
    expect(await toldIn(log)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('when a person acts, then it counts, and they hear that it is not on the disk; taken, that it is', async () => {
    const { place, core, takes, log } = await refusing();
    await toldTurn(place);
    await until(core, isCooling);
    const isolate = async (model: string) => {
      const { rev } = await look(core);
      return await core.host.handlers['person.act']({ act: { type: 'health.isolated', model }, actor: 'cli', rev });
    };
    const stateOf = async (model: string) => (await look(core)).models.find((row) => row.model === model)?.state;
    const wasTold = await isolate(CHAIN[1]);
    expect([wasTold, await stateOf(CHAIN[1]), await readFile(log, 'utf8').catch(() => '')]).toEqual([
      { accepted: true, rev: expect.any(Number), unwritten: 'ENOSPC: no space left on device, write' },
      'held',
      expect.not.stringContaining('person.acted'),
    ]);
    takes();
    expect(await isolate(CHAIN[2])).toEqual({ accepted: true, rev: expect.any(Number) });
    const written = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes('"person.acted"'));
    expect(written.map((line) => JSON.parse(line).event.act.model)).toEqual([CHAIN[1], CHAIN[2]]);
  });

  it('when a companion had to forget 3 events, then its row says so, and the doctor and the status do', async () => {
    const place = await newHome();
    const core = await open(place);
    const told = await companion(place);
    told.tell(configured(), 3);
    const snapshot = await until(core, ({ instances }) => instances[0]?.dropped === 3);
    expect(droppedLines(snapshot)).toEqual([
      'OpenCode 1.18.33, process 42: 3 events were lost before an app stored them.',
    ]);
    expect(statusText(snapshot)).toContain('3 events were lost');
    const findings = await core.host.handlers['doctor.run']({ directory: null });
    expect(findings.filter(({ check }) => check === 'companion.events')).toMatchObject([{ verdict: 'warn' }]);
  });
});

describe('given a core that has ended', () => {
  it('when the next one opens, then a companion that comes back is told at once what is on the disk', async () => {
    const place = await newHome();
    const first = await open(place);
    await toldTurn(place);
    await until(first, isCooling);
    await first.close();
    await open(place);
    const again = await companion(place);
    await patiently(() => expect(again.acknowledged).toEqual([7]));
  });

  it('when the next one opens, then it replays the log and shows the same models', async () => {
    const place = await newHome();
    const first = await open(place);
    await toldTurn(place);
    const before = modelsOf(await until(first, isCooling));
    await first.close();
    const second = await open(place);
    expect([second.role, modelsOf(await look(second)), (await companion(place)).haveSeq]).toEqual(['owner', before, 7]);
  });

  it('when its last line was torn by a crash, then the next one has all the others', async () => {
    const place = await newHome();
    const first = await open(place);
    await toldTurn(place);
    const before = modelsOf(await until(first, isCooling));
    await first.close();
    await appendFile(join(place.home, 'events.jsonl'), '{"v":1,"at":12,"from":{"inst');
    const second = await open(place);
    expect(modelsOf(await look(second))).toEqual(before);
  });

  it('when its process was killed, then its socket is no hindrance and its log is read', async () => {
    const place = await newHome();
    const first = await open(place);
    await toldTurn(place);
    await until(first, isCooling);
    await first.close();
    // A process that held this very socket and log and did not get to say goodbye.
    const script = `require('node:net').createServer().listen(${JSON.stringify(socketAddress(place.home, ''))}, () => console.log('up'))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const second = await open(place);
    expect([second.role, isCooling(await look(second))]).toEqual(['owner', true]);
  });

  it('when nothing in the log can be read, then it is put aside and the core opens', async () => {
    const place = await newHome();
    await mkdir(place.home, { recursive: true, mode: 0o700 });
    await writeFile(join(place.home, 'events.jsonl'), 'rubbish\nmore\n');
    const core = await open(place);
    expect((await look(core)).models).toEqual([]);
  });

  it('when a text of its history is not UTF-8, then the next one fills a new history from the log, and a notice has both names', async () => {
    const place = await newHome();
    const first = await open(place);
    await toldTurn(place);
    await until(first, isCooling);
    await first.close();
    const path = join(place.home, 'history.db');
    const database = openDatabase(path);
    const rows = database?.all('SELECT * FROM attempts');
    database?.exec("UPDATE attempts SET agent = CAST(x'ff' AS TEXT)");
    database?.close();
    const second = await open(place);
    const notice = `old file is [^"]*history\\.db\\.corrupt-[^"]*history\\.db is restored from the event log`;
    expect(JSON.stringify(await look(second))).toMatch(new RegExp(notice));
    await second.close();
    const filled = openDatabase(path);
    onTestFinished(() => filled?.close());
    expect(rows).toHaveLength(2);
    expect(filled?.all('SELECT attempt, agent, model FROM attempts')).toEqual(
      rows?.map(({ attempt, agent, model }) => ({ attempt, agent, model })),
    );
  });

  it('when the log is 300 MiB long, then the core opens with its end, and the history notice has both names', async () => {
    const place = await newHome();
    const first = await open(place);
    await toldTurn(place);
    await until(first, isCooling);
    await first.close();
    const path = join(place.home, 'events.jsonl');
    const whole = await readFile(path);
    await writeFile(path, '');
    await truncate(path, 314_572_800);
    await appendFile(path, Buffer.concat([Buffer.from('\n'), whole]));
    const second = await look(await open(place));
    expect(isCooling(second)).toBe(true);
    expect(JSON.stringify(second)).toMatch(/moved to [^"]*events\.jsonl\.corrupt-[^"]*events\.jsonl continues/);
  });
});

describe.each<[string, number]>([
  ['a day back', -86_400_000],
  ['5 hours ahead', 5 * 3_600_000],
])('given a model that is out for 5 minutes and a wall clock that is set %s', (_, byMs) => {
  // The uptime is this machine's own, which nobody can set; the wall clock is the test's.
  afterEach(() => {
    vi.useRealTimers();
  });

  const leftOf = ({ models, at }: Snapshot): number =>
    Math.round(((models.find(({ model }) => model === CHAIN[0])?.until ?? 0) - at) / 60_000);

  it('when the app goes on, and when it starts again, then 5 minutes are left', async () => {
    const place = await newHome();
    const core = await open(place);
    const told = await companion(place);
    const limited = failed('a1', { phase: 'body', status: 429, headers: { 'retry-after': '300' } });
    for (const event of [configured(), prompted(), started(), limited]) told.tell(event);
    const first = leftOf(await until(core, isCooling));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
    const running = leftOf(await look(core));
    await core.close();
    const asleep = await lastKnown(place.home, { version: '', runtime: 'files' });
    expect([first, running, leftOf(asleep!.snapshot), leftOf(await look(await open(place)))]).toEqual([5, 5, 5, 5]);
  });
});

describe('given an app that ends while OpenCode runs', () => {
  it('when it starts again, then no event says that OpenCode went away', async () => {
    const place = await newHome();
    const core = await open(place);
    (await companion(place)).tell(configured());
    await until(core, ({ instances }) => instances.some(({ status }) => status === 'connected'));
    await core.close();
    const { events } = await look(await open(place));
    expect(events.map(({ code }) => code)).toContain('instance.connected');
    expect(events.map(({ code }) => code)).not.toContain('instance.lost');
  });
});

describe('given what a process found out while no app was there', () => {
  /** A lead has failed in a process of that id; the file it left in the home. */
  async function leftBy(pid: number): Promise<Home> {
    const place = await newHome();
    const brain = createBrain();
    const sharing = shareHealth(brain, { home: place.home, warn: () => undefined });
    brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
    for (const event of [prompted(), started(), failed()]) brain.tell(event as never);
    await sharing.flush();
    const path = join(place.home, 'health.json');
    const { by, ...rest } = JSON.parse(await readFile(path, 'utf8'));
    expect(by).toEqual([process.pid]);
    await writeFile(path, JSON.stringify({ ...rest, by: [pid] }));
    return place;
  }

  async function leftByEnded() {
    const ended = spawn(process.execPath, ['-e', '']);
    await once(ended, 'exit');
    return leftBy(ended.pid ?? 0);
  }

  it('when that process has ended, then the app knows it, and still after its own restart', async () => {
    const place = await leftByEnded();
    const core = await open(place);
    expect(isCooling(await look(core))).toBe(true);
    await core.close();
    expect(isCooling(await look(await open(place)))).toBe(true);
  });

  it('when the log does not take it, then its file stays, and a killed app has forgotten nothing', async () => {
    const place = await leftByEnded();
    const path = join(place.home, 'health.json');
    const found = await readFile(path, 'utf8');
    const takes = await refuse(place);
    const core = await open(place);
    expect([isCooling(await look(core)), await readFile(path, 'utf8')]).toEqual([true, found]);
    // As a kill leaves it: what waited for the log is gone.
    const known = await lastKnown(place.home, { version: '', runtime: 'files' });
    expect(known && isCooling(known.snapshot)).toBe(true);
    takes();
    await patiently(async () => expect(JSON.parse(await readFile(path, 'utf8')).app).toBe(true));
    expect(await readFile(join(place.home, 'events.jsonl'), 'utf8')).toContain('"health.learned"');
  });

  it('when one of its writers lives, then the app knows the limit as well, and nothing counts twice', async () => {
    const place = await leftBy(process.pid);
    const path = join(place.home, 'health.json');
    const found = JSON.parse(await readFile(path, 'utf8'));
    for (const [, health] of found.health.models)
      if (health.breaker.kind === 'closed') health.breaker.failures = [Date.now() - 1_000];
    await writeFile(path, JSON.stringify(found));
    const snapshot = await look(await open(place));
    expect(isCooling(snapshot)).toBe(true);
    // It tells its requests again, also those that the log of a killed app did not get.
    const counts = snapshot.models.map(({ failures, calls, failed }) => [failures, calls, failed]);
    expect(counts).toEqual(snapshot.models.map(() => [0, 0, 0]));
  });
});

describe('given an app that is killed while OpenCode runs', () => {
  it('when the next app reads the log and the file of health, then each request counts once', async () => {
    const place = await newHome();
    const core = await open(place);
    const { tell } = await companion(place);
    for (const event of [configured(), prompted(), started(), failed()]) tell(event);
    await until(core, ({ models }) => models.some(({ calls }) => calls === 1));
    await core.close();
    // The process goes on alone, and writes down what it knows.
    const path = join(place.home, 'health.json');
    const { app: _, ...file } = JSON.parse(await readFile(path, 'utf8'));
    for (const [, health] of file.health.models) Object.assign(health, { calls: 5, failed: 4 });
    await writeFile(path, JSON.stringify({ ...file, by: [process.pid] }));
    const next = await open(place);
    const rowIn = ({ models }: Snapshot, at: number) => models.find(({ model }) => model === CHAIN[at]);
    expect(rowIn(await look(next), 0)).toMatchObject({ calls: 1, failed: 1, state: 'cooling' });
    const again = await companion(place);
    expect(again.haveSeq).toBe(4);
    again.tell(started({ attempt: 'a2', model: CHAIN[1] }));
    await until(next, (snapshot) => rowIn(snapshot, 1)?.calls === 1);
    expect(rowIn(await look(next), 0)).toMatchObject({ calls: 1, failed: 1 });
  });
});

describe('given the companion’s own link', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  function linked(place: Home) {
    vi.stubEnv('UNDERSTUDY_HOME', place.home);
    const brain = createBrain();
    const warned: string[] = [];
    const headers = createUnknownHeaders();
    const sharing = shareHealth(brain, { home: place.home, warn: () => undefined });
    const fleet = joinAsCompanion({
      brain,
      books: openAccountBooks(place.home, () => undefined),
      version: '1.2.3',
      warn: (message) => void warned.push(message),
    });
    // What a companion learns once the app is gone goes to a file of this home.
    onTestFinished(() => sharing.flush());
    const readers = new Map<string, Set<() => void>>();
    const connect = (): void => {
      const { instance, epoch, pid, opencode, plugin } = COMPANION;
      const kept = linkToApp(
        { brain, sharing, fleet, drills: new Map(), readers, titles: createTitles(), headers, heedCouncils },
        { instance, epoch, pid, opencode, plugin },
        { refused: () => undefined, unsendable: (message) => void warned.push(message) },
      );
      onTestFinished(async () => {
        kept.stop();
        await expect.poll(() => kept.link()).toBeNull();
        await sharing.flush();
      });
    };
    brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
    return { brain, connect, warned, headers, readers };
  }

  it('when a file changes that counts for a directory, then who reads that directory is told', async () => {
    const place = await newHome();
    const folder = join(place.env.XDG_CONFIG_HOME ?? '', 'opencode');
    await mkdir(folder, { recursive: true });
    const { connect, readers } = linked(place);
    let told = 0;
    readers.set(DIRECTORY, new Set([() => told++]));
    readers.set('/elsewhere', new Set([() => expect.unreachable()]));
    const core = await open(place);
    connect();
    await until(core, ({ instances }) => instances.some(({ directories }) => directories.includes(DIRECTORY)));
    let edition = 0;
    // What is written before the files are followed is no change.
    const write = async (): Promise<number> => {
      edition += 1;
      const agents = { build: { fallbackModels: [`a/${edition}`] } };
      await writeFile(join(folder, 'model-fallback.json'), JSON.stringify({ agents }));
      return told;
    };
    await expect.poll(write, { interval: 200 }).toBeGreaterThan(0);
  });

  it('when it knows of headers that nobody reads, then the app does too, of those before it came and of new ones', async () => {
    const place = await newHome();
    const { connect, headers } = linked(place);
    headers.note('gateway', ['x-b-quota']);
    const core = await open(place);
    connect();
    await until(core, ({ unknownHeaders }) => unknownHeaders.length === 1);
    headers.note('gateway', ['x-b-quota', 'x-a-usage']);
    const { unknownHeaders } = await until(core, ({ unknownHeaders: rows }) => rows[0]?.names.length === 2);
    expect(unknownHeaders).toEqual([{ provider: 'gateway', names: ['x-a-usage', 'x-b-quota'] }]);
  });

  it('when things happened before the app was there, then it hears them, and the rest as it happens', async () => {
    const place = await newHome();
    const { brain, connect } = linked(place);
    brain.tell(prompted() as never);
    brain.tell(started() as never);
    const core = await open(place);
    connect();
    await until(core, ({ sessions }) => sessions.length === 1);
    brain.tell(failed() as never);
    expect(modelsOf(await until(core, isCooling))[0]).toMatchObject({
      model: CHAIN[0],
      state: 'cooling',
      kind: 'rate_limit',
    });
  });

  /** A configuration with so many long chains that no line holds it. */
  const largeScope = () => {
    const chain = Array.from({ length: 100 }, (_, at) => `long/${String(at).padStart(200, 'm')}`);
    const [plan] = Object.values(scopeOf(chain).agents);
    const agents = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`agent${at}`, plan]));
    return { ...scopeOf(), agents };
  };

  it.each([
    ['prompt.submitted', 'that no schema knows', () => ({ type: 'prompt.submitted', turn: 7 })],
    [
      'scope.configured',
      'that no line holds',
      () => ({ type: 'scope.configured', directory: '/large', config: largeScope() }),
    ],
  ])('when there is a %s %s, then it counts as lost, is said, and health is still heard', async (type, _, make) => {
    const place = await newHome();
    const { brain, connect, warned } = linked(place);
    for (let n = 0; n < 2; n++) brain.note(make() as never);
    const core = await open(place);
    connect();
    await expect.poll(() => warned.length).toBe(2);
    brain.tell(prompted() as never);
    const { instances } = await until(core, ({ sessions }) => sessions.length === 1);
    const said = new RegExp(`^An event \\(${type}\\) cannot be sent to the app: `);
    expect([instances[0]?.dropped, warned[0]]).toEqual([2, expect.stringMatching(said)]);
    brain.note(make() as never);
    const other = await companion(place, { ...COMPANION, instance: 'i2', epoch: 'e2' });
    for (const told of [configured(), prompted({ turn: 'o' }), started({ turn: 'o' }), failed()]) other.tell(told);
    await expect.poll(() => viewOf(brain.state(), brain.now()).models[0]?.standing.state).toBe('cooling');
  });

  it('when the app has been reset, then the companion asks the lead again', async () => {
    const place = await newHome();
    const { brain, connect } = linked(place);
    for (const event of [prompted(), started(), failed()]) brain.tell(event as never);
    const core = await open(place);
    connect();
    const { rev } = await until(core, isCooling);
    const answer = await core.host.handlers['health.reset']({ target: { all: true }, rev, actor: 'panel' });
    expect(answer).toMatchObject({ accepted: true });
    let turn = 0;
    // Each time a new message: one that was redirected stays where it is.
    const next = () => brain.tell(prompted({ turn: `t9-${turn++}` }) as never)[0]?.action.kind;
    await expect.poll(next).toBe('home');
  });

  it('when the journal is longer than a connection may queue, then all of it arrives, in order', async () => {
    const place = await newHome();
    const { brain, connect } = linked(place);
    const config = scopeOf([...CHAIN, ...Array.from({ length: 90 }, (_, at) => `long/${'x'.repeat(280)}${at}`)]);
    const size = JSON.stringify(config).length;
    for (let at = 0; at * size < 1.25 * QUEUE_BYTES; at++)
      brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: { ...config, maxFallbackDepth: at % 9 } });
    const core = await open(place);
    connect();
    brain.tell(prompted() as never);
    const { instances, events } = await until(core, ({ sessions }) => sessions.length === 1);
    expect([
      instances.length,
      instances[0]?.status,
      events.filter(({ code }) => code.startsWith('instance.')).length,
    ]).toEqual([1, 'connected', events.length < 50 ? 1 : 0]);
  });
});

describe('given an app that was updated, and a companion that was installed by the one before', () => {
  it('when it starts, then OpenCode finds the new companion at its next start', async () => {
    const { home, env } = await newHome();
    const shipped = join(home, '..', 'opencode-understudy.js');
    await mkdir(join(home, 'plugin'), { recursive: true });
    await writeFile(shipped, '// @bun opencode-understudy 0.2.0\n');
    await writeFile(companionPath(home), '// @bun opencode-understudy 0.1.0\n');
    const core = await openCore({ version: '0.2.0', runtime: 'test', env, companion: shipped });
    onTestFinished(() => core.close());
    expect(await readFile(companionPath(home), 'utf8')).toBe('// @bun opencode-understudy 0.2.0\n');
  });
});
