import { type Command, InvalidArgumentError } from 'commander';
import { answer } from '../../contract/contract';
import { readDuration } from '../../contract/duration';
import { findOpencode, probeModel } from '../../node/opencode';
import { presentSnapshot } from '../../panel/present-snapshot';
import { command } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, show } from '../parts';

type ProbeFlags = JsonOption & Readonly<{ limit: number }>;

/** Enough for a slow model and the start of OpenCode. */
const LIMIT_MS = 90_000;

export function addProbe(models: Command, parts: CliParts, finish: Finish): void {
  command(models, 'probe', 'send a minimal request to a model with your login; a model that answers is used again')
    .argument('<model>', 'as "provider/model"')
    .option('--limit <duration>', 'how long to wait, such as 90s', limit, LIMIT_MS)
    .addHelpText('after', '\nNeeds OpenCode. Costs a few tokens.\n\nExample:\n  understudy model probe openai/gpt-5')
    .action(async (model: string, options: ProbeFlags) => finish(await probe(parts, model, options)));
}

function limit(text: string): number {
  const limitMs = readDuration(text);
  if (limitMs === null) throw new InvalidArgumentError('Expected a time such as 90s or 2m.');
  return limitMs;
}

async function probe(parts: CliParts, model: string, options: ProbeFlags): Promise<number> {
  const search = await findOpencode(parts.env);
  if (!search.ok) return refuse(parts, options, `${search.reason}.`, EXIT.failed);
  const { directory, env } = parts;
  const probed = await probeModel(search.binary, { model, directory, env, limitMs: options.limit });
  if (!probed.ok) return refuse(parts, options, `${model} does not answer: ${probed.reason}.`, EXIT.failed);
  const isBack = await bringBack(parts, model);
  show(parts, options, { ...probed, isBack }, ({ tookMs, cost }) => {
    const result = `${model} answered in ${(tookMs / 1_000).toFixed(1)} s, for $${cost.toFixed(4)}.`;
    return isBack ? `${result} It is used again.` : result;
  });
  return EXIT.done;
}

/** @returns true if the model was unavailable in the running app and was reset. */
async function bringBack(parts: CliParts, model: string): Promise<boolean> {
  const core = await parts.attachCore();
  if (core === null) return false;
  try {
    const snapshot = await presentSnapshot(core.host);
    const state = snapshot?.models.find((row) => row.model === model)?.state ?? 'ready';
    if (snapshot === null || state === 'ready' || state === 'unseen') return false;
    const reply = await answer(core.host.handlers, 'health.reset', { target: { model }, rev: snapshot.rev });
    return reply.ok && (reply.value as { accepted: boolean }).accepted;
  } finally {
    await core.close();
  }
}
