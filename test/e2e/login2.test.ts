import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runOpencode } from '../../src/node/opencode';
import { promptOverAcp } from '../support/acp';
import { SHAPES } from '../support/login-shapes.mjs';
import { NIGHTLY } from '../support/nightly';
import { opencode2Binary, openRealStage, type RealStage } from '../support/opencode2/real';
import { sharedStage2 } from '../support/opencode2/shared';
import { QUICK } from '../support/stage';

const PLUGIN = join(import.meta.dirname, '..', 'support', 'login-plugin2.mjs');
const NEXT = 'next-model';
const ANSWER = { kind: 'text', text: 'NEXT ANSWERS' } as const;
const PARENT = { kind: 'text', text: 'PARENT ANSWERS' } as const;
const LIMITED = { kind: 'status', status: 429 } as const;
const OF_FETCH = Object.keys(SHAPES).filter((shape) => shape !== 'expires');
/** Each hook of a plugin that can fail, and how. */
const CASES = [
  ...OF_FETCH.map((shape) => `fetch-${shape}`),
  ...['around', 'language', 'http'].flatMap((hook) => [`${hook}-throws`, `${hook}-hangs`]),
  'around-passes',
];
let projects = 0;

describe.skipIf(opencode2Binary().path === '').each(['before', 'after'] as const)(
  'given a plugin of OpenCode 2 with a transport of its own, %s Understudy',
  (place) => {
    let stage: RealStage;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'us-login-'));
      const own = join(folder, 'login');
      await mkdir(own);
      await writeFile(join(own, 'package.json'), '{"name":"login","private":true,"type":"module","main":"./index.js"}');
      await writeFile(join(own, 'index.js'), `export { default } from ${JSON.stringify(pathToFileURL(PLUGIN).href)};`);
      stage = await openRealStage('plugins', { isThrifty: false, [place]: [own] });
    });
    afterAll(async () => {
      await stage?.close();
      await rm(folder, { recursive: true, force: true });
    });
    beforeEach(() => stage.provider.clear());

    /** A project whose primary belongs to the provider `login-<name>`. */
    async function project(name: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
      const limit = { context: 128_000, output: 8_000 };
      const of = (npm: string, id: string) => ({
        npm,
        options: { baseURL: `${stage.provider.url}/v1`, apiKey: 'not-a-real-key' },
        models: { [id]: { name: id, tool_call: true, limit } },
      });
      stage.provider.script('main-model', [LIMITED]);
      stage.provider.script(NEXT, [ANSWER]);
      const fallback = {
        defaults: { ...QUICK, firstTokenTimeoutMs: 2_000 },
        agents: { '*': { fallbackModels: [`next/${NEXT}`] } },
      };
      return stage.sandbox.addProject(`login-${++projects}`, {
        git: true,
        config: {
          model: `login-${name}/main-model`,
          provider: {
            [`login-${name}`]: of('venice-ai-sdk-provider', 'main-model'),
            next: of('@ai-sdk/openai-compatible', NEXT),
          },
          ...more,
        },
        files: { '.opencode/model-fallback.json': JSON.stringify(fallback) },
      });
    }
    const processIn = (directory: string) => {
      const { sandbox, home } = stage;
      return { binary: opencode2Binary(), sandbox, directory, env: { UNDERSTUDY_HOME: home } };
    };

    it('when its hook of the coming request throws, then the next model answers after the error', NIGHTLY, async () => {
      const seat = await stage.sitIn(await project('model-throws'));
      await seat.ask('One');
      await expect.poll(() => seat.said(), { timeout: 20_000 }).toEqual([ANSWER.text]);
    });

    for (const name of CASES) {
      it(`when ${name}, then the next model finishes the turn`, NIGHTLY, async () => {
        const seat = await stage.sitIn(await project(name));
        expect([await seat.ask('One'), await seat.said()]).toEqual(['succeeded', [ANSWER.text]]);
        expect(stage.provider.requests(NEXT).length).toBe(1);
      });

      it(`when ${name} in \`opencode run\`, then the next model's answer is printed`, NIGHTLY, async () => {
        const args = ['One', '--standalone'];
        const { exitCode, stdout } = await runOpencode({ ...processIn(await project(name)), args });
        expect([exitCode, stdout.includes(ANSWER.text)]).toEqual([0, true]);
      });

      it(`when ${name} and OpenCode is asked over ACP, then the next model answers`, NIGHTLY, async () => {
        expect(await promptOverAcp(processIn(await project(name)), 'One')).toEqual({
          text: ANSWER.text,
          stop: 'end_turn',
        });
      });

      it(`when ${name} in a sub-agent, then its parent receives the next model's answer`, NIGHTLY, async () => {
        const helper = { mode: 'subagent', model: `login-${name}/main-model`, description: 'Helps', prompt: 'Help.' };
        const directory = await project(name, { model: `next/${NEXT}`, agent: { helper } });
        const input = { description: 'Help', prompt: 'SUB TASK', agent: 'helper' };
        stage.provider.script(NEXT, [{ kind: 'toolCall', name: 'subagent', arguments: input }, ANSWER, PARENT]);
        const seat = await stage.sitIn(directory);
        expect([await seat.ask('One'), (await seat.said()).at(-1)]).toEqual(['succeeded', PARENT.text]);
        expect(JSON.stringify(stage.provider.requests(NEXT).at(-1)?.body)).toContain(ANSWER.text);
      });
    }
  },
);

describe.skipIf(opencode2Binary().path === '')('given a healthy provider of OpenCode 2', NIGHTLY, () => {
  /** The requests of one message, without the names of its session and folder. */
  async function requestsOf(list: 'plugins' | null, lead: string): Promise<readonly string[]> {
    const stage = await openRealStage(list);
    try {
      const { directory, ids } = await stage.makeCase({
        packages: { 0: lead },
        config: { agent: { title: { disable: true } } },
      });
      stage.provider.script(ids[0] ?? '', [{ kind: 'text', text: 'PRIMARY ANSWERS' }]);
      const seat = await stage.sitIn(directory);
      expect([await seat.ask('One'), await seat.said()]).toEqual(['succeeded', ['PRIMARY ANSWERS']]);
      const host = stage.provider.url.replace('http://', '');
      return stage.provider.requests(ids[0] ?? '').map(({ headers, body }) => {
        // OpenCode adds two random numbers for tracing to what it sends itself, and the number of the project's first commit.
        const { b3, traceparent, 'x-opencode-project': project, ...same } = headers;
        const text = JSON.stringify({ headers: same, body }).replaceAll(directory, 'FOLDER').replaceAll(host, 'HOST');
        return text.replaceAll(/(?:ses|msg|prj)_\w+/g, 'ID');
      });
    } finally {
      await stage.close();
    }
  }

  it.for(['@ai-sdk/openai-compatible', 'venice-ai-sdk-provider'])(
    'when a model of %s answers, then its requests are the same with and without Understudy',
    async (npm) => {
      const without = await requestsOf(null, npm);
      expect(without.length).toBe(1);
      expect(await requestsOf('plugins', npm)).toEqual(without);
    },
  );
});

describe.skipIf(opencode2Binary().path === '')('given a login of OpenCode 2 that is refused', NIGHTLY, () => {
  const refused = { kind: 'status', status: 401, body: { error: { message: 'Token refresh failed: 401' } } } as const;
  const primary = { kind: 'text', text: 'PRIMARY ANSWERS' } as const;
  let stage: RealStage;
  beforeAll(async () => {
    stage = await sharedStage2();
  });
  afterAll(() => stage?.close());

  it('when the same account gets a new key, then the primary answers the next message, and not before', async () => {
    const { directory, chain, ids } = await stage.makeCase({ keylessAt: 0 });
    const [provider] = chain[0]?.split('/') ?? [];
    const at = `location%5Bdirectory%5D=${encodeURIComponent(directory)}`;
    const logIn = (key: string) =>
      stage.server.request('POST', `/integration/${provider}/connect/key?${at}`, { body: { key, label: 'mine' } });
    await stage.server.openProject(directory);
    const isIn = () =>
      logIn('old-key').then(
        () => true,
        () => false,
      );
    await expect.poll(isIn).toBe(true);
    stage.provider.script(ids[0] ?? '', ({ headers }) =>
      headers.authorization === 'Bearer new-key' ? primary : refused,
    );
    stage.provider.script(ids[1] ?? '', [ANSWER, ANSWER]);
    const seat = await stage.sitIn(directory);
    const ask = async () => {
      await seat.ask('Go on');
      return [(await seat.said()).at(-1), stage.provider.requests(ids[0] ?? '').length];
    };
    const byNext = [ANSWER.text, 1];
    expect([await ask(), await ask()]).toEqual([byNext, byNext]);
    await logIn('new-key');
    expect(await ask()).toEqual([primary.text, 2]);
  });
});
