import { isObject } from '../../../core/config/at-path';
import { complain, modelOf, type Reading, readAt, variantless } from '../../../core/config/foreign-reading';
import type { ConfigProblem, KeyPath } from '../../../core/config/problem';
import { pathText, safeMessage } from '../../../core/config/problem';
import { ConfigFile, MODEL_WORDS, SpeakerName } from '../../../core/config/schema';
import { readYaml } from '../../../core/config/yaml-text';
import { boundaryProblem } from '../rules/base/settings';
import { type CouncilSection, type KnownModels, speakerAs } from './settings';

export type ImportedCouncil = Pick<CouncilSection, 'speakers' | 'latency' | 'observability'>;

export type AiModelsRead =
  | Readonly<{ ok: true; council: ImportedCouncil; notes: readonly string[] }>
  | Readonly<{ ok: false; problems: readonly ConfigProblem[] }>;

type Known = Pick<KnownModels, 'catalogue' | 'models'>;
type Taking = Pick<Reading, 'tree' | 'path' | 'problems'> & Readonly<{ notes: string[]; known: Known }>;

const ROOT = 'ai_models';
/** A real file has a few hundred bytes, and YAML is slow to parse. */
export const MAX_AI_MODELS_BYTES = 65_536;
const SPEAKERS_MAX = 100;
const NOTES_MAX = 20;
const MAX_SHOWN = 60;
const HINTS_MAX = 3;

const KEYS = {
  enabled: ['enabled'],
  model: ['model', 'primary', 'primary_model'],
  fallback: ['fallback', 'fallback_model'],
  provider: ['provider'],
  vendor: ['vendor'],
} as const satisfies Record<string, readonly string[]>;

type Entry = Readonly<{
  name: string;
  at: KeyPath;
  isOff: boolean;
  model: string;
  provider: string | null;
  vendor: string | null;
}>;
type Entries = ReadonlyMap<string, Entry>;

/**
 * One invalid entry rejects the file, so that no unintended council is created. Never throws.
 * @param path name of the file in problems.
 */
export function readAiModels(text: string, path: string, hostModels: Known): AiModelsRead {
  // Python programs read these files.
  const read = readYaml(text.replace(/^\ufeff/, ''), '1.1');
  if (!read.ok) return { ok: false, problems: [unreadable(path, read)] };
  const taking: Taking = { tree: read.tree, path, problems: [], notes: [], known: hostModels };
  const speakers = takeSpeakers(taking);
  const latency = takeSetting(taking, 'latency', 'blacksmith_timeout_ms');
  const observability = takeSetting(taking, 'observability', 'enable_metrics');
  noteOthers(taking);
  const { problems, notes } = taking;
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, council: { speakers, ...latency, ...observability }, notes: notes.slice(0, NOTES_MAX) };
}

const unreadable = (
  path: string,
  { reason, at }: Extract<ReturnType<typeof readYaml>, { ok: false }>,
): ConfigProblem => ({
  severity: 'error',
  code: 'file.malformed',
  message: safeMessage(`The file cannot be read: ${reason}.`),
  path,
  line: at?.line ?? null,
  column: at?.column ?? null,
});

const wrong = (taking: Taking, at: KeyPath, message: string): void =>
  complain(taking, at, { code: 'value.wrong', message });

const note = ({ notes }: Taking, text: string): void => void notes.push(safeMessage(text));

function takeSpeakers(taking: Taking): NonNullable<ImportedCouncil['speakers']> {
  const all = readAt(taking, [ROOT]);
  const names = isObject(all) ? Object.keys(all) : [];
  if (names.length === 0) {
    wrong(taking, all === undefined ? [] : [ROOT], NOBODY);
    return {};
  }
  if (names.length > SPEAKERS_MAX) {
    wrong(taking, [ROOT], `${ROOT} has ${names.length} entries; at most ${SPEAKERS_MAX} are allowed.`);
    return {};
  }
  const entries: Entries = new Map(names.flatMap((name) => takeEntry(taking, name)));
  const standIns = new Set<string>();
  const speakers = [...entries.values()].map((entry) => [entry.name, speakerOf(taking, entry, { entries, standIns })]);
  const isOnlyStandIn = (name: string): boolean => entries.get(name)?.isOff === true && standIns.has(name);
  return Object.fromEntries(speakers.filter(([name]) => !isOnlyStandIn(name as string)));
}

const NOBODY =
  'The file names no speaker: ai_models must have an entry for each speaker, such as "claude" with "model: anthropic/claude-sonnet-4".';

function takeEntry(taking: Taking, name: string): readonly (readonly [string, Entry])[] {
  const at = [ROOT, name];
  const named = SpeakerName.safeParse(name);
  if (!named.success) {
    wrong(taking, at, `${ROOT}: ${shown(name)} ${named.error.issues[0]?.message}.`);
    return [];
  }
  const value = readAt(taking, at);
  if (!isObject(value)) {
    wrong(taking, at, `${pathText(at)} must be an object with a model.`);
    return [];
  }
  const provider = wordAt(taking, at, 'provider');
  const vendor = wordAt(taking, at, 'vendor');
  const isOff = takeEnabled(taking, at);
  const place = placeOf(taking, at, 'model');
  if (place === null) wrong(taking, at, `${pathText(at)} has no model. Add "model: provider/model".`);
  const model = place && modelAt(taking, place, { provider, vendor });
  for (const key of Object.keys(value))
    if (!Object.values(KEYS).some((spellings: readonly string[]) => spellings.includes(key)))
      note(taking, `${pathText([...at, key])} is ignored.`);
  return model === null ? [] : [[name, { name, at, isOff, model, provider, vendor }]];
}

function placeOf(taking: Taking, at: KeyPath, key: keyof typeof KEYS): KeyPath | null {
  const spelled = KEYS[key].find((name) => readAt(taking, [...at, name]) !== undefined);
  return spelled === undefined ? null : [...at, spelled];
}

function takeEnabled(taking: Taking, at: KeyPath): boolean {
  const enabled = readAt(taking, [...at, 'enabled']) ?? true;
  if (typeof enabled !== 'boolean')
    wrong(taking, [...at, 'enabled'], `${pathText([...at, 'enabled'])} must be true or false.`);
  return enabled === false;
}

function wordAt(taking: Taking, at: KeyPath, key: 'provider' | 'vendor'): string | null {
  const place = [...at, key];
  const value = readAt(taking, place) ?? null;
  if (value === null) return null;
  if (typeof value === 'string' && /^[^/\s\p{C}]{1,100}$/u.test(value)) return value;
  wrong(taking, place, `${pathText(place)} must be a name without spaces and slashes, such as "anthropic".`);
  return null;
}

type Owner = Pick<Entry, 'provider' | 'vendor'>;

function modelAt(taking: Taking, at: KeyPath, owner: Owner): string | null {
  const value = variantless(readAt(taking, at));
  const whole = typeof value === 'string' ? withProvider(value.trim(), owner) : value;
  const model = modelOf(whole);
  if (model !== null) return model;
  const isNameAlone = typeof whole === 'string' && !whole.includes('/');
  wrong(taking, at, `${pathText(at)} ${isNameAlone ? providerless(whole, taking.known) : MODEL_WORDS}.`);
  return null;
}

/** IDs of a router already have a slash. */
function withProvider(model: string, { provider, vendor }: Owner): string {
  if (provider !== null) return model.startsWith(`${provider}/`) ? model : `${provider}/${model}`;
  return vendor === null || model === '' || model.includes('/') ? model : `${vendor.toLowerCase()}/${model}`;
}

function providerless(model: string, { models }: Known): string {
  const meant = (models ?? []).filter((each) => each.slice(each.lastIndexOf('/') + 1) === model).slice(0, HINTS_MAX);
  const examples = (meant.length === 0 ? [`anthropic/${model || 'claude-sonnet-4'}`] : meant).map((each) =>
    shown(each),
  );
  return `names no provider, ${shown(model)}: use "provider/model", such as ${examples.join(' or ')}, or add "provider:"`;
}

function speakerOf(
  taking: Taking,
  entry: Entry,
  { entries, standIns }: Readonly<{ entries: Entries; standIns: Set<string> }>,
) {
  const { model, vendor, isOff, name } = entry;
  const at = placeOf(taking, entry.at, 'fallback');
  const written = at === null ? undefined : readAt(taking, at);
  const other = typeof written === 'string' ? entries.get(written) : undefined;
  if (other) standIns.add(other.name);
  const fallback = at === null ? undefined : (other?.model ?? fallbackAt(taking, at, entry));
  const speaker = {
    ...(isOff ? { enabled: false } : {}),
    model,
    ...(fallback === undefined ? {} : { fallback }),
    ...(vendor === null ? {} : { vendor }),
  };
  const { catalogue } = taking.known;
  const whole = speakerAs(name, speaker, catalogue);
  const problem =
    (other?.vendor ? boundaryProblem({ ...whole, fallbackVendor: other.vendor.toLowerCase() }, catalogue) : null) ??
    boundaryProblem(whole, catalogue);
  if (problem !== null) wrong(taking, at ?? entry.at, `${name}: ${problem}`);
  return speaker;
}

/** `no` also means null. */
function fallbackAt(taking: Taking, at: KeyPath, entry: Entry): string | null {
  const written = readAt(taking, at);
  return written === null || written === false || written === '' ? null : modelAt(taking, at, entry);
}

function takeSetting<Section extends 'latency' | 'observability'>(taking: Taking, section: Section, key: string) {
  const value = readAt(taking, [section, key]);
  if (value === undefined || value === null) return {};
  const parsed = ConfigFile.safeParse({ council: { [section]: { [key]: value } } });
  if (!parsed.success) {
    wrong(taking, [section, key], `${pathText([section, key])} ${parsed.error.issues[0]?.message}.`);
    return {};
  }
  return { [section]: parsed.data.council?.[section] } as Pick<ImportedCouncil, Section>;
}

const READ: Readonly<Record<string, readonly string[]>> = {
  latency: ['blacksmith_timeout_ms'],
  observability: ['enable_metrics'],
};
const SERVER: KeyPath = ['blacksmith', 'mcp_url'];

function noteOthers(taking: Taking): void {
  const all = readAt(taking, []);
  const others = Object.keys(isObject(all) ? all : {}).filter((key) => key !== ROOT);
  for (const key of others) {
    const inner = readAt(taking, [key]);
    const allowedKeys = READ[key];
    if (allowedKeys === undefined || !isObject(inner)) note(taking, `${pathText([key])} is ignored.`);
    else
      for (const each of Object.keys(inner))
        if (!allowedKeys.includes(each)) note(taking, `${pathText([key, each])} is ignored.`);
  }
  if (typeof readAt(taking, SERVER) === 'string')
    note(taking, 'To use that server, add it as council.knowledge, with the name of its tool.');
}

function shown(value: string): string {
  const json = JSON.stringify(value);
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN - 1)}…` : json;
}
