import { describe, expect, it } from 'vitest';
import { type CouncilHost, isPromptOf } from '../../../src/features/council/core/host';
import { resumeRun, stateOf } from '../../../src/features/council/core/runner';
import type { TurnFault } from '../../../src/features/council/rules/base/types';
import { JournalLine } from '../../../src/features/council/rules/state/schema';
import { DONE, dutiful, fenced, settingsOf, setupFor, speaker } from '../../support/council-world';

const SPENT = { cost: 0, input: 1, output: 1 };
const settings = settingsOf([speaker('claude', 'anthropic'), speaker('gpt', 'openai')]);
const BEGUN: JournalLine = { v: 1, at: 1, event: { type: 'run.begun', setup: setupFor(settings) } };

/** A run on a played host, with its journal in memory. */
function opened(host: Partial<CouncilHost> = {}, { failsAt = Number.POSITIVE_INFINITY, lines = [BEGUN] } = {}) {
  const written: JournalLine[] = [...lines];
  const faults: unknown[] = [];
  let sessions = 0;
  const run = resumeRun(
    {
      host: {
        open: async () => `s${++sessions}`,
        prompt: async (command) => ({ ok: true, text: dutiful(command), spent: SPENT }),
        recover: async () => null,
        abort: async () => undefined,
        check: async (places) => places.map((place) => place && { check: 'verified', at: place.line }),
        ...host,
      },
      journal: {
        async append(line) {
          if (written.length >= failsAt) throw new Error('disk full');
          written.push(line);
        },
      },
      now: () => written.length,
      schedule: () => () => undefined,
      turn: async () => undefined,
      onStep: () => undefined,
      onFault: (error) => faults.push(error),
    },
    lines,
  );
  return { run, written, faults };
}

describe('given a run that is played', () => {
  it('when everybody answers, then it is over, and its journal leads to the same state', async () => {
    const { run, written } = opened();
    await run.over;
    expect(run.state().phase).toBe('finished');
    expect(JSON.stringify(stateOf(written))).toBe(JSON.stringify(run.state()));
  });

  it('when the host breaks a promise, then the turn has failed and the run goes on', async () => {
    let thrown = 0;
    const { run } = opened({
      prompt: async (command) => {
        if (command.member === 'sentinel' && thrown++ === 0) throw new Error('host broke');
        return { ok: true, text: dutiful(command), spent: SPENT };
      },
    });
    await run.over;
    expect([thrown > 0, run.state().phase]).toEqual([true, 'finished']);
  });

  it('when a person stops it, then the host ends every turn that is under way', async () => {
    const aborted: string[] = [];
    const { run } = opened({
      prompt: (command) =>
        command.member === 'oracle'
          ? Promise.resolve({ ok: true, text: dutiful(command), spent: SPENT })
          : new Promise(() => undefined),
      abort: async (session) => void aborted.push(session),
    });
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
    run.tell({ type: 'run.stopped', actor: 'test' });
    await run.over;
    const { members, phase } = run.state();
    const asked = members.flatMap(({ id, session }) => (id === 'oracle' || session === null ? [] : [session]));
    expect([phase, aborted.length > 0, aborted.toSorted()]).toEqual(['stopped', true, asked.toSorted()]);
  });

  it('when its journal cannot be written any more, then it ends here and says why', async () => {
    const { run, faults, written } = opened({}, { failsAt: 12 });
    await run.over;
    expect(faults).toMatchObject([{ message: 'disk full' }]);
    expect(written).toHaveLength(12);
    expect(run.state().phase).toBe('playing');
  });

  it('when it is left while something is being written, then nobody is asked any more, and who comes next asks it', async () => {
    let asked = 0;
    const { run, written } = opened({
      prompt: async (command) => {
        asked++;
        return { ok: true, text: dutiful(command), spent: SPENT };
      },
    });
    await run.leave();
    const before = asked;
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toBe(before);
    const next = opened({}, { lines: written as [JournalLine] });
    await next.run.over;
    expect(next.run.state().phase).toBe('finished');
  });
});

describe('given knowledge that did not come in time', () => {
  it('when the run is told so, then that is written down without a word of it, and who comes next does not tell it again', async () => {
    const { run, written } = opened();
    run.missKnowledge();
    await run.over;
    expect(written.filter(({ event }) => event.type === 'knowledge.missed').map(({ event }) => event)).toEqual([
      { type: 'knowledge.missed' },
    ]);
    expect(stateOf(written).isLessGrounded).toBe(true);
    expect(opened({}, { lines: written as [JournalLine] }).run.state().isLessGrounded).toBe(true);
  });
});

describe('given a turn that is ended as its OpenCode ends', () => {
  it('when the run is left before it would count, then nobody is lost', async () => {
    const { run, written } = opened({
      prompt: async (command) =>
        command.member === 'sentinel'
          ? {
              ok: false,
              fault: { kind: 'aborted', message: 'it was stopped', hintMs: null, isPartial: false },
              spent: SPENT,
            }
          : { ok: true, text: dutiful(command), spent: SPENT },
    });
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
    await run.leave();
    expect(written.some(({ event }) => event.type === 'turn.failed')).toBe(false);
    expect(run.state().members.every(({ out }) => out === null)).toBe(true);
  });
});

describe('given words that become longer where something is left out of them', () => {
  it('when the run is read back from its journal, then it is what it was', async () => {
    const finding = {
      severity: 'major',
      title: 'Long',
      file: 'a.js',
      line: 1,
      quote: 'words',
      evidence: 'a@b.co '.repeat(280),
    };
    const { run, written } = opened({
      prompt: async (command) => ({
        ...{ ok: true, spent: SPENT },
        text:
          command.member === 'sentinel' && command.text.includes('Stage: Deep Analysis')
            ? fenced({ tool: 'PostFindings', findings: [finding] }, DONE)
            : dutiful(command),
      }),
    });
    await run.over;
    expect(run.state().board[0]?.evidence).toHaveLength(2_000);
    const readBack = written.map((line) => JournalLine.parse(JSON.parse(JSON.stringify(line))) as typeof line);
    expect(JSON.stringify(stateOf(readBack))).toBe(JSON.stringify(run.state()));
  });
});

describe('given prompts whose words are others in another version', () => {
  it('when one is looked for, then it is found by what stands at its end, and no other is', () => {
    const command = { text: 'Stage: Divergence. Say it.\n\n(r20261126-113002-a1b2/c12)' };
    expect(isPromptOf(command, 'Stage: Divergence. Tell it.\n\n(r20261126-113002-a1b2/c12)\n')).toBe(true);
    expect(isPromptOf(command, 'Stage: Divergence. Say it.\n\n(r20261126-113002-a1b2/c1)')).toBe(false);
    expect(isPromptOf(command, 'Stage: Divergence. Say it.\n\n(r20261126-113002-ffff/c12)')).toBe(false);
    expect(isPromptOf(command, undefined)).toBe(false);
  });
});

describe('given names that look like what must not be kept', () => {
  it('when a file was found, then its name stays, and what is said of it is clean', async () => {
    const file = 'src/migrations/20240101120000_create_users_and_accounts_table.sql';
    const key = `sk-proj-${'a1B2c3D4'.repeat(5)}`;
    const finding = { severity: 'major', title: `Key ${key}`, file, line: 1, quote: 'words', evidence: 'e' };
    const { run } = opened({
      prompt: async (command) => ({
        ...{ ok: true, spent: SPENT },
        text:
          command.member === 'sentinel' && command.text.includes('Stage: Deep Analysis')
            ? fenced({ tool: 'PostFindings', findings: [finding] }, DONE)
            : dutiful(command),
      }),
    });
    await run.over;
    expect(run.state().board).toMatchObject([{ file, title: 'Key [key]' }]);
  });

  it('when a provider says a key, then the journal does not have it', async () => {
    const key = `sk-proj-${'a1B2c3D4'.repeat(5)}`;
    let failures = 0;
    const fault: TurnFault = { kind: 'auth', message: `Incorrect API key: ${key}`, hintMs: null, isPartial: false };
    const { run, written } = opened({
      prompt: async (command) =>
        command.member === 'sentinel' && failures++ === 0
          ? { ok: false, fault, spent: SPENT }
          : { ok: true, text: dutiful(command), spent: SPENT },
    });
    await run.over;
    expect(written.find(({ event }) => event.type === 'turn.failed')).toBeDefined();
    expect(JSON.stringify(written)).not.toContain(key);
  });

  it('when a speaker is brought back, then it is known by its name', async () => {
    const name = 'claude-3-7-sonnet-20250219-thinking';
    const { run } = opened(
      {},
      {
        lines: [{ ...BEGUN, event: { type: 'run.begun', setup: setupFor(settingsOf([speaker(name, 'anthropic')])) } }],
      },
    );
    run.tell({ type: 'speaker.retried', name, actor: 'test' });
    await run.over;
    expect(run.state().speakers[name]?.state).toBe('on');
  });
});
