import type { Decision, EngineState, ModelId, ScopeConfig } from '../../../src/engine';
import type { HeadroomRules } from '../../../src/engine/base/window';
import { AGENT, DIRECTORY, scopeOf } from '../world';
import { openHosts, type Sharing } from './hosts';
import type { Provider, Size } from './providers';

export type Played = Readonly<{
  turns: number;
  requests: number;
  refused: number;
  /** Moves before a limit, by the model that was left. */
  moved: Readonly<Record<ModelId, number>>;
  waited: number;
  /** The part of its window that nobody took when a turn moved away from a model: of a bucket the largest, of a plan the last. */
  left: Readonly<Record<ModelId, number>>;
  answered: Readonly<Record<ModelId, number>>;
  states: readonly EngineState[];
}>;

type Run = Readonly<{
  turns: number;
  sessions: number;
  providers: Readonly<Record<ModelId, Provider>>;
  rules: HeadroomRules;
  random: () => number;
  sizeOf: (random: () => number) => Size;
  agents?: readonly string[];
  changes?: Partial<ScopeConfig>;
  /** Processes that the sessions are spread over, and how these hear of each other. */
  hosts?: number;
  sharing?: Sharing;
}>;

type Later = { at: number; act: () => void };

/** Plays turns of several sessions at once on one account of each provider, in virtual time. */
export function playGauntlet({
  turns,
  sessions,
  providers,
  rules,
  random,
  sizeOf,
  agents = [AGENT],
  changes,
  hosts = 1,
  sharing = 'nothing',
}: Run): Played {
  const chain = Object.keys(providers);
  const [lead = ''] = chain;
  let now = 0;
  let begun = 0;
  let ids = 0;
  const tally = { requests: 0, refused: 0, waited: 0 };
  const moved: Record<ModelId, number> = {};
  const left: Record<ModelId, number> = {};
  const answered: Record<ModelId, number> = {};
  /** What requests will take that are not counted yet. */
  const onWay: Record<ModelId, number> = {};
  const count = (model: ModelId, size: Size, by: 1 | -1): void => {
    onWay[model] = (onWay[model] ?? 0) + by * (providers[model] as Provider).part(size);
  };
  const queue: Later[] = [];
  const later = (ms: number, act: () => void): void => {
    queue.push({ at: now + ms, act });
  };
  const all = openHosts(hosts, sharing, { now: () => now, later });
  const { tell } = all;
  const note = (decision: Decision | undefined): void => {
    const { short, action } = decision ?? {};
    if (!short || (action?.kind !== 'switch' && action?.kind !== 'redirect')) return;
    moved[action.from] = (moved[action.from] ?? 0) + 1;
    const free = (providers[action.from]?.left(now) ?? 0) - (onWay[action.from] ?? 0);
    // A plan is used up to its end; a bucket is at its emptiest whenever somebody moves away from it.
    const isPlan = providers[action.from]?.countsLate;
    left[action.from] = isPlan ? free : Math.max(left[action.from] ?? 0, free);
  };
  const tokens = ({ input, output, most }: Size) => ({ input, fresh: input, output, most });

  function beginTurn(host: number, session: string, agent: string): void {
    if (begun >= turns) return;
    begun++;
    const turn = `t${begun}`;
    const [decision] = tell(host, {
      ...{ type: 'prompt.submitted', turn, session, directory: DIRECTORY, agent, model: lead },
      ...{ hostLead: lead, isExplicit: false },
    });
    note(decision);
    const model = decision && 'to' in decision.action ? decision.action.to : lead;
    request({ host, turn, session, agent, left: 1 + Math.floor(random() * 5) }, model, sizeOf(random));
  }

  type Course = Readonly<{ host: number; turn: string; session: string; agent: string; left: number }>;

  function request(course: Course, model: ModelId, size: Size): void {
    const { host, turn, session, agent } = course;
    const attempt = `a${++ids}`;
    const [decision] = tell(host, {
      ...{ type: 'attempt.started', attempt, turn, session, directory: DIRECTORY, agent, model, purpose: 'turn' },
      spend: tokens(size),
    });
    if (decision) {
      note(decision);
      const { action } = decision;
      if (action.kind === 'hold') {
        tally.waited++;
        later(action.waitMs, () => request(course, action.to, size));
      } else if (action.kind === 'switch') request(course, action.to, size);
      else endTurn(course);
      return;
    }
    tally.requests++;
    count(model, size, 1);
    later(50 + random() * 400, () => respond(course, { model, attempt, size }));
  }

  function respond(course: Course, asked: Readonly<{ model: ModelId; attempt: string; size: Size }>): void {
    const { model, attempt, size } = asked;
    const provider = providers[model] as Provider;
    const { ok, windows } = provider.admit(now, size);
    if (!ok || !provider.countsLate) count(model, size, -1);
    // What it says is as old as its way here is long: it may be overtaken.
    later(random() * 300, () => {
      tell(course.host, { type: 'headroom.seen', attempt, directory: DIRECTORY, model, windows });
      if (!ok) {
        tally.refused++;
        const evidence = { phase: 'body', status: 429, message: 'Rate limit reached' } as const;
        const [decision] = tell(course.host, { type: 'attempt.failed', attempt, evidence, durationMs: 100 });
        const action = decision?.action;
        if (action?.kind === 'switch') request(course, action.to, size);
        else if (action?.kind === 'hold') later(action.waitMs, () => request(course, action.to, size));
        else endTurn(course);
        return;
      }
      later(500 + random() * 4_000, () => {
        provider.end(now, size);
        if (provider.countsLate) count(model, size, -1);
        answered[model] = (answered[model] ?? 0) + 1;
        const outputChars = size.output * 4;
        tell(course.host, { type: 'attempt.succeeded', attempt, durationMs: 900, firstTokenMs: 300, outputChars });
        if (course.left > 1) request({ ...course, left: course.left - 1 }, model, sizeOf(random));
        else endTurn(course);
      });
    });
  }

  function endTurn({ host, session, agent }: Course): void {
    tell(host, { type: 'session.idle', session });
    later(200 + random() * 2_000, () => beginTurn(host, session, agent));
  }

  const config = scopeOf(chain, { headroom: rules, abilities: ['hold.start'], ...changes });
  for (let host = 0; host < hosts; host++) tell(host, { type: 'scope.configured', directory: DIRECTORY, config });
  for (let at = 0; at < sessions; at++) {
    const agent = agents[at % agents.length] ?? AGENT;
    later(random() * 1_000, () => beginTurn(at % hosts, `s${at}`, agent));
  }
  for (;;) {
    let first = 0;
    for (let at = 1; at < queue.length; at++) if ((queue[at] as Later).at < (queue[first] as Later).at) first = at;
    const [next] = queue.splice(first, 1);
    if (!next) break;
    now = next.at;
    next.act();
  }
  return { turns: begun, ...tally, moved, left, answered, states: all.states() };
}
