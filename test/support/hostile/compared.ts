import { mkdir } from 'node:fs/promises';
import { expect } from 'vitest';
import { type ScriptedProvider, startScriptedProvider, wireBasePath } from '../../../src/demo/scripted-provider';
import { textOf } from '../../../src/node/opencode';
import { builtPlugin } from '../built-companion';
import { type PanelProcess, startPanel } from '../panel-process';
import { grownMib, residentMib } from '../resident';
import { openStage, type Stage } from '../stage';
import { placeAt, type Shape } from './place';
import { ALONE, watchPanel } from './products';
import { markUnread, readSince } from './unread';

const TRIES = 3;
/** Maximum wait for an OpenCode that only has to read a project. */
const LIMIT_MS = 20_000;
const STEADY = { provider: 'steady', model: 'steady-model' } as const;
const SAID = 'THE LEAD ANSWERS';
/** OpenCode reads these files without limit, which would use all memory. */
const ENDLESS = /is (?:an endless device|8 GiB)$/;

/** Compares an OpenCode with the built companion to one without, on the same project. */
export type Compared = Readonly<{
  /**
   * Opens such a project in both; fails if the companion costs too much. @returns the reason if the project was
   * skipped.
   */
  play(shape: Shape): Promise<string | null>;
  close(): Promise<void>;
}>;

/** Fixes the model, which no project can change. */
const steadily = ({ url }: ScriptedProvider): Readonly<Record<string, string>> => ({
  OPENCODE_CONFIG_CONTENT: JSON.stringify({
    model: `${STEADY.provider}/${STEADY.model}`,
    provider: {
      [STEADY.provider]: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${url}${wireBasePath('openai-compatible')}`, apiKey: 'not-a-real-key' },
        models: { [STEADY.model]: { name: STEADY.model, tool_call: true, limit: { context: 128_000, output: 8_000 } } },
      },
    },
  }),
});

export async function openCompared(): Promise<Compared> {
  const provider = await startScriptedProvider();
  provider.script(STEADY.model, [{ kind: 'text', text: SAID }]);
  const open = async (plugins: readonly string[]): Promise<Stage> => {
    const stage = await openStage(plugins, steadily(provider));
    // A first project warms it up.
    await answerIn(stage, (await made(stage, async () => undefined)).directory);
    return stage;
  };
  let [ours, bare] = [await open([builtPlugin()]), await open([])];
  const panel = await startPanel(ours.home, { ...process.env, ...ours.sandbox.env });
  const again = async (stage: Stage, plugins: readonly string[]): Promise<Stage> => {
    await stage.close();
    return await open(plugins);
  };
  return {
    async play(shape) {
      if (ENDLESS.test(shape.name) && shape.isOpenCodes) return 'OpenCode would read it without end';
      const seen: unknown[] = [];
      for (let round = 0; round < TRIES; round++) {
        const { directory } = await made(bare, shape.make);
        const without = await answerIn(bare, directory).catch((error: Error) => error.message);
        if (typeof without === 'string') {
          bare = await again(bare, []);
          return `OpenCode itself does not answer there: ${without.slice(0, 200)}`;
        }
        const taken = await withCompanion(ours, panel, shape).catch(async (error: Error) => {
          ours = await again(ours, [builtPlugin()]);
          throw error;
        });
        seen.push({ ...taken, without: Math.round(without) });
        if (taken.ms < without + ALONE.lateMs && taken.freezeMs < ALONE.freezeMs && taken.mb < ALONE.mb) return null;
      }
      throw new Error(`${shape.name} takes more than it may: ${JSON.stringify(seen)}`);
    },
    async close() {
      await panel.stop();
      for (const stage of [ours, bare]) await stage.close();
      await provider.close();
    },
  };
}

async function withCompanion(stage: Stage, panel: PanelProcess, shape: Shape) {
  const pids = [stage.server.pid, panel.pid];
  const before = pids.map(residentMib);
  const { directory, outside } = await made(stage, shape.make);
  // Watch only from here, because creating the project also blocks this process.
  const watch = watchPanel(panel);
  const ms = await answerIn(stage, directory).catch(async (error) => {
    await watch();
    throw error;
  });
  const freezeMs = await watch();
  const mb = Math.max(...pids.map((pid, at) => grownMib(pid, before[at] ?? null)));
  // OpenCode reads the files that it follows itself.
  if (!shape.isOpenCodes) expect(await readSince(outside)).toEqual([]);
  return { ms: Math.round(ms), freezeMs: Math.round(freezeMs), mb: Math.round(mb) };
}

/** Creates a project of a shape. @returns the project, and a folder outside that it must not reach. */
async function made({ makeCase }: Stage, make: Shape['make']) {
  const { directory } = await makeCase({ models: 1, git: false });
  const outside = `${directory}-outside`;
  await mkdir(outside);
  await make(placeAt(directory, outside));
  await markUnread(outside);
  return { directory, outside };
}

/** Opens a project and sends a prompt. @returns ms until the response. @throws Error if none comes in time. */
async function answerIn({ server }: Stage, directory: string): Promise<number> {
  const from = performance.now();
  const answered = (async (): Promise<void> => {
    const answer = await server.prompt(await server.createSession(directory), { text: 'One' });
    if (textOf(answer) !== SAID) throw new Error(`it says ${JSON.stringify(answer).slice(0, 150)}`);
  })();
  await inTime(answered);
  const ms = performance.now() - from;
  await inTime(server.dispose(directory));
  return ms;
}

async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing within ${LIMIT_MS / 1_000} s`)), LIMIT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
