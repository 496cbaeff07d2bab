import { setImmediate } from 'node:timers/promises';
import { onPush, pushes } from '../../../src/contract/contract';
import type { NoticePush, NoticeRow } from '../../../src/contract/notices';
import { DEFAULT_PREFERENCES, type Preferences } from '../../../src/contract/preferences';
import type { Snapshot } from '../../../src/contract/snapshot';
import type { CorePorts } from '../../../src/core/ports/ports';
import type { PreferencesPort } from '../../../src/core/ports/preferences';
import type { Evidence } from '../../../src/engine';
import type { CompanionEvent } from '../../../src/protocol';
import { noticeTitle } from '../../../src/wording/notice-words';
import {
  COMPANION,
  openTestCore,
  prompted,
  scopeOf,
  started,
  succeeded,
  type VirtualClock,
  virtualClock,
} from '../virtual-core';

export type Config = Extract<CompanionEvent, { type: 'scope.configured' }>['config'];

/** A provider's answer: it answers, or this evidence of why not. */
export type Outcome = 'answers' | Evidence;
/** A model that is asked, and what comes of it. */
export type Asked = readonly [model: string, outcome: Outcome];

export const LIMITED: Evidence = {
  phase: 'body',
  status: 429,
  message: 'Rate limit reached',
  headers: { 'retry-after': '600' },
};
export const REJECTED: Evidence = { phase: 'body', status: 401, message: 'Incorrect API key provided' };
export const BROKEN: Evidence = { phase: 'body', status: 503, message: 'overloaded' };

/** What was shown and taken away, one line each: `12:00 N1 build is now on two`, `12:04 - N1`. */
export type Shown = Readonly<{ push: NoticePush; now: number }>;

type Choices = Partial<Preferences['notices']>;

/** Preferences that a test changes as a person would change the file. */
export function choosing(choices: Choices = {}): PreferencesPort & { choose(choices: Choices): void } {
  let notices: Preferences['notices'] = { ...DEFAULT_PREFERENCES.notices, ...choices };
  const read = async () => ({
    preferences: { ...DEFAULT_PREFERENCES, notices },
    path: '/p.json',
    rev: 'r',
    problem: null,
  });
  return {
    read,
    change: async () => ({ ok: true, now: await read() }),
    choose: (next) => {
      notices = { ...notices, ...next };
    },
  };
}

/** Every notice there is. */
export const ALL = Object.fromEntries(
  Object.keys(DEFAULT_PREFERENCES.notices.chosen).map((id) => [id, true]),
) as Preferences['notices']['chosen'];

/** A core whose notices a test sees, and OpenCode processes that tell of whole turns. */
export function openToldCore(
  options: Readonly<{
    clock?: VirtualClock;
    preferences?: PreferencesPort;
    ports?: Partial<CorePorts>;
    app?: Partial<Snapshot['app']>;
  }> = {},
) {
  const clock = options.clock ?? virtualClock();
  const preferences = options.preferences ?? choosing({ chosen: ALL });
  const test = openTestCore(clock, null, { preferences, ...options.ports }, options.app);
  const shown: Shown[] = [];
  onPush(test.core.host, 'notice', (push) => shown.push({ push: pushes.notice.parse(push), now: clock.now() }));
  let next = 1;
  /** Who OpenCode itself would ask for each agent. */
  const leads = new Map<string, string>();
  const arm = (directory: string, chains: Readonly<Record<string, readonly string[]>>, over: Partial<Config> = {}) => {
    const base = scopeOf() as Config;
    const plan = base.agents['*'] as Config['agents'][string];
    const agents = Object.fromEntries(
      Object.entries(chains).map(([agent, chain]) => [agent, { ...plan, chain: [...chain] }]),
    );
    for (const [agent, [lead = '']] of Object.entries(chains)) leads.set(`${directory}|${agent}`, lead);
    test.tell({ type: 'scope.configured', directory, config: { ...base, agents, ...over } });
  };
  /** One user message and what was asked for it, in one moment; the agent of a session of its own. */
  const turn = (directory: string, agent: string, asked: readonly Asked[], session = `${directory}-${agent}`): void => {
    const id = `t${next++}`;
    const lead = leads.get(`${directory}|${agent}`) ?? '';
    const about = { turn: id, session, directory, agent };
    test.tell(prompted({ ...about, model: lead, hostLead: lead }));
    for (const [model, outcome] of asked) {
      const attempt = `a${next++}`;
      test.tell(started({ ...about, attempt, model }));
      if (outcome === 'answers') test.tell(succeeded(attempt));
      else
        test.tell({
          type: 'attempt.failed',
          attempt,
          durationMs: 40,
          evidence: { ...outcome, seenAt: clock.wall() } as never,
        });
    }
    test.tell({ type: 'session.idle', session });
  };
  /** Lets time pass, and everything that then is due happen. */
  const pass = async (ms: number): Promise<void> => {
    await setImmediate();
    const start = clock.now();
    const end = start + ms;
    // Preferences are read where a notice is due: step by step, so that what is shown is shown at its time.
    while (clock.now() < end) {
      const stepMs = clock.now() - start < 5_000 ? 1_000 : 30_000;
      clock.advance(Math.min(stepMs, end - clock.now()));
      await setImmediate();
    }
  };
  const list = async () => test.core.host.handlers['notices.list']({ offset: 0, limit: 200 });
  return {
    ...test,
    ...{ shown, arm, turn, pass, list },
    connect: () => test.core.connected(COMPANION),
    /** `N1 build is now on two`, `- N1`, in order. */
    lines: (): string[] => shown.map(({ push }) => lineOf(push)),
    inbox: async (): Promise<string[]> => (await list()).rows.toReversed().map(rowLine),
  };
}

export const rowLine = (row: NoticeRow): string => `${row.notice} ${noticeTitle(row)}`;
export const lineOf = (push: NoticePush): string =>
  push.type === 'show' ? rowLine(push.notice) : `- ${push.key.slice(0, push.key.indexOf('|'))}`;
