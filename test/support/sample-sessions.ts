import type { QueryOutput } from '../../src/contract/contract';
import type { SessionEntry, TimelineAxis, TimelineTurn } from '../../src/contract/sessions';

const LEAD = 'anthropic/claude-sonnet-4-5';
const UNDERSTUDY = 'openai/gpt-5';
/** 13:09:27 in the test's zone. */
export const TURN_AT = new Date(2026, 0, 5, 13, 9, 27).getTime();

export function sessionEntry(change: Partial<SessionEntry> = {}): SessionEntry {
  return {
    session: 'ses_1',
    project: 'shop',
    title: null,
    firstModel: LEAD,
    agents: ['build', 'plan'],
    since: TURN_AT,
    until: TURN_AT + 3_600_000,
    isLive: false,
    outcome: 'saved',
    turns: 3,
    answered: 3,
    lost: 0,
    saved: 1,
    attempts: 5,
    switches: 1,
    cost: 1.84,
    pricedShare: 1,
    ...change,
  };
}

const attempt = { position: 0, status: null, requests: 1, tokens: null, cost: null, event: null };

export function timelineTurn(change: Partial<TimelineTurn> = {}): TimelineTurn {
  return {
    number: 3,
    turn: 'msg_3',
    agent: 'plan',
    isSubAgent: false,
    at: TURN_AT,
    outcome: 'answered',
    isTroubled: true,
    attempts: [
      {
        ...attempt,
        ...{ model: LEAD, outcome: 'limited', kind: 'rate_limit', status: 429, event: 7 },
        ...{ at: TURN_AT, until: TURN_AT + 700, durationMs: 700, firstTokenMs: null },
      },
      {
        ...attempt,
        ...{ model: UNDERSTUDY, position: 1, outcome: 'success', kind: null, tokens: 12_400, cost: 0.02, requests: 2 },
        ...{ at: TURN_AT + 800, until: TURN_AT + 10_000, durationMs: 9_200, firstTokenMs: 900 },
      },
    ],
    hidden: 0,
    ...change,
  };
}

export function timelineAxis(change: Partial<TimelineAxis> = {}): TimelineAxis {
  return {
    since: TURN_AT,
    until: TURN_AT + 50_000,
    marks: [{ at: TURN_AT, turns: 1, troubled: 1 }],
    models: [
      { model: LEAD, slot: 0, states: [{ state: 'cooling', at: TURN_AT + 700, kind: 'rate_limit' }] },
      { model: UNDERSTUDY, slot: 1, states: [{ state: 'ready', at: TURN_AT }] },
    ],
    resets: [],
    ...change,
  };
}

export const sampleSessions: QueryOutput<'sessions.list'> = { entries: [sessionEntry()], next: null, total: 1 };

export const sampleTimeline: QueryOutput<'sessions.timeline'> = {
  entry: sessionEntry(),
  turns: [timelineTurn()],
  total: 3,
  troubled: 1,
  found: 3,
  axis: timelineAxis(),
  next: null,
};
