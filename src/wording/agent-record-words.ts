import type { AgentReason, AgentRecord } from '../contract/agent-record';
import type { ModelRow } from '../contract/snapshot';
import { recordTexts } from '../texts';
import { nearPhrase } from './headroom-words';
import { stopwatch } from './stopwatch';
import { capitalized, clock, failurePhrase, knownFrom, ownerPhrase, shortName, when } from './wording';

/** Characters of a session's id or title beside an agent's name. */
const SESSION_CHARS = 24;

/** "waiting for first token". */
export const statePhrase = ({ state }: AgentRecord): string => recordTexts().states[state];

/** "4m 12s", "2h 3m", "50s": the time left; never negative. */
export function timeLeft(ms: number): string {
  const left = Math.max(0, Math.ceil(ms / 1_000));
  const [hours, minutes, seconds] = [Math.floor(left / 3_600), Math.floor(left / 60) % 60, left % 60];
  if (hours >= 24) return `${Math.floor(hours / 24)}d ${hours % 24}h`;
  if (hours > 0) return `${hours}h ${minutes}m`;
  return minutes > 0 ? `${minutes}m ${seconds}s` : `${seconds}s`;
}

/** "running since 14:02", "waiting for first token since 14:02:11", "on fallback". */
export function stateText(record: AgentRecord): string {
  const state = statePhrase(record);
  switch (record.state) {
    case 'waitsForFirstToken':
      return recordTexts().since(state, clock(record.since, true));
    case 'running':
    case 'waitsForPermission':
    case 'waitsForAnswer':
      return recordTexts().since(state, clock(record.since));
    default:
      return state;
  }
}

/** The same with the time that counts up: "waiting for first token 0:34". `at` is the time of the snapshot, in Unix ms. */
export const stateCounted = (record: AgentRecord, at: number): string =>
  record.state === 'waitsForFirstToken' ? `${statePhrase(record)} ${stopwatch(at - record.since)}` : stateText(record);

/** "gpt-5 is rate limited (429)": the cause of a state; empty without one. */
export function reasonText({ reason }: Pick<AgentRecord, 'reason'>): string {
  if (reason === null) return '';
  const text = causeText(reason);
  return reason.machine === undefined ? text : `${text}, ${knownFrom(reason.machine)}`;
}

/** The cause as the beginning of a sentence; the name of a model keeps its case. */
export function reasonSentence(record: Pick<AgentRecord, 'reason'>): string {
  const text = reasonText(record);
  const { code = 'failed', near, model = '' } = record.reason ?? {};
  // A provider may be named before its model.
  const isNamed = near !== undefined || ['held', 'available'].includes(code) || text.startsWith(shortName(model));
  return isNamed ? text : capitalized(text);
}

function causeText({ code, model, kind, status, near }: AgentReason): string {
  const t = recordTexts().reasons;
  if (near) return nearPhrase(model, near);
  switch (code) {
    case 'failed':
      return kind === null ? t.unavailable(shortName(model)) : failurePhrase(model, kind, status);
    case 'near':
    case 'held':
      return t.held(shortName(model));
    case 'loop':
      return t.loop;
    default:
      return t[code](shortName(model));
  }
}

/** "4m 12s left, until about 20:16 (provider says)"; empty if no time ends the state. */
export function endText({ until, clock: owner }: AgentRecord, at: number): string {
  if (until === null) return '';
  return recordTexts().ends(timeLeft(until - at), when(until, at), owner && ownerPhrase(sourceOf(owner)));
}

/** The source of a time by its owner: our own times are estimates. */
export const sourceOf = (owner: NonNullable<AgentRecord['clock']>): NonNullable<ModelRow['source']> =>
  owner === 'provider' ? 'provider' : 'estimate';

/** The agent with its session if another live record has its name and project, and with its project if several are live. */
export function nameOf(
  record: AgentRecord,
  all: readonly AgentRecord[],
  inProject: (agent: string, project: string) => string,
): string {
  const live = all.filter(({ isLive, key }) => isLive || key === record.key);
  const twins = live.filter(({ agent, directory }) => agent === record.agent && directory === record.directory);
  const { agent, session, title, project } = record;
  const named = twins.length > 1 ? recordTexts().sessionOf(agent, label(title ?? session)) : agent;
  return new Set(live.map(({ directory }) => directory)).size > 1 ? inProject(named, project) : named;
}

const label = (text: string): string => (text.length <= SESSION_CHARS ? text : `${text.slice(0, SESSION_CHARS - 1)}…`);
