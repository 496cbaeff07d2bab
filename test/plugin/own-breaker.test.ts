import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { InternalErrors } from '../../src/core/base/internal-errors';
import { type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import type { EngineEvent } from '../../src/engine';
import { readErrors } from '../../src/node/data/internal-errors-file';
import { examine } from '../../src/node/setup/doctor';
import { type Brain, createBrain } from '../../src/plugin/base/brain';
import { guarded } from '../../src/plugin/base/guarded';
import { createOwnBreaker } from '../../src/plugin/base/own-breaker';
import type { Client, Hooks, UserMessage } from '../../src/plugin/opencode1/memory/types';
import { CHAIN, DIRECTORY, LIMITED as EVIDENCE, scopeOf, virtualClock } from '../core/virtual-core';
import { skippedTime } from '../support/opencode2';
import { openCase } from '../support/opencode2/case';
import { freshCompanion, heardLog } from '../support/opencode2/companion';
import { LIMITED } from '../support/opencode2/promises';

const SECRET = 'the prompt of sk-secret-123';
const fault = (): Error => new TypeError(SECRET);

const prompt = (turn: string): EngineEvent => ({
  ...{ type: 'prompt.submitted', turn, session: 's1', directory: DIRECTORY, agent: 'build', model: CHAIN[0] },
  ...{ hostLead: CHAIN[0], isExplicit: false },
});
const start = (attempt: string): EngineEvent => ({
  ...{ type: 'attempt.started', attempt, turn: attempt, session: 's1', directory: DIRECTORY, agent: 'build' },
  ...{ model: CHAIN[0], purpose: 'turn' },
});
const failed = (attempt: string): EngineEvent => ({
  ...{ type: 'attempt.failed', attempt, evidence: EVIDENCE, durationMs: 5 },
});

/** A brain whose random numbers throw while `isBroken`. */
function openBrain() {
  const clock = virtualClock();
  const state = { isBroken: false };
  const random = (): number => {
    if (state.isBroken) throw fault();
    return 0.5;
  };
  const brain = createBrain(clock.now, random, null, clock.schedule);
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
  const opened: string[] = [];
  brain.breaker.onOpen(({ place }) => void opened.push(place));
  return { brain, clock, state, opened };
}

/** What the engine decides on a failure of the lead. */
function decides(brain: Brain, turn: string): string | undefined {
  brain.tell(prompt(turn));
  brain.tell(start(turn));
  return brain.tell(failed(turn))[0]?.action.kind;
}

describe('given an engine that throws', () => {
  it('when it has thrown four times, then each event has no decision, and the next one is decided again', async () => {
    const { brain, state, opened } = openBrain();
    state.isBroken = true;
    const none = [1, 2, 3, 4].map((at) => brain.tell(prompt(`t${at}`)));
    state.isBroken = false;
    expect([none, decides(brain, 't9')]).toEqual([[[], [], [], []], 'switch']);
    await Promise.resolve();
    expect(opened).toEqual([]);
  });

  it('when it throws five times in a minute, then nothing is decided any more, and that is reported once', async () => {
    const { brain, clock, state, opened } = openBrain();
    state.isBroken = true;
    for (let at = 1; at <= 5; at++) {
      brain.tell(prompt(`t${at}`));
      clock.advance(14_000);
    }
    state.isBroken = false;
    expect([decides(brain, 't9'), brain.breaker.isOpen()]).toEqual([undefined, true]);
    for (let at = 0; at < 10; at++) brain.breaker.count('later', fault());
    clock.advance(3_600_000);
    await Promise.resolve();
    expect([opened, decides(brain, 't10')]).toEqual([['brain.step'], undefined]);
  });

  it('when it throws five times in more than a minute, then it still decides', () => {
    const { brain, clock, state } = openBrain();
    state.isBroken = true;
    for (let at = 1; at <= 20; at++) {
      brain.tell(prompt(`t${at}`));
      clock.advance(16_000);
    }
    state.isBroken = false;
    expect([brain.breaker.isOpen(), decides(brain, 't90')]).toEqual([false, 'switch']);
  });

  it('when a listener of its steps throws, then the other listeners run, and the error counts', () => {
    const { brain } = openBrain();
    const steps: string[] = [];
    brain.onStep(() => {
      throw fault();
    });
    brain.onStep((_, { type }) => void steps.push(type));
    for (let at = 1; at <= 5; at++) brain.tell(prompt(`t${at}`));
    expect([steps.length, brain.breaker.isOpen()]).toEqual([5, true]);
  });
});

describe('given a hook that throws', () => {
  it('when it does so five times, then only what requests under way need is run from then on', async () => {
    const breaker = createOwnBreaker(() => 0);
    const [ran, logged]: [string[], string[]] = [[], []];
    const hook = guarded(
      (message) => void logged.push(message),
      'chat.message',
      (name: string) => {
        ran.push(`hook ${name}`);
        throw fault();
      },
      { breaker, whenOpen: (name) => void ran.push(`open ${name}`) },
    );
    for (const name of ['1', '2', '3', '4', '5', '6']) await hook(name);
    expect([ran, logged.length]).toEqual([['hook 1', 'hook 2', 'hook 3', 'hook 4', 'hook 5', 'open 6'], 5]);
  });
});

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
});
afterAll(() => provider.close());

type Process = { brain: { -readonly [Name in keyof Brain]: Brain[Name] }; counted: InternalErrors };

/** The one companion of a state home. */
function processOf(home: string): Process {
  const processes = globalThis as unknown as Record<symbol, Process>;
  const key = Object.getOwnPropertySymbols(processes).find(
    ({ description = '' }) => description.startsWith('understudy ') && description.endsWith(home),
  );
  const found = key && processes[key];
  if (!found) throw new Error('no companion');
  return found;
}
const brainOf = (home: string) => processOf(home).brain;
const countedIn = (home: string) =>
  processOf(home)
    .counted.rows()
    .map(({ place }) => place);

/** Listeners that throw until the breaker is open. */
function openBreaker(brain: Brain): void {
  const stop = brain.onStep(() => {
    throw fault();
  });
  for (let at = 0; at < 6; at++) brain.tell({ type: 'session.idle', session: 'none' });
  stop();
}

/** What the doctor finds of it, with what is stored. */
async function found(home: string) {
  await vi.waitFor(async () => expect((await readErrors(home))[0]?.passesThrough).toBeTruthy(), 5_000);
  const env = { UNDERSTUDY_HOME: home, PATH: '' };
  const findings = await examine({ env, home, source: '', directory: null } as never, null);
  const text = await readFile(join(home, 'internal-errors.json'), 'utf8');
  expect(text).not.toMatch(/secret|prompt of/);
  return findings.filter(({ check }) => check === 'companion.stopped');
}

const STOPPED = {
  ...{ check: 'companion.stopped', verdict: 'fail' },
  says: expect.stringMatching(
    /passes everything through since .*, after an error in brain\.listener: brain\.listener: /,
  ),
};
const ONCE = /five internal errors within a minute/;

describe('given OpenCode 2 with the companion', () => {
  it('when five internal errors occur, then the next turn is OpenCode’s own, and the user and the doctor are told', async () => {
    const lines = heardLog();
    const companion = await freshCompanion();
    const place = await openCase(provider, companion, { sleep: skippedTime().sleep });
    const [lead = '', spare = ''] = place.ids;
    provider.script(spare, [{ kind: 'text', text: 'SPARE' }]);
    openBreaker(brainOf(companion.home));
    provider.script(lead, [LIMITED, { kind: 'text', text: 'LEAD' }]);
    const seat = place.sit();
    expect([await seat.ask('go'), place.asked()]).toEqual(['succeeded', [2, 0]]);
    // The app shows the project as unprotected.
    const scopes = brainOf(companion.home)
      .since(0)
      .flatMap(({ event }) => (event.type === 'scope.configured' ? [event.config.enabled] : []));
    expect([scopes.includes(true), scopes.at(-1)]).toEqual([true, false]);
    expect(lines.filter((line) => ONCE.test(line))).toHaveLength(1);
    expect(await found(companion.home)).toMatchObject([STOPPED]);
  });

  it('when every decision throws, then no turn fails by that, and each of them is counted', async () => {
    heardLog();
    const companion = await freshCompanion();
    const place = await openCase(provider, companion, { sleep: skippedTime().sleep });
    provider.script(place.ids[0] ?? '', Array(4).fill({ kind: 'text', text: 'LEAD' }));
    const brain = brainOf(companion.home);
    brain.decide = () => {
      throw fault();
    };
    const seat = place.sit();
    const ends = [await seat.ask('one'), await seat.ask('two'), await seat.ask('three')];
    expect([ends, place.asked(), brain.breaker.isOpen()]).toEqual([Array(3).fill('succeeded'), [3, 0], true]);
  });

  it('when the answer of a held request cannot be treated, then OpenCode has the provider’s own', async () => {
    heardLog();
    const companion = await freshCompanion();
    const place = await openCase(provider, companion, { sleep: skippedTime().sleep });
    provider.script(place.ids[0] ?? '', Array(4).fill({ kind: 'text', text: 'LEAD' }));
    const brain = brainOf(companion.home);
    const { decide, now } = brain;
    const seat = place.sit();
    await seat.ask('one');
    let isSending = false;
    brain.decide = (event) => {
      const decision = decide(event);
      isSending = event.type === 'attempt.started';
      return decision;
    };
    brain.now = () => {
      if (!isSending) return now();
      isSending = false;
      throw fault();
    };
    expect([await seat.ask('two'), place.asked()]).toEqual(['succeeded', [2, 0]]);
    expect(countedIn(companion.home)).toEqual(['http.held']);
  });
});

/** A project in an OpenCode 1 as far as its hooks and one provider go. */
async function openProject() {
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  const home = join(root, 'u');
  const directory = join(root, 'project');
  vi.stubEnv('UNDERSTUDY_HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', join(root, 'config'));
  await mkdir(join(directory, '.opencode'), { recursive: true });
  const id = root.slice(-6);
  const [lead, spare] = [`lead-${id}`, `spare-${id}`];
  const config = { agents: { '*': { fallbackModels: [`${spare}/${spare}`] } } };
  await writeFile(join(directory, '.opencode', 'model-fallback.json'), JSON.stringify(config));
  const toasts: string[] = [];
  const done = async () => ({ data: {} });
  const client = {
    session: { create: done, delete: done, abort: done, prompt: done, messages: async () => ({ data: [] }) },
    config: { providers: async () => ({ data: { providers: [] } }) },
    app: { log: done },
    tui: { publish: done, showToast: async ({ body }: { body: { message: string } }) => toasts.push(body.message) },
    _client: { post: done, get: async () => ({ data: { version: '1.18.34' } }), patch: done, delete: done },
  } as unknown as Client;
  vi.resetModules();
  const { default: plugin } = await import('../../src/plugin');
  const hooks: Hooks = await plugin.server({ client, directory });
  onTestFinished(async () => {
    await hooks.dispose?.();
    vi.unstubAllEnvs();
    vi.resetModules();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });
  await hooks.config?.({ model: `${lead}/${lead}`, agent: { build: {} } });
  let messages = 0;
  /** A message and its request. @returns status and text, and whether we had numbered it. */
  const ask = async () => {
    const info = { id: `msg_${++messages}`, sessionID: 'ses_1', role: 'user', agent: 'build', time: { created: 1 } };
    const message = { ...info, model: { providerID: lead, modelID: lead } } as UserMessage;
    await hooks['chat.message']?.({ sessionID: 'ses_1' }, { message, parts: [{ type: 'text', text: 'go' }] });
    const model = { providerID: message.model.providerID, id: message.model.modelID };
    const output = { headers: {} as Record<string, string> };
    await hooks['chat.headers']?.({ sessionID: 'ses_1', agent: 'build', model, message }, output);
    const body = JSON.stringify({ model: model.id, stream: true, messages: [] });
    const sent = { method: 'POST', headers: output.headers, body };
    const response = await fetch(`${provider.url}/v1/chat/completions`, sent);
    return [response.status, (await response.text()).includes('LEAD'), Object.keys(output.headers).length > 0];
  };
  const asked = () => [lead, spare].map((name) => provider.requests(name).length);
  return { home, lead, spare, hooks, toasts, ask, asked };
}

describe('given OpenCode 1 with the companion', () => {
  it('when five internal errors occur, then the next turn is OpenCode’s own, and the user and the doctor are told', async () => {
    const { home, lead, spare, toasts, ask, asked } = await openProject();
    provider.script(spare, [{ kind: 'text', text: 'SPARE' }]);
    provider.script(lead, [{ kind: 'text', text: 'LEAD' }, LIMITED, { kind: 'text', text: 'LEAD' }]);
    expect(await ask()).toEqual([200, true, true]);
    openBreaker(brainOf(home));
    await Promise.resolve();
    expect([await ask(), await ask(), asked()]).toEqual([
      [429, false, false],
      [200, true, false],
      [3, 0],
    ]);
    expect(toasts.filter((toast) => ONCE.test(toast))).toHaveLength(1);
    expect(await found(home)).toMatchObject([STOPPED]);
  });

  it('when a stream breaks before its first word, then OpenCode gets that error, the model is asked once, and nothing is counted', async () => {
    const { home, lead, ask, asked } = await openProject();
    provider.script(lead, Array(2).fill({ kind: 'cut', text: '' }));
    await ask().catch(() => undefined);
    expect([asked()[0], countedIn(home)]).toEqual([1, []]);
  });

  it('when a hook gets what it cannot read, then it never throws into OpenCode, and the fifth opens the breaker', async () => {
    const { home, hooks, lead, ask } = await openProject();
    provider.script(lead, Array(3).fill({ kind: 'text', text: 'LEAD' }));
    expect(await ask()).toEqual([200, true, true]);
    const brain = brainOf(home);
    for (let at = 0; at < 5; at++) {
      expect(brain.breaker.isOpen()).toBe(false);
      await hooks['chat.headers']?.(null as never, null as never);
    }
    expect([brain.breaker.isOpen(), await ask()]).toEqual([true, [200, true, false]]);
  });

  it('when every decision throws, then no request fails by that, and each of them is counted', async () => {
    const { home, lead, ask, asked } = await openProject();
    provider.script(lead, Array(4).fill({ kind: 'text', text: 'LEAD' }));
    await ask();
    const brain = brainOf(home);
    brain.decide = () => {
      throw fault();
    };
    const answers = [await ask(), await ask(), await ask()];
    expect(answers.map(([status, isLead]) => [status, isLead])).toEqual(Array(3).fill([200, true]));
    expect([asked(), brain.breaker.isOpen()]).toEqual([[4, 0], true]);
  });
});
