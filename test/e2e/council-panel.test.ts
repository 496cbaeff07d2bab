import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueryInput, QueryName, QueryOutput } from '../../src/contract/contract';
import type { ScriptedStep } from '../../src/demo/scripted-steps';
import type { CouncilRunRow } from '../../src/features/council/contract/council-run';
import { CouncilReport } from '../../src/features/council/rules/report/schema';
import { type CouncilStage, oneHoleWithoutGamma, openCouncilStage, VENDORS } from '../support/council-stage';
import { NIGHTLY, nightlyIf } from '../support/nightly';
import { opencodeBinary } from '../support/opencode-binary';
import { opencode2Binary } from '../support/opencode2/real';
import { admittedBy, send } from '../support/panel-client';
import { type PanelProcess, startPanel } from '../support/panel-process';

/** A panel without a window, and what it is asked as its page does. */
type Panel = Readonly<{
  process: PanelProcess;
  ask<Q extends QueryName>(name: Q, input: QueryInput<Q>): Promise<QueryOutput<Q>>;
  /** The newest run as every surface shows it. */
  row(): Promise<CouncilRunRow | undefined>;
}>;

async function openPanel(home: string, env: NodeJS.ProcessEnv): Promise<Panel> {
  const process = await startPanel(home, env);
  const headers = { ...(await admittedBy(process.url)), 'content-type': 'application/json' };
  const port = Number(new URL(process.url).port);
  const ask: Panel['ask'] = async (name, input) => {
    const reply = await send(port, `/rpc/${name}`, { method: 'POST', headers, body: JSON.stringify({ input }) });
    const said = JSON.parse(reply.body) as { ok: boolean; value: never; reason: string };
    if (!said.ok) throw new Error(said.reason);
    return said.value;
  };
  return { process, ask, row: async () => (await ask('snapshot.get', null)).councils[0] };
}

/** What an OpenCode that this panel has started is, by its process id. */
function startedBy({ process: { pid } }: Panel): readonly number[] {
  try {
    const said = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    return said.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));
  } catch {
    return [];
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const BINARIES = [
  { generation: 1, binaryOf: opencodeBinary },
  ...(process.env.OPENCODE2_BIN ? [{ generation: 2, binaryOf: async () => opencode2Binary() }] : []),
];

describe.each(BINARIES)('given a panel without a window and OpenCode $generation', ({ generation, binaryOf }) => {
  // The last generation plays it per merge.
  const PROVEN = nightlyIf(generation !== BINARIES.at(-1)?.generation);
  let stage: CouncilStage;
  let env: NodeJS.ProcessEnv;
  let panel: Panel;

  beforeAll(async () => {
    stage = await openCouncilStage(binaryOf);
    env = { ...stage.sandbox.env, OPENCODE_BIN: stage.binary.path };
    const speakers = VENDORS.map((vendor) => [
      vendor,
      { model: `${vendor}/${vendor}-model`, fallback: `${vendor}/${vendor}-model-small`, vendor },
    ]);
    const file = join(stage.sandbox.configDirectory, 'model-fallback.json');
    await writeFile(file, JSON.stringify({ council: { speakers: Object.fromEntries(speakers) } }));
    panel = await openPanel(stage.home, env);
  });
  afterAll(async () => {
    await panel?.process.stop();
    await stage?.close();
  });

  const wanted = () => ({ problem: null, repo: stage.repo, isDeep: false, directory: null, maxCost: null });
  const folder = (run: string): string => join(stage.home, 'council', run);

  async function begun(): Promise<string> {
    const planned = await panel.ask('council.plan', wanted());
    if (!planned.ok) throw new Error(planned.reason);
    expect(planned.plan).toMatchObject({ repo: 'project', player: expect.stringContaining('OpenCode ') });
    const answered = await panel.ask('council.begin', { plan: planned.plan.id });
    if (!answered.ok) throw new Error(answered.reason);
    return answered.run;
  }

  it(
    'when a run is begun there, then it is seen while it runs, answered, exported and removed, and no OpenCode stays',
    PROVEN,
    async () => {
      stage.answer(oneHoleWithoutGamma);
      const run = await begun();
      expect(await panel.row()).toMatchObject({ run, isPlayed: true, activity: 'code_review', repo: 'project' });
      const [opencode] = startedBy(panel);
      expect(opencode).toBeDefined();

      await expect.poll(async () => (await panel.row())?.question).toMatchObject({ speaker: 'gamma' });
      const view = await panel.ask('council.run', { run });
      expect(view?.members.some(({ speaker, state }) => speaker === 'gamma' && state === 'asks')).toBe(true);
      expect(view?.members.find(({ id }) => id === 'oracle')?.session).toMatch(/^ses_/);
      expect(view?.generation).toBe(generation);
      // Its OpenCode is no project of the user's, and its sessions are none of theirs.
      const { instances, sessions, chains, connection } = await panel.ask('snapshot.get', null);
      expect([instances, sessions, chains, connection.status]).toEqual([[], [], [], 'waiting']);
      expect(await panel.ask('council.remove', { run, sessions: false })).toMatchObject({ ok: false });
      const question = view?.row.question?.id ?? null;
      const said = await panel.ask('council.say', { run, word: { kind: 'answer', yes: true, question } });
      expect(said).toEqual({ ok: true });

      await expect.poll(async () => (await panel.row())?.state).toBe('finished');
      expect(await panel.row()).toMatchObject({ headline: 'One hole.', findings: { critical: 1 }, isPlayed: false });
      await expect.poll(() => existsSync(join(folder(run), 'repo'))).toBe(false);
      await expect.poll(() => isAlive(opencode ?? 0)).toBe(false);

      const exported = await panel.ask('council.export', { run, format: 'json' });
      const report = CouncilReport.parse(JSON.parse(exported.ok ? exported.text : ''));
      expect(report.fallbacks).toMatchObject([{ speaker: 'gamma', to: 'gamma/gamma-model-small', hasAnswered: true }]);
      expect(await panel.ask('council.remove', { run, sessions: true })).toEqual({ ok: true });
      expect(existsSync(folder(run))).toBe(false);
      expect((await panel.ask('council.runs', null)).runs).toEqual([]);
    },
  );

  it(
    'when somebody looks at a participant that is at work, then what it says and does is there, without keys and calls',
    NIGHTLY,
    async () => {
      const place = generation === 1 ? 'filePath' : 'path';
      const key = `sk-ant-api03-${'REDACTED'.repeat(4)}`;
      const steps: ScriptedStep[] = [
        { kind: 'toolCall', name: 'read', arguments: { [place]: 'src/cart.js' } },
        { kind: 'toolCall', name: 'read', arguments: { [place]: '/etc/hostname' } },
        {
          kind: 'text',
          text: `I have looked: ${key}.\n\`\`\`json\n${JSON.stringify({ tool: 'UpdateKnowledge', key: 'entry', text: 'cart.js' })}\n\`\`\``,
        },
      ];
      stage.answer(({ hero, stage: name }) =>
        hero === 'Sentinel' && name === 'Reconnaissance' ? (steps.shift() ?? { kind: 'hang' }) : null,
      );
      const run = await begun();
      const sentinel = { run, member: 'sentinel' };
      await expect
        .poll(
          async () =>
            (await panel.ask('council.transcript', sentinel))?.entries.filter(({ kind }) => kind === 'turn').length,
        )
        .toBe(2);
      // Whoever plays it may be too busy to answer at once.
      const look = () => panel.ask('council.transcript', sentinel);
      await expect.poll(async () => (await look())?.live).toBe('live');
      const shown = await look();
      expect(shown?.entries.map(({ at: _, ...entry }) => entry)).toEqual([
        { kind: 'turn', stage: 'reconnaissance' },
        { kind: 'tool', tool: 'read', about: 'src/cart.js', isRefused: false },
        { kind: 'tool', tool: 'read', about: '/etc/hostname', isRefused: true },
        { kind: 'text', text: expect.stringMatching(/^I have looked: \S+$/) },
        { kind: 'knowledge', key: 'entry', text: 'cart.js' },
        { kind: 'turn', stage: 'reconnaissance' },
      ]);
      expect(JSON.stringify(shown)).not.toContain('REDACTED');
      expect(await panel.ask('council.say', { run, word: { kind: 'stop' } })).toEqual({ ok: true });
      await expect.poll(async () => (await panel.row())?.state).toBe('stopped');
      await expect.poll(() => startedBy(panel)).toEqual([]);
      expect((await panel.ask('council.transcript', sentinel))?.live).toBe('notPlayed');
      expect(await panel.ask('council.remove', { run, sessions: false })).toEqual({ ok: true });
    },
  );

  it(
    'when the panel is killed amid a run, then its OpenCode ends, and the next panel sees it left and resumes it',
    NIGHTLY,
    async () => {
      let isHeld = true;
      stage.answer((asked) => (isHeld && asked.stage === 'Deep Analysis' ? { kind: 'hang' } : null));
      const run = await begun();
      await stage.untilAsked(({ stage: name }) => name === 'Deep Analysis');
      const [opencode] = startedBy(panel);
      await panel.process.kill();
      await expect.poll(() => isAlive(opencode ?? 0)).toBe(false);

      panel = await openPanel(stage.home, env);
      await expect.poll(async () => (await panel.row())?.state).toBe('left');
      isHeld = false;
      expect(await panel.ask('council.resume', { run })).toEqual({ ok: true });
      await expect.poll(async () => (await panel.row())?.state).toBe('finished');
      expect((await panel.ask('council.run', { run }))?.report.notHeard).toEqual([]);
    },
  );

  it(
    'when the panel is closed amid a run, then the run is left, with no OpenCode, and can be stopped once it is resumed',
    NIGHTLY,
    async () => {
      stage.answer((asked) => (asked.stage === 'Reconnaissance' ? { kind: 'hang' } : null));
      const run = await begun();
      await stage.untilAsked(({ stage: name }) => name === 'Reconnaissance');
      const [opencode] = startedBy(panel);
      expect(await panel.process.stop()).toBe(0);
      expect(isAlive(opencode ?? 0)).toBe(false);

      panel = await openPanel(stage.home, env);
      await expect.poll(async () => (await panel.row())?.state).toBe('left');
      expect(await panel.ask('council.say', { run, word: { kind: 'stop' } })).toMatchObject({ ok: false });
      expect(await panel.ask('council.resume', { run })).toEqual({ ok: true });
      expect(await panel.ask('council.say', { run, word: { kind: 'stop' } })).toEqual({ ok: true });
      await expect.poll(async () => (await panel.row())?.state).toBe('stopped');
      await expect.poll(() => startedBy(panel)).toEqual([]);
    },
  );
});
