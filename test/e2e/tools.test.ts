import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScorecardDocument } from '../../src/contract/scorecard';
import type { ScriptedStep } from '../../src/demo/scripted-steps';
import { textOf } from '../../src/node/opencode';
import { isSince } from '../../src/node/opencode/proven';
import { nightlyIf } from '../support/nightly';
import type { RealStage } from '../support/opencode2/real';
import { sharedStage2 } from '../support/opencode2/shared';
import { sharedStage } from '../support/shared-stage';
import { openApp, type Stage } from '../support/stage';

const call = (name: string, input: Readonly<Record<string, unknown>> | string): ScriptedStep => ({
  kind: 'toolCall',
  name,
  arguments: input,
});
const DONE: ScriptedStep = { kind: 'text', text: 'DONE' };
const RULES = { permission: { bash: { '*': 'allow', 'rm *': 'deny', 'mv *': 'ask' } } };
const FAILED = {
  tool: 6,
  toolReasons: { validation: 2, permission: 1, not_found: 2, timeout: 1, execution: 0 },
  toolRepeats: 2,
};
const REFUSED = { tool: 1, toolReasons: { permission: 1 }, toolRepeats: 0 };
const PATH = '/nowhere/hunter2.md';

/** The scorecard of a session, once its turn is over. */
async function cardOf(home: string, session: string): Promise<ScorecardDocument> {
  const app = await openApp(home);
  await app.until(({ sessions }) => sessions.some((row) => row.session === session && row.isIdle));
  const card = await app.host.handlers['scorecard.get']({ session });
  await app.close();
  return card;
}

describe('given OpenCode 1, and a model that calls tools', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await sharedStage();
  });
  afterAll(() => stage?.close());

  /** A turn of these steps, and its scorecard. */
  async function played(...steps: readonly ScriptedStep[]): Promise<ScorecardDocument> {
    const { directory, ids } = await stage.makeCase({ config: RULES });
    stage.provider.script(ids[0] ?? '', [...steps, DONE]);
    const session = await stage.server.createSession(directory);
    await stage.server.prompt(session, { text: 'Go' });
    return cardOf(stage.home, session.id);
  }

  it('when calls fail by bad arguments, twice in a row, by a file and a tool that are not there, by a rule and by time, then each is counted', async () => {
    const { totals } = await played(
      call('read', {}),
      call('read', { filePath: 7 }),
      call('read', { filePath: PATH }),
      call('fly', {}),
      call('bash', { command: 'rm notes.md', description: 'Removes' }),
      call('bash', { command: 'sleep 9', description: 'Sleeps', timeout: 100 }),
      call('bash', { command: 'echo', description: 'Says nothing' }),
    );
    expect(totals.errors).toMatchObject(FAILED);
    expect(await readFile(join(stage.home, 'events.jsonl'), 'utf8')).not.toContain('hunter2');
  });

  it('when no tool fails, then that is known: 0', { tags: ['nightly'] }, async () => {
    const { totals } = await played(call('bash', { command: 'echo', description: 'Says nothing' }));
    expect([totals.errors.tool, totals.quality.badArgumentsPerAnswer, totals.quality.flawedShare]).toEqual([0, 0, 0]);
  });

  const LIMITED: ScriptedStep = { kind: 'status', status: 429 };
  const CUT: ScriptedStep = { kind: 'cut', text: 'two words', afterMs: 100 };
  const WRITE = { filePath: 'made.md', content: 'Made.' };
  const cases = (['openai-responses', 'google'] as const).flatMap(
    (wire) =>
      [
        ['answers 429', wire, [LIMITED], []],
        ['breaks off in mid-answer', wire, [CUT], []],
        ['answers 429 after a tool', wire, [call('write', WRITE), LIMITED], ['write']],
      ] as const,
  );
  for (const [fault, wire, steps, tools] of cases)
    it(
      `when the lead ${fault} over the ${wire} wire, then the turn moves, OpenCode shows no other tool at any moment, and none counts as failed`,
      nightlyIf(wire === 'google' || fault !== 'breaks off in mid-answer'),
      async () => {
        const { directory, ids } = await stage.makeCase({ wires: [wire, 'openai-compatible'] });
        stage.provider.script(ids[0] ?? '', steps);
        stage.provider.script(ids[1] ?? '', [DONE]);
        const session = await stage.server.createSession(directory);
        const events = await stage.server.events(directory);
        const answer = await stage.server.prompt(session, { text: 'Go' });
        await events.waitFor(({ type, properties }) => type === 'session.idle' && properties.sessionID === session.id);
        const parts = events
          .seen()
          .flatMap(({ properties }) => (properties.part ?? []) as { type: string; tool: string });
        events.close();
        const { totals } = await cardOf(stage.home, session.id);
        const shown = parts.flatMap(({ type, tool }) => (type === 'tool' ? [tool] : []));
        const mayShow = isSince(stage.binary.version, '1.18.21') ? tools : [...tools, 'understudy_go_on', 'invalid'];
        expect([textOf(answer), [...new Set(shown)], totals.errors.tool]).toEqual(['DONE', mayShow, 0]);
        expect(events.seen().filter(({ type }) => type === 'session.error')).toEqual([]);
      },
    );

  it('when a person refuses a call, then it was not allowed', { tags: ['nightly'] }, async () => {
    const { directory, ids } = await stage.makeCase({ config: RULES });
    stage.provider.script(ids[0] ?? '', [call('bash', { command: 'mv a b', description: 'Moves' }), DONE]);
    const session = await stage.server.createSession(directory);
    const events = await stage.server.events(directory);
    const asking = events.next(({ type }) => type === 'permission.asked');
    const prompting = stage.server.prompt(session, { text: 'Go' }).catch(() => undefined);
    const { id } = (await asking).properties;
    await stage.server.request('POST', `/permission/${id}/reply`, { directory, body: { reply: 'reject' } });
    await prompting;
    expect((await cardOf(stage.home, session.id)).totals.errors).toMatchObject(REFUSED);
  });

  it('when its answer ends too early and it is told to go on, then that answer was continued', {
    tags: ['nightly'],
  }, async () => {
    const { models } = await played({ kind: 'noFinish', text: 'half an answer' });
    expect(models.map(({ quality }) => quality.continuedPerAnswer)).toEqual([0.5]);
  });
});

describe.skipIf(!process.env.OPENCODE2_BIN)('given a real OpenCode 2, and a model that calls tools', () => {
  let stage: RealStage;
  beforeAll(async () => {
    stage = await sharedStage2();
  });
  afterAll(() => stage?.close());

  /** A turn of these steps, and its scorecard. */
  async function played(...steps: readonly ScriptedStep[]): Promise<ScorecardDocument> {
    const { directory, ids } = await stage.makeCase({ config: RULES });
    stage.provider.script(ids[0] ?? '', [...steps, DONE]);
    stage.provider.script(ids[1] ?? '', [DONE]);
    const seat = await stage.sitIn(directory);
    await seat.ask('Go');
    return cardOf(stage.home, seat.id);
  }

  it('when calls fail by bad arguments, twice in a row, by a file and a tool that are not there, by a rule and by time, then each is counted', async () => {
    const { totals } = await played(
      call('read', {}),
      call('read', '{"path":'),
      call('read', { path: PATH }),
      call('fly', {}),
      call('shell', { command: 'rm notes.md' }),
      call('shell', { command: 'sleep 9', timeout: 100 }),
      call('shell', { command: 'echo' }),
    );
    expect(totals.errors).toMatchObject(FAILED);
    expect(await readFile(join(stage.home, 'events.jsonl'), 'utf8')).not.toContain('hunter2');
  });

  it('when no tool fails, then that is known: 0', { tags: ['nightly'] }, async () => {
    const { totals } = await played(call('shell', { command: 'echo' }));
    expect([totals.errors.tool, totals.quality.badArgumentsPerAnswer, totals.quality.flawedShare]).toEqual([0, 0, 0]);
  });

  it('when a person refuses a call, then it was not allowed', { tags: ['nightly'] }, async () => {
    const { directory, ids } = await stage.makeCase({ config: RULES });
    stage.provider.script(ids[0] ?? '', [call('shell', { command: 'mv a b' }), DONE]);
    const seat = await stage.sitIn(directory);
    const asking = stage.events.next(({ type }) => type === 'permission.asked', 60_000);
    const ending = seat.ask('Go');
    const { id } = (await asking).properties;
    await stage.server.request('POST', `/session/${seat.id}/permission/${id}/reply`, { body: { decision: 'reject' } });
    expect(await ending).toBe('interrupted');
    expect((await cardOf(stage.home, seat.id)).totals.errors).toMatchObject(REFUSED);
  });

  it('when it breaks off and another goes on, then its answer was continued', { tags: ['nightly'] }, async () => {
    const { models } = await played({ kind: 'cut', text: 'half an answer' });
    expect(models.map(({ quality }) => quality.continuedPerAnswer)).toEqual([0, 1]);
  });
});
