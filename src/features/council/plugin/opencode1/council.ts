import type { HostModels } from '../../../../core/config';
import { remember } from '../../../../engine/tools';
import { CONTINUED_FINISHES } from '../../../../node/base/opencode-finish';
import { isGoOnCall } from '../../../../plugin/answer/terminator';
import { limited } from '../../../../plugin/base/guarded';
import { quietly } from '../../../../plugin/base/quietly';
import { type Instance, withBrain } from '../../../../plugin/opencode1/memory/instance';
import { pairOf } from '../../../../plugin/opencode1/memory/model-ref';
import type { AssistantInfo, HistoryMessage, Part, SessionInfo } from '../../../../plugin/opencode1/memory/types';
import { holdFetch } from '../../../../plugin/opencode1/request/fetch-hook';
import { type Seat, seats } from '../../../../plugin/opencode1/seats';
import { type Answer, type CouncilHost, isPromptOf, type OpenCommand, type PromptCommand } from '../../core/host';
import type { Uttered } from '../../core/talk';
import type { Place } from '../../node/run-folder';
import { NOTHING, type Spent, sumOf, type TurnFault } from '../../rules/base/types';
import { playAppointed } from '../begun';
import { type CouncilCommands, openCouncilCommands, rootOf } from '../commands';
import { guardTool, isRefusal } from '../guard';
import { levelOne } from '../level-one';
import { readOnlyIn } from '../permissions';
import { refusalOf } from '../refusal';

/** Wait for OpenCode's list of models, in ms. */
const LISTING_LIMIT_MS = 2_000;
const LISTED_MAX = 500;

type Host = Omit<CouncilHost, 'check'>;

/** Sessions are read-only, without the user's agents. */
export function councilHost(instance: Instance, place: Place): Host {
  const { client } = instance;
  return {
    open: (command) => open(instance, command, place),
    prompt: (command, tell) => prompt(instance, command, { tell, place }),
    recover: (command) => recover(instance, command),
    uttered: (session) => utteredIn(instance, session),
    async abort(session) {
      const seat = seats.get(session);
      if (seat) seat.isStopped = true;
      await quietly(() => client.session.abort({ path: { id: session } }));
    },
  };
}

export const commandsOf = (instance: Instance): CouncilCommands =>
  openCouncilCommands({
    directory: instance.directory,
    generation: 1,
    hostIn: (place) => councilHost(instance, place),
    models: () => modelsOf(instance),
    rootOf: (session) => rootOf((id) => instance.parents.get(id), session),
    notify: instance.voice.notify,
    warn: instance.voice.warn,
  });

export const playIn = (instance: Instance): Promise<void> =>
  playAppointed(instance.directory, {
    generation: 1,
    hostIn: (place) => councilHost(instance, place),
    warn: instance.voice.warn,
  });

export { leavePlayed } from '../begun';

async function modelsOf(instance: Instance): Promise<HostModels> {
  if (instance.listing) await limited(instance.listing, LISTING_LIMIT_MS);
  const { listed, leads, defaultModel } = instance;
  return { leads, defaultModel, models: listed.models, catalogue: listed.catalogue };
}

/** @throws Error if OpenCode creates no session. */
async function open({ client }: Instance, { title }: OpenCommand, { askedIn, repo }: Place): Promise<string> {
  const query = { search: title, limit: LISTED_MAX };
  const listed = await quietly(() => client._client.get({ url: '/session', query }));
  const sessions = Array.isArray(listed?.data) ? (listed.data as SessionInfo[]) : [];
  const found = sessions.find((session) => session.title === title);
  if (found) return found.id;
  const parent = askedIn === null ? {} : { parentID: askedIn };
  const made = await client.session.create({ body: { ...parent, title, permission: readOnlyIn(repo) } });
  if (!made.data) throw new Error('OpenCode created no session');
  return made.data.id;
}

async function prompt(
  instance: Instance,
  command: PromptCommand,
  { tell, place }: Readonly<{ tell: Parameters<Host['prompt']>[1]; place: Place }>,
): Promise<Answer> {
  const { client, directory } = instance;
  const { session, model, system, text, attempts } = command;
  const level = levelOne({ directory, model, attempts }, { note: instance.companion.brain.note, retrying: tell });
  const path = { id: session };
  const seat: Seat = { guard: (tool, args) => guardTool(place.repo, tool, args), lost: () => undefined };
  const lost = new Promise<null>((resolve) => {
    seat.lost = () => resolve(null);
  });
  remember(seats, session, seat);
  remember(instance.apart, session, { instance: withBrain(instance, level.brain), answerFor: null, system });
  try {
    const refused = await refusalOf(instance, model);
    if (refused !== null) return failed(refused);
    if (seat.isStopped) return failed(STOPPED);
    const parts = [{ type: 'text', text }];
    const prompting = client.session.prompt({ path, body: { model: pairOf(model), system, parts } });
    // OpenCode may close the project meanwhile.
    holdFetch(prompting);
    const ended = await Promise.race([prompting, lost]);
    if (ended === null) {
      await quietly(() => client.session.abort({ path }));
      return failed(LOST);
    }
    return await judged(instance, command, { info: ended.data?.info, fault: level.fault() });
  } catch {
    // silent: the call is judged by what OpenCode and the provider reported
    return await judged(instance, command, { info: undefined, fault: level.fault() });
  } finally {
    level.end();
  }
}

async function judged(
  instance: Instance,
  command: PromptCommand,
  { info, fault }: Readonly<{ info: HistoryMessage['info'] | undefined; fault: TurnFault | null }>,
): Promise<Answer> {
  const turn = await turnIn(instance, command);
  if (turn === 'gone') return failed(LOST);
  if (turn === null) return failed(fault ?? { kind: 'no_answer', message: 'OpenCode did not report the result' });
  const error = info?.role === 'assistant' ? info.error : undefined;
  if (info?.role === 'assistant' && !error) return { ok: true, text: turn.text, spent: turn.spent };
  if (error?.name === ABORTED) return failed(STOPPED, turn.spent);
  return failed(
    fault ?? { kind: 'no_answer', message: error?.data?.message ?? 'OpenCode did not respond' },
    turn.spent,
  );
}

const NOT_FOUND = 404;
const STOPPED = { kind: 'aborted', message: 'it was stopped' } as const;
const LOST = { kind: 'session_lost', message: 'its session was deleted' } as const;
const ABORTED = 'MessageAbortedError';

type Said = Partial<TurnFault> & Pick<TurnFault, 'kind' | 'message'>;
const failed = (fault: Said, spent: Spent = NOTHING): Answer => ({
  ok: false,
  fault: { hintMs: null, isPartial: false, ...fault },
  spent,
});

async function recover(instance: Instance, command: PromptCommand): Promise<Answer | null> {
  const turn = await turnIn(instance, command);
  if (turn === 'gone') return failed(LOST);
  return turn?.isWhole ? { ok: true, text: turn.text, spent: turn.spent } : null;
}

type Turn = Readonly<{ text: string; spent: Spent; isWhole: boolean }>;

/** @returns `gone` for a deleted session, null without an answer from OpenCode. */
async function turnIn(instance: Instance, { session, text, model }: PromptCommand): Promise<Turn | 'gone' | null> {
  const answer = await quietly(() => instance.client.session.messages({ path: { id: session } }));
  const messages: readonly HistoryMessage[] | undefined = answer?.data;
  if (!messages) return (answer?.response?.status ?? 0) === NOT_FOUND ? 'gone' : null;
  const prompt = messages.findLast(
    ({ info, parts }) => info.role === 'user' && parts.some((part) => isPromptOf({ text }, part.text)),
  );
  const answers = messages.flatMap(({ info, parts }) =>
    info.role === 'assistant' && info.parentID === prompt?.info.id ? [{ info, parts }] : [],
  );
  const last = answers.at(-1)?.info;
  const isPriced = instance.listed.catalogue[model]?.priceIn !== undefined;
  const textParts = answers.flatMap(({ parts }) => parts).filter(({ type, text: words }) => type === 'text' && words);
  return {
    text: textParts.map((part) => part.text).join('\n'),
    spent: answers.map(({ info }) => spentIn(info, isPriced)).reduce(sumOf, NOTHING),
    isWhole: last !== undefined && isLastStep(last),
  };
}

const isLastStep = ({ error, time, finish = '' }: AssistantInfo): boolean =>
  !error && time?.completed !== undefined && !CONTINUED_FINISHES.has(finish);

const figure = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

/** OpenCode records 0 dollars also without a price. */
const spentIn = ({ cost, tokens }: AssistantInfo, isPriced: boolean): Spent => ({
  cost: isPriced ? figure(cost) : null,
  input: figure(tokens?.input),
  output: figure(tokens?.output),
});

/** Older messages may be megabytes, and users read the end. */
const UTTERED_MESSAGES = 100;

async function utteredIn({ client }: Instance, session: string): Promise<readonly Uttered[] | null> {
  const request = { path: { id: session }, query: { limit: UTTERED_MESSAGES } };
  const messages = (await quietly(() => client.session.messages(request)))?.data;
  if (!Array.isArray(messages)) return null;
  return messages.flatMap(({ info, parts }) =>
    info.role === 'assistant' ? parts.flatMap((part) => utteredAs(part, figure(info.time?.created))) : [],
  );
}

function utteredAs({ type, text, tool, time, state }: Part, saidAt: number): Uttered[] {
  if (type === 'text' && text) return [{ kind: 'text', at: figure(time?.start) || saidAt, text }];
  if (type !== 'tool' || !tool || isGoOnCall(tool, state?.input)) return [];
  return [
    {
      kind: 'tool',
      at: figure(state?.time?.start) || saidAt,
      tool,
      input: state?.input,
      isRefused: isRefusal(state?.error),
    },
  ];
}
