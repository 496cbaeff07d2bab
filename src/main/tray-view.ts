import type { AgentRecord } from '../contract/agent-record';
import type { Preferences } from '../contract/preferences';
import type { ModelRow, Snapshot } from '../contract/snapshot';
import { trayTexts } from '../texts';
import { type AttentionKind, attentionOf } from '../wording/attention';
import { verdict } from '../wording/attention-words';
import { clock, shortName } from '../wording/wording';
import { chainedModels, type LiveAgent, label, liveAgents } from './tray-agents';
import { closeLimit, fullestPart, limitLabel } from './tray-headroom';

/** One asset each, worst first. */
export const TRAY_ICONS = [
  'disconnected',
  'attention',
  'all-down',
  'paused',
  'fallback',
  'cooling',
  'healthy',
  'healthy-idle',
] as const;
export type TrayIcon = (typeof TRAY_ICONS)[number];

/** Windows cuts longer tooltips. */
const MAX_TOOLTIP = 127;
const MAX_TITLE = 24;
const MINUTE_MS = 60_000;

const isCooling = ({ state }: ModelRow): boolean => state === 'cooling' || state === 'open';

/** Null changes no shape. */
const SHAPES: Readonly<Record<AttentionKind, TrayIcon | null>> = {
  apart: 'disconnected',
  question: 'attention',
  councilQuestion: 'attention',
  waiting: 'attention',
  stuck: 'attention',
  exhausted: 'all-down',
  leftOut: 'attention',
  failing: 'attention',
  unmoved: 'attention',
  unable: 'all-down',
  spent: 'attention',
  paused: 'paused',
  councilPaused: 'attention',
  // Long thinking looks like this too.
  silent: null,
  unprotected: null,
  needsYou: 'attention',
  lastLeft: null,
  pinned: null,
  away: 'fallback',
};

/** Before the first OpenCode, none is missing. */
export function trayIcon(snapshot: Snapshot): TrayIcon {
  const shape = attentionOf(snapshot).find(({ kind }) => SHAPES[kind] !== null);
  if (shape) return SHAPES[shape.kind] ?? 'healthy';
  if (chainedModels(snapshot).some(isCooling)) return 'cooling';
  return liveAgents(snapshot).length > 0 ? 'healthy' : 'healthy-idle';
}

export function trayTooltip(snapshot: Snapshot): string {
  const items = attentionOf(snapshot);
  if (items.length === 0) {
    const limit = closeLimit(snapshot);
    const calm = calmTooltip(snapshot);
    if (limit === null) return label(calm, MAX_TOOLTIP);
    return label(`${calm}; ${limitLabel(limit, snapshot.at, MAX_TOOLTIP)}`, MAX_TOOLTIP);
  }
  const { title, lede } = verdict(snapshot, items);
  const whole = [`${title} ${lede}`, `${title} ${firstSentence(lede)}`, title, firstSentence(title)];
  return label(whole.find((phrase) => [...phrase].length <= MAX_TOOLTIP) ?? firstSentence(title), MAX_TOOLTIP);
}

const firstSentence = (text: string): string => text.match(/^.*?\.(?= |$)/)?.[0] ?? text;

function calmTooltip(snapshot: Snapshot): string {
  const { cooling, primary, running, others, waiting, armed, unarmed } = trayTexts().tooltip;
  const chained = chainedModels(snapshot);
  const count = chained.filter(isCooling).length;
  const cools = count > 0 ? [cooling(count, chained.length)] : [];
  const [first, ...rest] = liveAgents(snapshot);
  if (first) {
    const { agent, model, state, since } = first.record;
    const using =
      state === 'running' ? running(agent, shortName(model), clock(since)) : primary(agent, shortName(model));
    return [rest.length === 0 ? using : others(using, rest.length), ...cools].join('; ');
  }
  if (snapshot.connection.status === 'waiting') return waiting;
  return [snapshot.chains.some(({ chain }) => chain.length > 1) ? armed : unarmed, ...cools].join('; ');
}

export function trayTitle(snapshot: Snapshot, shown: Preferences['tray']['title']): string {
  if (shown === 'headroom') return fullestPart(snapshot);
  const [worst] = liveAgents(snapshot);
  if (shown === 'off' || !worst) return '';
  const name = label(shortName(worst.record.model), MAX_TITLE);
  const until = backOf(worst, snapshot);
  if (shown === 'model' || until === null) return name;
  return `${name} ${Math.ceil((until - snapshot.at) / MINUTE_MS)}m`;
}

/** Null without minutes. */
export function minuteLeftMs(snapshot: Snapshot, shown: Preferences['tray']['title']): number | null {
  const [worst] = liveAgents(snapshot);
  const until = worst && shown === 'minutes' ? backOf(worst, snapshot) : null;
  return until === null ? null : (until - snapshot.at) % MINUTE_MS || MINUTE_MS;
}

/** Null without a known end. */
function backOf({ record }: LiveAgent, snapshot: Snapshot): number | null {
  const { until } = record;
  return until !== null && until > snapshot.at ? until : null;
}

/** "2 of 4". */
export const placeOf = ({ position, of }: AgentRecord): string => trayTexts().place(position, of);

export const clockOf = (at: number | null): string => (at === null ? '' : clock(at));
