import { describe, expect, it } from 'vitest';
import { CouncilView } from '../../../src/features/council/contract/council';
import { RunRef } from '../../../src/features/council/contract/council-run';
import { alongLine, courseOf, noCourse, type RunCourse } from '../../../src/features/council/core/run-course';
import { type RunSeen, runRow } from '../../../src/features/council/core/run-row';
import { runView } from '../../../src/features/council/core/run-view';
import { reportOf } from '../../../src/features/council/rules/report/report';
import { isOver, modeOf } from '../../../src/features/council/rules/state/state';
import { anyWorld } from '../../council/any-run';
import {
  DONE,
  dutiful,
  fenced,
  openWorld,
  type Prompt,
  type Reply,
  settingsOf,
  setupFor,
  speaker,
} from '../../support/council-world';
import { runSeed, runs } from '../../support/runs';

const RUN = 'r20261126-113002-a1b2';
const TWO = settingsOf([speaker('claude', 'anthropic'), speaker('gpt', 'openai', null)], { maxCost: 2 });

type World = ReturnType<typeof openWorld>;
const lined = ({ log }: World): RunCourse => courseOf(log.map((line) => ({ v: 1, ...line })));
const seenAs = (course: RunCourse, more: Partial<RunSeen> = {}): RunSeen => ({
  ...{ run: RUN, course, rev: course.lines, isPlayed: true, isInSession: false, source: null, whyLeft: null },
  ...more,
});
const AROUND = { estimate: null, generation: 1 };

/** A run with two speakers, played as far as it goes by itself. */
function played(reply: (...of: Parameters<Parameters<typeof openWorld>[1]>) => Reply, ms?: number): World {
  const world = openWorld(setupFor(TWO, { run: RUN }), reply);
  world.play(ms);
  return world;
}

const found = (line: number, more: object = {}) => ({
  ...{ severity: 'critical', title: `t${line}`, file: 'a.ts', line, quote: 'some code', evidence: 'e', ...more },
});

describe('given a run that has not begun', () => {
  it('when it is told in a row, then nothing is known of it, and nobody plays it', () => {
    expect(RunRef.parse(runRow(seenAs(noCourse, { isPlayed: false })))).toMatchObject({
      ...{ run: RUN, rev: 0, state: 'not_begun', isPlayed: false, begunAt: null, stage: null, headline: null },
    });
  });
});

describe('given a review that has finished', () => {
  const world = played((prompt) => {
    if (prompt.member === 'sentinel' && prompt.text.includes('Deep Analysis'))
      return { says: fenced({ tool: 'PostFindings', findings: [found(1), found(9, { quote: 'INVENTED' })] }, DONE) };
    if (prompt.member === 'architect' && prompt.text.includes('Cross-Reference'))
      return { says: fenced({ tool: 'PostFindings', findings: [{ confirms: 'f1', why: 'Seen.' }] }, DONE) };
    if (prompt.tools.includes('PresentReport'))
      return {
        says: fenced({ tool: 'PresentReport', headline: 'One hole.', order: ['f1'], praise: ['Tests.'] }, DONE),
      };
    return { says: dutiful(prompt) };
  });

  it('when it is told in a row, then its figures are those of the report, and it says what came of it', () => {
    expect(runRow(seenAs(lined(world), { isPlayed: false }))).toEqual({
      ...{ run: RUN, rev: world.log.length, state: 'finished', isPlayed: false, isInSession: false },
      ...{ activity: 'code_review', process: 'CODE_REVIEW', problem: null, repo: 'repo' },
      ...{ begunAt: 1_000, endedAt: world.now(), stage: null },
      findings: { critical: 1, major: 0, minor: 0, praise: 0, unproved: 1 },
      ...{ ideas: 0, party: { live: 4, out: 0 }, spent: expect.closeTo(0.01 * world.prompts.length), unpricedTurns: 0 },
      ...{ cap: 2, retries: { used: 0, of: 30 }, question: null, headline: 'One hole.' },
    });
  });

  it('when its page is asked for, then each stage says who took a turn, and each member what it brought', () => {
    const { stages, members, links, speakers } = CouncilView.parse(runView(seenAs(lined(world)), AROUND));
    expect(stages.map(({ id, state, done, of, heard }) => [id, state, done, of, heard])).toEqual([
      ['reconnaissance', 'done', 4, 4, 4],
      ['deep_analysis', 'done', 4, 4, 4],
      ['cross_reference', 'done', 4, 4, 4],
      ['oracle_review', 'done', 1, 1, 1],
      ['synthesis', 'done', 1, 1, 1],
      ['presentation', 'done', 1, 1, 1],
    ]);
    for (const { beganAt, endedAt } of stages) expect(endedAt).toBeGreaterThan(beganAt ?? Number.NaN);
    const sentinel = members.find(({ id }) => id === 'sentinel');
    expect(sentinel).toMatchObject({ name: 'Sentinel', title: 'Shield Guardian', brief: 'As sentinel.', posted: 2 });
    expect(members.every(({ state, reason }) => state === 'done' && reason === null)).toBe(true);
    expect(links).toEqual([{ from: 'architect', to: 'sentinel', kind: 'confirms', about: 'f1' }]);
    expect(members.find(({ id }) => id === 'architect')?.remarks).toBe(1);
    expect(speakers.map(({ name, state }) => [name, state])).toEqual([
      ['claude', 'on'],
      ['gpt', 'on'],
    ]);
  });
});

describe('given a run whose first stage is under way', () => {
  const world = played((prompt) =>
    prompt.member === 'oracle' || prompt.member === 'architect' ? { says: dutiful(prompt) } : { hangs: true },
  );
  const course = lined(world);

  it('when somebody plays it, then the row names the stage, and members that were asked work', () => {
    const { row, members, stages } = runView(seenAs(course), AROUND);
    expect(row).toMatchObject({ state: 'ai_generating', stage: { id: 'reconnaissance', at: 1, of: 6 } });
    expect(stages[0]).toMatchObject({ state: 'now', done: 1, of: 4, heard: null, endedAt: null });
    expect(stages[1]).toMatchObject({ state: 'ahead', done: 0, of: 0, beganAt: null });
    expect(Object.fromEntries(members.map(({ id, state }) => [id, state]))).toEqual({
      ...{ oracle: 'waits', architect: 'done', sentinel: 'works', healer: 'works', sage: 'works' },
    });
  });

  it('when nobody does, then it was left and nobody works; why is said where it is known', () => {
    const { row, members } = runView(seenAs(course, { isPlayed: false, whyLeft: 'OpenCode\nhas ended.' }), AROUND);
    expect(row).toMatchObject({ state: 'left', isPlayed: false, whyLeft: 'OpenCode has ended.' });
    expect(members.filter(({ state }) => state === 'works')).toEqual([]);
  });
});

describe('given a speaker that fails', () => {
  const failing = (prompt: Prompt): Reply =>
    prompt.model === 'anthropic/claude' && prompt.member !== 'oracle'
      ? { fails: { kind: 'auth', message: 'The key is wrong.' } }
      : { says: dutiful(prompt) };

  it('when a person is asked about its fallback, then the row has the question and until when, and its members ask', () => {
    const world = played(failing, 10_000);
    const { row, members } = runView(seenAs(lined(world)), AROUND);
    const [put] = world.factsOf('question:put');
    expect(row).toMatchObject({
      state: 'awaiting_fallback_decision',
      question: {
        ...{ id: put?.question, speaker: 'claude', model: 'anthropic/claude', fallback: 'anthropic/claude-small' },
        ...{ failure: 'auth', skipAt: (world.state().asks[0]?.putAt ?? 0) + 60_000 },
      },
    });
    const asking = members.filter(({ state }) => state === 'asks');
    expect(asking.map(({ speaker: own, reason }) => [own, reason])).toContainEqual(['claude', 'The key is wrong.']);
    expect(runRow(seenAs(lined(world), { isPlayed: false })).question).toBeNull();
  });

  it('when nobody answers, then its members are out with the reason, and the party counts them', () => {
    const world = played(failing, 90_000);
    const { row, members } = runView(seenAs(lined(world)), AROUND);
    const out = members.filter(({ state, id }) => state === 'out' && id !== 'oracle');
    expect(out.map(({ reason }) => reason)).toContain('Claude was offline: Fallback timeout');
    expect(row.party).toEqual({ live: 4 - out.length, out: out.length });
    expect(row.question).toBeNull();
  });

  it('when it is asked again at once, then its member says so until it has answered', () => {
    const world = played((prompt) =>
      prompt.member === 'healer'
        ? { fails: { kind: 'server_error' }, retries: 1, afterMs: 60_000 }
        : { says: dutiful(prompt) },
    );
    const lines = world.log.map((line) => ({ v: 1 as const, ...line }));
    const at = lines.findIndex(({ event }) => event.type === 'turn.retrying');
    const retrying = courseOf(lines.slice(0, at + 1));
    const healer = (course: RunCourse) =>
      runView(seenAs(course), AROUND).members.find(({ id }) => id === 'healer')?.retrying;
    expect(healer(retrying)).toEqual({ attempt: 2, of: 3, at: (lines[at]?.at ?? 0) + 1_000 });
    expect(healer(lined(world))).toBeNull();
  });
});

describe('given texts that are longer than a row, or not for people', () => {
  it('when they are told, then they are cut and on one line', () => {
    const problem = `Which\u202e database?\n${'long '.repeat(200)}`;
    const input = { problem, repo: '/home/ann/code/shop/', isDeep: false };
    const world = openWorld(setupFor(TWO, { run: RUN, input }), () => ({ hangs: true }));
    const row = runRow(seenAs(lined(world)));
    expect(row).toMatchObject({ repo: 'shop', problem: expect.stringMatching(/^Which database\? long .*…$/) });
    expect(row.problem?.length).toBe(300);
  });
});

describe('given any run', () => {
  it('when it is told line by line, then the row never says other than the state, and the page than the report', () => {
    for (let nth = 0; nth < runs(200); nth++) {
      let course = noCourse;
      const { log } = anyWorld(runSeed + nth);
      for (const line of log) {
        course = alongLine(course, { v: 1, ...line });
        const { state } = course;
        const isPlayed = (nth + course.lines) % 7 !== 0;
        const view = CouncilView.parse(runView(seenAs(course, { isPlayed }), AROUND));
        const { row, report, members, stages } = view;
        expect(report).toEqual(CouncilView.shape.report.parse(reportOf(state)));
        expect(row.state).toBe(isPlayed || isOver(state) ? modeOf(state) : 'left');
        expect(row.headline === null).toBe(!isOver(state));
        expect(row.spent).toBe(report.cost.spent);
        const { praise, unproved, ...open } = row.findings;
        expect([sum(open), praise, unproved]).toEqual([
          ...[report.findings.length, report.praise.findings.length, report.unproved.length],
        ]);
        expect(row.question === null || state.asks[0]?.id === row.question.id).toBe(true);
        expect(members.map(({ state: own }) => own === 'out')).toEqual(state.members.map(({ out }) => out !== null));
        expect(members.reduce((all, { posted }) => all + posted, 0)).toBe(state.board.length);
        expect(stages.filter((stage) => stage.state === 'now').length).toBeLessThanOrEqual(1);
        for (const { done, of, state: own, beganAt } of stages) {
          expect(done).toBeLessThanOrEqual(of);
          expect(own === 'ahead' || beganAt !== null).toBe(true);
        }
      }
    }
  });
});

const sum = (figures: Readonly<Record<string, number>>): number =>
  Object.values(figures).reduce((all, each) => all + each, 0);
