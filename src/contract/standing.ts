import type { AgentRow } from './snapshot';

type Link = AgentRow['chain'][number];

const OUT: readonly Link['state'][] = ['cooling', 'open', 'blocked'];

/** Whether no request goes to this member of a chain. */
export const isOut = ({ state, code }: Link): boolean =>
  OUT.includes(state) || (state === 'held' && code !== 'held.closed');

/** Whether a message may go to this member of a chain. */
export const isAskable = (link: Link): boolean => !isOut(link) || link.isEarly === true;

/** The first model of a chain that takes a message now; null when none does. */
export const firstUsable = (chain: readonly Link[]): string | null =>
  (chain.find((link) => !isOut(link)) ?? chain.find(isAskable))?.model ?? null;

/** Whether the turn of an agent stands still after a failure. */
export const isStuck = ({ waits, isLeftOut }: AgentRow): boolean => waits !== undefined && !isLeftOut;

/** Whether an agent can go on with nobody: its turn found no model, or its next one would find none. */
export const isDown = ({ status, isLeftOut, chain }: AgentRow): boolean =>
  !isLeftOut && (status === 'exhausted' || (chain.length > 0 && !chain.some(isAskable)));

/** Whether another model than its primary speaks for an agent; the same one by another account is its primary. */
export const isAway = (row: AgentRow): boolean =>
  row.position > 0 && !row.isSpread && !row.isLeftOut && !isDown(row) && !isStuck(row);
