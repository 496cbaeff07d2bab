import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { journalPath } from '../../src/features/council/node/journal';
import { createRun, emptyFolder, type Place } from '../../src/features/council/node/run-folder';
import type { CouncilEvent, RunSetup } from '../../src/features/council/rules/state/events';
import { dutiful, fenced, openWorld, type Prompt, type Reply, settingsOf, setupFor, speaker } from './council-world';

export const [FIRST_RUN, SECOND_RUN] = ['r20261126-113002-a1b2', 'r20261127-090000-c3d4'] as const;

export async function runsHome(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'us-runs-'));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  return root;
}

/** A finding that hosts in the test world locate where it claims. */
export const FOUND = {
  ...{ severity: 'critical', title: 'Eval', file: 'cart.js', line: 1, quote: 'export', evidence: 'Shown.' },
} as const;

/** All participants succeed, and the Sentinel reports a finding. */
export const whole = (prompt: Prompt): Reply => ({
  says:
    prompt.member === 'sentinel' && prompt.text.includes('Deep Analysis')
      ? fenced({ tool: 'PostFindings', findings: [FOUND] }, { tool: 'CompleteStage', summary: 'Done.' })
      : dutiful(prompt),
});
/** Casting succeeds, then all models hang. */
export const hanging = (prompt: Prompt): Reply =>
  prompt.member === 'oracle' ? { says: dutiful(prompt) } : { hangs: true };
/** Casting succeeds, then all models fail. */
export const offline = (prompt: Prompt): Reply =>
  prompt.member === 'oracle' ? { says: dutiful(prompt) } : { fails: { kind: 'auth', message: 'No key.' } };

const settings = settingsOf([speaker('claude', 'anthropic'), speaker('gpt', 'openai')], { maxCost: 2 });

export type WrittenRun = Readonly<{
  run: string;
  world: ReturnType<typeof openWorld>;
  write(): Promise<void>;
}>;

export type WrittenOptions = Readonly<{
  reply?: (prompt: Prompt, nth: number) => Reply;
  setup?: Partial<RunSetup>;
  place?: Partial<Place>;
  /** Unix ms of its first line; now by default. */
  at?: number;
}>;

export async function beginWritten(
  home: string,
  run: string,
  { reply = whole, setup = {}, place = {}, at = Date.now() }: WrittenOptions = {},
): Promise<WrittenRun> {
  const made = await createRun(home, {
    ...{ v: 1, run, directory: emptyFolder(home, run), repo: null, source: '/shop', isOwn: true },
    ...{ askedIn: null, createdAt: at, ...place },
  });
  if (!made.ok) throw new Error(made.reason);
  const input = { problem: null, repo: 'shop', isDeep: false };
  const world = openWorld(setupFor(settings, { run, input, ...setup }), reply);
  const first = world.log[0]?.at ?? 0;
  let written = 0;
  const write = async (): Promise<void> => {
    const fresh: readonly { event: CouncilEvent; at: number }[] = world.log.slice(written);
    written = world.log.length;
    const lines = fresh.map((line) => `${JSON.stringify({ v: 1, event: line.event, at: at + line.at - first })}\n`);
    await appendFile(journalPath(home, run), lines.join(''));
  };
  await write();
  return { run, world, write };
}

export async function playedRun(home: string, run: string, options: WrittenOptions = {}): Promise<WrittenRun> {
  const written = await beginWritten(home, run, options);
  written.world.play();
  await written.write();
  return written;
}
