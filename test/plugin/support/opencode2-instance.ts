import { createUsageBook } from '../../../src/core/history/usage';
import type { Clock } from '../../../src/core/ports/ports';
import type { EngineEvent, ScopeConfig } from '../../../src/engine';
import { createBrain } from '../../../src/plugin/base/brain';
import { openActuator } from '../../../src/plugin/opencode2/session/actuator';
import { beginTurn, newInstance, sessionOf } from '../../../src/plugin/opencode2/session/instance';
import { nameOf, refOf } from '../../../src/plugin/opencode2/session/model-ref';
import type {
  HttpResponseEvent,
  ModelRef,
  PluginContext,
  RequestKind,
  Sessions,
} from '../../../src/plugin/opencode2/session/types';
import { openVoice } from '../../../src/plugin/opencode2/session/voice';
import { watchFirstTokens } from '../../../src/plugin/runtime/first-tokens';
import type { Limits } from '../../../src/plugin/runtime/host';
import { trackUserPrompts } from '../../../src/plugin/runtime/user-prompts';
import { isNoted } from '../../../src/protocol';
import { DIRECTORY, SESSION, scopeOf, TURN } from './opencode-double';

export const [LEAD, SPARE] = ['lead/one', 'spare/two'] as const;

export type InstanceOptions = Readonly<{
  limits?: Partial<Limits>;
  scope?: Partial<ScopeConfig>;
  chain?: readonly string[];
  /** What the host has beside `get` and `switchModel`, or in their place. */
  session?: Partial<Sessions>;
  context?: Partial<PluginContext>;
  /** In place of this machine's. */
  clock?: Pick<Clock, 'now' | 'schedule'>;
}>;

/** One session of a host that keeps its model, and all that was told and asked. */
export function openInstance(options: InstanceOptions = {}) {
  const brain = createBrain(options.clock?.now, () => 0.5, null, options.clock?.schedule);
  const events: EngineEvent[] = [];
  brain.onStep((_, event) => void events.push(event));
  const notes: unknown[] = [];
  brain.onEntry(({ event }) => void (isNoted(event) && notes.push(event)));
  const host = { model: refOf(LEAD) as ModelRef | undefined, set: [] as ModelRef[], said: [] as string[] };
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const learnt: (readonly string[])[] = [];
  const selfCheck = {
    opencode: () => '2.0.15',
    actuator: () => 'soft' as const,
    isKnown: () => true,
    offer: () => undefined,
    settled: async () => 'soft' as const,
    learn: async (broken: readonly string[]) => void learnt.push(broken),
  };
  const instance = newInstance({
    companion: {
      instance: 'test',
      brain,
      usage: createUsageBook(),
      firstTokens: watchFirstTokens(brain, options.clock?.schedule ?? (() => () => undefined)),
      userPrompts: trackUserPrompts(brain),
      configure: () => undefined,
      refresh: async () => true,
      isArmed: () => true,
      titled: () => undefined,
      noteAsked: () => undefined,
      heardLimits: () => undefined,
      heardLimitsIn: () => undefined,
      spendOf: () => undefined,
      limits: () => ({ firstTokenTimeoutMs: 5_000, stallTimeoutMs: 5_000, ...options.limits }),
      named: (_, evidence) => evidence,
      selfCheck,
      onDrill: () => undefined,
      close: async () => undefined,
    },
    context: {
      location: { directory: DIRECTORY },
      session: {
        hook: async () => ({ dispose: async () => undefined }),
        get: async () => ({ id: SESSION, ...(host.model ? { model: host.model } : {}) }),
        async switchModel({ model }) {
          host.model = model;
          host.set.push(model);
        },
        async synthetic({ text }) {
          host.said.push(text);
        },
        ...options.session,
      },
      ...options.context,
    },
    directory: DIRECTORY,
    voice: openVoice({ info: log, warn: log, error: log }),
    actuator: openActuator(() => 'switch', selfCheck),
  });
  instance.hearsEnds = true;
  const chain = options.chain ?? [LEAD, SPARE];
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf(chain, options.scope) });
  const session = sessionOf(instance, SESSION);
  beginTurn(session, TURN);
  return { instance, session, brain, events, notes, host, lines, learnt };
}

/** A hook's words for a call of the lead. */
export const asking = (kind: RequestKind = 'primary', model: string = LEAD) => ({
  sessionID: SESSION,
  agent: kind === 'primary' ? 'build' : kind,
  model: refOf(model),
  kind,
});

/** A response to it over the chat wire. */
export const responded = (response: Response, kind: RequestKind = 'primary'): HttpResponseEvent => ({
  ...asking(kind),
  request: new Request('https://lead.example/v1/chat/completions', { method: 'POST', body: '{}' }),
  response,
});

export { DIRECTORY, nameOf, refOf, SESSION, TURN };
