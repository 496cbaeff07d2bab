import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../src/cli/demo/scripted-provider';
import type { RankAnswer } from '../../src/contract';
import { createSandbox, type OpencodeServer, type Sandbox, startOpencode } from '../../src/node/opencode';
import { eventually } from '../support/eventually';
import { filesBelow } from '../support/files-below';
import { opencodeBinary } from '../support/opencode-binary';
import { providerConfig } from '../support/opencode-provider-config';
import { textOf } from '../support/said';
import { builtPlugin, lean, QUICK } from '../support/stage';

const PROGRAM = join(import.meta.dirname, '..', '..', 'out', 'cli', 'understudy.js');
/** By such names nobody takes them for models of this machine, where their provider is. */
const MODELS = { alpha: ['claude-made-up'], beta: ['gpt-made-up'], gem: ['gemini-made-up'] } as const;
const [LEAD, SECOND, SILENT] = ['alpha/claude-made-up', 'beta/gpt-made-up', 'gem/gemini-made-up'] as const;
/** Made up: the one that does not answer would be the best. */
const VALUES = {
  [LEAD]: { swe_bench_pro: 60, swe_bench_verified: 70 },
  [SECOND]: { swe_bench_pro: 50, swe_bench_verified: 60 },
  [SILENT]: { swe_bench_pro: 90, swe_bench_verified: 90 },
};
const OLD = `{
  "defaults": ${JSON.stringify(QUICK)},
  // One model alone: nobody takes over.
  "agents": { "build": { "fallbackModels": ["${LEAD}"] } },
}
`;

let root: string;
let sandbox: Sandbox;
let provider: ScriptedProvider;
let server: OpencodeServer | undefined;
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

const chainFile = () => join(sandbox.configDirectory, 'model-fallback.json');
const asked = () => Object.values(MODELS).map(([model]) => provider.requests(model).length);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'us-'));
  provider = await startScriptedProvider();
  const binary = await opencodeBinary();
  const plugin = [pathToFileURL(builtPlugin()).href];
  const config = { model: LEAD, provider: providerConfig(provider.url, MODELS), plugin };
  sandbox = await lean(await createSandbox({ root, git: true, config }));
  env = { ...sandbox.env, UNDERSTUDY_HOME: join(root, 'u'), OPENCODE_BIN: binary.path };
  await writeFile(chainFile(), OLD);
  await writeFile(join(root, 'values.json'), JSON.stringify(VALUES));
  server = await startOpencode({ binary, sandbox, env: { UNDERSTUDY_HOME: join(root, 'u') } });
  await server.request('GET', '/session', { directory: sandbox.directory });
  await eventually(() =>
    readFile(join(root, 'u', 'models.json'), 'utf8').then(
      (text) => text.includes(SILENT),
      () => false,
    ),
  );
});
afterAll(async () => {
  await server?.stop();
  await provider?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

/** A turn whose primary is limited; what was answered. */
async function turn(): Promise<string> {
  provider.clear();
  provider.script('claude-made-up', [{ kind: 'status', status: 429 }]);
  provider.script('gpt-made-up', [{ kind: 'text', text: 'SAVED' }]);
  if (!server) throw new Error('OpenCode does not run');
  const session = await server.createSession(sandbox.directory);
  return textOf(await server.prompt(session, { agent: 'build', text: 'One' }));
}

describe('given a user with OpenCode, a chain of one model and benchmark values of a file', () => {
  it('when a chain is proposed, approved and written, then the next turn is saved by its second model, and undo brings the old file back', async () => {
    expect((await cli('rank', 'data', 'import', join(root, 'values.json'))).out).toBe('6 values taken in.\n');
    const ranked = JSON.parse((await cli('rank', 'build', '--json')).out) as RankAnswer;
    expect(ranked.proposal?.models.map(({ model, rank, place }) => [model, rank, place])).toEqual([
      [SILENT, 1, 'hosted'],
      [LEAD, 2, 'hosted'],
      [SECOND, 3, 'hosted'],
    ]);

    // Each is asked once, after a yes alone.
    provider.script('claude-made-up', [{ kind: 'text', text: 'OK' }]);
    provider.script('gpt-made-up', [{ kind: 'text', text: 'OK' }]);
    provider.script('gemini-made-up', [{ kind: 'status', status: 401 }]);
    const unsaid = await cli('rank', 'propose', 'build', '--with', 'models');
    expect([unsaid.code, unsaid.err, asked()]).toEqual([
      5,
      expect.stringMatching(/^One smallest request to each of 3 models.*\nNothing was asked: say --yes\.\n$/),
      [0, 0, 0],
    ]);
    const proposed = await cli('rank', 'propose', 'build', '--with', 'models', '--yes');
    expect([proposed.code, asked()]).toEqual([4, [1, 1, 1]]);
    expect(proposed.out).toMatch(/Models +done +2 of 3 answered/);
    expect(proposed.out).toMatch(/1 to decide, one at a time: understudy rank review build\n$/);
    expect(proposed.out).not.toContain(SILENT);
    const whole = await cli('rank', 'build', '--all');
    expect(whole.out).toMatch(new RegExp(`– +${SILENT} .*not ranked: .*answer`));

    const approved = await cli('rank', 'review', 'build', SECOND, '--approve');
    expect([approved.code, approved.out]).toEqual([0, 'All is decided. To write it: understudy rank apply build\n']);
    const applied = await cli('rank', 'apply', 'build', '--yes');
    const [, receipt = ''] = /understudy undo (\S+)\n$/.exec(applied.out) ?? [];
    const tiers = `"tiers": [\n    { "name": "premium", "models": ["${LEAD}", "${SECOND}"] }\n  ]`;
    expect([applied.code, await readFile(chainFile(), 'utf8')]).toEqual([
      0,
      OLD.replace(`"fallbackModels": ["${LEAD}"]`, tiers),
    ]);

    expect(await turn()).toBe('SAVED');
    expect((await cli('undo', receipt, '--yes')).code).toBe(0);
    expect(await readFile(chainFile(), 'utf8')).toBe(OLD);

    const kept = await Promise.all((await filesBelow(join(root, 'u'))).map((file) => readFile(file, 'latin1')));
    expect(kept.filter((text) => text.includes('not-a-real-key'))).toEqual([]);
  });
});
