import { DEFAULT_AGENT } from '../../../contract/opencode-agents';
import type { Decision, ModelId } from '../../../engine';
import { ownValue } from '../../../engine/tools';
import { limited } from '../../base/guarded';
import { tellUnlisted } from '../../user/unasked';
import { heedAccounts, isOutdated } from '../session/accounts';
import { lookHome } from '../session/away';
import { findUnstartable, listAnew, readLeads } from '../session/catalogue';
import { readSession } from '../session/host-calls';
import { beginTurn, type Instance, type SessionMemory, sessionOf } from '../session/instance';
import { nameOf, refOf } from '../session/model-ref';
import { isListed, moveSession, pointHome } from '../session/switch';
import type { ModelRef, PromptEvent } from '../session/types';
import { rest } from './rest';

/** Longest wait of the first message for OpenCode's models, in ms. */
const LISTING_LIMIT_MS = 2_000;
/** Longest wait for a login after it failed, in ms: OpenCode may renew it. */
const LOGIN_LIMIT_MS = 500;
/** Longest delay of the end event, in ms. */
const ENDING_LIMIT_MS = 250;

/** Sends a prompt to an available model. A prompt that joins a turn changes nothing. */
export async function onPrompt(instance: Instance, { sessionID, messageID }: PromptEvent): Promise<void> {
  const session = sessionOf(instance, sessionID);
  if (session.turn?.id === messageID || !(await rests(instance, session))) return;
  await lookHome(instance, session);
  // Its end was missed, or it waits for an approval that the new message makes obsolete.
  await (session.turn === null ? pointHome(instance, session) : rest(instance, session));
  beginTurn(session, messageID);
  const isReadNow = (await limited(listed(instance), LISTING_LIMIT_MS)) === true;
  if (!(await instance.companion.refresh())) return;
  await Promise.all([findUnstartable(instance), limited(heedAccounts(instance), LOGIN_LIMIT_MS)]);
  const info = await readSession(instance, sessionID);
  if (info?.model && (await isOutdated(instance, nameOf(info.model))))
    await limited(listAnew(instance), LISTING_LIMIT_MS);
  if (info?.parentID) session.parent = info.parentID;
  // The title may be older than this process.
  if (info?.title !== undefined && session.parent === null) instance.companion.titled(sessionID, info.title);
  const agent = info?.agent ?? session.agent ?? DEFAULT_AGENT;
  session.agent = agent;
  // An event about a new default may be pending.
  if (!info?.model && !isReadNow) await readLeads(instance);
  session.isUnchosen = info?.model === undefined;
  const lead = ownValue(instance.leads, agent) ?? instance.defaultModel;
  const unchosen = instance.heedsAgentModel ? lead : instance.defaultModel;
  const own = info?.model ?? (unchosen === null ? null : refOf(unchosen));
  if (own === null) return;
  const who: Prompted = { agent, own, lead, isExplicit: info?.model !== undefined };
  if (!(await isListed(instance, nameOf(own)))) tellMissing(instance, session, who, messageID);
  await redirect(instance, session, who, messageID);
}

/**
 * Resolves when OpenCode's lists are loaded.
 * @returns true if they were read just now.
 */
export async function listed(instance: Instance): Promise<boolean> {
  const isKnown = instance.isListWhole;
  instance.isListWhole = true;
  await (isKnown ? instance.listing : listAnew(instance));
  return !isKnown;
}

async function rests(instance: Instance, session: SessionMemory): Promise<boolean> {
  const { atRest } = session;
  if (!session.isWorking || !instance.hearsEnds) return true;
  await limited(new Promise<void>((resolve) => atRest.add(resolve)), ENDING_LIMIT_MS);
  return !session.isWorking;
}

type Prompted = Readonly<{ agent: string; own: ModelRef; lead: ModelId | null; isExplicit: boolean }>;

function tellMissing(instance: Instance, { id }: SessionMemory, { agent, own }: Prompted, turn: string): void {
  tellUnlisted(instance, { session: id, turn, agent, model: nameOf(own) });
}

async function redirect(
  instance: Instance,
  session: SessionMemory,
  { agent, own, lead, isExplicit }: Prompted,
  turn: string,
): Promise<void> {
  const { companion, directory, actuator } = instance;
  const model = nameOf(own);
  const needs = session.needs ?? undefined;
  const spend = companion.spendOf({ session: session.id, model, needs, most: null });
  await companion.brain.returnFor(directory, model);
  const decision = companion.brain.decide({
    type: 'prompt.submitted',
    turn,
    session: session.id,
    directory,
    agent,
    model,
    hostLead: lead,
    isExplicit,
    ...(needs ? { needs } : {}),
    ...(spend ? { spend } : {}),
    ...(session.parent ? { parentSession: session.parent } : {}),
  });
  const to = aimOf(decision);
  if (decision === undefined || to === null || to === model || actuator.level() === 'watch') return;
  // The session's own model is not an inherited fallback.
  const home =
    decision.action.kind === 'redirect' && decision.action.from !== model ? refOf(decision.action.from) : own;
  const moved = await moveSession(instance, session, { from: model, to, home });
  if (moved === 'moved') return;
  const reason = 'OpenCode did not accept the new model';
  companion.brain.tell({ type: 'switch.carried', turn, from: model, ok: false, durationMs: 0, reason });
}

const aimOf = (decision: Decision | undefined): ModelId | null =>
  decision && 'to' in decision.action ? decision.action.to : null;
