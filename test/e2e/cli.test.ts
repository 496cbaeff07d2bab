import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProposedChains } from '../../src/contract/proposal';
import { type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import { createSandbox, type OpencodeServer, type Sandbox, startOpencode } from '../../src/node/opencode';
import { opencodeBinary } from '../support/opencode-binary';
import { providerConfig } from '../support/opencode-provider-config';
import { type PanelProcess, startPanel } from '../support/panel-process';
import { textOf } from '../support/said';
import { lean } from '../support/stage';

const PROGRAM = join(import.meta.dirname, '..', '..', 'out', 'cli', 'understudy.js');
const MODELS = { alpha: ['lead-model'], beta: ['understudy-model', 'inline-model'] } as const;
const [LEAD, UNDERSTUDY] = ['alpha/lead-model', 'beta/understudy-model'];

let root: string;
let sandbox: Sandbox;
let provider: ScriptedProvider;
let server: OpencodeServer | undefined;
let panel: PanelProcess | undefined;
let env: Readonly<Record<string, string>>;

/** Runs the built program as a user would. */
function cli(...args: string[]): Promise<Readonly<{ code: number; out: string; err: string }>> {
  return new Promise((resolve) => {
    const options = { cwd: sandbox.directory, env, windowsHide: true };
    execFile(process.execPath, [PROGRAM, ...args], options, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err });
    });
  });
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'us-'));
  provider = await startScriptedProvider();
  const binary = await opencodeBinary();
  const config = { model: LEAD, provider: providerConfig(provider.url, MODELS) };
  sandbox = await lean(await createSandbox({ root, git: true, config }));
  env = { ...sandbox.env, UNDERSTUDY_HOME: join(root, 'u'), OPENCODE_BIN: binary.path };
});
afterAll(async () => {
  await server?.stop();
  await panel?.kill();
  await provider?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

describe('given a user with OpenCode and a terminal', () => {
  it('when they install, set a chain, lose a model and uninstall, then the turn is saved and OpenCode’s file is what it was', async () => {
    const file = join(sandbox.configDirectory, 'opencode.json');
    const before = await readFile(file, 'utf8');
    panel = await startPanel(join(root, 'u'));
    expect((await cli('doctor')).code).toBe(6);
    expect((await cli('chains', 'set', 'build', UNDERSTUDY ?? '', '--create')).code).toBe(0);
    expect((await cli('install', '--yes')).code).toBe(0);

    server = await startOpencode({
      binary: await opencodeBinary(),
      sandbox,
      env: { UNDERSTUDY_HOME: join(root, 'u') },
    });
    provider.script('lead-model', [{ kind: 'status', status: 429 }]);
    provider.script('understudy-model', [{ kind: 'text', text: 'SAVED' }]);
    const session = await server.createSession(sandbox.directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe('SAVED');

    const asked = provider.requests().length;
    const drilled = await cli('drill', 'build', '--json');
    expect([drilled.code, JSON.parse(drilled.out), provider.requests().length]).toEqual([
      0,
      { ok: true, agent: 'build', from: LEAD, to: UNDERSTUDY, tookMs: expect.any(Number) },
      asked,
    ]);
    const doctor = await cli('doctor');
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining('✓ A companion is connected.')]);
    expect(doctor.out).toContain('✓ OpenCode has every model of the chains (as listed 20');
    const proposed = JSON.parse((await cli('chains', 'suggest', 'build', '--json')).out) as ProposedChains;
    expect(
      proposed.proposals.map(({ models, existing }) => [models.map(({ model, code }) => [model, code]), existing]),
    ).toEqual([
      // Both providers answer on this machine; of each OpenCode names the model it would take.
      [
        [
          [LEAD, 'present'],
          [UNDERSTUDY, 'local'],
        ],
        [UNDERSTUDY],
      ],
    ]);
    expect(await readFile(join(root, 'u', 'models.json'), 'utf8')).not.toMatch(/apiKey|baseURL|127\.0\.0\.1/);
    const status = JSON.parse((await cli('status', '--json')).out) as { models: { model: string; state: string }[] };
    expect(status.models.find(({ model }) => model === LEAD)?.state).toBe('cooling');
    expect(JSON.parse((await cli('logs', '--json')).out)[0]).toMatchObject({ code: expect.any(String) });

    expect((await cli('uninstall', '--yes')).code).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(JSON.parse(before));
    expect((await cli('config', 'undo', '--yes')).code).toBe(0);
    const receipts = JSON.parse((await cli('config', 'changes', '--json')).out) as { id: string; deed: string }[];
    const installed = receipts.find(({ deed }) => deed === 'install the companion');
    expect((await cli('config', 'undo', installed?.id ?? '', '--yes')).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('when the lead is probed, then it is asked once, used again, and no session is left of it', {
    tags: ['nightly'],
  }, async () => {
    provider.script('lead-model', [{ kind: 'text', text: 'OK' }]);
    const probed = await cli('model', 'probe', LEAD ?? '');
    expect([probed.code, probed.out]).toEqual([
      0,
      expect.stringMatching(/^alpha\/lead-model answered in .* It is in use again\.\n$/),
    ]);
    expect(await sessionTitles()).not.toContain('Understudy probe');
    expect((await cli('model', 'reset', LEAD ?? '')).code).toBe(0);
  });

  it('when a chain stands in OpenCode’s own configuration alone, then it saves a turn too, and nothing of it reaches the provider', async () => {
    if (server === undefined) throw new Error('no OpenCode runs');
    const directory = await sandbox.addProject('inline', {
      git: true,
      config: { agent: { build: { model: LEAD, fallback_models: ['beta/inline-model'] } } },
    });
    provider.script('lead-model', [{ kind: 'status', status: 503 }]);
    provider.script('inline-model', [{ kind: 'text', text: 'FROM OPENCODE.JSON' }]);
    // The user's own file has a chain for this agent and would win.
    await cli('config', 'undo', ...(await ownChange()), '--yes');
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'Two' }))).toBe('FROM OPENCODE.JSON');
    const bodies = [...provider.requests('lead-model'), ...provider.requests('inline-model')].map((request) =>
      JSON.stringify(request),
    );
    expect(bodies.filter((body) => body.includes('fallback_models'))).toEqual([]);
  });

  it.each([
    [['status'], 0],
    [['config', 'phrases'], 0],
    [['logs'], 0],
    [['chains'], 0],
    [['config'], 0],
    [['config', 'changes'], 0],
    [['pause'], 0],
    [['resume'], 0],
    [['model', 'hold', 'alpha/lead-model', 'open', '--for', '1m'], 0],
    [['model', 'release', 'alpha/lead-model'], 0],
    [['model', 'reset', 'all'], 0],
    [['model', 'reset', 'no/such'], 5],
    [['answer', 'yes'], 5],
  ])(
    'when the app runs and %j is asked for in JSON, then it answers in JSON and ends with %i',
    { tags: ['nightly'] },
    async (args, code) => {
      const answered = await cli(...args, '--json');
      expect([answered.code, answered.err]).toEqual([code, '']);
      expect(() => JSON.parse(answered.out)).not.toThrow();
    },
  );

  it('when the app has gone, then what needs it ends with 3 and what does not still works', async () => {
    await panel?.stop();
    const needed = [['status'], ['drill'], ['watch'], ['model', 'reset', 'all'], ['pause']];
    const free = [
      ['chains'],
      ['chains', 'suggest'],
      ['logs'],
      ['config'],
      ['config', 'changes'],
      ['completion', 'zsh'],
      ['--help'],
    ];
    expect(await Promise.all(needed.map(async (args) => (await cli(...args)).code))).toEqual(needed.map(() => 3));
    expect(await Promise.all(free.map(async (args) => (await cli(...args)).code))).toEqual(free.map(() => 0));
    expect((await cli('status')).out).toContain('Last stored state, ');
  });
});

/** What OpenCode lists of the project's sessions. */
function sessionTitles(): Promise<string> {
  const options = { cwd: sandbox.directory, env: sandbox.env, windowsHide: true };
  return new Promise((resolve, reject) => {
    const child = execFile(env.OPENCODE_BIN ?? '', ['session', 'list', '--pure'], options, (error, out) =>
      error ? reject(error) : resolve(out),
    );
    child.stdin?.end();
  });
}

async function ownChange(): Promise<string[]> {
  const receipts = JSON.parse((await cli('config', 'changes', '--json')).out) as { id: string; deed: string }[];
  return receipts.filter(({ deed }) => deed.startsWith('set the chain')).map(({ id }) => id);
}
