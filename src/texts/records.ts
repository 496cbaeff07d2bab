import { part } from './catalogue';

export const recordTexts = part('records', {
  states: {
    running: 'running',
    waitsForFirstToken: 'waiting for first token',
    waitsForPermission: 'waits for permission',
    waitsForAnswer: 'waits for an answer',
    waitsForRetry: 'waits for a retry',
    onFallback: 'on fallback',
    allModelsUnavailable: 'all models unavailable',
    paused: 'paused',
    budgetSpent: 'budget spent',
    idle: 'idle',
  },
  since: (state: string, at: string) => `${state} since ${at}`,
  reasons: {
    loop: 'several messages came right after an error',
    spread: (model: string) => `the next message uses ${model}`,
    pinned: (model: string) => `you pinned it to ${model}`,
    held: (model: string) => `${model} is held`,
    unavailable: (model: string) => `${model} is unavailable`,
    available: (model: string) => `${model} is available; the next message uses it`,
    chosen: (model: string) => `used in place of ${model}`,
    stopped: (model: string) => `the last turn ended without an answer; ${model} accepts requests`,
  },
  /**
   * @param left such as "4m 12s".
   * @param at clock time.
   * @param owner source of the time; null for a time that the user set.
   */
  ends: (left: string, at: string, owner: string | null) =>
    owner === null ? `${left} left, until ${at}` : `${left} left, until about ${at} (${owner})`,
  sessionOf: (agent: string, session: string) => `${agent} (${session})`,
});
