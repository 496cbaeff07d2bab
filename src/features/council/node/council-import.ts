import { basename, resolve } from 'node:path';
import type { ConfigProblem } from '../../../core/config';
import type { Outcome } from '../../../node/base/failure';
import { keptModels, latestModels } from '../../../node/base/kept-models';
import { readText } from '../../../node/base/read-text';
import type { Environment } from '../../../node/base/state-home';
import { configPaths, configTarget } from '../../../node/config/config-files';
import { planWrite, type WritePlan } from '../../../node/config/config-write';
import { type CouncilEdited, importCouncil } from '../core/council-edit';
import { speakerAs, unlistedOf } from '../core/settings';

export type CouncilImport = Readonly<{
  file: string;
  directory: string;
  env: Environment;
  home: string;
  isForced: boolean;
  create: boolean;
  actor: string;
}>;

export type ImportPlan = Readonly<{
  plan: WritePlan;
  left: readonly string[];
  notes: readonly string[];
  doubts: readonly string[];
}>;

/** Imports into the user's configuration, never a project's. Only reads. */
export async function planCouncilImport(wanted: CouncilImport): Promise<Outcome<ImportPlan>> {
  const { directory, env, home, isForced, create, actor } = wanted;
  const file = resolve(directory, wanted.file);
  // YAML loads slowly.
  const { MAX_AI_MODELS_BYTES, readAiModels } = await import('../core/ai-models');
  const text = await readText(file, MAX_AI_MODELS_BYTES);
  if (text.kind === 'missing') return { ok: false, reason: `There is no file ${file}.` };
  if (text.kind === 'unreadable') return { ok: false, reason: `${file}: ${text.reason}. Nothing was changed.` };
  const stored = (await keptModels(home, directory)) ?? (await latestModels(home));
  const hostModels = { catalogue: stored?.catalogue ?? {}, models: stored?.models ?? null };
  const read = readAiModels(text.text, file, hostModels);
  if (!read.ok) return { ok: false, reason: [...read.problems.map(placed), 'Nothing was changed.'].join('\n') };
  const path = await configTarget(configPaths(null, env).global);
  let made: CouncilEdited | null = null;
  const planned = await planWrite({
    path,
    edit(before) {
      made = importCouncil(before, read.council, isForced);
      return made.edited;
    },
    ...(create ? { create: '{}\n' } : {}),
    actor,
    deed: `import the council of ${basename(file)}`,
  });
  if (!planned.ok) return planned;
  const speakers = Object.entries(read.council.speakers ?? {});
  return {
    ok: true,
    plan: planned.plan,
    left: (made as CouncilEdited | null)?.left ?? [],
    notes: read.notes,
    doubts: speakers.flatMap(([name, speaker]) =>
      unlistedOf(speakerAs(name, speaker, hostModels.catalogue), hostModels),
    ),
  };
}

function placed({ path, line, column, message }: ConfigProblem): string {
  const place = [path, line, column].filter((part) => part !== null).join(':');
  return `${place}: ${message}`;
}
