import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import { createSandbox, findOpencode, type OpencodeBinary, type Sandbox } from '../../src/node/opencode';
import { isProven } from '../../src/node/opencode/proven';
import { eventually } from '../support/eventually';
import { providerConfig } from '../support/opencode-provider-config';
import { type PanelProcess, startPanel } from '../support/panel-process';
import { lean } from '../support/stage';

const OPENCODE2 = process.env.OPENCODE2_BIN ?? '';
const PROGRAM = join(import.meta.dirname, '..', '..', 'out', 'cli', 'understudy.js');
const [LEAD, UNDERSTUDY] = ['alpha/lead-model', 'beta/understudy-model'] as const;
/** A start of OpenCode and a turn, on a busy machine. */
const LIMIT_MS = 120_000;

type Ran = Readonly<{ code: number; out: string; err: string }>;

let root: string;
let sandbox: Sandbox;
let provider: ScriptedProvider;
let binary: OpencodeBinary;
let panel: PanelProcess | undefined;
let env: Readonly<Record<string, string>>;

/** Runs a program in the project to its end, as its user. */
function run(program: string, args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: sandbox.directory, env, windowsHide: true, timeout: LIMIT_MS };
    const child = execFile(program, args, options, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err });
    });
    // OpenCode would wait for a message on an open input.
    child.stdin?.end();
  });
}
const understudy = (...args: string[]): Promise<Ran> => run(process.execPath, [PROGRAM, ...args]);
const opencode = (...args: string[]): Promise<Ran> => run(binary.path, args);

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.skipIf(OPENCODE2 === '')('given a user with OpenCode 2, a project in git and a terminal', () => {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'us2-'));
    provider = await startScriptedProvider();
    const search = await findOpencode({ OPENCODE_BIN: OPENCODE2 });
    if (!search.ok) throw new Error(search.reason);
    binary = search.binary;
    const models = { alpha: ['lead-model'], beta: ['understudy-model'] };
    const config = { model: LEAD, provider: providerConfig(provider.url, models) };
    sandbox = await lean(await createSandbox({ root, git: true, config }));
    env = { ...sandbox.env, UNDERSTUDY_HOME: join(root, 'u'), OPENCODE_BIN: binary.path, NO_COLOR: '1' };
  }, LIMIT_MS);
  afterAll(async () => {
    // Also where the journey broke off: it would outlive us.
    await opencode('service', 'stop');
    await panel?.kill();
    await provider?.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }, LIMIT_MS);

  it('when they install, take the proposed chains, lose the lead in a run and in the service, make a drill, uninstall and undo, then every turn is saved and OpenCode’s file is what it was', {
    timeout: 10 * LIMIT_MS,
  }, async () => {
    const file = join(sandbox.configDirectory, 'opencode.json');
    const before = await readFile(file, 'utf8');
    provider.script('lead-model', [
      { kind: 'text', text: 'LEAD' },
      { kind: 'status', status: 429 },
    ]);
    provider.script('understudy-model', [{ kind: 'text', text: 'SAVED' }]);
    const asked = () => ['lead-model', 'understudy-model'].map((model) => provider.requests(model).length);

    panel = await startPanel(join(root, 'u'));
    expect((await understudy('install', '--yes')).code).toBe(0);
    const early = await understudy('chains', 'suggest');
    expect([early.code, early.err]).toEqual([5, expect.stringContaining('OpenCode has not listed its models yet.')]);
    // Without chains yet: the companion tells which models there are.
    const first = await opencode('run', '--standalone', 'Zero');
    expect([first.code, first.out]).toEqual([0, expect.stringContaining('LEAD')]);
    expect((await understudy('chains', 'suggest', '--apply', '--yes')).code).toBe(0);
    expect((await understudy('chains', 'get', 'build')).out).toContain(UNDERSTUDY);
    expect(asked()).toEqual([1, 0]);

    const alone = await opencode('run', '--standalone', 'One');
    expect([alone.code, alone.out, asked()]).toEqual([0, expect.stringContaining('SAVED'), [2, 1]]);
    expect((await understudy('status')).out).toMatch(/alpha\/lead-model +Cooling +rate limited \(429\)/);

    expect((await opencode('service', 'start')).code).toBe(0);
    const served = await opencode('run', 'Two');
    expect([served.code, served.out, asked()]).toEqual([0, expect.stringContaining('SAVED'), [2, 2]]);

    const seen = await eventually(async () => {
      const snapshot = JSON.parse((await understudy('status', '--json')).out) as Snapshot;
      const [session] = snapshot.sessions;
      return session?.isLive && session.agents[0]?.turns === 1 && snapshot;
    });
    const here = seen.instances.filter(({ status }) => status === 'connected');
    expect(here.map(({ opencode }) => opencode)).toEqual([binary.version]);
    expect(seen.models.find(({ model }) => model === LEAD)).toMatchObject({ state: 'cooling' });
    expect(seen.sessions[0]?.agents[0]).toMatchObject({ agent: 'build', lead: LEAD, active: UNDERSTUDY });
    const doctor = await understudy('doctor', '--models');
    expect(doctor.code).toBe(0);
    expect(doctor.out).toContain(`${isProven(binary.version) ? '✓' : '!'} OpenCode ${binary.version} (`);
    expect(doctor.out).toContain('✓ A companion is connected.');
    expect(doctor.out).toContain('✓ OpenCode has every model of the chains.');
    const drill = await understudy('drill');
    expect([drill.code, drill.out, asked()]).toEqual([
      0,
      expect.stringContaining(`switched lead-model → understudy-model in`),
      [2, 2],
    ]);
    // The companion, which would move it, is left out of a probe.
    const probe = await understudy('model', 'probe', LEAD);
    expect([probe.code, probe.err, asked()]).toEqual([1, expect.stringContaining('does not answer: 429'), [3, 2]]);

    const pid = here[0]?.pid ?? 0;
    expect([(await opencode('service', 'stop')).code, isAlive(pid)]).toEqual([0, false]);
    await eventually(async () => (await understudy('doctor')).out.includes('! No companion is connected.'));
    expect((await understudy('uninstall', '--yes')).code).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(JSON.parse(before));
    const receipts = JSON.parse((await understudy('config', 'changes', '--json')).out) as {
      id: string;
      deed: string;
    }[];
    const installed = receipts.find(({ deed }) => deed === 'install the companion');
    for (const change of [[], [installed?.id ?? '']])
      expect((await understudy('config', 'undo', ...change, '--yes')).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(asked()).toEqual([3, 2]);
  });
});
