import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runOpencode, textOf } from '../../src/node/opencode';
import { remedy } from '../../src/wording/act-words';
import { promptOverAcp } from '../support/acp';
import { builtPlugin } from '../support/built-companion';
import { ANSWER, ENV, LOGIN, loginProject, NEXT, SHAPES, type Shape } from '../support/login-project';
import { NIGHTLY, nightlyIf } from '../support/nightly';
import { openStage, type Stage } from '../support/stage';

/** `npm test` plays these: before a request, and in place of one. */
const DAILY: readonly Shape[] = ['throws', 'limits'];

describe.each([
  ['before', [LOGIN, builtPlugin()]],
  ['after', [builtPlugin(), LOGIN]],
] as const)('given a login plugin with a fetch of its own, %s Understudy', (place, plugins) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(plugins, ENV);
  });
  afterAll(() => stage?.close());
  beforeEach(() => stage.provider.clear());

  const isDaily = (shape: Shape): boolean => place === 'before' && DAILY.includes(shape);

  for (const shape of SHAPES) {
    it(`when it ${shape}, then the next model answers in the same turn`, nightlyIf(!isDaily(shape)), async () => {
      const directory = await loginProject(stage, shape);
      const session = await stage.server.createSession(directory);
      expect(textOf(await stage.server.prompt(session, { text: 'One' }))).toBe(ANSWER.text);
      expect([NEXT, 'spare-model'].map((model) => stage.provider.requests(model).length)).toEqual([1, 0]);
      // The session that looked at the provider is gone.
      expect(await stage.server.request<unknown[]>('GET', '/session', { directory })).toHaveLength(1);
    });

    it(`when it ${shape} under \`opencode run\`, then the next model's answer is printed`, NIGHTLY, async () => {
      const directory = await loginProject(stage, shape);
      const { binary, sandbox, home } = stage;
      const env = { UNDERSTUDY_HOME: home, ...ENV };
      const { exitCode, stdout } = await runOpencode({ binary, sandbox, directory, args: ['One'], env });
      expect([exitCode, stdout.includes(ANSWER.text)]).toEqual([0, true]);
    });

    it(`when it ${shape} and is asked over ACP, then the next model answers`, NIGHTLY, async () => {
      const directory = await loginProject(stage, shape);
      const { binary, sandbox, home } = stage;
      const env = { UNDERSTUDY_HOME: home, ...ENV };
      expect(await promptOverAcp({ binary, sandbox, directory, env }, 'One')).toEqual({
        text: ANSWER.text,
        stop: 'end_turn',
      });
    });

    it(
      `when it ${shape} in a sub-agent, then its parent receives the next model's answer`,
      nightlyIf(!isDaily(shape) || shape !== 'limits'),
      async () => {
        const model = `login-${shape}/main-model`;
        const directory = await loginProject(stage, shape, {
          model: `next/${NEXT}`,
          agent: { helper: { mode: 'subagent', model, description: 'Helps', prompt: 'Help.' } },
        });
        const call = { description: 'Help', prompt: 'SUB TASK', subagent_type: 'helper' };
        stage.provider.script(NEXT, [{ kind: 'toolCall', name: 'task', arguments: call }, ANSWER, ANSWER]);
        const session = await stage.server.createSession(directory);
        expect(textOf(await stage.server.prompt(session, { text: 'Start' }))).toBe(ANSWER.text);
        expect(JSON.stringify(stage.provider.requests(NEXT).at(-1)?.body)).toContain(ANSWER.text);
      },
    );
  }

  it(
    'when all models of its provider are in the chain, then the first of them is seen all the same',
    nightlyIf(place !== 'before'),
    async () => {
      const directory = await loginProject(stage, 'throws', {}, ['login-throws/spare-model']);
      const session = await stage.server.createSession(directory);
      expect(textOf(await stage.server.prompt(session, { text: 'One' }))).toBe(ANSWER.text);
    },
  );

  it('when its provider has one model, then the next model answers the same message', NIGHTLY, async () => {
    const directory = await loginProject(stage, 'limits', {}, [], ['main-model']);
    const session = await stage.server.createSession(directory);
    await stage.server.promptAsync(session, { text: 'One' });
    const answers = async () => (await stage.server.messages(session)).map((message) => textOf(message)).slice(1);
    await expect.poll(answers, { timeout: 20_000 }).toEqual([ANSWER.text]);
  });

  it(
    'when its provider answers, then the provider gets no header of Understudy',
    nightlyIf(place !== 'before'),
    async () => {
      const directory = await loginProject(stage, 'stores');
      stage.provider.script('main-model', [{ kind: 'text', text: 'PRIMARY ANSWERS' }]);
      const session = await stage.server.createSession(directory);
      expect(textOf(await stage.server.prompt(session, { text: 'One' }))).toBe('PRIMARY ANSWERS');
      const [request] = stage.provider.requests('main-model');
      expect(
        Object.keys(request?.headers ?? { 'x-understudy': '' }).filter((name) => /understudy/i.test(name)),
      ).toEqual([]);
    },
  );
});

describe('given a login that has expired', () => {
  let stage: Stage;
  const login = async (key: string): Promise<void> => {
    const folder = join(stage.sandbox.env.XDG_DATA_HOME ?? '', 'opencode');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'auth.json'), JSON.stringify({ 'login-expires': { type: 'api', key } }));
  };
  beforeAll(async () => {
    stage = await openStage([LOGIN, builtPlugin()]);
    await login('old');
  });
  afterAll(() => stage?.close());

  it('when the user logs in again, then the primary answers the next message, and not before', async () => {
    const directory = await loginProject(stage, 'expires');
    stage.provider.script('main-model', [{ kind: 'text', text: 'PRIMARY ANSWERS' }]);
    stage.provider.script(NEXT, [ANSWER, ANSWER]);
    const app = await stage.openApp();
    const session = await stage.server.createSession(directory);
    expect(textOf(await stage.server.prompt(session, { text: 'One' }))).toBe(ANSWER.text);
    const { models } = await app.until((snapshot) => snapshot.models.some(({ state }) => state === 'blocked'));
    const blocked = models.find(({ state }) => state === 'blocked');
    expect([blocked?.model, blocked?.code, blocked && remedy(blocked)]).toEqual([
      'login-expires/main-model',
      'blocked.login',
      'Log in to login-expires again: opencode auth login.',
    ]);
    expect(textOf(await stage.server.prompt(session, { text: 'Two' }))).toBe(ANSWER.text);
    await login('new');
    expect(textOf(await stage.server.prompt(session, { text: 'Three' }))).toBe('PRIMARY ANSWERS');
    const seen = ['login', 'fetch'];
    await app.until((snapshot) => {
      const rows = [blocked?.model, `next/${NEXT}`].map((name) => snapshot.models.find(({ model }) => model === name));
      return rows.every((row, at) => row?.requests === seen[at]);
    });
    await app.close();
  });
});

describe('given a healthy provider, with and without Understudy', () => {
  /** The requests of one message, without the names of its session and folder. */
  async function requestsOf(plugins: readonly string[], lead: string): Promise<readonly string[]> {
    const stage = await openStage(plugins, ENV);
    try {
      const directory = await loginProject(stage, 'passes', { model: lead });
      const answers = { kind: 'text', text: 'PRIMARY ANSWERS' } as const;
      stage.provider.script('main-model', [answers, answers]);
      stage.provider.script(NEXT, [answers, answers]);
      const session = await stage.server.createSession(directory);
      expect(textOf(await stage.server.prompt(session, { text: 'One' }))).toBe(answers.text);
      const host = stage.provider.url.replace('http://', '');
      const sent = ['main-model', NEXT].flatMap((model) => stage.provider.requests(model));
      return sent.map(({ headers, body }) => {
        const text = JSON.stringify({ headers, body }).replaceAll(directory, 'FOLDER').replaceAll(host, 'HOST');
        return text.replaceAll(/(?:ses|msg|prj)_\w+/g, 'ID');
      });
    } finally {
      await stage.close();
    }
  }

  it.for(['login-passes/main-model', `next/${NEXT}`])(
    'when %s answers, then the requests are the same',
    { tags: ['nightly'] },
    async (lead) => {
      const without = await requestsOf([LOGIN], lead);
      expect(without.length).toBeGreaterThan(0);
      expect(await requestsOf([LOGIN, builtPlugin()], lead)).toEqual(without);
    },
  );
});
