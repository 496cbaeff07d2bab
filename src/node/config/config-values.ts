import type { QueryInput, QueryOutput } from '../../contract/contract';
import type { UserPhrase } from '../../core/base/kind-reader';
import {
  type ConfigSources,
  type EffectiveValue,
  type FieldProblem,
  mergedConfig,
  objectionsTo,
  pathText,
  policyTables,
} from '../../core/config';
import type { ValueChange } from '../../core/config/index';
import { addItems, type Edited, setValues } from '../../core/edits';
import { objectionToPhrase } from '../../core/history/inbox';
import { formatStep } from '../../engine/tools';
import type { Environment } from '../base/state-home';
import { readConfigured } from './chains';
import { boundsOf, configPaths, configTarget } from './config-files';
import { loadConfig, openConfig } from './config-reader';
import { planWrite, type WritePlan } from './config-write';

type Table = QueryOutput<'config.get'>;
type Edit = QueryInput<'config.preview'>;
type Refusal = Extract<QueryOutput<'config.preview'>, { ok: false }>;

const NUMBERS = 'defaults.';
const LIMITS =
  /^(?:headroom\.(?:act|moveAt|spread|trustEstimates|drain(?:\.\w+)?)|budget\.(?:day|week|session|action))$/;
/** A receipt is a line for people. */
const DEED_MAX_CHARS = 200;

export async function configTable(directory: string | null, env: Environment): Promise<Table> {
  const [reader, { chains, values, isUnread, problems }, target] = await Promise.all([
    openConfig(configPaths(directory, env)),
    readConfigured(directory, env),
    targetOf(directory, env),
  ]);
  const merged = mergedConfig(reader.loaded().sources);
  const ownPolicy = (agent: string): Table['agents'][number]['own'] => {
    const value = values.find(({ key }) => key === pathText(['agents', agent, 'policy']));
    return value === undefined ? null : { policy: String(value.value), path: value.path, line: value.line };
  };
  return {
    target: target.path,
    values: values.flatMap((value) =>
      value.key.startsWith(NUMBERS) ? [{ ...plain(value), key: value.key.slice(NUMBERS.length) }] : [],
    ),
    limits: values.filter(({ key }) => LIMITS.test(key)).map(plain),
    policies: policyTables(merged).map(({ name, parent, rows }) => ({
      name,
      parent,
      rows: rows.map(({ kind, steps, from }) => ({ kind, steps: [...steps], words: steps.map(formatStep), from })),
    })),
    agents: chains.map(({ agent, policy }) => ({ agent, policy, own: ownPolicy(agent) })),
    isUnread,
    problems: problems.map(({ code: _, ...problem }) => problem),
  };
}

const plain = ({ key, value, path, line }: EffectiveValue): Table['values'][number] => ({
  key,
  path,
  line,
  value: value as Table['values'][number]['value'],
});

async function targetOf(
  directory: string | null,
  env: Environment,
): Promise<Readonly<{ path: string; within?: string }>> {
  const paths = configPaths(directory, env);
  const path = await configTarget(paths.project.length > 0 ? paths.project : paths.global);
  return { path, ...boundsOf(paths, path) };
}

/** A refusal names the conflicting fields. */
export async function planConfig(
  { directory, changes }: Edit,
  env: Environment,
  actor: string,
): Promise<Readonly<{ ok: true; plan: WritePlan }> | Refusal> {
  const { sources } = await loadConfig(configPaths(directory, env));
  const fields = objectionsIn(changes, sources, directory === null);
  const [first] = fields;
  if (first !== undefined)
    return {
      ok: false,
      reason: first.message,
      fields: fields.map(({ path, message }) => ({ path: [...path], message })),
    };
  const planned = await planWrite({
    ...(await targetOf(directory, env)),
    edit: (text) => edited(text, changes),
    create: '{}\n',
    actor,
    deed: deedOf(changes),
  });
  return planned.ok ? planned : { ...planned, fields: [] };
}

function sorted(
  changes: Edit['changes'],
): Readonly<{ values: readonly ValueChange[]; phrases: readonly UserPhrase[] }> {
  const values = changes.flatMap((change) =>
    change.type === 'teach' ? [] : [{ path: change.path, value: change.type === 'set' ? change.value : undefined }],
  );
  const phrases = changes.flatMap((change) =>
    change.type === 'teach'
      ? [
          {
            phrase: change.phrase,
            kind: change.kind,
            ...(change.provider === null ? {} : { provider: change.provider }),
          },
        ]
      : [],
  );
  return { values, phrases };
}

function objectionsIn(changes: Edit['changes'], sources: ConfigSources, isOwn: boolean): readonly FieldProblem[] {
  const { values, phrases } = sorted(changes);
  const wrong = phrases.flatMap(({ phrase }) => objectionToPhrase(phrase) ?? []);
  return [
    ...objectionsTo(values, mergedConfig(sources), isOwn),
    ...wrong.map((message) => ({ path: ['patterns'], message })),
  ];
}

function edited(text: string, changes: Edit['changes']): Edited {
  const { values, phrases } = sorted(changes);
  const set = setValues(text, values);
  return set.ok ? addItems(set.text, ['patterns'], phrases) : set;
}

function deedOf(changes: Edit['changes']): string {
  const deeds = changes.map((change) =>
    change.type === 'teach' ? `teach "${change.phrase}" as ${change.kind}` : `${change.type} ${pathText(change.path)}`,
  );
  return deeds.join(', ').slice(0, DEED_MAX_CHARS);
}
