import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ensurePackage } from '../../scripts/ensure-package.mjs';
import { type Script, toolCallThen } from '../../src/demo/scripted-provider';
import { builtPlugin } from '../support/built-companion';
import { CALM } from '../support/matrix/row';
import { NIGHTLY } from '../support/nightly';
import { openPluginStage, PLUGINS, type PluginStage } from '../support/npm-plugins';
import { textOf } from '../support/said';

const PRIMARY = { kind: 'text', text: 'PRIMARY ANSWERS' } as const;
const FALLBACK = { kind: 'text', text: 'FALLBACK ANSWERS' } as const;
const PARTIAL = 'PARTIAL';
/** Plugins that fail when OpenCode imports them, and when it calls them. */
const BROKEN = {
  'import.mjs': "throw new Error('x');",
  'call.mjs': "export const Plugin = () => { throw new Error('x'); };",
};
const APPEND = { command: 'echo ran >> ran.txt', description: 'Appends a line' };

describe.each(PLUGINS)('given %s %s', NIGHTLY, (name, version, addition) => {
  describe.each(['before', 'after'])('and it stands %s Understudy in the list', (place) => {
    let stage: PluginStage;
    let directory: string;
    beforeAll(async () => {
      const plugin = await ensurePackage(name, version);
      stage = await openPluginStage(place === 'before' ? [plugin, builtPlugin()] : [builtPlugin(), plugin]);
    });
    afterAll(() => stage?.close());
    afterEach(async () => {
      const isLoaded = (await stage.additions(directory)).includes(addition);
      expect([stage.loadFailures(), isLoaded]).toEqual([[], true]);
    });

    /** Opens a session in which the primary model follows the script. */
    const open = async (script: Script) => {
      const { provider, server } = stage;
      const made = await stage.makeCase({ defaults: CALM });
      const [primary = '', fallback = ''] = made.ids;
      directory = made.directory;
      provider.script(primary, script);
      provider.script(fallback, [FALLBACK]);
      const events = await server.events(directory);
      const session = await server.createSession(directory);
      return {
        send: async (text: string) => textOf(await server.prompt(session, { text })),
        abort: () => server.abort(session),
        cut: () => provider.release(primary),
        waitForPartial: () => events.waitFor(({ properties }) => JSON.stringify(properties).includes(PARTIAL)),
        tools: async () => (await server.messages(session)).flatMap(({ parts }) => parts).filter(({ tool }) => tool),
        requests: () => made.ids.map((id) => provider.requests(id).length),
      };
    };

    it('when the primary answers 429, then the fallback model answers', async () => {
      const turn = await open([{ kind: 'status', status: 429 }, PRIMARY]);
      expect([await turn.send('One'), turn.requests()]).toEqual([FALLBACK.text, [1, 1]]);
    });

    it('when the stream breaks off after some text, then the fallback model answers', async () => {
      const turn = await open([{ kind: 'cut', text: PARTIAL, afterMs: 30_000 }, PRIMARY]);
      const answer = turn.send('One');
      await turn.waitForPartial();
      turn.cut();
      expect([await answer, turn.requests()]).toEqual([FALLBACK.text, [1, 1]]);
    });

    it('when the primary answers 503 after a tool step, then the fallback model finishes the turn', async () => {
      const turn = await open(toolCallThen('bash', APPEND, { kind: 'status', status: 503 }));
      expect([await turn.send('One'), turn.requests()]).toEqual([FALLBACK.text, [2, 1]]);
      expect(await turn.tools()).toMatchObject([{ tool: 'bash', state: { status: 'completed' } }]);
      expect(await readFile(join(directory, 'ran.txt'), 'utf8')).toBe('ran\n');
    });

    it('when the user stops the turn in mid-stream, then no fallback model is called', async () => {
      const turn = await open([{ kind: 'stall', text: PARTIAL }, PRIMARY]);
      const stopped = turn.send('One').catch(() => null);
      await turn.waitForPartial();
      await turn.abort();
      await stopped;
      const status = () => stage.server.request('GET', '/session/status', { directory });
      await expect.poll(status).toEqual({});
      expect(turn.requests()).toEqual([1, 0]);
      expect([await turn.send('Two'), turn.requests()]).toEqual([PRIMARY.text, [2, 0]]);
    });
  });
});

describe('given no popular plugin', NIGHTLY, () => {
  let folder: string;
  let stage: PluginStage;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'us-'));
    for (const [file, text] of Object.entries(BROKEN)) await writeFile(join(folder, file), text);
    stage = await openPluginStage([...Object.keys(BROKEN).map((file) => join(folder, file)), builtPlugin()]);
  });
  afterAll(async () => {
    await stage?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('when other plugins cannot be loaded, then OpenCode reports them, and nothing of a popular plugin is there', async () => {
    const { directory } = await stage.makeCase();
    const additions = await stage.additions(directory);
    expect(PLUGINS.filter(([, , addition]) => additions.includes(addition))).toEqual([]);
    const reported = () =>
      Object.keys(BROKEN).filter((file) => stage.loadFailures().some((line) => line.includes(file)));
    await expect.poll(reported).toEqual(Object.keys(BROKEN));
  });
});
