import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runOpencode } from '../../src/node/opencode';
import { textOf } from '../support/said';
import { sharedStage } from '../support/shared-stage';
import { type Case, QUICK, type Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await sharedStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.provider.clear());

const LIMITED = { kind: 'status', status: 429 } as const;
const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
/** Long enough that an understudy has answered before the lead is well, on a machine that others keep busy too. */
const AWAY = { ...QUICK, cooldownMs: 10_000, retryOriginalAfterMs: 10_000 } as const;
const KEY = 'sk-proj-abcdefghijklmnop0123456789';

const linesIn = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

/** The log of a project that keeps it in its own folder. */
async function logOf({ directory, chain }: Case) {
  const agents = { '*': { fallbackModels: chain.slice(1) } };
  const config = { defaults: AWAY, agents, logPath: 'logs/fallback.log' };
  await writeFile(join(directory, '.opencode', 'model-fallback.json'), JSON.stringify(config));
  const path = join(directory, 'logs', 'fallback.log');
  return {
    path,
    lines: () => linesIn(path),
    records: async () => (await linesIn(path.replace(/log$/, 'jsonl'))).map((line) => JSON.parse(line)),
  };
}

const timeless = (line: string): string => line.replace(/^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\] /, '');

describe('given a log in the project', () => {
  it('when a lead is limited, then its lines are as published, from the failure to the recovery, and hold no prompt and no key', async () => {
    const { provider, server } = stage;
    const project = await stage.makeCase();
    const [lead = '', spare = ''] = project.chain;
    const log = await logOf(project);
    const message = `Slow down: "MY PROMPT" was too much for ${KEY}`;
    provider.script(project.ids[0] ?? '', [{ ...LIMITED, body: { error: { message } } }]);
    provider.script(project.ids[1] ?? '', [ANSWER]);
    const session = await server.createSession(project.directory);
    await server.prompt(session, { text: 'MY PROMPT' });
    await expect.poll(log.lines, { timeout: 60_000 }).toHaveLength(4);
    expect((await log.lines()).map(timeless)).toEqual([
      `[DETECT] session=${session.id} agent=build model=${lead} trigger="rate limit" message="Slow down: \\"…\\" was too much for [key]"`,
      `[FALLBACK] session=${session.id} agent=build from=${lead} to=${spare} reason=rate_limit`,
      expect.stringMatching(
        `^\\[HEALTH\\] ${lead}: rate_limited \\(healthy in (?:10|[1-9])s\\) \\| ${spare}: healthy$`,
      ),
      `[RECOVER] ${lead}: rate_limited -> healthy`,
    ]);
    const records = await log.records();
    expect(records.map(({ event }) => event)).toEqual([
      ...['attempt_failed', 'model_changed', 'fallback_accepted', 'attempt_succeeded', 'health', 'turn_finished'],
      'model_changed',
    ]);
    const common = { session_id: session.id, agent: 'build', attempt: expect.any(Number), error_type: 'rate_limit' };
    expect(records[0]).toMatchObject({ ...common, model: lead, status: 429, duration_ms: expect.any(Number) });
    expect(records[2]).toMatchObject({ ...common, primary_model: lead, fallback_model: spare });
    expect(JSON.stringify(records)).not.toMatch(/MY PROMPT|UNDERSTUDY ANSWERS|abcdefgh/);
    expect((await stat(log.path)).mode & 0o777).toBe(0o600);
  });

  it('when `opencode run` works beside the server, then the lines of both are there, the last one included', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server, binary, sandbox, home } = stage;
    const project = await stage.makeCase();
    const log = await logOf(project);
    provider.script(project.ids[0] ?? '', [{ kind: 'status', status: 500 }]);
    provider.script(project.ids[1] ?? '', [ANSWER]);
    const session = await server.createSession(project.directory);
    const [run] = await Promise.all([
      runOpencode({
        ...{ binary, sandbox, directory: project.directory, args: ['Say something'], env: { UNDERSTUDY_HOME: home } },
      }),
      server.prompt(session, { text: 'One' }),
    ]);
    expect(run.exitCode).toBe(0);
    const finished = async () =>
      new Set(
        (await log.records()).flatMap(({ event, session_id }) => (event === 'turn_finished' ? [session_id] : [])),
      );
    await expect.poll(async () => (await finished()).size).toBe(2);
    const lines = await log.lines();
    const moved = lines.flatMap((line) => /\[FALLBACK\] session=(\S+)/.exec(line)?.[1] ?? []);
    expect(new Set(moved)).toEqual(await finished());
    expect(lines.every((line) => /^\[[\dTZ:-]+\] \[(DETECT|FALLBACK|HEALTH|RECOVER)\] /.test(line))).toBe(true);
  });
});

describe('given a project whose log is to lie outside it', () => {
  it('when its lead fails, then nothing is written there, by no path and no link, and the log lies where it always does', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server, sandbox } = stage;
    const message = 'Slow down: $(touch owned) `touch owned`';
    const own = join(sandbox.env.XDG_DATA_HOME ?? '', 'opencode', 'logs', 'model-fallback.log');
    for (const [logPath, usual] of [
      ['~/.zshenv', true],
      ['~/x.log', true],
      ['../outside.log', true],
      [join(sandbox.root, 'outside.log'), true],
      ['out/outside.log', false],
    ] as const) {
      const project = await stage.makeCase();
      await symlink(sandbox.root, join(project.directory, 'out'));
      const agents = { '*': { fallbackModels: project.chain.slice(1) } };
      const triage = { enabled: true, exportPath: logPath.replace(/log$/, 'json') };
      const config = { defaults: QUICK, agents, logPath, triage };
      await writeFile(join(project.directory, '.opencode', 'model-fallback.json'), JSON.stringify(config));
      provider.script(project.ids[0] ?? '', [{ ...LIMITED, body: { error: { message } } }]);
      provider.script(project.ids[1] ?? '', [ANSWER]);
      const session = await server.createSession(project.directory);
      expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(ANSWER.text);
      const line = expect.stringContaining(`[FALLBACK] session=${session.id}`);
      if (usual) await expect.poll(() => linesIn(own)).toContainEqual(line);
      await server.dispose(project.directory);
    }
    const names = [...(await readdir(sandbox.root)), ...(await readdir(sandbox.home))];
    expect(names.filter((name) => /outside|zshenv|^x\./.test(name))).toEqual([]);
    expect(await readFile(own, 'utf8')).not.toMatch(/[$`]/);
  });
});

describe('given no word of a log in the configuration', () => {
  it('when a lead fails, then the log lies with OpenCode’s own data', async () => {
    const { provider, server, sandbox } = stage;
    const project = await stage.makeCase();
    provider.script(project.ids[0] ?? '', [LIMITED]);
    provider.script(project.ids[1] ?? '', [ANSWER]);
    const session = await server.createSession(project.directory);
    await server.prompt(session, { text: 'One' });
    const path = join(sandbox.env.XDG_DATA_HOME ?? '', 'opencode', 'logs', 'model-fallback.log');
    await expect.poll(() => linesIn(path)).toContainEqual(expect.stringContaining(`[FALLBACK] session=${session.id}`));
  });
});
