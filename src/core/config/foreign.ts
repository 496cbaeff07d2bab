import { EVERY_PROVIDER, MAX_PROVIDERS } from './apart';
import { isObject } from './at-path';
import { definedModels } from './defined-models';
import { createLocator, excessOf, MAX_VALUES, openDocument, plainValue, positionsOf } from './document';
import { takeAgent, takeModels } from './foreign-agent';
import type { Reading, Tree } from './foreign-reading';
import {
  agentsIn,
  complain,
  isName,
  locate,
  modelOf,
  NAME_WORDS,
  readAt,
  setAgent,
  takeValue,
} from './foreign-reading';
import type { Position } from './problem';
import { pathKey } from './problem';
import { ConfigFile, MODEL_WORDS } from './schema';
import type { DefinedModels, ParsedConfig } from './sources';
import { hidesKeys } from './substitution';

export type ForeignKind =
  | Readonly<{ type: 'opencode' | 'theseus' | 'rate-limit-fallback' }>
  | Readonly<{ type: 'agent'; agent: string }>;

const EVERY_OTHER = '*';
/** The key of OpenCode 1, then of OpenCode 2. */
const PROVIDER_SECTIONS = ['provider', 'providers'];
const TRIAGE = ['fallback', 'triage'] as const;
export const MAX_OPENCODE_VALUES = 10_000;

/**
 * Null if unreadable: its owner reports that. Never throws. @param path for problems. @param readTree parses JSON with
 * comments by default.
 */
export function parseForeign(
  text: string,
  path: string,
  kind: ForeignKind,
  readTree: (text: string) => Tree | null = readJson,
): ParsedConfig | null {
  const excess =
    kind.type === 'agent' ? null : excessOf(text, kind.type === 'opencode' ? MAX_OPENCODE_VALUES : MAX_VALUES);
  if (excess !== null) return tooMuch(path, excess);
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
  return {
    config: config.size === 0 ? null : parsed,
    problems,
    positions,
    ...(kind.type === 'opencode' ? { ...providersIn(reading, text), ...definedIn(reading) } : {}),
  };
}

function providersIn(reading: Reading, text: string): Pick<ParsedConfig, 'providers'> {
  if (hidesKeys(text)) return { providers: [EVERY_PROVIDER] };
  const providers = PROVIDER_SECTIONS.flatMap((section) => {
    const value = readAt(reading, [section]);
    return isObject(value) ? Object.keys(value) : [];
  });
  return providers.length === 0 ? {} : { providers: providers.length > MAX_PROVIDERS ? [EVERY_PROVIDER] : providers };
}

function definedIn(reading: Reading): Pick<ParsedConfig, 'defines'> {
  const all = PROVIDER_SECTIONS.map((section) => definedModels(readAt(reading, [section])));
  const defines = Object.assign({}, ...all) as DefinedModels;
  return Object.keys(defines).length === 0 ? {} : { defines };
}

/** OpenCode may still accept the file, which may define any provider. */
function tooMuch(path: string, excess: string): ParsedConfig {
  const message = `Chains in this file do not count: ${excess}.`;
  const problem = { severity: 'warning', code: 'file.unreadable', message, path, line: null, column: null } as const;
  return { config: null, problems: [problem], positions: new Map(), providers: [EVERY_PROVIDER] };
}

function take(reading: Reading, kind: ForeignKind): void {
  switch (kind.type) {
    case 'opencode':
      for (const section of ['agent', 'agents'])
        for (const name of agentsIn(reading, [section])) takeAgent(reading, name, [section, name]);
      takeTriage(reading);
      break;
    case 'agent':
      if (!isName(kind.agent)) {
        complain(reading, [], { code: 'value.wrong', message: `Some agents are ignored because their ${NAME_WORDS}.` });
        break;
      }
      takeAgent(reading, kind.agent, []);
      break;
    case 'theseus':
      takeTriage(reading);
      if (readAt(reading, ['fallback', 'enabled']) === false) break;
      for (const name of agentsIn(reading, ['fallback', 'chains']))
        takeModels(reading, name, ['fallback', 'chains', name]);
      break;
    case 'rate-limit-fallback':
      takeOneModel(reading);
      takeTriage(reading);
      break;
  }
}

function takeTriage(reading: Reading): void {
  if (readAt(reading, ['fallback', 'enabled']) !== false)
    takeValue(reading, ['triage'], { at: TRIAGE, schema: ConfigFile.unwrap().shape.triage });
}

function takeOneModel(reading: Reading): void {
  const given = readAt(reading, ['fallbackModel']);
  const model = modelOf(given);
  if (model !== null) {
    setAgent(reading, EVERY_OTHER, { fallbackModels: [model] });
    locate(reading, ['agents', EVERY_OTHER, 'fallbackModels'], ['fallbackModel']);
  } else if (given !== undefined)
    complain(reading, ['fallbackModel'], {
      code: 'value.wrong',
      message: `fallbackModel ${MODEL_WORDS}. It is ignored.`,
    });
  const { patterns, logging, defaults } = ConfigFile.unwrap().shape;
  takeValue(reading, ['patterns'], { at: ['patterns'], schema: patterns });
  takeValue(reading, ['logging'], { at: ['logging'], schema: logging });
  const { cooldownMs } = defaults.unwrap().unwrap().shape;
  takeValue(reading, ['defaults', 'cooldownMs'], { at: ['cooldownMs'], schema: cooldownMs });
}

function readJson(text: string): Tree | null {
  const source = text.replace(/^\ufeff/, '');
  const opened = openDocument(source);
  if (!opened.ok) return null;
  let positions: ReadonlyMap<string, Position> | null = null;
  return {
    value: plainValue(opened.root),
    positionOf(path) {
      // One walk for all: a search for each would take quadratic time.
      positions ??= positionsOf(opened.root, createLocator(source));
      return positions.get(pathKey(path)) ?? null;
    },
  };
}
