import {
  type AgentRow,
  clock,
  elapsed,
  type ModelRow,
  type Preferences,
  type Snapshot,
  shortName,
  waitEnd,
} from '../contract';
import { standingTexts, trayTexts, wordTexts } from '../texts';
import { chainedModels, firstBack, type LiveAgent, label, liveAgents, standingOf } from './tray-agents';

/**
 * The shapes of the icon, one asset each; of those that apply the first is shown. Where a question waits for the user's
 * answer, or a turn stands still after a failure, `attention` comes before whatever else an agent is.
 */
export const TRAY_ICONS = [
  'disconnected',
  'all-down',
  'fallback',
  'cooling',
  'paused',
  'attention',
  'healthy',
  'healthy-idle',
] as const;
export type TrayIcon = (typeof TRAY_ICONS)[number];

/** Windows cuts a tooltip at 127 characters. */
const MAX_TOOLTIP = 127;
/** A bar has room for a name and a figure. */
const MAX_TITLE = 24;
const MINUTE_MS = 60_000;

const isDown = ({ row }: LiveAgent): boolean => standingOf(row) === 'down';
const isWaiting = ({ row }: LiveAgent): boolean => standingOf(row) === 'stuck';
const isLeftOut = ({ row }: LiveAgent): boolean => row.isLeftOut;
const isAway = ({ row }: LiveAgent): boolean => row.position > 0 && !row.isLeftOut;
const isCooling = ({ state }: ModelRow): boolean => state === 'cooling' || state === 'open';
const isBlocked = ({ state }: ModelRow): boolean => state === 'blocked';

/** The icon's shape. Before any OpenCode has ever been heard none is expected, so that none is missing. */
export function trayIcon(snapshot: Snapshot): TrayIcon {
  const { status } = snapshot.connection;
  if (status === 'lost' || status === 'incompatible') return 'disconnected';
  if (snapshot.questions.length > 0) return 'attention';
  const agents = liveAgents(snapshot);
  if (agents.some(isWaiting)) return 'attention';
  if (agents.some(isDown)) return 'all-down';
  if (agents.some(isAway)) return 'fallback';
  if (agents.some(isLeftOut)) return 'attention';
  const chained = chainedModels(snapshot);
  if (chained.some(isCooling)) return 'cooling';
  if (snapshot.pause !== null) return 'paused';
  if (chained.some(isBlocked)) return 'attention';
  return agents.length > 0 ? 'healthy' : 'healthy-idle';
}

/** What the icon says when it is pointed at: in one line what its shape means. */
export const trayTooltip = (snapshot: Snapshot): string => label(TOOLTIPS[trayIcon(snapshot)](snapshot), MAX_TOOLTIP);

const TOOLTIPS: Readonly<Record<TrayIcon, (snapshot: Snapshot) => string>> = {
  disconnected({ connection }) {
    const { incompatible, lost } = trayTexts().tooltip;
    return connection.status === 'incompatible' ? incompatible : lost;
  },
  'all-down': (snapshot) =>
    withOthers(liveAgents(snapshot).filter(isDown), (row) =>
      trayTexts().tooltip.allDown(row.agent, row.chain.length, timeTo(firstBack(row, snapshot), snapshot)),
    ),
  fallback: (snapshot) =>
    withOthers(liveAgents(snapshot).filter(isAway), (row) =>
      trayTexts().tooltip.fallback(row.agent, shortName(row.active), placeOf(row), clockOf(row.why?.until ?? null)),
    ),
  cooling(snapshot) {
    const chained = chainedModels(snapshot);
    return trayTexts().tooltip.cooling(chained.filter(isCooling).length, chained.length);
  },
  paused: ({ pause }) => trayTexts().tooltip.paused(clockOf(pause?.until ?? null)),
  attention(snapshot) {
    const [question] = snapshot.questions;
    if (question) return standingTexts().asks(question.agent);
    const waiting = liveAgents(snapshot).filter(isWaiting);
    if (waiting.length > 0)
      return withOthers(waiting, (row) => trayTexts().tooltip.stuck(row.agent, waitEnd(row.waits)));
    const leftOut = liveAgents(snapshot).filter(isLeftOut);
    if (leftOut.length > 0) return withOthers(leftOut, (row) => trayTexts().tooltip.leftOut(row.agent));
    const providers = [
      ...new Set(
        chainedModels(snapshot)
          .filter(isBlocked)
          .map(({ provider }) => provider),
      ),
    ];
    return trayTexts().tooltip.attention(wordTexts().listed(providers), providers.length === 1);
  },
  healthy: (snapshot) =>
    withOthers(liveAgents(snapshot), (row) => trayTexts().tooltip.primary(row.agent, shortName(row.active))),
  'healthy-idle'({ connection, chains }) {
    const { waiting, armed, unarmed } = trayTexts().tooltip;
    if (connection.status === 'waiting') return waiting;
    return chains.some(({ chain }) => chain.length > 1) ? armed : unarmed;
  },
};

/** What is said of the first of them, and how many more there are. */
function withOthers([first, ...others]: readonly LiveAgent[], said: (row: AgentRow) => string): string {
  if (!first) return '';
  return others.length === 0 ? said(first.row) : trayTexts().tooltip.others(said(first.row), others.length);
}

/** What stands beside the icon in the menu bar of macOS: the model of the worst agent, and its minutes to go home. */
export function trayTitle(snapshot: Snapshot, shown: Preferences['tray']['title']): string {
  const [worst] = liveAgents(snapshot);
  if (shown === 'off' || !worst) return '';
  const name = label(shortName(worst.row.active), MAX_TITLE);
  const until = backOf(worst, snapshot);
  if (shown === 'model' || until === null) return name;
  return `${name} ${Math.ceil((until - snapshot.at) / MINUTE_MS)}m`;
}

/** In how many ms tooltip and title say one minute less of a time that is left; null when they name none. */
export function minuteLeftMs(snapshot: Snapshot, shown: Preferences['tray']['title']): number | null {
  const [worst] = liveAgents(snapshot);
  const until = worst ? backOf(worst, snapshot) : null;
  if (until === null || (shown !== 'minutes' && trayIcon(snapshot) !== 'all-down')) return null;
  return (until - snapshot.at) % MINUTE_MS || MINUTE_MS;
}

/** When an agent that is away goes home, or one that has no model left gets one; null when no clock says it. */
function backOf(agent: LiveAgent, snapshot: Snapshot): number | null {
  if (isDown(agent)) return firstBack(agent.row, snapshot);
  const until = (isWaiting(agent) ? agent.row.waits : agent.row.why)?.until ?? null;
  return until !== null && until > snapshot.at ? until : null;
}

/** "2 of 4". */
export const placeOf = ({ position, chain }: AgentRow): string => trayTexts().place(position + 1, chain.length);

/** The clock time; nothing for no time. */
export const clockOf = (at: number | null): string => (at === null ? '' : clock(at));

const timeTo = (until: number | null, { at }: Snapshot): string => (until === null ? '' : elapsed(until - at));
