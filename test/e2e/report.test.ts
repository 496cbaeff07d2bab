import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScorecardDocument } from '../../src/contract/scorecard';
import { runOpencode } from '../../src/node/opencode';
import { sharedStage } from '../support/shared-stage';
import { QUICK, type Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await sharedStage();
});
afterAll(() => stage?.close());

const LIMITED = { kind: 'status', status: 429 } as const;
const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;

/** A project whose lead is limited, which wants the report of each session in its own folder. */
async function project() {
  const made = await stage.makeCase();
  const { directory, chain, ids } = made;
  const config = {
    defaults: QUICK,
    agents: { '*': { fallbackModels: chain.slice(1) } },
    triage: { exportFormat: ['json', 'csv'], exportPath: 'card.json' },
  };
  await writeFile(join(directory, '.opencode', 'model-fallback.json'), JSON.stringify(config));
  stage.provider.script(ids[0] ?? '', [LIMITED, LIMITED, LIMITED]);
  stage.provider.script(ids[1] ?? '', [ANSWER, ANSWER, ANSWER]);
  const read = async (): Promise<ScorecardDocument> => JSON.parse(await readFile(join(directory, 'card.json'), 'utf8'));
  const table = async () =>
    (await readFile(join(directory, 'card.csv'), 'utf8'))
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
      .filter((cells) => cells[6] === 'turn')
      .map((cells) => [cells[4], cells[7], cells[8]]);
  return { ...made, read, table };
}

const remove = ({ id, directory }: Readonly<{ id: string; directory: string }>): Promise<unknown> =>
  stage.server.request('DELETE', `/session/${id}`, { directory });

describe('given no app, and a project that wants a report of each session', () => {
  it('when `opencode run` has ended, then its report is there: the lead was limited, the understudy saved the turn', {
    tags: ['nightly'],
  }, async () => {
    const { directory, chain, read, table } = await project();
    const [lead, understudy] = chain;
    const { binary, sandbox, home } = stage;
    const run = await runOpencode({
      binary,
      sandbox,
      directory,
      args: ['Say something'],
      env: { UNDERSTUDY_HOME: home },
    });
    expect(run.exitCode).toBe(0);
    const card = await read();
    expect(card).toMatchObject({
      schema: 'scorecard/1',
      session: expect.stringMatching(/^ses_/),
      totals: { turns: { total: 1, answered: 1, saved: 1 } },
    });
    expect(card.switches).toContainEqual({ from: lead, to: understudy, count: 1 });
    expect(card.models.map(({ model }) => model)).toEqual([understudy, lead]);
    expect(await table()).toEqual([
      [lead, 'limited', 'rate_limit'],
      [understudy, 'success', ''],
    ]);
  });

  it('when the app comes after a session was closed, then its report is written once; what follows, the app writes', async () => {
    const { directory, read } = await project();
    const { server } = stage;
    const closed = await server.createSession(directory);
    await server.prompt(closed, { text: 'One' });
    await remove(closed);
    await expect.poll(async () => (await read()).session, { timeout: 60_000 }).toBe(closed.id);
    const written = await stat(join(directory, 'card.json'));

    const app = await stage.openApp();
    await app.until(({ connection }) => connection.status === 'connected');
    const second = await server.createSession(directory);
    await server.prompt(second, { text: 'Two' });
    expect((await stat(join(directory, 'card.json'))).ino).toBe(written.ino);
    await app.until(({ sessions }) => sessions.some((row) => row.session === second.id && row.isIdle));
    await remove(second);
    await expect.poll(async () => (await read()).session, { timeout: 60_000 }).toBe(second.id);
    expect((await read()).app.version).toBe('0.0.0');
    await app.close();
  });
});
