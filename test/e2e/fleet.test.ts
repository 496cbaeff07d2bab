import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider, wireBasePath } from '../../src/demo/scripted-provider';
import { runOpencode } from '../../src/node/opencode';
import { describeGenerations, type Life, openWorld, type World } from '../support/lives';
import { NIGHTLY } from '../support/nightly';
import { opencodeBinary } from '../support/opencode-binary';
import { opencode2Binary } from '../support/opencode2/real';
import { openServer, openWire, redis, type Server, type Wire } from '../support/redis';
import { spentIn } from '../support/spent';
import { type App, openApp, QUICK } from '../support/stage';

const [LEAD, SPARE] = ['LEAD ANSWERS', 'SPARE ANSWERS'];
const MODELS = { lead: 'sonnet', spare: 'gpt' } as const;
const SECRET = 'x'.repeat(43);
/** One answer is dollars. */
const DEAR = { input: 200_000, output: 200_000 };

/** A provider on this machine's loopback is each machine's own: that of a team is reached over a network. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
const isPossible = typeof redis !== 'string' && outside !== undefined;
if (!outside) console.warn('The tests of fleets on a real OpenCode are left out: this machine has no network');

type Place = { world: World; directory: string; app: App | null; life?: Life };
type Machine = Place & { life: Life };

const AMPLE = { providers: { team: { day: 100_000 } } };
/** What a machine of a team has told that it has spent, in billionths of a dollar. */
const toldSpent = (said: string): number =>
  [...(/"spent":([[\],\d]+)/.exec(said)?.[1] ?? '').matchAll(/\[\d+,(\d+)\]/g)].reduce(
    (sum, [, nanos]) => sum + Number(nanos),
    0,
  );
/** What a machine has spent by its own ledger, in the same. */
const ownSpent = async (home: string): Promise<number> => Math.round(1e9 * (await spentIn(home, () => true)));

/** The ledger of today; without it, a machine has spent nothing itself. */
const spentToday = (): string => `spent-${new Date().toISOString().slice(0, 10)}.jsonl`;

if (isPossible)
  describeGenerations('given two machines with %s and one account', 'OpenCode 2', (generation) => {
    let server: Server;
    let provider: ScriptedProvider;
    let wire: Wire;
    let machines: Place[] = [];
    beforeEach(async () => {
      [server, provider] = await Promise.all([openServer(), startScriptedProvider()]);
      wire = await openWire({ host: '127.0.0.1', port: Number(new URL(provider.url).port), isTls: false }, outside);
      provider.script(MODELS.lead, () => ({ kind: 'text', text: LEAD }));
      provider.script(MODELS.spare, () => ({ kind: 'text', text: SPARE }));
    });
    afterEach(async () => {
      for (const { life, app, world } of machines) {
        await life?.stop();
        await app?.close();
        await world.close();
      }
      machines = [];
      await Promise.all([wire.close(), provider.close(), server.close()]);
    });

    /** A machine of the team without a running OpenCode; the user's configuration has the providers, as a team's key is. */
    async function setUp(
      name: string,
      { hasApp = false, budget }: Readonly<{ hasApp?: boolean; budget?: unknown }> = {},
    ): Promise<Place> {
      const { host, port } = wire.address;
      const options = {
        baseURL: `http://${host}:${port}${wireBasePath('openai-compatible')}`,
        apiKey: 'key-of-the-team',
      };
      const model = (id: string) => ({
        [id]: {
          name: id,
          tool_call: true,
          limit: { context: 128_000, output: 8_000 },
          ...(budget ? { cost: DEAR } : {}),
        },
      });
      const npm = '@ai-sdk/openai-compatible';
      const world = await openWorld(generation, {
        model: `team/${MODELS.lead}`,
        provider: {
          team: { npm, options, models: model(MODELS.lead) },
          other: { npm, options: { ...options, apiKey: 'another-key' }, models: model(MODELS.spare) },
        },
      });
      const { sandbox, home } = world;
      await writeFile(
        join(sandbox.configDirectory, 'model-fallback.json'),
        JSON.stringify({ defaults: QUICK, budget, agents: { '*': { fallbackModels: [`other/${MODELS.spare}`] } } }),
      );
      await mkdir(home, { recursive: true, mode: 0o700 });
      const url = `redis://${server.address.host}:${server.address.port}`;
      const share = ['health', 'headroom', ...(budget ? ['budget'] : [])];
      await writeFile(join(home, 'preferences.json'), JSON.stringify({ fleet: { url, team: 'acme', name, share } }), {
        mode: 0o600,
      });
      await writeFile(join(home, 'fleet-secret'), SECRET, { mode: 0o600 });
      const app = hasApp ? await openApp(home) : null;
      const directory = await sandbox.addProject('fleet', { git: true });
      const place: Place = { world, directory, app };
      machines.push(place);
      return place;
    }
    const newMachine = async (...options: Parameters<typeof setUp>): Promise<Machine> => {
      const place = await setUp(...options);
      return Object.assign(place, { life: await place.world.start() });
    };

    /** All that stands on the server of accounts. */
    async function allSaid(): Promise<string> {
      const keys = (await server.command('KEYS', 'understudy:*')).match(/understudy:acme:\{[\da-f]+\}/g) ?? [];
      return (await Promise.all(keys.map((key) => server.command('HGETALL', key)))).join('\n');
    }
    const asked = (): number => provider.requests(MODELS.lead).length;
    const limited = (): void =>
      provider.script(MODELS.lead, () => ({
        kind: 'status',
        status: 429,
        headers: { 'retry-after': '3600' },
        body: { error: { message: 'Rate limit reached for key-of-the-team' } },
      }));
    /** A first message, and its answer awaited. */
    async function begin({ life, directory }: Machine): Promise<string> {
      const before = asked() + provider.requests(MODELS.spare).length;
      const session = await life.begin(directory);
      await expect.poll(() => asked() + provider.requests(MODELS.spare).length).toBeGreaterThan(before);
      return session;
    }

    it('when one is limited for an hour, then the other does not ask that model, and a reset at one holds for both', async () => {
      const one = await newMachine('one', { hasApp: true });
      const two = await newMachine('two');
      const sessions = [await begin(one), await begin(two)] as const;
      await expect.poll(asked).toBe(2);
      limited();
      expect(await one.life.goOn(one.directory, sessions[0])).toBe(SPARE);
      expect(asked()).toBe(3);
      await expect.poll(() => server.command('KEYS', 'understudy:*')).toContain('understudy:acme:{');
      expect(await two.life.goOn(two.directory, sessions[1])).toBe(SPARE);
      expect(asked()).toBe(3);
      // Nothing of the key, of what the provider has said, or of where people work has gone to the server.
      const dump = await allSaid();
      expect(dump).toContain('rate_limit');
      for (const word of ['key-of', 'Rate limit', one.directory, 'fleet', 'build', 'One'])
        expect(dump).not.toContain(word);

      provider.script(MODELS.lead, () => ({ kind: 'text', text: LEAD }));
      const app = one.app as App;
      const { rev } = await app.snapshot();
      await app.host.handlers['health.reset']({ target: { provider: 'team' }, rev, actor: 'panel' });
      await expect.poll(() => two.life.goOn(two.directory, sessions[1]), { interval: 500 }).toBe(LEAD);
      expect(await one.life.goOn(one.directory, sessions[0])).toBe(LEAD);

      // The other way round: what a machine without an app finds out, one with an app shows, and by whom.
      limited();
      expect(await two.life.goOn(two.directory, sessions[1])).toBe(SPARE);
      const { models } = await app.until((each) => each.models.some(({ machine }) => machine === 'two'));
      const row = models.find(({ machine }) => machine === 'two');
      expect(row).toMatchObject({ model: `team/${MODELS.lead}`, state: 'cooling' });
      const before = asked();
      expect([await one.life.goOn(one.directory, sessions[0]), asked()]).toEqual([SPARE, before]);
      expect(await app.host.handlers['fleet.get'](null)).toMatchObject({
        state: 'connected',
        machines: [{ name: 'two' }],
      });
    });

    it('when the limit ends and both have a message, then one asks that model, the other goes to the next, and back once that is answered', {
      tags: ['nightly'],
    }, async () => {
      const one = await newMachine('one');
      const two = await newMachine('two', { hasApp: true });
      const sessions = [await begin(one), await begin(two)] as const;
      await expect.poll(asked).toBe(2);
      provider.script(MODELS.lead, () => ({ kind: 'status', status: 429, body: { error: { message: 'Slow down' } } }));
      expect(await one.life.goOn(one.directory, sessions[0])).toBe(SPARE);
      const limit = async () => (await two.app?.snapshot())?.models.find(({ model }) => model.endsWith(MODELS.lead));
      await expect.poll(async () => (await limit())?.state).toBe('cooling');
      await expect.poll(async () => (await limit())?.state, { timeout: 10_000 }).not.toMatch(/cooling|resting/);
      expect(asked()).toBe(3);

      const spare = provider.requests(MODELS.spare).length;
      // The answer is under way for as long as the other one has not gone elsewhere.
      const until = expect.poll(() => provider.requests(MODELS.spare).length).toBeGreaterThan(spare);
      provider.script(MODELS.lead, () => ({ kind: 'held', until, of: { kind: 'text', text: LEAD } }));
      const said = await Promise.all([
        one.life.goOn(one.directory, sessions[0]),
        two.life.goOn(two.directory, sessions[1]),
      ]);
      await until;
      expect([said.toSorted(), asked()]).toEqual([[LEAD, SPARE], 4]);
      provider.script(MODELS.lead, () => ({ kind: 'text', text: LEAD }));
      await expect
        .poll(async () => [
          await one.life.goOn(one.directory, sessions[0]),
          await two.life.goOn(two.directory, sessions[1]),
        ])
        .toEqual([LEAD, LEAD]);
    });

    it('when a setting of the fleet changes, and the app goes while OpenCode goes on, then what another has found out still holds', {
      tags: ['nightly'],
    }, async () => {
      const one = await newMachine('one', { hasApp: true });
      const two = await newMachine('two');
      const sessions = [await begin(one), await begin(two)] as const;
      await expect.poll(asked).toBe(2);
      limited();
      expect(await two.life.goOn(two.directory, sessions[1])).toBe(SPARE);
      const app = one.app as App;
      const isKnown = ({ models }: Awaited<ReturnType<App['snapshot']>>): boolean =>
        models.some(({ machine, state }) => machine === 'two' && state === 'cooling');
      await app.until(isKnown);
      const { rev } = await app.host.handlers['settings.get'](null);
      await app.host.handlers['settings.set']({ rev, patch: { fleet: { name: 'uno' } } });
      await expect.poll(async () => (await app.host.handlers['fleet.get'](null)).name).toBe('uno');
      await app.until(isKnown);
      await app.close();
      one.app = null;
      const before = asked();
      expect(await one.life.goOn(one.directory, sessions[0])).toBe(SPARE);
      expect(await two.life.goOn(two.directory, sessions[1])).toBe(SPARE);
      expect(asked()).toBe(before);
      const said = await allSaid();
      expect([said.includes('"rate_limit"'), said.includes('"ended"')]).toEqual([true, false]);
    });

    it('when one hears that the plan is 98 % spent, then the other begins no turn with it, and says from whom it knows', {
      tags: ['nightly'],
    }, async () => {
      const one = await newMachine('one');
      const two = await newMachine('two', { hasApp: true });
      const sessions = [await begin(one), await begin(two)] as const;
      await expect.poll(asked).toBe(2);
      const headers = {
        'anthropic-ratelimit-unified-5h-utilization': '0.98',
        'anthropic-ratelimit-unified-5h-reset': String(Math.ceil(Date.now() / 1_000) + 7_200),
        'anthropic-ratelimit-unified-5h-status': 'allowed',
      };
      provider.script(MODELS.lead, () => ({ kind: 'headers', headers, of: { kind: 'text', text: LEAD } }));
      expect(await one.life.goOn(one.directory, sessions[0])).toBe(LEAD);
      const app = two.app as App;
      const known = await app.until(({ headroom }) =>
        headroom.some(({ windows }) => windows.some((each) => each.machine)),
      );
      expect(known.headroom).toMatchObject([{ account: 'team', windows: [{ used: 0.98, machine: 'one' }] }]);
      expect([await two.life.goOn(two.directory, sessions[1]), asked()]).toEqual([SPARE, 3]);
      await app.until(({ events }) => events.some(({ near }) => near?.code === 'headroom.plan'));
      expect(await app.host.handlers['fleet.get'](null)).toMatchObject({ saved: 1 });
    });

    it('when a budget of the team’s account is spent at one, then the other sends nothing more there, with or without an app', {
      tags: ['nightly'],
    }, async () => {
      const budget = { providers: { team: { day: 0.01, action: 'stop' } } };
      const one = await newMachine('one', { budget });
      const two = await newMachine('two', { budget, hasApp: true });
      // The first answer is not paid for yet when the second request leaves.
      const sessions = await Promise.all([begin(one), begin(two)]);
      await expect.poll(asked).toBe(2);
      await expect.poll(() => spentIn(two.world.home, () => true)).toBeGreaterThan(0);
      await writeFile(join(two.world.home, spentToday()), '');
      const heard = () => readFile(join(two.world.home, 'fleet-spent.json'), 'utf8').catch(() => '');
      await expect.poll(heard, { timeout: 30_000 }).toContain('"team"');
      expect([await two.life.goOn(two.directory, sessions[1]), asked()]).toEqual([SPARE, 2]);
    });

    it(
      'when one `opencode run` has ended, then what it has spent is told, and what it has found',
      NIGHTLY,
      async () => {
        const { world, directory } = await setUp('one', { budget: AMPLE });
        const { sandbox, home } = world;
        const isFirst = generation === 'OpenCode 1';
        const binary = isFirst ? await opencodeBinary() : opencode2Binary();
        const run = async (text: string): Promise<string> => {
          // Without it, OpenCode 2 leaves a service behind that goes on to speak.
          const args = isFirst ? [text] : ['--standalone', text];
          await runOpencode({ binary, sandbox, directory, args, env: { UNDERSTUDY_HOME: home } });
          return allSaid();
        };
        const first = toldSpent(await run('One'));
        expect([first > 0, first]).toEqual([true, await ownSpent(home)]);
        limited();
        expect(await run('Two')).toContain('rate_limit');
      },
    );

    it('when a turn has ended, then what it has cost is told with it', NIGHTLY, async () => {
      const one = await newMachine('one', { budget: AMPLE });
      const session = await begin(one);
      // Every five seconds it would be told all the same: a turn that begins right after that ends more than four before the next time.
      for (let turn = 0; turn < 4; turn++) {
        const before = await ownSpent(one.world.home);
        await one.life.goOn(one.directory, session);
        const isTold = async (): Promise<boolean> => {
          const spent = await ownSpent(one.world.home);
          return spent > before && toldSpent(await allSaid()) === spent;
        };
        await expect.poll(isTold, { timeout: 4_000 }).toBe(true);
      }
    });

    it('when the server is stopped in the middle of a turn, then nothing of that is noticed in it', {
      tags: ['nightly'],
    }, async () => {
      const one = await newMachine('one');
      const session = await begin(one);
      provider.script(MODELS.lead, () => {
        server.freeze();
        return {
          kind: 'status',
          status: 429,
          headers: { 'retry-after': '3600' },
          body: { error: { message: 'Limit' } },
        };
      });
      const before = performance.now();
      expect(await one.life.goOn(one.directory, session)).toBe(SPARE);
      expect(await one.life.goOn(one.directory, session)).toBe(SPARE);
      expect(asked()).toBe(2);
      console.log(`Two turns without the server: ${Math.round(performance.now() - before)} ms`);
      server.thaw();
      await expect.poll(() => server.command('KEYS', 'understudy:*')).toContain('understudy:acme:{');
    });

    it.skipIf(generation === 'OpenCode 2')(
      'when a machine asks its first question ever while the account is limited, then it does not ask that model',
      async () => {
        const one = await newMachine('one');
        limited();
        await begin(one);
        await expect.poll(() => provider.requests(MODELS.spare).length).toBe(1);
        await expect.poll(() => server.command('KEYS', 'understudy:*')).toContain('understudy:acme:{');
        expect(asked()).toBe(1);
        const two = await newMachine('two');
        await begin(two);
        await expect.poll(() => provider.requests(MODELS.spare).length).toBe(2);
        expect(asked()).toBe(1);
        const known = JSON.parse(await readFile(join(two.world.home, 'accounts.json'), 'utf8')) as object;
        expect(JSON.stringify(known)).not.toContain('key-of-the-team');
      },
    );
  });

const OUT = join(import.meta.dirname, '..', '..', 'out');
const PROGRAMS = ['main/index.js', 'panel/index.js', 'cli/understudy.js', 'plugin/opencode-understudy.js'];

describe.skipIf(typeof redis === 'string')('given a server that wants a password', () => {
  it('when somebody looks at it with DEBUG set for something else, then neither the password nor what is sent is written to the terminal', async () => {
    const server = await openServer('--requirepass', 'password-of-the-team');
    const home = await mkdtemp(join(tmpdir(), 'us-'));
    try {
      const { host, port } = server.address;
      const fleet = { url: `redis://${host}:${port}`, team: 'acme', name: 'build-7' };
      await writeFile(join(home, 'preferences.json'), JSON.stringify({ fleet }), { mode: 0o600 });
      await writeFile(join(home, 'fleet-secret'), SECRET, { mode: 0o600 });
      await writeFile(join(home, 'fleet-password'), 'password-of-the-team', { mode: 0o600 });
      const env = { PATH: process.env.PATH, HOME: home, UNDERSTUDY_HOME: home, DEBUG: '*' };
      const said = await promisify(execFile)(
        process.execPath,
        [join(OUT, PROGRAMS[2] ?? ''), 'fleet', 'status', '--check'],
        {
          env,
        },
      );
      expect(said.stdout).toContain('it responds');
      expect([said.stderr, `${said.stdout}`.includes('password-of')]).toEqual(['', false]);
    } finally {
      await server.close();
      await rm(home, { recursive: true, force: true });
    }
    // Where no server is asked here: nothing in them goes by that variable.
    for (const program of PROGRAMS)
      expect([program, /\bcreateDebug\b/.test(await readFile(join(OUT, program), 'utf8'))]).toEqual([program, false]);
  });
});
