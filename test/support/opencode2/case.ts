import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ScriptedProvider } from '../../../src/demo/scripted-provider';
import type { ModelRef } from '../../../src/plugin/opencode2/session/types';
import { openPlace, type Place, type PlaceOptions } from './host';
import type { Plugin } from './loader';
import type { Offered } from './world';

/** Short enough to see a model recover. */
const QUICK = {
  cooldownMs: 400,
  retryOriginalAfterMs: 400,
  quotaCooldownMs: 400,
  restMs: 400,
  firstTokenTimeoutMs: 20_000,
  stallTimeoutMs: 20_000,
} as const;

export type CaseOptions = Partial<Omit<PlaceOptions, 'directory' | 'models' | 'plugins'>> &
  Readonly<{
    /** Models in the chain, the lead included; each has its own provider. */
    models?: number;
    /** Replaces the short defaults. */
    defaults?: Readonly<Record<string, unknown>>;
    /** Additions to model-fallback.json; a function gets the chain. */
    config?: Readonly<Record<string, unknown>> | ((chain: readonly string[]) => Readonly<Record<string, unknown>>);
    /** Chain position of an agent's configured model. */
    agentModels?: Readonly<Record<string, number>>;
    steps?: number;
    offered?: (at: number) => Partial<Offered>;
  }>;

export type Case = Place &
  Readonly<{
    chain: readonly string[];
    ids: readonly string[];
    refs: readonly ModelRef[];
    directory: string;
    /** Requests per model, in chain order. */
    asked(): readonly number[];
    /** The same project in another OpenCode after this one was killed. */
    again(plugin: Plugin): Promise<Place>;
  }>;

export async function openCase(
  provider: ScriptedProvider,
  plugin: Plugin & Readonly<{ userConfig?: string }>,
  options: CaseOptions = {},
): Promise<Case> {
  // Random: a counter would restart in a reloaded module and repeat model names in an existing engine.
  const number = randomBytes(4).toString('hex');
  const refs = Array.from({ length: options.models ?? 2 }, (_, at) => {
    const role = at === 0 ? 'lead' : `understudy${at}`;
    return { providerID: `${role}-${number}`, id: `${role}-model-${number}` };
  });
  const chain = refs.map(({ providerID, id }) => `${providerID}/${id}`);
  const directory = await mkdtemp(join(tmpdir(), 'us2-'));
  await mkdir(join(directory, '.opencode'));
  const more = typeof options.config === 'function' ? options.config(chain) : options.config;
  const defaults = { ...QUICK, ...options.defaults };
  const config = { defaults, agents: { '*': { fallbackModels: chain.slice(1) } }, ...more };
  await writeFile(join(directory, '.opencode', 'model-fallback.json'), JSON.stringify(config));
  // A busy machine may read a project too late; until then the user's configuration applies.
  if (plugin.userConfig !== undefined && !existsSync(plugin.userConfig)) {
    await mkdir(dirname(plugin.userConfig), { recursive: true });
    await writeFile(plugin.userConfig, JSON.stringify(config));
  }
  const models = refs.map((ref, at) => ({ ref, baseURL: `${provider.url}/v1`, ...options.offered?.(at) }));
  const { agentModels, steps } = options;
  const own = Object.entries(agentModels ?? {}).map(([agent, at]) => [agent, refs[at] ? { model: refs[at] } : {}]);
  const build = steps === undefined ? {} : { steps };
  const agents = agentModels || steps ? { agents: { build, ...Object.fromEntries(own) } } : {};
  const places: Place[] = [];
  const openWith = async (loaded: Plugin, more: Partial<PlaceOptions> = {}): Promise<Place> => {
    const opened = await openPlace({ ...options, ...agents, ...more, directory, models, plugins: [loaded] });
    places.push(opened);
    return opened;
  };
  const place = await openWith(plugin);
  onTestFinished(async () => {
    for (const opened of places) await opened.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  const ids = refs.map(({ id }) => id);
  const asked = () => ids.map((id) => provider.requests(id).length);
  const again = (loaded: Plugin) => openWith(loaded, { left: place });
  return { ...place, chain, ids, refs, directory, asked, again };
}
