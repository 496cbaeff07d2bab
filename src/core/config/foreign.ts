import type * as z from 'zod';
import { AGENTS_MAX } from '../../protocol';
import { createLocator, openDocument, plainValue, positionsOf } from './document';
import type { ParsedConfig } from './parse';
import type { ConfigProblem, KeyPath, Position } from './problem';
import { MAX_PROBLEMS, pathKey, pathText, safeMessage } from './problem';
import { type AgentEntry, ConfigFile, MAX_CHAIN, MODEL_WORDS, ModelName } from './schema';

/** Files of others that name chains as well: how each is to be read. Front matter is that of one agent. */
export type ForeignKind =
  | Readonly<{ type: 'opencode' | 'theseus' | 'rate-limit-fallback' }>
  | Readonly<{ type: 'agent'; agent: string }>;

/** What stands in a file, and where. */
export type Tree = Readonly<{ value: unknown; positionOf(path: KeyPath): Position | null }>;
type Reading = Readonly<{
  tree: Tree;
  path: string;
  config: Map<string, unknown>;
  agents: Map<string, AgentEntry>;
  problems: ConfigProblem[];
  positions: Map<string, Position>;
}>;

const EVERY_OTHER = '*';

/**
 * Reads the chains of a file that is not ours, as if they stood in `model-fallback.json`; null when it cannot be read: its
 * owner tells what is wrong with it. Never throws.
 *
 * @param path the file, as problems are to name it.
 * @param readTree how its text is read: as JSON with comments, unless it is front matter.
 */
export function parseForeign(
  text: string,
  path: string,
  kind: ForeignKind,
  readTree: (text: string) => Tree | null = readJson,
): ParsedConfig | null {
  const tree = readTree(text);
  if (tree === null) return null;
  const reading: Reading = {
    tree,
    path,
    config: new Map(),
    agents: new Map(),
    problems: [],
    positions: new Map(),
  };
  take(reading, kind);
  const { config, agents, problems, positions } = reading;
  if (agents.size > 0) config.set('agents', Object.fromEntries(agents));
  const parsed = ConfigFile.safeParse(Object.fromEntries(config)).data ?? null;
  return { config: config.size === 0 ? null : parsed, problems, positions };
}

function take(reading: Reading, kind: ForeignKind): void {
  switch (kind.type) {
    case 'opencode':
      for (const section of ['agent', 'agents'])
        for (const name of agentsIn(reading, [section])) takeAgent(reading, name, [section, name]);
      break;
    case 'agent':
      takeAgent(reading, kind.agent, []);
      break;
    case 'theseus':
      if (valueAt(reading, ['fallback', 'enabled']) === false) break;
      for (const name of agentsIn(reading, ['fallback', 'chains']))
        takeModels(reading, ['agents', name, 'fallbackModels'], ['fallback', 'chains', name]);
      break;
    case 'rate-limit-fallback':
      takeOneModel(reading);
      break;
  }
}

/** The shapes in which an agent's entry names a chain, the strongest first. */
function takeAgent(reading: Reading, name: string, at: KeyPath): void {
  const target = ['agents', name, 'fallbackModels'];
  const fallback = valueAt(reading, [...at, 'fallback']);
  if (valueAt(reading, [...at, 'fallback_models']) !== undefined)
    takeModels(reading, target, [...at, 'fallback_models']);
  else if (isObject(fallback)) takeFallback(reading, name, [...at, 'fallback']);
  else if (fallback !== undefined) takeModels(reading, target, [...at, 'fallback']);
  else if (Array.isArray(valueAt(reading, [...at, 'models']))) takeModels(reading, target, [...at, 'models']);
}

/** What the whole file says in ours, and one agent says in theirs. */
const FOR_ALL: Readonly<Record<string, string>> = {
  maxRetries: 'defaults.maxRetries',
  circuitBreaker: 'defaults.circuitBreaker',
  triage: 'triage',
};

function takeFallback(reading: Reading, name: string, at: KeyPath): void {
  const target = ['agents', name, 'fallbackModels'];
  if (valueAt(reading, [...at, 'enabled']) === false) {
    setAgent(reading, name, { fallbackModels: [] });
    locate(reading, target, [...at, 'enabled']);
    return;
  }
  if (valueAt(reading, [...at, 'models']) !== undefined) takeModels(reading, target, [...at, 'models']);
  takeTiers(reading, name, [...at, 'extendedChain', 'tiers']);
  for (const [key, ours] of Object.entries(FOR_ALL)) {
    if (valueAt(reading, [...at, key]) === undefined) continue;
    const message = `${pathText([...at, key])} is not read: write ${ours} in model-fallback.json.`;
    complain(reading, [...at, key], { code: 'setting.unavailable', message });
  }
}

function takeTiers(reading: Reading, name: string, at: KeyPath): void {
  const tiers = valueAt(reading, at);
  if (!Array.isArray(tiers)) return;
  const kept = tiers.slice(0, MAX_CHAIN).map((tier, index) => {
    const target = ['agents', name, 'tiers', index, 'models'];
    const models = modelsAt(reading, target, [...at, index, 'models']) ?? [];
    return isObject(tier) && typeof tier.name === 'string' ? { name: tier.name, models } : { models };
  });
  setAgent(reading, name, { tiers: kept });
  locate(reading, ['agents', name, 'tiers'], at);
}

function takeModels(reading: Reading, target: KeyPath, at: KeyPath): void {
  const models = modelsAt(reading, target, at);
  if (models === null) return;
  setAgent(reading, String(target[1]), { fallbackModels: models });
  locate(reading, target, at);
}

/** The right models of a list; null when there is no list. */
function modelsAt(reading: Reading, target: KeyPath, at: KeyPath): string[] | null {
  const list = valueAt(reading, at);
  if (!Array.isArray(list)) {
    complain(reading, at, { code: 'value.wrong', message: `${pathText(at)} must be a list of models. It is ignored.` });
    return null;
  }
  if (list.length > MAX_CHAIN)
    complain(reading, at, {
      code: 'chain.too_long',
      message: `${pathText(at)} has ${list.length} entries; the first ${MAX_CHAIN} are read.`,
    });
  const models: string[] = [];
  for (const [index, item] of list.slice(0, MAX_CHAIN).entries()) {
    const model = modelOf(item);
    if (model === null) {
      const message = `${pathText([...at, index])} ${MODEL_WORDS}. It is ignored.`;
      complain(reading, [...at, index], { code: 'value.wrong', message });
      continue;
    }
    locate(reading, [...target, models.length], [...at, index]);
    models.push(model);
  }
  return models;
}

function takeOneModel(reading: Reading): void {
  const given = valueAt(reading, ['fallbackModel']);
  const model = modelOf(given);
  if (model !== null) {
    setAgent(reading, EVERY_OTHER, { fallbackModels: [model] });
    locate(reading, ['agents', EVERY_OTHER, 'fallbackModels'], ['fallbackModel']);
  } else if (given !== undefined)
    complain(reading, ['fallbackModel'], {
      code: 'value.wrong',
      message: `fallbackModel ${MODEL_WORDS}. It is ignored.`,
    });
  takeValue(reading, ['patterns'], ConfigFile.shape.patterns);
  takeValue(reading, ['logging'], ConfigFile.shape.logging);
  const cooldownMs = valueAt(reading, ['cooldownMs']);
  if (cooldownMs === undefined) return;
  const defaults = ConfigFile.shape.defaults.safeParse({ cooldownMs });
  if (!defaults.success) {
    wrong(reading, ['cooldownMs'], defaults.error);
    return;
  }
  reading.config.set('defaults', { cooldownMs });
  locate(reading, ['defaults', 'cooldownMs'], ['cooldownMs']);
}

function takeValue(reading: Reading, at: readonly [string], schema: z.ZodType): void {
  const value = valueAt(reading, at);
  if (value === undefined) return;
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    wrong(reading, at, parsed.error);
    return;
  }
  reading.config.set(at[0], parsed.data);
  locate(reading, at, at);
}

function wrong(reading: Reading, at: KeyPath, error: z.ZodError): void {
  const message = `${pathText(at)} ${error.issues[0]?.message ?? 'is wrong'}. It is ignored.`;
  complain(reading, at, { code: 'value.wrong', message });
}

/**
 * A model as text, or in two parts as some plugins write it. The variant that OpenCode 2 writes behind it, `a/b#high`, is
 * no part of its name.
 */
function modelOf(value: unknown): string | null {
  const text = isObject(value) ? `${value.providerID}/${value.modelID ?? value.id}` : value;
  return ModelName.safeParse(typeof text === 'string' ? text.replace(/#[^/#]*$/, '') : text).data ?? null;
}

function setAgent({ agents }: Reading, name: string, entry: AgentEntry): void {
  agents.set(name, { ...agents.get(name), ...entry });
}

function locate({ tree, positions }: Reading, target: KeyPath, at: KeyPath): void {
  const position = tree.positionOf(at);
  if (position !== null) positions.set(pathKey(target), position);
}

function complain(
  { tree, path, problems }: Reading,
  at: KeyPath,
  { code, message }: Pick<ConfigProblem, 'code' | 'message'>,
): void {
  if (problems.length >= MAX_PROBLEMS) return;
  const position = tree.positionOf(at) ?? { line: null, column: null };
  problems.push({ severity: 'warning', code, message: safeMessage(message), path, ...position });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt({ tree }: Reading, path: KeyPath): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, tree.value);
}

/** The agents of a section: as many as count anywhere. */
function agentsIn(reading: Reading, at: KeyPath): readonly string[] {
  const value = valueAt(reading, at);
  const names = isObject(value) ? Object.keys(value) : [];
  if (names.length > AGENTS_MAX)
    complain(reading, at, {
      code: 'agents.too_many',
      message: `${pathText(at)} has ${names.length} agents; the first ${AGENTS_MAX} are read.`,
    });
  return names.slice(0, AGENTS_MAX);
}

function readJson(text: string): Tree | null {
  const source = text.replace(/^\ufeff/, '');
  try {
    const opened = openDocument(source);
    if (!opened.ok) return null;
    let positions: ReadonlyMap<string, Position> | null = null;
    return {
      value: plainValue(opened.root),
      positionOf(path) {
        // One walk for all: a search for each would take a file's length squared.
        positions ??= positionsOf(opened.root, createLocator(source));
        return positions.get(pathKey(path)) ?? null;
      },
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
