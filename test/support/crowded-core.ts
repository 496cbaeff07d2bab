import { createCore } from '../../src/core/core';
import { DEFAULT_HEALTH, SWIFT } from '../../src/engine';
import { nodeClock } from '../../src/node/base/clock';
import type { CompanionEvent } from '../../src/protocol';

const MODELS = 200;
const AGENTS = 20;
const CHAIN_LENGTH = 10;
const MODELS_OF_A_PROVIDER = 8;
const FAILS_EVERY = 7;
const DIRECTORY = '/crowded/project';

const modelAt = (index: number): string => {
  const at = index % MODELS;
  return `provider-${Math.floor(at / MODELS_OF_A_PROVIDER)}/model-${String(at).padStart(3, '0')}`;
};
const chainOf = (agent: number): string[] =>
  Array.from({ length: CHAIN_LENGTH }, (_, place) => modelAt(agent * CHAIN_LENGTH + place));

type Config = Extract<CompanionEvent, { type: 'scope.configured' }>['config'];

const CONFIG: Config = {
  enabled: true,
  health: DEFAULT_HEALTH as Config['health'],
  maxFallbackDepth: 3,
  onExhausted: 'error',
  backupModel: null,
  agents: Object.fromEntries(
    Array.from({ length: AGENTS }, (_, agent) => [
      `agent-${String(agent).padStart(2, '0')}`,
      { chain: chainOf(agent), policy: SWIFT as never },
    ]),
  ),
};

/** A core with 200 models in the chains of 20 agents; each call of `happen` emits an event. */
export function openCrowdedCore() {
  const core = createCore(
    {
      clock: nodeClock(),
      log: { append: () => {}, readAll: async () => ({ records: [] }) },
      store: null,
      random: () => 0.5,
    },
    { version: '0.1.0', runtime: 'crowd' },
  );
  core.connected({ instance: 'i1', epoch: 'e1', pid: 4711, opencode: '1.18.33', plugin: '0.1.0' });
  let seq = 0;
  const tell = (event: CompanionEvent): void => core.told('i1', { seq: ++seq, ageMs: 0, sentAt: Date.now(), event });
  tell({ type: 'scope.configured', directory: DIRECTORY, config: CONFIG });
  const story = storyOf();
  return { core, happen: () => tell(story.next().value), close: () => core.dispose() };
}

function* storyOf(): Generator<CompanionEvent, never> {
  for (let n = 0; ; n++) {
    const agent = n % AGENTS;
    const model = modelAt(agent * CHAIN_LENGTH + (Math.floor(n / AGENTS) % CHAIN_LENGTH));
    const about = {
      ...{ turn: `t${n}`, session: `s${agent}`, directory: DIRECTORY },
      ...{ agent: `agent-${String(agent).padStart(2, '0')}`, model },
    };
    const attempt = `t${n}.0`;
    yield { type: 'prompt.submitted', ...about, hostLead: model, isExplicit: true };
    yield { type: 'attempt.started', attempt, ...about, purpose: 'turn' };
    if (n % FAILS_EVERY === 0)
      yield { type: 'attempt.failed', attempt, evidence: evidenceOf(n) as never, durationMs: 400 };
    else yield { type: 'attempt.succeeded', attempt, durationMs: 900, firstTokenMs: 300, outputChars: 200 };
    yield { type: 'session.idle', session: about.session };
  }
}

const evidenceOf = (n: number) =>
  n % 2 === 0
    ? { phase: 'body', status: 429, message: 'Too many requests', headers: { 'retry-after': String(20 + (n % 40)) } }
    : { phase: 'body', status: 500, message: 'Internal error encountered.', headers: {} };
