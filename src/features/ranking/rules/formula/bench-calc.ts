import * as z from 'zod';
import shipped from '../../../../../resources/bench_calc.json';
import { type BenchmarkId, CONSTANTS } from '../base/benchmarks';
import { parseJson } from '../base/parse-json';
import { isRole, ROLES, type Role } from '../base/roles';
import type { Formula } from './formula';
import { benchmarkNamed, shownName } from './names';
import { parseFormula } from './parse';
import { MAX_FORMULA_CHARS } from './syntax';
import { byWeight } from './weights';

/** Thirty times the size of the seven roles that ship. */
const MAX_FILE_CHARS = 262_144;
const MAX_DESCRIPTION_CHARS = 1_000;

export type RoleDefinition = Readonly<{
  role: Role;
  description: string;
  formula: Formula;
  notes: Readonly<Partial<Record<BenchmarkId, string>>>;
}>;

type Roles = Readonly<Partial<Record<Role, RoleDefinition>>>;
type Refused = Readonly<{ ok: false; reason: string }>;

const text = (max: number) => z.string('must be text').max(max, `must have at most ${max} characters`);
const description = text(MAX_DESCRIPTION_CHARS).default('');
const RoleEntry = z.object(
  {
    description,
    // The weights beside it are prose: only the formula counts.
    benchmarks: z.record(z.string(), z.object({ description }, 'must be an object'), 'must be an object').default({}),
    scoring_algorithm: text(MAX_FORMULA_CHARS),
  },
  'must be an object',
);
type RoleEntry = z.infer<typeof RoleEntry>;
const BenchCalc = z.object(
  {
    constants: z.record(z.string(), z.number('must be a number'), 'must be an object').default({}),
    model_selection_benchmarks: z.record(z.string(), RoleEntry, 'must be an object'),
  },
  'must be an object',
);

/** A formula overrides the file's weights. Rejects a file with any error. Never throws. */
export function readBenchCalc(text: string): Readonly<{ ok: true; roles: Roles }> | Refused {
  if (text.length > MAX_FILE_CHARS) return refused(`The file is larger than ${MAX_FILE_CHARS} characters.`);
  const json = parseJson(text.replace(/^\ufeff/, ''));
  return json === undefined ? refused('The file is not JSON.') : rolesIn(json);
}

/** Writes the published shape; the same roles give the same bytes. */
export function writeBenchCalc(roles: Roles): string {
  const entries = ROLES.flatMap((role) => {
    const definition = roles[role];
    return definition === undefined ? [] : [[publishedName(role), entryOf(definition)] as const];
  });
  const file = { constants: CONSTANTS, model_selection_benchmarks: Object.fromEntries(entries) };
  return `${JSON.stringify(file, null, 2)}\n`;
}

let made: Readonly<Record<Role, RoleDefinition>> | null = null;

export function publishedRoles(): Readonly<Record<Role, RoleDefinition>> {
  made ??= shippedRoles();
  return made;
}

function shippedRoles(): Readonly<Record<Role, RoleDefinition>> {
  const read = rolesIn(shipped);
  if (!read.ok) throw new TypeError(`bench_calc.json that ships: ${read.reason}`);
  if (!isWhole(read.roles)) throw new TypeError(`bench_calc.json that ships has only ${Object.keys(read.roles)}`);
  return read.roles;
}

const isWhole = (roles: Roles): roles is Readonly<Record<Role, RoleDefinition>> =>
  ROLES.every((role) => roles[role] !== undefined);

function rolesIn(json: unknown): Readonly<{ ok: true; roles: Roles }> | Refused {
  const { data, error } = BenchCalc.safeParse(json);
  if (error) return refused(issueText(error));
  const wrongConstant = constantFault(data.constants);
  if (wrongConstant !== null) return refused(wrongConstant);
  const roles: Partial<Record<Role, RoleDefinition>> = {};
  for (const [name, entry] of Object.entries(data.model_selection_benchmarks)) {
    const role = name.toLowerCase();
    if (!isRole(role)) return refused(`"${shownName(name)}" is not a role. Roles: ${ROLES.join(', ')}.`);
    if (roles[role] !== undefined) return refused(`The file contains the role ${role} twice.`);
    const read = definitionOf(role, entry);
    if ('reason' in read) return refused(`${publishedName(role)}: ${read.reason}`);
    roles[role] = read;
  }
  return { ok: true, roles };
}

function definitionOf(role: Role, entry: RoleEntry): RoleDefinition | Refused {
  const parsed = parseFormula(entry.scoring_algorithm);
  if (!parsed.ok) return refused(`${parsed.reason} (scoring_algorithm, character ${parsed.at + 1})`);
  const named = new Set<BenchmarkId>();
  const notes: Partial<Record<BenchmarkId, string>> = {};
  for (const [name, { description: note }] of Object.entries(entry.benchmarks)) {
    const benchmark = benchmarkNamed(name);
    if (benchmark === null) return refused(`"${shownName(name)}" is not a benchmark.`);
    if (named.has(benchmark)) return refused(`The file contains the benchmark ${benchmark} twice.`);
    named.add(benchmark);
    if (note !== '' && parsed.formula.benchmarks.includes(benchmark)) notes[benchmark] = note;
  }
  return { role, description: entry.description, formula: parsed.formula, notes };
}

function entryOf({ description, formula: { text, benchmarks, weights }, notes }: RoleDefinition) {
  const entries = byWeight(benchmarks, weights ?? {}).map((benchmark) => {
    const note = notes[benchmark] ?? '';
    return [
      benchmark,
      weights === null ? { description: note } : { weight: weights[benchmark] ?? 0, description: note },
    ];
  });
  return { description, benchmarks: Object.fromEntries(entries), scoring_algorithm: text };
}

/** A file with other divisors would mean other scores. */
function constantFault(constants: Readonly<Record<string, number>>): string | null {
  for (const [name, ours] of Object.entries(CONSTANTS)) {
    const theirs = constants[name];
    if (theirs !== undefined && theirs !== ours) return `${name} is ${theirs} in the file and ${ours} here.`;
  }
  return null;
}

function issueText(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) throw new TypeError('an error of zod without an issue');
  const place = ['The file', ...issue.path.map((key) => shownName(String(key)))].join(' › ');
  return `${place} ${issue.message}.`;
}

const publishedName = (role: Role): string => role.charAt(0).toUpperCase() + role.slice(1);

const refused = (reason: string): Refused => ({ ok: false, reason });
