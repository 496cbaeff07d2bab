import { expect } from 'vitest';
import type { MemberId, ProcessId, TurnFaultKind } from '../../src/features/council/rules/base/types';
import { HEROES } from '../../src/features/council/rules/cast/heroes';
import { PERSONAS } from '../../src/features/council/rules/cast/personas';
import { stagesOf } from '../../src/features/council/rules/process/process';
import { reportOf } from '../../src/features/council/rules/report/report';
import { CouncilReport } from '../../src/features/council/rules/report/schema';
import { councilStep } from '../../src/features/council/rules/run/step';
import type { CouncilEvent, RunSetup } from '../../src/features/council/rules/state/events';
import { initialCouncil, modeOf } from '../../src/features/council/rules/state/state';
import {
  DONE,
  dutiful,
  fenced,
  openWorld,
  PARTY_CALL,
  type Prompt,
  type Reply,
  settingsOf,
  setupFor,
  speaker,
} from '../support/council-world';

/** Uniform in [0, 1), the same for the same seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const NAMES = ['claude', 'gpt', 'gemini', 'grok', 'mistral'] as const;
const PERSON: readonly CouncilEvent[] = [
  { type: 'question.answered', yes: true, actor: 'person' },
  { type: 'question.answered', yes: false, actor: 'person' },
  { type: 'speaker.retried', name: 'all', actor: 'person' },
  { type: 'speaker.retried', name: 'claude', actor: 'person' },
  { type: 'run.resumed' },
  { type: 'tick' },
];

/**
 * Plays a run in which `failing` of all turns fail and people do what they like, and holds what must hold of any. @returns how it ended.
 */
export const playAnyRun = (seed: number, failing = 0.3, process: ProcessId = 'CODE_REVIEW'): string =>
  judge(anyWorld(seed, failing, process), process);

/** The same run, as it was played. */
export function anyWorld(
  seed: number,
  failing = 0.3,
  process: ProcessId = 'CODE_REVIEW',
): ReturnType<typeof openWorld> {
  const random = chance(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const speakers = NAMES.slice(0, 1 + Math.floor(random() * NAMES.length)).map((name) =>
    speaker(name, random() < 0.5 ? name : 'shared', random() < 0.3 ? null : undefined),
  );
  const settings = settingsOf(
    speakers.map((each) => ({
      ...each,
      fallback: each.fallback === null ? null : `${each.vendor}/${each.name}-small`,
    })),
    { parallel: 1 + Math.floor(random() * 4), maxCost: random() < 0.2 ? 0.2 : null },
  );
  const busy = new Set<MemberId>();
  const reply = (prompt: Prompt): Reply => {
    expect(busy.has(prompt.member), 'a speaker is asked while it speaks').toBe(false);
    busy.add(prompt.member);
    const afterMs = 1 + Math.floor(random() * 1_000);
    if (random() < failing) {
      const kind = pick<TurnFaultKind>(['server_error', 'rate_limit', 'stream_interrupted', 'quota', 'session_lost']);
      const isPartial = kind === 'stream_interrupted';
      return { afterMs, fails: { kind, isPartial }, retries: Math.floor(random() * 3) };
    }
    return { afterMs, says: saidBy(prompt, random) };
  };
  const world = openWorld(setupFor(settings, process === 'CODE_REVIEW' ? {} : thinkingIn(process)), reply);
  world.beforeHearing = (event) => {
    if (event.type === 'turn.answered' || event.type === 'turn.failed')
      busy.delete(world.prompts.find(({ id }) => id === event.command)?.member ?? '');
  };
  for (let round = 0; round < 60 && !isOver(); round++) {
    world.play(Number.POSITIVE_INFINITY);
    if (isOver() || random() < 0.3) break;
    world.tell(random() < 0.05 ? { type: 'run.stopped', actor: 'person' } : pick(PERSON));
  }
  function isOver(): boolean {
    const { phase } = world.state();
    return phase === 'finished' || phase === 'stopped';
  }
  return world;
}

const thinkingIn = (process: ProcessId): Partial<RunSetup> => ({
  input: { problem: 'Which?', repo: '/repo', isDeep: process === 'DEEP' },
  roster: PERSONAS,
});

function judge(world: ReturnType<typeof openWorld>, process: ProcessId): string {
  const state = world.state();
  const mode = modeOf(state);
  const stages = stagesOf(process).map(({ id }) => id);
  const party = state.completed.filter((id) => stages.includes(id));
  expect(party, 'stages in their order, none skipped').toEqual(stages.slice(0, party.length));
  switch (mode) {
    case 'finished':
      expect(party).toEqual(stages);
      expect(state.presented).not.toBeNull();
      break;
    case 'paused':
    case 'paused_for_user':
      expect(state.pause).not.toBeNull();
      break;
    case 'stopped':
      expect(state.pending).toEqual({});
      break;
    default:
      // Nothing would ever happen again, and nobody was told.
      throw new Error(`run is stuck in ${mode}: ${JSON.stringify(state.asks)} ${JSON.stringify(state.pending)}`);
  }
  expect(state.board.map(({ id }) => id)).toEqual(state.board.map((_, at) => `f${at + 1}`));
  expect(state.board.every(({ severity, check }) => severity !== 'critical' || check !== 'not_found')).toBe(true);
  expect(state.ideas.map(({ id }) => id)).toEqual(state.ideas.map((_, at) => `i${at + 1}`));
  const report = CouncilReport.parse(reportOf(state));
  const points = report.brainstorm?.options.reduce((sum, option) => sum + option.points, 0) ?? 0;
  const perBallot = (state.ideas.length * (state.ideas.length - 1)) / 2;
  expect(points, 'each ballot weighs the same').toBeCloseTo(Object.keys(state.ballots).length * perBallot, 6);
  expect(world.prompts.length, 'no endless asking').toBeLessThan(2_000);
  const again = world.log.reduce((played, { event, at }) => councilStep(played, event, at).state, initialCouncil);
  expect(JSON.stringify(again)).toBe(JSON.stringify(state));
  return mode;
}

function saidBy(prompt: Prompt, random: () => number): string {
  if (random() < 0.5) return dutiful(prompt);
  if (random() < 0.3) return 'Only talk.';
  const ids = (prompt.tools.includes('PostIdeas') ? PERSONAS : HEROES).map(({ id }) => id);
  const any = ids[Math.floor(random() * ids.length)] ?? '';
  const line = 1 + Math.floor(random() * 20);
  const finding = {
    severity: 'critical',
    title: `t${line}`,
    file: 'a.ts',
    line,
    quote: random() < 0.3 ? 'INVENTED' : 'x',
    evidence: 'e',
  };
  const calls: object[] = [
    { tool: 'PostFindings', findings: [finding, { confirms: `f${line}`, why: 'w' }] },
    { tool: 'SummonReinforcement', hero: any, brief: 'b', because: ['f1'] },
    { tool: 'DismissHero', hero: any, because: 'b' },
    { ...PARTY_CALL, heroes: ids.slice(0, 3 + Math.floor(random() * 4)).map((id) => ({ id, brief: 'b' })) },
    { tool: 'PresentReport', headline: 'h', order: ['f1', 'f77'], praise: [] },
    {
      tool: 'PostIdeas',
      ideas: [
        { title: `t${line}`, text: 'x' },
        { challenges: `i${line}`, why: 'w' },
      ],
    },
    { tool: 'RankIdeas', ranking: [`i${line}`, 'i1', 'i2', 'i77'] },
    { tool: 'NameGaps', gaps: [`t${line}`, 'people'] },
    { tool: 'PresentOptions', headline: 'h', nextSteps: [], dissent: ['d'] },
  ];
  return fenced(...calls.filter(() => random() < 0.5), ...(random() < 0.6 ? [DONE] : []));
}
