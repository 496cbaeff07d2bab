import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LogRecord } from '../../src/core/base/record';
import { createCore } from '../../src/core/core';
import type { CorePorts } from '../../src/core/ports/ports';
import { DEFAULT_HEALTH, type Evidence, SWIFT } from '../../src/engine';
import { PRESETS } from '../../src/engine/tools';
import { nodeClock } from '../../src/node/base/clock';
import { type KeptModels, keepModels } from '../../src/node/base/kept-models';
import { watchConfig } from '../../src/node/config/config-rows';
import { createSetup } from '../../src/node/setup/setup';
import type { CompanionEvent } from '../../src/protocol';

const MINUTE_MS = 60_000;
export const OPUS = 'anthropic/claude-opus-4-1';
export const SONNET = 'anthropic/claude-sonnet-4-5';
export const GPT = 'openai/gpt-5';
export const PRO = 'google/gemini-3-pro';
export const FLASH = 'google/gemini-3-flash';
export const FREE = 'openrouter/anthropic/claude-sonnet-4.5:free';
export const DEVSTRAL = 'mistral/devstral-medium';
export const DEEPSEEK = 'deepseek/deepseek-chat-v3.1';
export const KIMI = 'moonshot/kimi-k2-turbo';
export const GROK = 'xai/grok-code-fast-1';
export const QWEN = 'lmstudio/qwen3-coder-30b';

type Config = Extract<CompanionEvent, { type: 'scope.configured' }>['config'];
type Failing = readonly [status: number, message: string, headers?: Readonly<Record<string, string>>];

type Asked = readonly [model: string, failing?: Failing];

const FACTS: KeptModels['catalogue'] = {
  [OPUS]: { context: 200_000, vision: true, tools: true, priceIn: 15, priceOut: 75 },
  [SONNET]: { context: 200_000, vision: true, tools: true, priceIn: 3, priceOut: 15 },
  [GPT]: { context: 400_000, vision: true, tools: true, priceIn: 1.25, priceOut: 10 },
  [PRO]: { context: 1_000_000, vision: true, tools: true, priceIn: 2, priceOut: 12 },
  [FLASH]: { context: 1_000_000, vision: true, tools: true, priceIn: 0.3, priceOut: 2.5 },
  [KIMI]: { context: 256_000, vision: false, tools: true, priceIn: 1.15, priceOut: 8 },
};

const OFFERED: KeptModels['catalogue'] = {
  'xai/grok-code-fast-1': { vendor: 'xai', context: 256_000, priceIn: 0.2, priceOut: 1.5 },
  'zai/glm-4.6': { vendor: 'zai', context: 200_000, priceIn: 0.6, priceOut: 2.2 },
  'openrouter/anthropic/claude-sonnet-4.5:free': { vendor: 'anthropic', context: 200_000 },
};

const plan = (chain: readonly string[], policy: Config['agents'][string]['policy'] = SWIFT as never) => ({
  chain: [...chain],
  policy,
});

/** A core after a busy afternoon: every state, fallbacks, a question, events and editable files. */
export async function openSeededCore(ports: Partial<CorePorts> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'understudy-panel-'));
  const [shop, checkout] = [join(root, 'storefront-api'), join(root, 'checkout')];
  const file = await writeChains(shop);
  const env = { ...process.env, XDG_CONFIG_HOME: join(root, 'config') };
  const home = join(root, 'state');
  const catalogue = { ...FACTS, ...OFFERED };
  await keepModels(home, shop, { models: Object.keys(catalogue), catalogue, leads: {}, defaultModel: null });
  const records: LogRecord[] = [];
  const core = createCore(
    {
      clock: nodeClock(),
      log: { append: (record) => records.push(record), readAll: async () => ({ records }) },
      store: null,
      random: () => 0.5,
      setup: createSetup({ env, home, source: join(root, 'companion.js'), tell: () => undefined }),
      ...ports,
    },
    { version: '0.1.0', runtime: 'panel' },
  );
  const files = watchConfig(core, env);
  const story = tellerOf(core);
  core.connected({ instance: 'i1', epoch: 'e1', pid: 4711, opencode: '1.18.33', plugin: '0.1.0' });
  story.arm(checkout, { '*': plan([SONNET, GPT, KIMI, GROK]) });
  story.arm(shop, SHOP_AGENTS);
  tellAfternoon(story, { shop, checkout });
  return {
    core,
    shop,
    file,
    arm: (agent: string, chain: readonly string[]) => story.arm(shop, { ...SHOP_AGENTS, [agent]: plan(chain) }),
    turn: (place: 'shop' | 'checkout', agent: string, asked: readonly Asked[]) =>
      story.turn(0, agent, `ses_${place}`, place === 'shop' ? shop : checkout, asked),
    async close() {
      core.dispose();
      await files.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function writeChains(directory: string): Promise<string> {
  const file = join(directory, '.opencode', 'model-fallback.json');
  const agents = Object.entries(SHOP_AGENTS).map(([name, { chain }]) => [name, { fallbackModels: chain }]);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ agents: Object.fromEntries(agents) }, null, 2)}\n`);
  return file;
}

type Places = Readonly<{ shop: string; checkout: string }>;

function tellAfternoon(story: ReturnType<typeof tellerOf>, { shop, checkout }: Places): void {
  const inShop = (ago: number, agent: string, ...asked: Asked[]) => story.turn(ago, agent, 'ses_shop', shop, asked);
  story.turn(57, 'build', 'ses_checkout', checkout, [[SONNET]]);
  for (const ago of [44, 41]) inShop(ago, 'review', [DEVSTRAL]);
  for (const ago of [40, 39, 38]) inShop(ago, 'oracle', [DEEPSEEK, [503, 'overloaded_error: server is busy']], [GPT]);
  for (let ago = 26; ago > 2; ago -= 2) inShop(ago, 'build', [SONNET]);
  for (const ago of [20, 9]) inShop(ago, 'explore', [PRO, [500, 'Internal error encountered.']], [FLASH]);
  for (const ago of [12, 8, 5, 3]) inShop(ago, 'docs', [FLASH]);
  inShop(7, 'review', [DEVSTRAL, [401, 'Unauthorized: the API key was rejected.']], [FREE]);
  const limited = 'Number of request tokens has exceeded your per-minute limit.';
  inShop(4, 'plan', [OPUS, [429, limited, { 'retry-after': '1080' }]], [GPT]);
  story.ask(0.1, 'sentinel', 'ses_shop', shop, [QWEN, [429, 'You exceeded your current quota.']]);
}

const SHOP_AGENTS = {
  plan: plan([OPUS, GPT, PRO, SONNET]),
  review: plan([DEVSTRAL, DEEPSEEK, FREE]),
  build: plan([SONNET, OPUS]),
  explore: plan([PRO, FLASH, GPT]),
  oracle: plan([DEEPSEEK, GPT]),
  sentinel: plan([QWEN, GPT], PRESETS.council as never),
  docs: plan([FLASH]),
};

const configOf = (agents: Config['agents']): Config => ({
  enabled: true,
  health: { ...DEFAULT_HEALTH, restMs: MINUTE_MS } as Config['health'],
  maxFallbackDepth: 3,
  onExhausted: 'error',
  backupModel: null,
  agents,
  abilities: ['ask'],
  models: FACTS,
});

function tellerOf(core: ReturnType<typeof createCore>) {
  let seq = 0;
  let count = 0;
  const tell = (minutesAgo: number, event: CompanionEvent): void =>
    core.told('i1', { seq: ++seq, ageMs: minutesAgo * MINUTE_MS, sentAt: Date.now(), event });
  const attempts = (
    ago: number,
    agent: string,
    session: string,
    directory: string,
    asked: readonly Asked[],
  ): string => {
    const turn = `t${++count}`;
    const lead = asked[0]?.[0] ?? '';
    tell(ago, {
      type: 'prompt.submitted',
      turn,
      session,
      directory,
      agent,
      model: lead,
      hostLead: lead,
      isExplicit: false,
    });
    for (const [index, [model, failing]] of asked.entries()) {
      const attempt = `${turn}.${index}`;
      tell(ago, { type: 'attempt.started', attempt, turn, session, directory, agent, model, purpose: 'turn' });
      if (failing)
        tell(ago, { type: 'attempt.failed', attempt, evidence: evidenceOf(failing) as never, durationMs: 900 });
      else tell(ago, { type: 'attempt.succeeded', attempt, durationMs: 4_000, firstTokenMs: 900, outputChars: 400 });
      if (failing && index + 1 < asked.length)
        tell(ago, { type: 'switch.carried', turn, from: model, ok: true, durationMs: 12 });
    }
    return turn;
  };
  return {
    arm: (directory: string, agents: Config['agents']) =>
      tell(58, { type: 'scope.configured', directory, config: configOf(agents) }),
    turn(ago: number, agent: string, session: string, directory: string, asked: readonly Asked[]) {
      attempts(ago, agent, session, directory, asked);
      tell(ago, { type: 'session.idle', session });
    },
    /** A turn that is still open. */
    ask(ago: number, agent: string, session: string, directory: string, asked: Asked) {
      attempts(ago, agent, session, directory, [asked]);
    },
  };
}

const evidenceOf = ([status, message, headers = {}]: Failing): Evidence => ({
  phase: 'body',
  status,
  message,
  headers,
});
