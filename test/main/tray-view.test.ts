import { describe, expect, it } from 'vitest';
import type { AgentRow, Snapshot } from '../../src/contract';
import { trayIcon, trayMenu, trayTooltip } from '../../src/main/tray-view';
import { agentRow, BACK_AT, modelRow, snapshotOf, understudyRow } from '../support/panel-host';
import { sampleSnapshot } from '../support/sample-snapshot';

const exhausted = (change: Partial<AgentRow> = {}) => understudyRow({ status: 'exhausted', ...change });
const chains = [{ directory: '/home/ada/shop', agent: 'build', chain: agentRow().chain }];
const session = snapshotOf([agentRow()]).sessions[0];
const over = [agentRow(), understudyRow(), exhausted()];

function labels(snapshot: Snapshot): string[] {
  return trayMenu(snapshot).map((row) => (row.kind === 'separator' ? '-' : row.label));
}

describe('given a snapshot for the tray', () => {
  it.each<[string, Snapshot, string]>([
    ['all on their primary', snapshotOf([agentRow()]), 'healthy'],
    ['no live agent', snapshotOf([]), 'healthy-idle'],
    [
      'only a session that has ended',
      snapshotOf([], { sessions: [{ ...session!, isLive: false, agents: over }] }),
      'healthy-idle',
    ],
    ['one on its understudy', snapshotOf([agentRow(), understudyRow()]), 'fallback'],
    ['one without any model', snapshotOf(over), 'all-down'],
    [
      'a model of a chain that cools',
      snapshotOf([agentRow()], { chains, models: [modelRow({ state: 'cooling' })] }),
      'cooling',
    ],
    ['a model of a chain that is open', snapshotOf([], { chains, models: [modelRow({ state: 'open' })] }), 'cooling'],
    [
      'a model of no chain that cools',
      snapshotOf([agentRow()], { models: [modelRow({ state: 'cooling' })] }),
      'healthy',
    ],
    ['no connection', snapshotOf(over, { connection: { status: 'lost', since: 0 } }), 'disconnected'],
    ['no connection yet', snapshotOf([], { connection: { status: 'waiting', since: 0 } }), 'disconnected'],
    ['another version', snapshotOf([], { connection: { status: 'incompatible', since: 0 } }), 'disconnected'],
  ])('when it has %s, then the icon follows', (_case, snapshot, icon) => {
    expect(trayIcon(snapshot)).toBe(icon);
  });

  it.each<[Snapshot, string]>([
    [snapshotOf([agentRow()]), 'All agents are on their primary.'],
    [snapshotOf([understudyRow()]), 'build is on an understudy. Nothing has stopped.'],
    [snapshotOf([exhausted()]), 'build has no model left.'],
    [snapshotOf([], { connection: { status: 'waiting', since: 0 } }), 'Waiting for OpenCode.'],
    [snapshotOf([exhausted({ agent: 'a\nb\u202ec' })]), 'a b c has no model left.'],
  ])('when the tooltip is made (%#), then it is the verdict', (snapshot, tooltip) => {
    expect(trayTooltip(snapshot)).toBe(tooltip);
  });

  it('when an agent has a very long name, then the tooltip fits 127 characters', () => {
    expect(trayTooltip(snapshotOf([exhausted({ agent: 'x'.repeat(300) })]))).toHaveLength(127);
  });
});

describe('given the menu of the tray', () => {
  const foot = ['-', 'Open Understudy', 'Quit'];

  it('when agents are live, then the worst comes first, with model, position and a clock without seconds', () => {
    const snapshot = snapshotOf([agentRow(), understudyRow({ agent: 'plan' }), exhausted({ agent: 'review' })]);
    expect(labels(snapshot)).toEqual([
      '✕ review  no model left',
      '↓ plan  gpt-5 · 2 of 2 · primary ~14:32',
      '● build  claude-sonnet-4-5 · primary',
      '-',
      'Connected to OpenCode',
      ...foot,
    ]);
  });

  it('when a primary is not well, then its row says so', () => {
    const chain = [{ model: 'anthropic/claude-sonnet-4-5', state: 'degraded', code: null } as const];
    expect(labels(snapshotOf([agentRow({ chain })]))[0]).toBe('● build  claude-sonnet-4-5 · primary · Degraded');
  });

  it('when two projects are live, then each row names its own', () => {
    const sessions = ['shop', 'blog'].map((project) => ({ ...session!, project, agents: [agentRow()] }));
    expect(labels(snapshotOf([], { sessions })).slice(0, 2)).toEqual([
      '● build (shop)  claude-sonnet-4-5 · primary',
      '● build (blog)  claude-sonnet-4-5 · primary',
    ]);
  });

  it('when eleven agents are live, then eight are named and three counted', () => {
    const agents = Array.from({ length: 11 }, (_, index) => agentRow({ agent: `a${index}` }));
    expect(labels(snapshotOf(agents)).slice(7, 10)).toEqual(['● a7  claude-sonnet-4-5 · primary', '3 more…', '-']);
  });

  it.each<[Snapshot['connection']['status'], number, string]>([
    ['connected', 1, 'Connected to OpenCode'],
    ['connected', 2, 'Connected to 2 OpenCode processes'],
    ['waiting', 0, 'Waiting for OpenCode'],
    ['lost', 0, 'Not connected: OpenCode is not running'],
    ['incompatible', 0, 'Plugin and app versions differ'],
  ])('when the connection is %s with %i processes, then its row says "%s"', (status, count, label) => {
    const instances = Array.from({ length: count }, (_, index) => ({
      ...{ instance: `${index}`, pid: index, opencode: '1.18.33', plugin: '0.1.0', directories: [], since: 0 },
      status: 'connected' as const,
    }));
    expect(labels(snapshotOf([], { connection: { status, since: 0 }, instances }))).toEqual([label, ...foot]);
  });

  it.each([
    ['drill.passed', 599_999, ['Drill at 14:22: another model took over']],
    ['drill.failed', 0, ['Drill at 14:32: nobody took over']],
    ['drill.passed', 600_000, []],
  ])('when the last event of a drill is %s, %i ms old, then the menu says %j', (code, ageMs, drill) => {
    const snapshot = sampleSnapshot();
    const [event] = snapshot.events;
    const events = [{ ...event!, code, at: BACK_AT - ageMs }];
    expect(labels(snapshotOf([], { at: BACK_AT, events }))).toEqual([...drill, 'Connected to OpenCode', ...foot]);
  });

  it('when names are long or odd, then every label has at most 48 characters and keeps both ends', () => {
    const agent = `${'very-long-agent-name-'.repeat(9)}\u0007`;
    const rows = labels(snapshotOf([understudyRow({ agent }), exhausted({ agent }), agentRow({ agent })]));
    expect(rows.map((label) => [...label].length).filter((length) => length > 48)).toEqual([]);
    expect(rows[1]).toBe('↓ very-long-agent-name-v…2 of 2 · primary ~14:32');
    expect(new Date(BACK_AT).getSeconds()).toBe(10);
  });
});
