import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RecordedRequest,
  type ScriptedStep,
  startScriptedProvider,
  type Wire,
  wireBasePath,
} from '../../src/demo/scripted-provider';
import { createSandbox, type Opencode2Server, startOpencode2, textsIn } from '../../src/node/opencode';
import { companionFolder, putCompanion } from '../../src/node/setup/companion-files';
import { builtPlugin } from '../support/built-companion';
import { WIRES } from '../support/matrix/places';
import { NIGHTLY, nightlyIf } from '../support/nightly';
import { opencode2Binary } from '../support/opencode2/real';
import { callsThen } from '../support/readers';
import { lean, openApp, PACKAGES, QUICK } from '../support/stage';
import { issuersIn, refusalOf } from '../support/strict-provider';

const isHere = opencode2Binary().path !== '';

const SPENT: ScriptedStep = {
  kind: 'status',
  status: 429,
  body: { error: { message: 'Spent.', code: 'insufficient_quota' } },
};
const keyOf = ({ headers }: RecordedRequest): string =>
  headers['x-api-key'] ?? headers['x-goog-api-key'] ?? (headers.authorization ?? '').replace('Bearer ', '');

/** Projects of one home, each with providers of its own; those of single wires come behind them. */
const PROJECTS_MAX = 16;

type ProjectOptions = Readonly<{
  wire?: Wire;
  defaults?: object;
  isNamed?: boolean;
  /** More of the project's own configuration of OpenCode. */
  says?: Readonly<Record<string, unknown>>;
}>;

const wireOf = (number: number): Wire => WIRES[number - PROJECTS_MAX - 1] ?? 'openai-compatible';

const namesOf = (number: number) => ({
  ai: `ai-${number}`,
  other: `other-${number}`,
  models: { lead: `${wireOf(number) === 'google' ? 'gemini-3-' : ''}lead-${number}`, spare: `spare-${number}` },
});

function providersOf(number: number, url: string) {
  const { ai, other, models } = namesOf(number);
  const model = { tool_call: true, limit: { context: 128_000, output: 8_000 } };
  const wire = wireOf(number);
  const options = { baseURL: `${url}${wireBasePath(wire)}` };
  const npm = PACKAGES[wire];
  return {
    [ai]: { npm, options, models: { [models.lead]: { name: 'lead', ...model } } },
    [other]: {
      npm,
      options: { ...options, apiKey: 'key-of-other' },
      models: { [models.spare]: { name: 'spare', ...model } },
    },
  };
}

/** The user's own configuration, which OpenCode reads again when it changes. */
type Own = Readonly<Record<string, unknown>>;

/** An OpenCode 2 whose user has several accounts, and what outlives its process. */
async function openHome() {
  const [provider, root] = await Promise.all([startScriptedProvider(), mkdtemp(join(tmpdir(), 'us-acc-'))]);
  const home = join(root, 'u');
  const put = await putCompanion({ home, source: builtPlugin() });
  if (!put.ok) throw new Error(put.reason);
  // The user's own: of a provider that a project says something of, no other account is asked.
  const providers = Array.from({ length: PROJECTS_MAX + WIRES.length }, (_, at) => providersOf(at + 1, provider.url));
  const config = { plugins: [pathToFileURL(companionFolder(home)).href], provider: Object.assign({}, ...providers) };
  const sandbox = await lean(await createSandbox({ root, git: true, config }));
  const ownFile = join(sandbox.configDirectory, 'model-fallback.json');
  let own: Own = {};
  const start = () => startOpencode2({ binary: opencode2Binary(), sandbox, env: { UNDERSTUDY_HOME: home } });
  let server: Opencode2Server = await start();
  let count = 0;
  return {
    provider,
    home,
    async configure(next: Own) {
      own = next;
      await writeFile(ownFile, JSON.stringify(own));
    },
    /** The number of the project that comes next. */
    next: () => count + 1,
    /** Ends the process, with nothing cleaned up or as a person would, and starts another one. */
    async again(how: 'killed' | 'stopped') {
      if (how === 'killed') {
        process.kill(server.pid, 'SIGKILL');
        await server.exited;
      } else await server.stop();
      server = await start();
    },
    /** A project whose lead has two accounts, `one` in use, and an understudy of another provider; or, in the user's own file, the account by its name. */
    async project({ wire, defaults = {}, isNamed = false, says = {} }: ProjectOptions = {}) {
      const number = wire ? PROJECTS_MAX + 1 + WIRES.indexOf(wire) : ++count;
      const { ai, other, models } = namesOf(number);
      const stand = isNamed ? `${ai}@two/${models.lead}` : `${other}/${models.spare}`;
      const fallback = {
        defaults: { ...QUICK, quotaCooldownMs: 600_000, retryOriginalAfterMs: 1_000, ...defaults },
        agents: { '*': { fallbackModels: [stand] } },
      };
      if (isNamed) await writeFile(ownFile, JSON.stringify({ ...own, ...fallback }));
      const directory = await sandbox.addProject(`accounts-${number}`, {
        git: true,
        config: {
          model: `${ai}/${models.lead}`,
          ...says,
        },
        files: isNamed ? {} : { '.opencode/model-fallback.json': JSON.stringify(fallback) },
      });
      const keys = { one: `key-one-of-${number}`, two: `key-two-of-${number}` };
      const at = `location%5Bdirectory%5D=${encodeURIComponent(directory)}`;
      type Connections = Readonly<{ connections: readonly Readonly<{ id: string; label: string }>[] }>;
      const integration = () => server.request<Connections>('GET', `/integration/${ai}?${at}`);
      const idOf = async (label: string): Promise<string> =>
        (await integration()).connections.find((each) => each.label === label)?.id ?? '';
      const open = async (): Promise<void> => {
        await server.openProject(directory);
        const isThere = () =>
          integration().then(
            () => true,
            () => false,
          );
        await expect.poll(isThere).toBe(true);
      };
      await open();
      for (const label of ['two', 'one'] as const)
        await server.request('POST', `/integration/${ai}/connect/key?${at}`, { body: { key: keys[label], label } });
      provider.script(models.spare, [{ kind: 'text', text: 'ANOTHER MODEL ANSWERS' }]);
      return {
        ...{ ai, models, keys, directory, open },
        /** What the lead does by the key it is asked with. */
        script: (steps: Readonly<Record<'one' | 'two', ScriptedStep>>) =>
          provider.script(models.lead, (request) => steps[keyOf(request) === keys.one ? 'one' : 'two']),
        /** Which accounts the lead was asked with, in order. */
        asked: () =>
          provider
            .requests(models.lead)
            .map((request) => (keyOf(request) === keys.one ? 'one' : keyOf(request) === keys.two ? 'two' : '?')),
        /** The account that is in use, as its user has chosen it. */
        inUse: async () => (await integration()).connections[0]?.label,
        use: async (label: string) => server.request('POST', `/credential/${await idOf(label)}/activate`),
        remove: async (label: string) => server.request('DELETE', `/credential/${await idOf(label)}`),
        sit: async () => sit(() => server, (await server.createSession(directory)).id),
      };
    },
    async close() {
      await server.stop();
      await provider.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const sit = (server: () => Opencode2Server, id: string) => ({
  id,
  begin: () => server().prompt(id, 'go'),
  async ask(): Promise<string | undefined> {
    await server().prompt(id, 'go');
    await server().settled(id);
    return textsIn(await server().messages(id)).at(-1);
  },
  model: async () => (await server().session(id)).model?.id,
});

let home: Awaited<ReturnType<typeof openHome>>;
beforeAll(async () => {
  if (isHere) home = await openHome();
});
afterAll(() => home?.close());

const ONE: ScriptedStep = { kind: 'text', text: 'ONE ANSWERS' };
const TWO: ScriptedStep = { kind: 'text', text: 'TWO ANSWERS' };

describe.skipIf(!isHere)(
  'given a user with two accounts of one provider, who lets them stand in',
  { timeout: 120_000 },
  () => {
    beforeAll(() => home.configure({ accounts: 'siblings' }));

    it('when the quota of the one in use is spent, then the same turn goes on with the same model by the other one, and so does the next', async () => {
      const project = await home.project();
      project.script({ one: SPENT, two: TWO });
      const session = await project.sit();
      expect([await session.ask(), project.asked(), await session.model()]).toEqual([
        'TWO ANSWERS',
        ['one', 'two'],
        // As the lead of a session nobody has chosen a model for: nothing was moved.
        undefined,
      ]);
      expect([await session.ask(), project.asked(), await project.inUse()]).toEqual([
        'TWO ANSWERS',
        ['one', 'two', 'two'],
        'one',
      ]);
      expect(home.provider.requests(project.models.spare)).toEqual([]);
    });

    for (const wire of WIRES)
      it(
        `when the one in use has sealed its thoughts and calls (${wire}), then the other one reads the rest and goes on`,
        nightlyIf(wire !== 'google'),
        async () => {
          const project = await home.project({ wire });
          const { lead } = project.models;
          const first = callsThen('one', SPENT);
          home.provider.script(lead, (request) => {
            const account = keyOf(request) === project.keys.one ? 'one' : 'two';
            return refusalOf(request, account) ?? (account === 'one' ? first(request) : TWO);
          });
          const session = await project.sit();
          expect([await session.ask(), project.asked()]).toEqual(['TWO ANSWERS', ['one', 'one', 'two']]);
          expect(home.provider.requests(lead).map(issuersIn)).toEqual([[], ['one'], []]);
        },
      );

    it('when both are spent, then another model finishes the turn; and each account is shown with its own health', {
      tags: ['nightly'],
    }, async () => {
      const app = await openApp(home.home);
      try {
        const project = await home.project();
        project.script({ one: SPENT, two: SPENT });
        const session = await project.sit();
        expect([await session.ask(), project.asked(), await project.inUse()]).toEqual([
          'ANOTHER MODEL ANSWERS',
          ['one', 'two'],
          'one',
        ]);
        const { ai, models } = project;
        const snapshot = await app.until(({ models: rows }) =>
          rows.some(({ model }) => model === `${ai}@two/${models.lead}`),
        );
        const states = new Map(snapshot.models.map(({ model, state }) => [model, state]));
        expect([`${ai}/${models.lead}`, `${ai}@two/${models.lead}`].map((model) => states.get(model))).toEqual([
          'cooling',
          'cooling',
        ]);
      } finally {
        await app.close();
      }
    });

    it('when the project says itself where the provider is, then its address is sent the key in use alone, as OpenCode does', async () => {
      const theirs = await startScriptedProvider();
      try {
        const number = home.next();
        const baseURL = `${theirs.url}${wireBasePath('openai-compatible')}`;
        const project = await home.project({ says: { provider: { [namesOf(number).ai]: { options: { baseURL } } } } });
        theirs.script(project.models.lead, () => SPENT);
        const session = await project.sit();
        expect(await session.ask()).toBe('ANOTHER MODEL ANSWERS');
        expect(theirs.requests(project.models.lead).map(keyOf)).toEqual([project.keys.one]);
        expect(project.asked()).toEqual([]);
      } finally {
        await theirs.close();
      }
    });

    it('when the provider fails for everybody, then the other account is not asked in vain', {
      tags: ['nightly'],
    }, async () => {
      const project = await home.project();
      project.script({ one: { kind: 'status', status: 500 }, two: TWO });
      const session = await project.sit();
      expect([await session.ask(), project.asked()]).toEqual(['ANOTHER MODEL ANSWERS', ['one']]);
    });

    it('when its quota is there again, then the account in use answers again', { tags: ['nightly'] }, async () => {
      const project = await home.project({ defaults: { quotaCooldownMs: 1_000 } });
      project.script({ one: SPENT, two: TWO });
      const session = await project.sit();
      await session.ask();
      project.script({ one: ONE, two: TWO });
      await expect.poll(() => session.ask(), { interval: 500 }).toBe('ONE ANSWERS');
      expect([project.asked().at(-1), await project.inUse()]).toEqual(['one', 'one']);
    });

    for (const how of ['stopped', 'killed'] as const)
      it(`when OpenCode is ${how} in a turn of the other account, then the one in use is still the one its user has chosen, and the next message is answered`, {
        tags: ['nightly'],
      }, async () => {
        const project = await home.project();
        let release = (): void => undefined;
        const until = new Promise<void>((resolve) => {
          release = resolve;
        });
        project.script({ one: SPENT, two: { kind: 'held', until, of: TWO } });
        const session = await project.sit();
        await session.begin();
        await expect.poll(project.asked).toEqual(['one', 'two']);
        await home.again(how);
        release();
        await project.open();
        expect(await project.inUse()).toBe('one');
        project.script({ one: SPENT, two: TWO });
        expect([await session.ask(), await project.inUse()]).toEqual(['TWO ANSWERS', 'one']);
      });

    it('when the user changes to the other account meanwhile, then that choice stands, and is the one that is asked', {
      tags: ['nightly'],
    }, async () => {
      const project = await home.project();
      project.script({ one: SPENT, two: TWO });
      const session = await project.sit();
      await session.ask();
      await project.use('two');
      expect([await session.ask(), project.asked().at(-1), await project.inUse()]).toEqual([
        'TWO ANSWERS',
        'two',
        'two',
      ]);
      project.script({ one: ONE, two: SPENT });
      expect([await session.ask(), project.asked().slice(-2), await project.inUse()]).toEqual([
        'ONE ANSWERS',
        ['two', 'one'],
        'two',
      ]);
    });

    it('when four sessions meet the spent quota at once, then each of them goes on, and nobody’s choice is changed', {
      tags: ['nightly'],
    }, async () => {
      const project = await home.project();
      project.script({ one: SPENT, two: TWO });
      const sessions = await Promise.all([1, 2, 3, 4].map(() => project.sit()));
      expect(await Promise.all(sessions.map((session) => session.ask()))).toEqual(Array(4).fill('TWO ANSWERS'));
      expect(await project.inUse()).toBe('one');
    });
  },
);

describe.skipIf(!isHere)(
  'given a user with two accounts of one provider, who has not let them stand in',
  { timeout: 120_000 },
  () => {
    beforeAll(() => home.configure({}));

    it('when a chain of the user’s names the other account, then that one stands in', async () => {
      const named = await home.project({ isNamed: true });
      named.script({ one: SPENT, two: TWO });
      const session = await named.sit();
      expect([await session.ask(), named.asked(), await named.inUse()]).toEqual(['TWO ANSWERS', ['one', 'two'], 'one']);
    });

    it('when the account that stands in is removed meanwhile, then it is not asked again, and the one in use is asked as itself', {
      tags: ['nightly'],
    }, async () => {
      const named = await home.project({ isNamed: true });
      named.script({ one: SPENT, two: TWO });
      const session = await named.sit();
      await session.ask();
      await named.remove('two');
      await session.ask();
      // A chain of one is no chain: its last model is asked, out or not.
      expect(named.asked()).toEqual(['one', 'two', 'one']);
    });

    it('when the quota of the one in use is spent, then another model finishes the turn, and the other account is never asked', async () => {
      const project = await home.project();
      project.script({ one: SPENT, two: TWO });
      const session = await project.sit();
      expect([await session.ask(), project.asked(), await project.inUse()]).toEqual([
        'ANOTHER MODEL ANSWERS',
        ['one'],
        'one',
      ]);
    });
  },
);

/** An answer that says how full the week of its account is, and for `nearMs` its five hours. */
const planned = (text: string, week: number, nearMs = 0): ScriptedStep => {
  const plan = (name: string, used: number, inMs: number) => ({
    [`anthropic-ratelimit-unified-${name}-utilization`]: String(used),
    [`anthropic-ratelimit-unified-${name}-reset`]: String(Math.ceil((Date.now() + inMs) / 1_000)),
  });
  const headers = { ...plan('7d', week, 86_400_000), ...(nearMs > 0 ? plan('5h', 0.98, nearMs) : {}) };
  return { kind: 'headers', headers, of: { kind: 'text', text } };
};

describe.skipIf(!isHere)(
  'given a user with two accounts of one provider, who wants the emptier one to answer first',
  { ...NIGHTLY, timeout: 120_000 },
  () => {
    beforeAll(() => home.configure({ accounts: 'siblings', headroom: { spread: true } }));

    it('when both have said how full they are, then it does and stays, and the one in use is back once it is emptier', async () => {
      const project = await home.project();
      const session = await project.sit();
      project.script({ one: planned('ONE ANSWERS', 0.72, 20_000), two: planned('TWO ANSWERS', 0.23) });
      // What nobody has asked says nothing: for a moment the first one is near a limit.
      expect([await session.ask(), await session.ask()]).toEqual(['ONE ANSWERS', 'TWO ANSWERS']);
      const heardAt = Date.now();
      await expect.poll(() => Date.now() - heardAt, { timeout: 30_000 }).toBeGreaterThan(21_000);
      expect([await session.ask(), await session.ask(), project.asked()]).toEqual([
        'TWO ANSWERS',
        'TWO ANSWERS',
        ['one', 'two', 'two', 'two'],
      ]);
      project.script({ one: planned('ONE ANSWERS', 0.73), two: planned('TWO ANSWERS', 0.8) });
      expect([await session.ask(), await session.ask()]).toEqual(['TWO ANSWERS', 'ONE ANSWERS']);
      expect([await project.inUse(), await session.model()]).toEqual(['one', undefined]);
      expect(home.provider.requests(project.models.spare)).toEqual([]);
    });
  },
);
