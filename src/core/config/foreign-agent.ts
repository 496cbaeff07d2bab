import { isObject } from './at-path';
import type { Reading } from './foreign-reading';
import { complain, locate, modelOf, readAt, setAgent, takeAs, variantIn, variantless } from './foreign-reading';
import { isGlob, matchesGlob } from './glob';
import type { KeyPath } from './problem';
import { pathText } from './problem';
import { AgentEntry, MAX_CHAIN, MODEL_WORDS } from './schema';

type Named = Readonly<{ model: string; at: KeyPath; variant: string | null }>;
type Tier = Readonly<{ name?: string; models: readonly Named[] }>;
type Chain = Readonly<{ models: readonly Named[] | null; tiers: readonly Tier[] | null }>;

export function takeAgent(reading: Reading, name: string, at: KeyPath): void {
  const fallback = readAt(reading, [...at, 'fallback']);
  if (isObject(fallback) && fallback.enabled === false) {
    setAgent(reading, name, { fallbackModels: [] });
    locate(reading, ['agents', name, 'fallbackModels'], [...at, 'fallback', 'enabled']);
    return;
  }
  takeChain(reading, name, at);
  takeLead(reading, name, [...at, 'currentModel']);
  if (isObject(fallback)) takeNumbers(reading, name, [...at, 'fallback']);
}

export function takeModels(reading: Reading, name: string, at: KeyPath): void {
  putChain(reading, name, { at, tiersAt: at, chain: { models: modelsAt(reading, at, AS_WRITTEN), tiers: null } });
}

function takeChain(reading: Reading, name: string, at: KeyPath): void {
  const list = listOf(reading, at);
  const models = list && modelsAt(reading, list, list.at(-2) === 'model' ? OF_ANY_PROVIDER : AS_WRITTEN);
  const tiersAt = [...at, 'fallback', 'extendedChain', 'tiers'];
  const isOff = readAt(reading, [...at, 'fallback', 'extendedChain', 'enabled']) === false;
  const tiers = isOff ? null : tiersIn(reading, tiersAt, models ?? []);
  putChain(reading, name, { at: list ?? at, tiersAt, chain: inOrder({ models, tiers }) });
}

/** The strongest shape first; the last but one is the proposal of OpenCode issue 7602. */
function listOf(reading: Reading, at: KeyPath): KeyPath | null {
  const hasList = (path: KeyPath): boolean => Array.isArray(readAt(reading, path));
  const isThere = (path: KeyPath): boolean => readAt(reading, path) !== undefined;
  const own = [...at, 'fallback_models'];
  const fallback = [...at, 'fallback'];
  const inFallback = [...fallback, 'models'];
  if (isThere(own)) return own;
  if (isThere(inFallback)) return inFallback;
  if (isThere(fallback) && !isObject(readAt(reading, fallback))) return fallback;
  // These two may have another meaning, such as a provider's own option.
  return (
    [
      [...at, 'model', 'fallback'],
      [...at, 'models'],
    ].find(hasList) ?? null
  );
}

type Way = Readonly<{ standsFor(item: unknown): readonly string[]; words: string; take(count: number): number }>;

const AS_WRITTEN: Way = {
  standsFor: (item) => [modelOf(item)].filter((model) => model !== null),
  words: MODEL_WORDS,
  take: (count) => Math.min(count, MAX_CHAIN),
};
/** In the shape of issue 7602 a bare name means every OpenCode model with that name. */
const OF_ANY_PROVIDER: Way = {
  standsFor: (item) => {
    const written = variantless(item);
    const isName = typeof written === 'string' && !written.includes('/') && !isGlob(written);
    return AS_WRITTEN.standsFor(isName ? `*/${written}` : item);
  },
  words: `${MODEL_WORDS}, or a model’s name alone`,
  take: AS_WRITTEN.take,
};
const amongKnown = (reading: TierReading): Way => ({
  standsFor: (item) => standsFor(item, reading),
  words: `${MODEL_WORDS}, or the name of one of its models`,
  take: (count) => {
    const taken = Math.min(count, reading.entriesLeft);
    reading.entriesLeft -= taken;
    return taken;
  },
});

function modelsAt(reading: Reading, at: KeyPath, { standsFor, words, take }: Way): readonly Named[] | null {
  const list = readAt(reading, at);
  if (!Array.isArray(list)) {
    complain(reading, at, { code: 'value.wrong', message: `${pathText(at)} must be a list of models. It is ignored.` });
    return null;
  }
  const most = take(list.length);
  if (list.length > most)
    complain(reading, at, {
      code: 'chain.too_long',
      message: `${pathText(at)} has ${list.length} entries; the first ${most} are read.`,
    });
  return list.slice(0, most).flatMap((item, index) => {
    const place = [...at, index];
    const models = standsFor(item);
    if (models.length > 0) return models.map((model) => ({ model, at: place, variant: variantIn(item) }));
    complain(reading, place, { code: 'value.wrong', message: `${pathText(place)} ${words}. It is ignored.` });
    return [];
  });
}

/** Real files have fewer patterns, and each is tried on every model. */
const MAX_PATTERNS = 10;

type TierReading = {
  readonly models: readonly string[];
  readonly named: ReadonlyMap<string, readonly string[]>;
  entriesLeft: number;
  patternsLeft: number;
};

function knownOf(list: readonly Named[]): TierReading {
  const models = list.map(({ model }) => model);
  const named = new Map<string, string[]>();
  for (const model of models) named.set(nameIn(model), [...(named.get(nameIn(model)) ?? []), model]);
  return { models, named, entriesLeft: MAX_CHAIN, patternsLeft: MAX_PATTERNS };
}

const nameIn = (model: string): string => model.slice(model.lastIndexOf('/') + 1);

/** A name without provider stands for all models of that name. */
function standsFor(item: unknown, reading: TierReading): readonly string[] {
  const full = modelOf(item);
  const written = variantless(item);
  if (typeof written !== 'string') return full === null ? [] : [full];
  const fitting = isGlob(written) ? fittingIn(reading, written, full !== null) : (reading.named.get(written) ?? []);
  return full === null ? fitting : [...new Set([...fitting, full])];
}

function fittingIn(reading: TierReading, pattern: string, hasProvider: boolean): readonly string[] {
  if (reading.patternsLeft === 0) return [];
  reading.patternsLeft--;
  return reading.models.filter((model) => matchesGlob(pattern, hasProvider ? model : nameIn(model)));
}

function tiersIn(reading: Reading, at: KeyPath, list: readonly Named[]): readonly Tier[] | null {
  const tiers = readAt(reading, at);
  if (!Array.isArray(tiers)) return null;
  const way = amongKnown(knownOf(list));
  return tiers.slice(0, MAX_CHAIN).map((tier, index) => {
    const models = modelsAt(reading, [...at, index, 'models'], way) ?? [];
    return isObject(tier) && typeof tier.name === 'string' ? { name: tier.name, models } : { models };
  });
}

/** If tiers name the list's models in order, the list keeps only the rest; otherwise tiers add missing models. */
function inOrder({ models, tiers }: Chain): Chain {
  if (models === null || tiers === null) return { models, tiers };
  const listed = new Set(models.map(({ model }) => model));
  const tiered = new Set(tiers.flatMap((tier) => tier.models.map(({ model }) => model)));
  const left = models.filter(({ model }) => !tiered.has(model));
  const both = [...left.map(({ model }) => model), ...[...tiered].filter((model) => listed.has(model))];
  const isSame = [...listed].every((model, index) => model === both[index]);
  const seen = new Set(isSame ? [] : listed);
  const isNew = ({ model }: Named): boolean => !seen.has(model) && seen.add(model) !== null;
  const once = tiers.map((tier) => ({ ...tier, models: tier.models.filter(isNew) }));
  return { models: isSame ? left : models, tiers: once };
}

type Places = Readonly<{ at: KeyPath; tiersAt: KeyPath; chain: Chain }>;

function putChain(reading: Reading, name: string, { at, tiersAt, chain }: Places): void {
  const { models, tiers } = chain;
  const put = (target: KeyPath, list: readonly Named[]): string[] => {
    for (const [index, { at: place }] of list.entries()) locate(reading, [...target, index], place);
    return list.map(({ model, variant }) => (variant === null ? model : `${model}#${variant}`));
  };
  const entry = ['agents', name];
  if (models !== null && (models.length > 0 || tiers === null)) {
    setAgent(reading, name, { fallbackModels: put([...entry, 'fallbackModels'], models) });
    locate(reading, [...entry, 'fallbackModels'], at);
  }
  if (tiers === null) return;
  const limitedTiers = tiers.map((tier, index) => ({
    ...tier,
    models: put([...entry, 'tiers', index, 'models'], tier.models),
  }));
  setAgent(reading, name, { tiers: limitedTiers });
  locate(reading, [...entry, 'tiers'], tiersAt);
}

function takeLead(reading: Reading, name: string, at: KeyPath): void {
  const value = readAt(reading, at);
  if (value === undefined) return;
  const currentModel = modelOf(value);
  if (currentModel === null) {
    complain(reading, at, { code: 'value.wrong', message: `${pathText(at)} ${MODEL_WORDS}. It is ignored.` });
    return;
  }
  setAgent(reading, name, { currentModel });
  locate(reading, ['agents', name, 'currentModel'], at);
}

function takeNumbers(reading: Reading, name: string, at: KeyPath): void {
  for (const key of ['maxRetries', 'circuitBreaker'] as const) {
    const value = takeAs<AgentEntry[typeof key]>(reading, [...at, key], AgentEntry.unwrap().shape[key]);
    if (value === undefined) continue;
    setAgent(reading, name, { [key]: value });
    const inner = typeof value === 'object' ? Object.keys(value).map((part) => [part]) : [];
    for (const path of [[], ...inner]) locate(reading, ['agents', name, key, ...path], [...at, key, ...path]);
  }
  if (readAt(reading, [...at, 'triage']) === undefined) return;
  const message = `${pathText([...at, 'triage'])} is not read: write triage in model-fallback.json, or fallback.triage at the top of this file.`;
  complain(reading, [...at, 'triage'], { code: 'setting.unavailable', message });
}
