import { type AgentRow, clock, type Snapshot, shortName, stateWord, verdict } from '../contract';

/** The shapes of the icon, one asset each. */
export const TRAY_ICONS = ['disconnected', 'all-down', 'fallback', 'cooling', 'healthy', 'healthy-idle'] as const;
export type TrayIcon = (typeof TRAY_ICONS)[number];

/** One line of the tray's menu. */
export type TrayMenuRow =
  | Readonly<{ kind: 'agent' | 'more' | 'drill' | 'connection'; label: string }>
  | Readonly<{ kind: 'open' | 'quit'; label: string }>
  | Readonly<{ kind: 'separator' }>;

/** The rows every menu ends with, and all there is before the first snapshot. */
export const TRAY_FOOT: readonly TrayMenuRow[] = [
  { kind: 'open', label: 'Open Understudy' },
  { kind: 'quit', label: 'Quit' },
];

const MAX_LABEL = 48;
const MAX_AGENTS = 8;
/** Windows cuts a tooltip at 127 characters. */
const MAX_TOOLTIP = 127;

/** The icon's shape; the first that applies wins. */
export function trayIcon(snapshot: Snapshot): TrayIcon {
  if (snapshot.connection.status !== 'connected') return 'disconnected';
  const agents = liveAgents(snapshot).map(({ row }) => row);
  if (agents.some((row) => row.status === 'exhausted')) return 'all-down';
  if (agents.some((row) => row.position > 0)) return 'fallback';
  const chained = new Set(snapshot.chains.flatMap((row) => row.chain.map((link) => link.model)));
  const isOut = (state: string): boolean => state === 'cooling' || state === 'open';
  if (snapshot.models.some((row) => chained.has(row.model) && isOut(row.state))) return 'cooling';
  return agents.length > 0 ? 'healthy' : 'healthy-idle';
}

/** How long the menu tells how a drill came out, in ms. */
const DRILL_SHOWN_MS = 600_000;

/** The last drill, while it is news. */
function drillLabel({ events, at }: Snapshot): string | null {
  const drill = events.find((event) => event.code.startsWith('drill.') && at - event.at < DRILL_SHOWN_MS);
  if (drill === undefined) return null;
  return `Drill at ${clock(drill.at)}: ${drill.code === 'drill.passed' ? 'another model took over' : 'nobody took over'}`;
}

/** The tooltip: the sentence every surface opens with. */
export function trayTooltip(snapshot: Snapshot): string {
  return truncateMiddle(plain(verdict(snapshot).title), MAX_TOOLTIP);
}

/** The menu: worst agents first, eight at most, then the connection. No seconds: a menu does not tick. */
export function trayMenu(snapshot: Snapshot): readonly TrayMenuRow[] {
  const agents = liveAgents(snapshot).sort((left, right) => severity(right.row) - severity(left.row));
  const hasManyProjects = new Set(agents.map(({ project }) => project)).size > 1;
  const rows: TrayMenuRow[] = agents.slice(0, MAX_AGENTS).map(({ row, project }) => ({
    kind: 'agent',
    label: truncateMiddle(plain(agentLabel(row, hasManyProjects ? project : null)), MAX_LABEL),
  }));
  if (agents.length > MAX_AGENTS) rows.push({ kind: 'more', label: `${agents.length - MAX_AGENTS} more…` });
  if (rows.length > 0) rows.push({ kind: 'separator' });
  const drill = drillLabel(snapshot);
  if (drill !== null) rows.push({ kind: 'drill', label: drill });
  rows.push({ kind: 'connection', label: connectionLabel(snapshot) }, { kind: 'separator' });
  return [...rows, ...TRAY_FOOT];
}

function liveAgents(snapshot: Snapshot): { row: AgentRow; project: string }[] {
  return snapshot.sessions
    .filter((session) => session.isLive)
    .flatMap((session) => session.agents.map((row) => ({ row, project: session.project })));
}

function severity(row: AgentRow): number {
  if (row.status === 'exhausted') return 2;
  return row.position > 0 ? 1 : 0;
}

function agentLabel(row: AgentRow, project: string | null): string {
  const name = project === null ? row.agent : `${row.agent} (${project})`;
  if (row.status === 'exhausted') return `✕ ${name}  no model left`;
  const model = shortName(row.active);
  const lead = row.chain[0];
  if (row.position === 0) {
    const state = lead && lead.state !== 'ready' && lead.state !== 'unseen' ? ` · ${stateWord(lead.state)}` : '';
    return `● ${name}  ${model} · primary${state}`;
  }
  const until = row.why?.until ?? null;
  const back = until === null ? '' : ` · primary ~${clock(until)}`;
  return `↓ ${name}  ${model} · ${row.position + 1} of ${row.chain.length}${back}`;
}

function connectionLabel(snapshot: Snapshot): string {
  const connected = snapshot.instances.filter((row) => row.status === 'connected').length;
  switch (snapshot.connection.status) {
    case 'connected':
      return connected > 1 ? `Connected to ${connected} OpenCode processes` : 'Connected to OpenCode';
    case 'waiting':
      return 'Waiting for OpenCode';
    case 'lost':
      return 'Not connected: OpenCode is not running';
    case 'incompatible':
      return 'Plugin and app versions differ';
  }
}

// Names come from other processes: a control character could break a line out of its row.
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ');

/** Keeps both ends: the agent's name in front, its position behind. */
function truncateMiddle(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const head = Math.ceil((max - 1) / 2);
  const tail = max - 1 - head;
  return `${characters.slice(0, head).join('')}…${characters.slice(-tail).join('')}`;
}
