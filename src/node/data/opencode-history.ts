import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod';
import { NANOS } from '../../engine/scorecard';
import { copyFile, rm, temporaryFolder } from '../base/disk';
import { failureCode, failureText, type Outcome } from '../base/failure';
import { placeOf } from '../base/log-paths';
import { CONTINUED_FINISHES } from '../base/opencode-finish';
import { type Environment, ensureStateHome, machineIn } from '../base/state-home';
import { NO_SQLITE, openDatabase, type Row } from '../store/driver';
import type { ImportedAnswer } from '../store/imported';
import { type OpenStore, openStore, storePath } from '../store/open-store';

/** OpenCode may change its file during a copy. */
const COPIES_MAX = 5;

export function opencodeDatabase(env: Environment): string {
  const machine = machineIn(env);
  const usual = placeOf(null, { usual: ['opencode.db'], directory: '' }, machine);
  return placeOf(env.OPENCODE_DB || null, { usual: ['opencode.db'], directory: dirname(usual) }, machine);
}

/** Imports no texts. OpenCode may run; Understudy's core must not. */
export const importOpencode = (home: string, file: string): Promise<Imported> =>
  importInto((answers) => addToHistory(home, answers), file);

export type Imported = Outcome<{ found: number; added: number }>;

export async function importInto(keep: TakeIn, file: string): Promise<Imported> {
  const folder = await temporaryFolder();
  try {
    const copy = join(folder, 'opencode.db');
    if (!(await copied(file, copy))) return { ok: false, reason: `${file} changes too often. Try again.` };
    const answers = await answersIn(copy);
    if (!answers) return { ok: false, reason: NO_SQLITE };
    const stored = await keep(answers);
    return stored.ok ? { ok: true, found: answers.length, added: stored.added } : stored;
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return { ok: false, reason: `OpenCode has no database at ${file}.` };
    return { ok: false, reason: `${file} cannot be read: ${failureText(error)}` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type TakeIn = (answers: readonly ImportedAnswer[]) => Promise<Outcome<{ added: number }>>;

async function addToHistory(home: string, answers: readonly ImportedAnswer[]): ReturnType<TakeIn> {
  const prepared = await ensureStateHome(home);
  if (!prepared.ok) return prepared;
  const { store, notice } = await openStore({ path: storePath(home) });
  if (!store) return { ok: false, reason: notice ?? NO_SQLITE };
  try {
    return await addTo(store, answers);
  } finally {
    await store.close();
  }
}

export async function addTo(store: OpenStore, answers: readonly ImportedAnswer[]): ReturnType<TakeIn> {
  try {
    return { ok: true, added: await store.takeIn(answers) };
  } catch (error) {
    return { ok: false, reason: `The history cannot be written: ${failureText(error)}` };
  }
}

/** SQLite's own copy would checkpoint the file. @returns false if it never stopped changing. */
async function copied(from: string, to: string): Promise<boolean> {
  for (let copy = 0; copy < COPIES_MAX; copy++) {
    const before = await stamp(from);
    await copyFile(from, to);
    await rm(`${to}-wal`, { force: true });
    await copyFile(`${from}-wal`, `${to}-wal`).catch(unlessMissing);
    if ((await stamp(from)) === before) return true;
  }
  return false;
}

/** After OpenCode ends there is no write-ahead log. */
function unlessMissing(error: unknown): void {
  if (failureCode(error) !== 'ENOENT') throw error;
}

async function stamp(path: string): Promise<string> {
  const { size, mtimeNs } = await stat(path, { bigint: true });
  return `${size} ${mtimeNs}`;
}

const ANSWERS = `SELECT
    json_extract(data, '$.time.created') AS startedAt, json_extract(data, '$.time.completed') AS at,
    json_extract(data, '$.providerID') AS provider, json_extract(data, '$.modelID') AS model,
    coalesce(json_extract(data, '$.agent'), json_extract(data, '$.mode')) AS agent,
    json_extract(data, '$.finish') AS finish, json_extract(data, '$.cost') AS cost,
    json_extract(data, '$.tokens.input') AS input, json_extract(data, '$.tokens.output') AS output,
    json_extract(data, '$.tokens.reasoning') AS reasoning,
    json_extract(data, '$.tokens.cache.read') AS cacheRead, json_extract(data, '$.tokens.cache.write') AS cacheWrite
  FROM message WHERE CASE WHEN json_valid(data) THEN json_extract(data, '$.role') END = 'assistant'`;

const Count = z
  .number()
  .catch(0)
  .transform((count) => Math.max(0, Math.round(count)));
const Answer = z.object({
  startedAt: z.number().positive(),
  at: z.number().positive(),
  provider: z.string().min(1),
  model: z.string().min(1),
  agent: z.string().catch(''),
  finish: z.string().nullable().catch(null),
  cost: z.number().catch(0),
  input: Count,
  output: Count,
  reasoning: Count,
  cacheRead: Count,
  cacheWrite: Count,
});

/** Some ms. */
const MESSAGES_A_STEP = 200;

/** Null without SQLite. @throws SQLite's error. */
async function answersIn(path: string): Promise<ImportedAnswer[] | null> {
  const database = openDatabase(path);
  if (!database) return null;
  const answers: ImportedAnswer[] = [];
  let read = 0;
  try {
    for (const row of database.each(ANSWERS)) {
      answers.push(...answerOf(row));
      if (++read % MESSAGES_A_STEP === 0) await turn();
    }
    return answers;
  } finally {
    database.close();
  }
}

function answerOf(row: Row): ImportedAnswer[] {
  const parsed = Answer.safeParse({ ...row });
  if (!parsed.success) return [];
  const { startedAt, at, provider, model, agent, finish, cost, ...tokens } = parsed.data;
  if (Object.values(tokens).every((count) => count === 0)) return [];
  return [
    {
      at: Math.round(at),
      durationMs: Math.max(0, Math.round(at - startedAt)),
      model: `${provider}/${model}`,
      agent,
      isAnswer: !CONTINUED_FINISHES.has(finish ?? ''),
      tokens,
      // OpenCode reports 0 for a model without a price.
      costNanos: cost > 0 ? Math.round(cost * NANOS) : null,
    },
  ];
}
