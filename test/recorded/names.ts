import * as z from 'zod';
import { carried, queries } from '../../src/contract/contract';
import { registerFeatures } from '../../src/contract/feature-queries';
import { Preferences } from '../../src/contract/preferences';
import { ScorecardDocument } from '../../src/contract/scorecard';
import { SnapshotChange } from '../../src/contract/snapshot-change';
import { LogRecord } from '../../src/core/base/record';
import { LedgerLine } from '../../src/core/budget/spent';
import { configJsonSchema, inlineJsonSchema } from '../../src/core/config/json-schema';
import { Place, Player } from '../../src/features/council/node/run-folder';
import { CouncilReport } from '../../src/features/council/rules/report/schema';
import { JournalLine, PersonWord } from '../../src/features/council/rules/state/schema';
import { KeptChange } from '../../src/features/ranking/rules/kept/change';
import { ChainProposal } from '../../src/features/ranking/rules/proposal/document';
import { Run } from '../../src/features/ranking/rules/run/run';
import { Announcement } from '../../src/node/announced-panel';
import { StoredModels } from '../../src/node/base/kept-models';
import { FailedWrite, Receipt } from '../../src/node/config/config-journal';
import { StoredConfig } from '../../src/node/config/last-config';
import { StoredTrust } from '../../src/node/config/trust';
import { StoredAccounts } from '../../src/node/data/account-books';
import { StoredHealth } from '../../src/node/data/health-file';
import { StoredErrors } from '../../src/node/data/internal-errors-file';
import { StoredSpent } from '../../src/node/data/others-spent';
import { StoredVerdicts } from '../../src/node/setup/host-abilities';
import { openDatabase } from '../../src/node/store/driver';
import { migrate } from '../../src/node/store/schema';
import { StoredTabs } from '../../src/panel/stored-tabs';
import { AppMessage, PeerMessage } from '../../src/protocol';

type JsonSchema = Readonly<{
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema | boolean;
  prefixItems?: readonly JsonSchema[];
  $ref?: string;
  $defs?: Readonly<Record<string, JsonSchema>>;
}>;

/** Everything that is stored, sent or printed with a schema, by the file or message that holds it. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  ...{ 'events.jsonl': LogRecord, 'health.json': StoredHealth, 'accounts.json': StoredAccounts },
  ...{ 'models.json': StoredModels, 'last-config.json': StoredConfig, 'trusted-projects.json': StoredTrust },
  'internal-errors.json': StoredErrors,
  ...{ 'self-test.json': StoredVerdicts, 'fleet-spent.json': StoredSpent, 'spent-*.jsonl': LedgerLine },
  ...{
    'preferences.json': Preferences,
    'panel.json': Announcement,
    'panel-tabs.json': StoredTabs,
    'config-writes': z.union([Receipt, FailedWrite]),
  },
  ...{ 'council/*/journal.jsonl': JournalLine, 'council/*/inbox.jsonl': PersonWord },
  ...{ 'council/*/place.json': Place, 'council/*/player.json': Player, 'council report': CouncilReport },
  ...{ 'history.db ranking': KeptChange, 'history.db ranking run': Run, 'chain proposal': ChainProposal },
  ...{ scorecard: ScorecardDocument, 'to the app': PeerMessage, 'from the app': AppMessage },
};
/** Names by which variants of one value are told apart. */
const TAGS = ['type', 'role', 'part', 'code', 'kind', 'state', 'ok', 'accepted', 'v'];

/** Every name and every fixed value in stored files, messages and public schemas. */
export function storedNames(): ReadonlySet<string> {
  registerFeatures();
  const lines = new Set<string>();
  const walked = new Map<z.ZodType, string>();
  const add = (name: string, schema: JsonSchema): void => walk(name, schema, { root: schema, lines, refs: [] });
  const addZod = (name: string, schema: z.ZodType): void => {
    const first = walked.get(schema);
    if (first !== undefined) return void lines.add(`${name} as ${first}`);
    walked.set(schema, name);
    add(name, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
  };
  for (const [name, schema] of Object.entries(SCHEMAS)) addZod(name, schema);
  for (const [name, { input, output }] of Object.entries(queries)) {
    addZod(`${name} <`, input);
    addZod(`${name} >`, output);
  }
  for (const [name, schema] of Object.entries(carried)) if (schema !== SnapshotChange) addZod(`push ${name}`, schema);
  add('model-fallback.json', configJsonSchema() as JsonSchema);
  add('opencode.json', inlineJsonSchema() as JsonSchema);
  for (const column of storedColumns()) lines.add(column);
  return lines;
}

const OR = ' | ';

/** Names as text, one path a line, with all fixed values of a path in one line. */
export function namesText(names: Iterable<string>): string {
  const values = new Map<string, string[]>();
  for (const name of [...names].sort()) {
    const [path = '', value] = name.split(' = ');
    values.set(path, [...(values.get(path) ?? []), ...(value === undefined ? [] : [value])]);
  }
  const lines = [...values].map(([path, all]) => (all.length === 0 ? path : `${path} = ${all.join(OR)}`));
  return `${lines.join('\n')}\n`;
}

/** The names in such a text. */
export const namesIn = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => {
        const [path = '', values] = line.split(' = ');
        return values === undefined ? [path] : values.split(OR).map((value) => `${path} = ${value}`);
      }),
  );

const NAME = /^[$@a-z][\w$-]*$/i;

/** The names and types in a value, where there is no schema of it. */
export function namesOfValue(path: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => namesOfValue(`${path}[]`, item));
  if (typeof value !== 'object' || value === null) return [`${path} ${value === null ? 'null' : typeof value}`];
  return Object.entries(value).flatMap(([name, item]) => namesOfValue(`${path}.${NAME.test(name) ? name : '*'}`, item));
}

/** The tables and columns of the history. */
function storedColumns(): string[] {
  const database = openDatabase(':memory:');
  if (database === null) throw new Error('This Node.js has no SQLite.');
  migrate(database);
  const tables = database.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  const columns = tables.flatMap(({ name: table }) =>
    database.all(`PRAGMA table_info(${String(table)})`).map(({ name, type }) => `history.db ${table}.${name} ${type}`),
  );
  database.close();
  return columns;
}

type Walk = Readonly<{ root: JsonSchema; lines: Set<string>; refs: readonly string[] }>;

function walk(path: string, schema: JsonSchema, about: Walk): void {
  const { root, lines, refs } = about;
  const { $ref: ref, properties, additionalProperties, items, prefixItems } = schema;
  if (ref !== undefined) {
    const name = ref.replace('#/$defs/', '');
    const target = ref === '#' ? root : root.$defs?.[name];
    if (target === undefined || refs.includes(ref)) lines.add(`${path} again`);
    else walk(path, target, { ...about, refs: [...refs, ref] });
    return;
  }
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  for (const variant of variants) walk(path + tagOf(variant), variant, about);
  const values = 'const' in schema ? [schema.const] : schema.enum;
  for (const value of values ?? []) lines.add(`${path} = ${JSON.stringify(value)}`);
  for (const [name, property] of Object.entries(properties ?? {}))
    walk(`${path}.${name}${schema.required?.includes(name) ? '' : '?'}`, property, about);
  if (typeof additionalProperties === 'object') walk(`${path}.*`, additionalProperties, about);
  if (typeof items === 'object') walk(`${path}[]`, items, about);
  for (const [at, item] of (prefixItems ?? []).entries()) walk(`${path}[${at}]`, item, about);
  const isLeaf = variants.length === 0 && !values && !properties && !items && !prefixItems;
  if (isLeaf && typeof additionalProperties !== 'object') lines.add(`${path} ${schema.type ?? 'anything'}`);
}

/** The value that tells a variant from its neighbours. */
function tagOf({ properties = {} }: JsonSchema): string {
  const tag = TAGS.find((name) => properties[name] && 'const' in properties[name]);
  return tag === undefined ? '' : `(${tag}=${String(properties[tag]?.const)})`;
}
