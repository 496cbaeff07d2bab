import { nearest } from '../../core/config/suggest';
import { nearOf } from '../../core/headroom/rows';
import { decisionRow, plainRow, resetRow } from '../../core/history/event-rows';
import { type EngineEvent, type EngineState, type ModelId, providerOf, type Question, unbooked } from '../../engine';
import { get, isOfDrain, rootOf, viewOf } from '../../engine/tools';
import { eventSentence } from '../../wording/event-words';
import { shortName } from '../../wording/wording';
import type { AskedText } from '../answer/asked-text';
import type { Brain } from '../base/brain';
import { momentOf } from '../base/moment';
import { loadPart, missingPart } from '../base/part';
import type { Companion } from '../runtime/host';
import { COMMANDS } from './command-list';
import { outByHandPhrase } from './final-message';

export const ACTOR = 'opencode';

export type Typed = Readonly<{ text: string; session: string; directory: string }>;

export type Rejoining = Readonly<{ agent: string; model: ModelId }>;

export type CommandReply = Readonly<{ text: string; rejoining: Rejoining | null }>;

/** The smallest request: without OpenCode's instructions, tools and history. */
export const TRIAL: AskedText = {
  system: 'This request checks whether you can answer.',
  text: 'Reply with the single word OK.',
};

/** @param why null if the model answered. */
export function rejoinedText({ agent, model }: Rejoining, why: string | null): string {
  const name = shortName(model);
  if (why === null) return `${agent} has rejoined this session: ${name} answers.`;
  return `${agent} is back in this session, but ${name} is still unavailable: ${why}. Understudy asks you again before ${agent} uses another model.`;
}

export const untriedText = ({ agent, model }: Rejoining): string =>
  `${agent} is back in this session. ${shortName(model)} could not be tried; Understudy asks you before ${agent} uses another model.`;

/** OpenCode calls another account only within a conversation. */
export const elsewhereText = ({ agent, model }: Rejoining): string =>
  `${agent} is back in this session. ${shortName(model)} could not be tried: OpenCode calls another account only within a conversation. Type /retry ${model} to use it for your next message; while it is unavailable, Understudy asks you before ${agent} uses another model.`;

export const NO_ANSWER = 'it did not respond';

type Speaking = Pick<Companion, 'brain' | 'instance' | 'usage' | 'refresh'>;

export const isCommand = (text: string): boolean => commandIn(text) !== null;

export function commandIn(text: string): Readonly<{ name: string; rest: string }> | null {
  const [, name = '', rest = ''] = /^\/([a-z-]+)(?:\s+(.*?))?\s*$/s.exec(text.slice(0, 500)) ?? [];
  return Object.hasOwn(COMMANDS, name) ? { name, rest } : null;
}

/**
 * Calls no model.
 * @returns null for other text.
 */
export async function runCommand(companion: Speaking, typed: Typed): Promise<CommandReply | null> {
  const command = commandIn(typed.text);
  if (command === null) return null;
  switch (command.name) {
    case 'council':
      return plain('You cannot start a council here.');
    case 'fallback-status':
      return plain(await status(companion, typed.directory));
    case 'retry':
      return retry(companion.brain, command.rest, typed);
    default:
      return plain(answer(companion.brain, command.name === 'yes', typed));
  }
}

async function status(companion: Speaking, directory: string): Promise<string> {
  const part = await loadPart(
    'status lines',
    () => import('./status-part'),
    () => undefined,
  );
  // A new process has no news of the others yet.
  await companion.refresh();
  return part?.fallbackStatus(companion, directory) ?? missingPart('status lines');
}

const plain = (text: string): CommandReply => ({ text, rejoining: null });

/** Prefers a question of the typed conversation. */
function questionFor(
  state: EngineState,
  { session, directory }: Pick<Typed, 'session' | 'directory'>,
): Question | undefined {
  const root = rootOf(state, session);
  const [open] = state.questions;
  return (
    state.questions.find((question) => rootOf(state, question.session) === root) ??
    (open && get(state.sessions, open.session)?.directory === directory ? open : undefined)
  );
}

export const isAsked = (brain: Brain, typed: Pick<Typed, 'session' | 'directory'>): boolean =>
  questionFor(brain.state(), typed) !== undefined;

function answer(brain: Brain, yes: boolean, typed: Typed): string {
  const open = questionFor(brain.state(), typed);
  if (!open) return 'No question is open.';
  const decisions = brain.tell({ type: 'question.answered', question: open.id, yes, actor: ACTOR });
  const moment = momentOf(brain);
  const { agent } = open;
  const entries = decisions.map((decision) => decisionRow(decision, moment));
  const rows = yes ? [plainRow('question.accepted', { agent }), ...entries] : declined(open, entries);
  return rows.flatMap((row) => (row ? [`${eventSentence(row)}.`] : [])).join('\n');
}

type Told = ReturnType<typeof decisionRow>;

function declined(open: Question, entries: readonly Told[]): readonly Told[] {
  const { agent, short } = open;
  if (isOfDrain(open)) return [plainRow('question.declined', { agent }), ...entries];
  if (short) return [plainRow('declined.money', { agent, near: nearOf(short) })];
  return [plainRow('question.declined', { agent }), plainRow('exhausted.degraded', { agent })];
}

type Target = Extract<EngineEvent, { type: 'health.reset' }>['target'];

function retry(brain: Brain, name: string, { session, directory }: Typed): CommandReply {
  if (name === '') return plain('Name a model, a provider or an agent: /retry NAME, or /retry all.');
  const isAll = name === 'all';
  const { models, speakers, chains } = viewOf(brain.state(), brain.now());
  // A model has a partition per account.
  const names = [...new Set(models.map(({ model }) => unbooked(model)))];
  const agents = new Set(
    [...speakers, ...chains].filter((row) => row.directory === directory).map(({ agent }) => agent),
  );
  const [back] = bringBack(brain, { session, agent: isAll ? null : name });
  const target = isAll ? { all: true as const } : targetOf(name, names);
  if (target === null) {
    if (back) return rejoins(brain, directory, back);
    if (agents.has(name)) return plain(`${name} is not paused in this session.`);
    return plain(unknown(name, [...names.flatMap(namesOf), ...agents, 'all']));
  }
  brain.tell({ type: 'health.reset', target, actor: ACTOR });
  const also = back ? ' Paused agents are back in this session.' : '';
  return plain(`${eventSentence(resetRow({ target, actor: ACTOR }))}: available from your next message on.${also}`);
}

/** Does not enable a model that the user disabled by name. */
function rejoins(brain: Brain, directory: string, back: Rejoining): CommandReply {
  const { agent, model } = back;
  const why = outByHandPhrase({ brain }, directory, model);
  return why === null ? { text: `${agent} is back in this session.`, rejoining: back } : plain(rejoinedText(back, why));
}

function bringBack(brain: Brain, of: Readonly<{ session: string; agent: string | null }>): readonly Rejoining[] {
  const out = () => viewOf(brain.state(), brain.now()).speakers.filter(({ degraded }) => degraded);
  const before = out();
  if (before.length === 0) return [];
  brain.tell({ type: 'speaker.retried', ...of, actor: ACTOR });
  const after = new Set(out().map(({ session, agent }) => `${session} ${agent}`));
  return before.flatMap(({ session, agent, degraded }) =>
    degraded && !after.has(`${session} ${agent}`) ? [{ agent, model: degraded.model }] : [],
  );
}

const namesOf = (model: string): string[] => [model, shortName(model), providerOf(model)];

/** A short name must be unique. */
function targetOf(name: string, models: readonly string[]): Target | null {
  if (models.includes(name)) return { model: name };
  if (models.some((model) => providerOf(model) === name)) return { provider: name };
  const [model, ...others] = models.filter((each) => shortName(each) === name);
  return model !== undefined && others.length === 0 ? { model } : null;
}

function unknown(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return `No model, provider or agent is named ${name}.${near === null ? '' : ` Did you mean ${near}?`}`;
}
