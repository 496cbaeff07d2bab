import { isAppointed } from '../../node/base/council-runs';
import { guarded, limited } from '../base/guarded';
import { openCompanion } from '../runtime/companion';
import { listenTo } from './message/events';
import { listed, onPrompt } from './message/prompt';
import { onResponse } from './request/answer';
import { beginCall, refusedCameBy } from './request/calls';
import { onContext } from './request/context';
import { onRequest } from './request/request';
import { DECISION_LIMIT_MS, onRetry } from './request/retry';
import { onHandshake, onReceive, onSend } from './request/socket';
import { featuresOf, levelFor, openActuator } from './session/actuator';
import { tidyNotes } from './session/away';
import { isAsDocumented } from './session/border';
import { configure, listAnew } from './session/catalogue';
import { councils } from './session/councils';
import { called } from './session/host-calls';
import { type Instance, newInstance } from './session/instance';
import { onLanguage } from './session/sdk';
import { instanceOf, instruct } from './session/seats';
import { pointHome } from './session/switch';
import type { HttpRequestEvent, LanguageEvent, PluginContext, SessionHooks } from './session/types';
import { storedSteps } from './session/usage';
import { openVoice, type Voice } from './session/voice';
import { addCommands } from './user/commands';
import { runDrill } from './user/drill';
import { openTuiLink } from './user/tui-link';

/** Longest wait for final writes, in ms. */
const CLOSE_LIMIT_MS = 2_000;
/** Longest wait for refused requests, in ms; OpenCode builds one within about 100 ms. */
const REFUSED_LIMIT_MS = 1_000;
/** OpenCode has read its configuration by then, in ms; its event follows within one second. */
const LISTED_BY_MS = 15_000;

type Cleanup = () => Promise<void>;

/**
 * Starts the companion in one location.
 * @returns the cleanup, if it started. Never rejects.
 */
export async function startOpenCode2(context: PluginContext): Promise<Cleanup | undefined> {
  const voice = openVoice();
  try {
    return await start(context, voice);
  } catch (error) {
    voice.fail(`start: ${String(error)}`);
    return undefined;
  }
}

async function start(context: PluginContext, voice: Voice): Promise<Cleanup> {
  const directory = context.location?.directory ?? process.cwd();
  const version = async (): Promise<string> => context.app?.version ?? '';
  const stepsOf = (session: string) => storedSteps(context, session);
  const companion = await openCompanion({ directory, warn: voice.warn, notify: voice.notify, version, stepsOf });
  let hasRetryHook = false;
  const actuator = openActuator(() => levelFor(featuresOf(context, hasRetryHook)), companion.selfCheck);
  const instance = newInstance({ companion, context, directory, voice, actuator });
  configure(instance);
  companion.onDrill((agent) => runDrill(instance, agent));
  hasRetryHook = await addHooks(instance);
  await addCommands(instance);
  const tui = await openTuiLink(instance);
  voice.shownBy(tui.notify);
  const gone = new AbortController();
  void listenTo(instance, gone.signal);
  // OpenCode may still be starting.
  void listAnew(instance);
  void tidyNotes(instance);
  // Without a list event, no prompt may come either.
  if (isAppointed()) setTimeout(() => void listed(instance), LISTED_BY_MS).unref();
  return async () => {
    instance.isGone = true;
    // OpenCode sends requests while it closes us; refused ones must not leave.
    await limited(refusedCameBy(instance), REFUSED_LIMIT_MS);
    // Before turns end, so that aborted participants do not count as answers.
    await limited(councils.leave(directory), CLOSE_LIMIT_MS);
    gone.abort();
    tui.close();
    // At once: a later process restores a session only on its next use.
    const home = [...instance.sessions.values()].map((session) => pointHome(instance, session));
    await limited(Promise.all([...home, companion.close()]), CLOSE_LIMIT_MS);
  };
}

/**
 * These hooks run after the end and while the breaker is open: held requests need an answer, refused ones stay
 * refused.
 */
const OUTLIVING: ReadonlySet<keyof SessionHooks> = new Set(['http.request', 'http.response']);

/** @returns true if OpenCode accepts the retry hook. */
async function addHooks(instance: Instance): Promise<boolean> {
  const { session } = instance.context;
  const { breaker } = instance.companion.brain;
  const of = ({ sessionID }: Readonly<{ sessionID: string }>): Instance => instanceOf(instance, sessionID);
  const add = async <Name extends keyof SessionHooks>(
    name: Name,
    hook: (event: SessionHooks[Name]) => void | Promise<void>,
  ): Promise<boolean> => {
    let isTold = false;
    const run = (event: SessionHooks[Name]) => {
      if (instance.isGone && !OUTLIVING.has(name)) return undefined;
      if (isAsDocumented(name, event)) return hook(event);
      if (!isTold) instance.voice.fail(`${name}: this OpenCode sent an event with an unexpected shape`);
      isTold = true;
      return undefined;
    };
    const whenOpen = OUTLIVING.has(name) ? { whenOpen: run } : {};
    const answered = guarded(instance.voice.fail, name, run, { breaker, ...whenOpen });
    return (await called(async () => session?.hook(name, answered))) !== null;
  };
  const { aisdk } = instance.context;
  const onModel = (event: LanguageEvent): void => {
    if (!instance.isGone && isAsDocumented('language', event)) onLanguage(instance, event);
  };
  const language = guarded(instance.voice.fail, 'language', onModel, { breaker });
  const request = (event: HttpRequestEvent): Promise<void> => soon(onRequest(of(event), event));
  let lastPlace: Promise<boolean> | null = null;
  let isLast = false;
  await add('prompt', async (event) => {
    // Registered late, so that other plugins change a request before it is held.
    if (lastPlace === null) {
      lastPlace = add('http.request', request);
      await called(async () => aisdk?.hook?.('language', language));
    }
    isLast = await lastPlace;
    await soon(onPrompt(of(event), event));
  });
  await add('context', (event) => {
    onContext(of(event), event);
    return instruct(instance, event);
  });
  await add('model.request', (event) => soon(beginCall(of(event), event)));
  // OpenCode removes the last hook first, before it closes us. [seen: 2.0.15]
  await add('http.request', async (event) => {
    if (!isLast || instance.isGone) await request(event);
  });
  await add('http.response', (event) => onResponse(of(event), event));
  await add('experimental.ws.handshake', (event) => soon(onHandshake(of(event), event)));
  await add('experimental.ws.send', (event) => onSend(of(event), event));
  await add('experimental.ws.receive', (event) => soon(onReceive(of(event), event)));
  return add('retry', async (event) => {
    const decision = await onRetry(of(event), event);
    if (decision) event.decision = decision;
  });
}

const soon = async (work: Promise<void>): Promise<void> => {
  await limited(work, DECISION_LIMIT_MS);
};
