import { INTERNAL_AGENTS } from '../../contract/opencode-agents';
import { neighbourWarnings } from '../../core/providers/neighbours';
import { ownValue, remember } from '../../engine/tools';
import { laterCouncil } from '../../features/council/plugin/later';
import { TITLES_MAX } from '../../protocol';
import { guarded, limited } from '../base/guarded';
import { quietly } from '../base/quietly';
import { noteSeen } from '../base/seen';
import { chosenVariant, variantFor } from '../base/variant';
import { openCompanion } from '../runtime/companion';
import { DRILL_TEXT } from '../runtime/drill';
import { openPrompt } from '../runtime/user-prompts';
import { type Titled, titledIn } from '../stores/titles';
import { instanceOf, runDrill, sessionIn } from './drill';
import { endLook, heedFile, lookAtLogins, wrapLogin } from './login-fetch';
import { releaseFetch } from './memory/fetch-wrap';
import { mayUseSocket, OVER_HTTP_HEADER, REQUEST_HEADER } from './memory/guarded-request';
import {
  beginTurn,
  homeOf,
  type Instance,
  newInstance,
  shareMemory,
  turnKey,
  turnOf,
  turnsIn,
} from './memory/instance';
import { listOrKeep } from './memory/kept-listing';
import { learnAtRest } from './memory/learn';
import { refOf } from './memory/model-ref';
import { needsOf, needsOfPrompt } from './memory/needs';
import { stripOwnKeys, usesSharedKey } from './memory/own-keys';
import {
  type Home,
  noteAnswering,
  noteNumbered,
  noteReplied,
  type TurnMemory,
  takeRejoining,
} from './memory/turn-memory';
import type {
  AssistantInfo,
  BusEvent,
  ChatHeadersInput,
  ChatMessageInput,
  ChatMessageOutput,
  Client,
  HistoryMessage,
  Hooks,
  OpenCodeConfig,
  PluginInput,
  SessionError,
  SessionInfo,
} from './memory/types';
import { countStep, countTool, noteWriter, storedSteps } from './memory/usage';
import { openVoice } from './memory/voice';
import { deleteLeftovers, hideLeftovers, markPartial, sayContinue, tidyAtEnd, tidyAtIdle } from './message/leftovers';
import { applyRepoint, mendStaleWrite, pointHome, speaking } from './message/repoint';
import {
  expectRequest,
  isAskable,
  noteBegun,
  noteFailed,
  noteIfShown,
  replayAtIdle,
  tellEmpty,
  tellRetried,
  tellUnseen,
} from './message/unseen';
import { findUnstartable } from './model-start';
import { offerProof, sweepProofs } from './proof';
import { CARRIED_ABILITIES } from './request/carry';
import { installFetch, noteRequest } from './request/fetch-hook';
import { guardSeat, heedSeat } from './seats';
import { hideCommands, replyFor, takeCommand } from './user/commands';
import { openTuiLink } from './user/tui-link';
import { tellMissing } from './user/unasked';

/** The list takes some 50 ms, seconds on a busy machine. A message without it may go to a model that cannot start. */
const LISTING_LIMIT_MS = 10_000;

/** OpenCode reports idle this soon after a failed turn. */
const REST_MS = 500;

/** `opencode run` exits right after `dispose`. */
const CLOSE_LIMIT_MS = 2_000;

const councils = laterCouncil<Instance>(() => import('../../features/council/plugin/opencode1/council'));

export async function startOpenCode1({ client, directory }: PluginInput): Promise<Hooks> {
  const voice = openVoice(client);
  const { warn, notify } = voice;
  const companion = await openCompanion({
    directory,
    warn,
    notify,
    version: () => versionOf(client),
    titles: () => listTitles(client, directory),
    stepsOf: (session) => storedSteps(client, session),
  });
  const { memory, leave } = shareMemory(directory);
  const instance = newInstance(companion, client, directory, voice, memory);
  companion.onDrill((agent) => runDrill(instance, agent));
  return hooksOf(instance, leave);
}

export function hooksOf(instance: Instance, leave: () => boolean): Hooks {
  const { companion, voice } = instance;
  const { breaker } = companion.brain;
  const tui = openTuiLink(instance);
  const onParams = paramsHook(instance);
  const hook = <Args extends unknown[]>(
    name: string,
    run: (...args: Args) => void | Promise<void>,
    whenOpen?: (...args: Args) => void | Promise<void>,
  ) => guarded(voice.fail, name, run, { breaker, ...(whenOpen ? { whenOpen } : {}) });
  const onHeadersOf: NonNullable<Hooks['chat.headers']> = (input, output) =>
    onHeaders(instanceOf(instance, input.sessionID), input, output);
  installFetch();
  return {
    config: hook('config', (config) => {
      readModels(instance, config);
      for (const warning of companion.isArmed() ? neighbourWarnings(config.plugin) : []) tellOnce(instance, warning);
    }),
    'chat.message': hook(
      'chat.message',
      (input, output) => onMessage(instanceOf(instance, input.sessionID), input, output),
      // A re-point in progress must still be written.
      (input, output) => void applyRepoint(instanceOf(instance, input.sessionID), input.sessionID, output),
    ),
    async 'chat.params'(input, output) {
      await onParams(input, output);
      const look = instance.asides.get(input?.sessionID)?.look;
      if (look) endLook(look);
    },
    'chat.headers': hook('chat.headers', onHeadersOf, async (input, output) => {
      // A drill or test in progress must not reach its provider.
      if (instance.asides.has(input.sessionID) || instance.apart.has(input.sessionID)) await onHeadersOf(input, output);
    }),
    'experimental.chat.messages.transform': hook('messages.transform', (_, output) =>
      onMessages(instance, output.messages),
    ),
    'experimental.text.complete': hook('text.complete', (input, output) =>
      markPartial(instance, input.sessionID, output),
    ),
    'experimental.chat.system.transform': hook('system.transform', (input, output) => {
      const session = input.sessionID ?? '';
      const system = instance.asides.get(session)?.system ?? instance.apart.get(session)?.system ?? null;
      if (system !== null) output.system.splice(0, output.system.length, ...(system === '' ? [] : [system]));
    }),
    'tool.execute.before': async (input, output) => guardSeat(input.sessionID, input.tool, output.args),
    event: hook(
      'event',
      ({ event }) => {
        heedSeat(instance, event.type, event.properties);
        return event.type === 'tui.command.execute'
          ? tui.hear(event.properties.command)
          : onEvent(instanceOf(instance, sessionIn(event)), event);
      },
      // A running council needs these events to end.
      ({ event }) => heedSeat(instance, event.type, event.properties),
    ),
    dispose: guarded(
      voice.fail,
      'dispose',
      () => {
        tui.close();
        return close(instance, leave);
      },
      { count: breaker.count },
    ),
  };
}

const paramsHook = (instance: Instance): NonNullable<Hooks['chat.params']> =>
  guarded(
    instance.voice.fail,
    'chat.params',
    (input, output) => {
      if (input.provider) wrapLogin(instance, input.provider);
      stripOwnKeys(output.options, instance.sharedKeyAgents.has(agentName(input.agent)));
    },
    {
      breaker: instance.companion.brain.breaker,
      // A provider may refuse a request with our keys.
      whenOpen: (input, output) => stripOwnKeys(output.options, instance.sharedKeyAgents.has(agentName(input.agent))),
    },
  );

async function versionOf(client: Client): Promise<string> {
  const answer = await quietly(() => client._client.get({ url: '/global/health' }));
  const version = (answer?.data as { version?: unknown } | undefined)?.version;
  return typeof version === 'string' ? version : '';
}

/** Lists the oldest first; empty without a response. */
async function listTitles(client: Client, directory: string): Promise<readonly Titled[]> {
  const answer = await quietly(() =>
    client._client.get({ url: '/session', query: { roots: true, limit: TITLES_MAX } }),
  );
  return titledIn(answer?.data, directory);
}

function readModels(instance: Instance, config: OpenCodeConfig): void {
  const model = (value: unknown): string | null => (typeof value === 'string' && value.includes('/') ? value : null);
  instance.defaultModel = model(config.model);
  const agents = Object.entries(config.agent ?? {}).filter(([, agent]) => agent && agent.disable !== true);
  instance.leads = Object.fromEntries(agents.map(([name, agent]) => [name, model(agent?.model)]));
  instance.sharedKeyAgents = new Set(agents.filter(([, agent]) => agent && usesSharedKey(agent)).map(([name]) => name));
  const { leads, defaultModel } = instance;
  const common = { leads, defaultModel, abilities: CARRIED_ABILITIES, isUnattended: instance.exitsAtRest };
  instance.companion.configure(common);
  // Do not wait: OpenCode may still be starting.
  const listing = listOrKeep(instance, config, versionOf(instance.client));
  instance.listing = listing.then(async ({ found, ...details }) => {
    instance.listed = found;
    const { models, catalogue, agents } = found;
    if (models.length > 0 && !instance.isGone)
      instance.companion.configure({ ...common, models, catalogue, others: agents, ...details });
    if (!instance.isGone && (await instance.companion.refresh())) {
      await lookAtLogins(instance);
      if ((await findUnstartable(instance)) && !instance.isGone)
        instance.companion.configure({ ...common, models: instance.listed.models, catalogue, others: agents });
    }
    instance.listing = null;
    offerProof(instance);
    void sweepProofs(instance);
    void councils.playAppointed(instance);
  });
}

async function onMessage(instance: Instance, input: ChatMessageInput, output: ChatMessageOutput): Promise<void> {
  if (applyRepoint(instance, input.sessionID, output) || instance.asides.has(input.sessionID)) return;
  instance.voice.arrive();
  if (await takeCommand(instance, output, (typed) => councils.reply(instance, instance.companion.brain, typed))) return;
  if (instance.listing) await limited(instance.listing, LISTING_LIMIT_MS);
  if (!(await instance.companion.refresh())) return;
  await heedFile(instance);
  tellMissing(instance, output.message);
  await instance.companion.brain.returnFor(instance.directory, refOf(output.message.model));
  const home = redirect(instance, input, output);
  beginTurn(instance, output.message, home);
}

function redirect(instance: Instance, input: ChatMessageInput, { message, parts }: ChatMessageOutput): Home {
  const parent = instance.parents.get(input.sessionID);
  const needs = needsOfPrompt(parts, instance.needs.get(input.sessionID), {
    lead: instance.listed.catalogue[refOf(message.model)],
    usesTools: message.tools?.['*'] !== false,
  });
  const requested = refOf(message.model);
  const spend = instance.companion.spendOf({ session: input.sessionID, model: requested, needs, most: null });
  const decision = instance.companion.brain.decide({
    type: 'prompt.submitted',
    turn: message.id,
    session: input.sessionID,
    directory: instance.directory,
    agent: message.agent,
    model: requested,
    hostLead: ownValue(instance.leads, message.agent) ?? instance.defaultModel,
    isExplicit: input.model !== undefined,
    needs,
    ...(spend ? { spend } : {}),
    ...(parent ? { parentSession: parent } : {}),
  });
  const action = decision?.action;
  const { companion, directory } = instance;
  const own = { model: refOf(message.model), variant: message.model.variant };
  const to = action && 'to' in action ? action.to : own.model;
  if (to !== own.model) {
    const about = { directory, agent: message.agent, to, own };
    message.model = speaking(
      message.model,
      to,
      variantFor(companion.brain.state(), about, () => true),
    );
  }
  const model = action?.kind === 'redirect' ? action.from : refOf(message.model);
  const variant = model === own.model ? own.variant : chosenVariant(companion.brain.state(), directory, own);
  return { model, variant: variant ?? null };
}

function onMessages(instance: Instance, messages: HistoryMessage[]): void {
  hideLeftovers(instance, messages);
  hideCommands(instance, messages);
  noteBegun(instance, messages);
  sayContinue(instance, messages);
  const user = messages.findLast(({ info }) => info.role === 'user')?.info;
  if (!user || !instance.companion.isArmed()) return;
  const home = instance.turns.get(turnKey(user.sessionID, user.id))?.home;
  remember(instance.needs, user.sessionID, needsOf(messages, home ? instance.listed.catalogue[home] : undefined));
}

const agentName = (agent: ChatHeadersInput['agent']): string => (typeof agent === 'string' ? agent : agent.name);

const isMovable = (instance: Instance, turn: TurnMemory): boolean =>
  instance.companion.selfCheck.actuator() === 'soft' || isAskable(instance, turn);

async function onHeaders(
  instance: Instance,
  input: ChatHeadersInput,
  output: { headers: Record<string, string> },
): Promise<void> {
  const { sessionID: session, message: user } = input;
  const agent = agentName(input.agent);
  const isOwn = INTERNAL_AGENTS.has(agent) || instance.asides.has(session);
  if (!isOwn) instance.working.add(session);
  const turn = turnOf(instance, session, user.id);
  const { answerFor, giveUp } = instance.apart.get(session) ?? {};
  const reply = answerFor && isOwn ? DRILL_TEXT : replyFor(turn, agent);
  if (reply !== null && !isOwn) noteReplied(turn);
  const rejoining = isOwn ? null : takeRejoining(turn);
  const isArmed = instance.companion.isArmed() && (await instance.companion.refresh(true));
  if (!isArmed && reply === null) return;
  const isInternal = isOwn || !isMovable(instance, turn);
  if (turn.lost > 0) tellOnce(instance, LOST);
  const clone = structuredClone(user);
  const isHousekeeping = INTERNAL_AGENTS.has(agent);
  noteNumbered(turn, { user: clone, isInternal, isHousekeeping, home: () => homeOf(instance, clone) });
  if (!isOwn && reply === null) expectRequest(instance, turn);
  const needs = instance.needs.get(session);
  const asking = { agent, model: `${input.model.providerID}/${input.model.id}`, npm: input.model.api?.npm ?? '' };
  if (mayUseSocket(input.model.providerID)) output.headers[OVER_HTTP_HEADER] = 'true';
  output.headers[REQUEST_HEADER] = noteRequest({
    instance,
    session,
    user: clone,
    ...asking,
    isInternal,
    turn,
    ...(needs && !isInternal ? { needs } : {}),
    ...(reply === null ? {} : { reply }),
    ...(rejoining ? { rejoining } : {}),
    ...(answerFor ? { standIn: answerFor(asking) } : {}),
    ...(giveUp ? { giveUp } : {}),
  });
}

async function onEvent(instance: Instance, event: BusEvent): Promise<void> {
  switch (event.type) {
    case 'message.updated':
      if (event.properties.info.role === 'user') await mendStaleWrite(instance, event.properties.info);
      else {
        // Usage counts even if not armed.
        noteWriter(instance, event.properties.info);
        if (instance.companion.isArmed()) onAnswer(instance, event.properties.info);
      }
      return;
    case 'message.part.updated':
      if (event.properties.part.type === 'step-finish') countStep(instance, event.properties.part);
      if (event.properties.part.type === 'tool') countTool(instance, event.properties.part);
      noteIfShown(instance, event.properties.part);
      return;
    case 'session.created':
    case 'session.updated':
      onSession(instance, event.properties.info);
      return;
    case 'session.deleted':
      forget(instance, event.properties.info.id);
      return;
    case 'session.error':
      if (instance.companion.isArmed()) onError(instance, event.properties);
      return;
    case 'session.status':
      if (event.properties.status.type === 'retry' && instance.companion.isArmed())
        tellRetried(instance, event.properties.sessionID, event.properties.status);
      return;
    case 'permission.asked':
    case 'question.asked':
      openPrompt(instance.companion, event.type, event.properties);
      return;
    case 'permission.replied':
    case 'question.replied':
    case 'question.rejected':
      instance.companion.userPrompts.closed(event.properties.sessionID, event.properties.requestID);
      return;
    case 'session.idle':
      await onIdle(instance, event.properties.sessionID);
      return;
    case 'other':
      return;
  }
}

function onError(instance: Instance, { sessionID, error }: { sessionID?: string; error?: SessionError }): void {
  if (sessionID !== undefined && error && !instance.asides.has(sessionID)) tellUnseen(instance, sessionID, error);
}

function onAnswer(instance: Instance, info: AssistantInfo): void {
  // It became complete after its session was idle.
  if (instance.leftovers.has(info.id) && !instance.working.has(info.sessionID))
    void deleteLeftovers(instance, info.sessionID);
  const turn = instance.turns.get(turnKey(info.sessionID, info.parentID));
  // Understudy answered the command.
  if (!turn || (turn.reply !== null && turn.continues === null)) return;
  noteAnswering(turn, info.id);
  noteFailed(turn, info);
  tellEmpty(instance, info);
  // OpenCode reports idle before and after this update; check again if it does not.
  if (turn.replay?.failed === info.id) restLater(instance, turn);
  // The request bypassed fetch, or another plugin replaced ours.
  if (turn.isNumbered && turn.ownRequests === 0 && info.finish !== undefined && !info.error) {
    tellOnce(instance, blindTo(info.providerID));
    noteSeen(instance, refOf(info), 'none');
  }
}

function restLater(instance: Instance, turn: TurnMemory): void {
  const { replay } = turn;
  setTimeout(() => {
    if (turn.replay === replay && !instance.isGone)
      void onIdle(instance, turn.session).catch((error: unknown) =>
        instance.companion.brain.breaker.count('session.idle', error),
      );
  }, REST_MS).unref();
}

const LOST = 'OpenCode called a model again after a switch. Understudy corrected the turn each time.';
const blindTo = (provider: string): string =>
  `Understudy cannot see requests to ${provider}. If it fails in a sub-agent, or after its response has begun, the turn stays with it.`;

function tellOnce(instance: Instance, message: string): void {
  if (!instance.told.has(message)) instance.voice.warn(message);
  instance.told.add(message);
}

async function onIdle(instance: Instance, session: string): Promise<void> {
  if (instance.asides.has(session) || instance.apart.has(session)) return;
  if (instance.companion.isArmed()) await learnAtRest(instance, session);
  if (await replayAtIdle(instance, session)) return;
  instance.working.delete(session);
  instance.companion.userPrompts.rested(session);
  if (instance.companion.isArmed()) {
    instance.companion.brain.tell({ type: 'session.idle', session });
    await heedFile(instance);
  }
  await Promise.all([tidyAtIdle(instance, session), pointHome(instance, session)]);
  // A proof without a result is repeated.
  offerProof(instance);
}

function onSession(instance: Instance, { id, parentID, title, revert }: SessionInfo): void {
  if (parentID) remember(instance.parents, id, parentID);
  else if (typeof title === 'string' && !instance.apart.has(id)) instance.companion.titled(id, title);
  if (revert) instance.reverted.add(id);
  else instance.reverted.delete(id);
}

function forget(instance: Instance, session: string): void {
  instance.reverted.delete(session);
  instance.working.delete(session);
  for (const turn of turnsIn(instance, session)) instance.turns.delete(turnKey(session, turn.message));
  if (instance.companion.isArmed() && !instance.asides.has(session))
    instance.companion.brain.tell({ type: 'session.closed', session });
}

async function close(instance: Instance, leave: () => boolean): Promise<void> {
  if (instance.isGone) return;
  instance.isGone = true;
  // First, or a run would take the end of its turns for the user's stop.
  await limited(councils.leave(instance.directory), CLOSE_LIMIT_MS);
  // Other instances of the directory continue its turns.
  if (leave()) await tidyAtEnd(instance);
  releaseFetch();
  for (const giveBack of instance.logins.splice(0)) giveBack();
  await limited(instance.companion.close(), CLOSE_LIMIT_MS);
}
