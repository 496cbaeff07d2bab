import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../../src/demo/scripted-provider';
import type { ModelRef, PluginContext, RetryEvent } from '../../../src/plugin/opencode2/session/types';
import { tempFolder } from '../../node/temp-folder';
import { openCase } from './case';
import { heldTime, type Knobs, type Plugin, pluginsOf, skippedTime } from './index';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
});
afterAll(() => provider.close());

const OK = { kind: 'text', text: 'here' } as const;
const LIMITED = { kind: 'status', status: 429 } as const;

const atRetry = (act: (event: RetryEvent, context: PluginContext) => unknown): Plugin => ({
  id: 'probe',
  setup: async (context) => {
    await context.session?.hook('retry', async (event) => void (await act(event, context)));
  },
});

const switching = (to: () => ModelRef): Plugin =>
  atRetry(async (event, { session }) => {
    await session?.switchModel?.({ sessionID: event.sessionID, model: to() });
    event.decision = { retry: true, delay: 0 };
  });

async function switched(status: number, knobs: Partial<Knobs> = {}) {
  let to: ModelRef = { providerID: '', id: '' };
  const { sleep } = skippedTime();
  const place = await openCase(
    provider,
    switching(() => to),
    { knobs, sleep },
  );
  to = place.refs[1] ?? to;
  provider.script(place.ids[0] ?? '', [{ kind: 'status', status }]);
  provider.script(place.ids[1] ?? '', [OK]);
  const seat = place.sit();
  const ended = await seat.ask('go');
  return { place, seat, ended, kinds: seat.rows().map(({ type }) => type) };
}

describe('given a host as the documents describe it', () => {
  it.each([429, 503, 401, 402, 400])(
    'when a hook switches at a %i and retries, then the next model answers in the same message',
    async (status) => {
      const { place, seat, ended, kinds } = await switched(status);
      expect([ended, kinds, seat.said(), place.asked()]).toEqual([
        'succeeded',
        ['user', 'assistant', 'model-switched'],
        ['here'],
        [1, 1],
      ]);
      expect(seat.state.model).toEqual(place.refs[1]);
    },
  );

  it('when no hook changes a failure, then a step has 11 attempts, and the hook gets attempts 2 to 11', async () => {
    const attempts: number[] = [];
    const { sleep, asked } = skippedTime();
    const place = await openCase(
      provider,
      atRetry(({ attempt }) => attempts.push(attempt)),
      { sleep },
    );
    provider.script(place.ids[0] ?? '', [LIMITED]);
    expect(await place.sit().ask('go')).toMatchObject({ type: 'provider.rate-limit', status: 429 });
    expect(attempts).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect([place.asked()[0], asked.slice(0, 5)]).toEqual([11, [2_000, 4_000, 8_000, 10_000, 10_000]]);
  });

  it('when an answer breaks off, then what was said stays as a failed step, and a new message continues', async () => {
    const { sleep } = skippedTime();
    const place = await openCase(
      provider,
      atRetry(() => undefined),
      { sleep },
    );
    provider.script(place.ids[0] ?? '', [{ kind: 'cut', text: 'half a', afterMs: 20 }, OK]);
    const seat = place.sit();
    expect(await seat.ask('go')).toBe('succeeded');
    expect(seat.rows().map((row) => [row.type, 'status' in row ? row.status : ''])).toEqual([
      ['user', ''],
      ['assistant', 'failed'],
      ['synthetic', ''],
      ['assistant', 'done'],
    ]);
  });

  it.each([
    ['an error inside a stream', { kind: 'sseError', message: 'overloaded' }],
    ['too long a context', { kind: 'status', status: 400, body: { error: { message: 'maximum context length' } } }],
  ] as const)('when there is %s, then the retry hook is not asked', async (_, step) => {
    const calls: number[] = [];
    const place = await openCase(
      provider,
      atRetry(() => calls.push(1)),
    );
    provider.script(place.ids[0] ?? '', [step]);
    expect([await place.sit().ask('go'), calls.length]).toEqual([
      expect.objectContaining({ message: expect.any(String) }),
      0,
    ]);
  });

  it('when a response is replaced by a 503, then that is what fails', async () => {
    const types: string[] = [];
    const plugin: Plugin = {
      id: 'probe',
      setup: async ({ session }) => {
        await session?.hook('http.response', (event) => {
          event.response = new Response('', { status: 503 });
        });
        await session?.hook('retry', (event) => {
          types.push(event.error.type);
          event.decision = { retry: false };
        });
      },
    };
    const place = await openCase(provider, plugin);
    provider.script(place.ids[0] ?? '', [OK]);
    await place.sit().ask('go');
    expect(types).toEqual(['provider.internal']);
  });

  it('when a user stops a wait, then the execution is interrupted and no hook is called again', async () => {
    const held = heldTime();
    const place = await openCase(
      provider,
      atRetry(() => undefined),
      { sleep: held.sleep },
    );
    provider.script(place.ids[0] ?? '', [LIMITED]);
    const seat = place.sit();
    const ended = seat.ask('go');
    await held.isAsked;
    seat.stop();
    expect([await ended, place.asked()[0]]).toEqual(['interrupted', 1]);
  });

  it('when an agent calls another, then a switch in the child session does not change the parent', async () => {
    let to: ModelRef = { providerID: '', id: '' };
    const place = await openCase(
      provider,
      switching(() => to),
      { sleep: skippedTime().sleep },
    );
    to = place.refs[1] ?? to;
    provider.script(place.ids[0] ?? '', [
      { kind: 'toolCall', name: 'subagent', arguments: { agent: 'plan', prompt: 'look' } },
      LIMITED,
      { kind: 'text', text: 'parent done' },
    ]);
    provider.script(place.ids[1] ?? '', [OK]);
    const seat = place.sit();
    expect(await seat.ask('go')).toBe('succeeded');
    expect(place.sessions().map(({ parentID, model }) => [parentID, model])).toEqual([
      [null, null],
      [seat.id, place.refs[1]],
    ]);
    expect(seat.said()).toEqual(['parent done']);
  });
});

describe('given a host that answers differently', () => {
  it.each([
    ['does not resolve again', { resolvesOnRetry: false }, 429],
    ['hides the failure', { hidesFromRetry: () => true }, 400],
    ['ignores a switch', { switchModel: 'ignores' }, 429],
    ['rejects a switch', { switchModel: 'rejects' }, 429],
  ] as const)('when it %s, then the next model is never asked', async (_, knobs, status) => {
    const { place, ended } = await switched(status, knobs);
    expect([ended === 'succeeded', place.asked()[1]]).toEqual([false, 0]);
  });
});

describe('given the loader', () => {
  async function loaded(config: (folder: string) => object, source = 'export default { id: "a", setup() {} };') {
    const root = await tempFolder();
    const folder = join(root, 'plug');
    await mkdir(folder);
    await writeFile(join(folder, 'server.js'), source);
    await writeFile(join(root, 'opencode.json'), JSON.stringify(config(folder)));
    return pluginsOf(join(root, 'opencode.json')).then(
      (plugins) => plugins.map(({ id }) => id),
      (error: Error) => error.message,
    );
  }

  it('when a folder is named in either list, then its server file is loaded; in both, nothing is', async () => {
    expect(await loaded((folder) => ({ plugin: [pathToFileURL(folder).href] }))).toEqual(['a']);
    expect(await loaded((folder) => ({ plugins: [{ package: folder }] }))).toEqual(['a']);
    expect(await loaded((folder) => ({ plugin: [folder], plugins: [folder] }))).toBe('duplicate plugin id a');
  });

  it('when a file is named, or the export is another, then it is refused', async () => {
    expect(await loaded((folder) => ({ plugin: [join(folder, 'server.js')] }))).toContain('is no folder');
    const both = 'export default { id: "a", server() {}, setup() {}, tui: true };';
    expect(await loaded((folder) => ({ plugin: [folder] }), both)).toContain('invalid tui export');
    expect(await loaded((folder) => ({ plugin: [folder] }), 'export default () => ({});')).toContain('no id and setup');
  });
});
