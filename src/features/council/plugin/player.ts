import { setImmediate as turn } from 'node:timers/promises';
import { nodeClock } from '../../../node/base/clock';
import type { Outcome } from '../../../node/base/failure';
import { failureText } from '../../../node/base/failure';
import type { Environment } from '../../../node/base/state-home';
import type { Talk } from '../../../protocol';
import type { Answer, CouncilHost } from '../core/host';
import { type CouncilRun, resumeRun } from '../core/runner';
import { talkOf } from '../core/talk';
import { LOST, openJournal, playedState, readJournal } from '../node/journal';
import { type Knowledge, openKnowledge } from '../node/knowledge/knowledge';
import { knowledgeSource } from '../node/knowledge/source';
import { openMetrics } from '../node/metrics';
import { quotesOf } from '../node/quotes';
import {
  hearWords,
  knowledgeFolder,
  noteGeneration,
  type Place,
  placeOfRun,
  STARTER_VARIABLE,
  type Taken,
  takeRun,
} from '../node/run-folder';
import type { CouncilStep } from '../rules/run/step';
import type { PersonWord } from '../rules/state/schema';
import type { CouncilState } from '../rules/state/state';
import { informed } from './informed';

export type Playing = Readonly<{
  place: Place;
  tell(word: PersonWord): void;
  state(): CouncilState;
  over: Promise<void>;
  /** Null for an unknown or unreadable session. Never rejects. */
  talk(session: string): Promise<readonly Talk[] | null>;
  leave(): Promise<void>;
}>;

const PERSONS: ReadonlySet<string> = new Set<PersonWord['type']>([
  'question.answered',
  'speaker.retried',
  'run.stopped',
]);

export type PlayerParts = Readonly<{
  home: string;
  run: string;
  env: Environment;
  generation: number;
  host: Omit<CouncilHost, 'check'>;
  onStep?(step: CouncilStep): void;
  warn(message: string): void;
}>;

/** Participants learn the private location of the repository; the run stores relative paths. */
function inRepository(host: PlayerParts['host'], repo: string | null): PlayerParts['host'] {
  if (repo === null) return host;
  const instructions = `The repository is the folder ${repo}: give your tools paths in it. In findings name files from there, as in src/main.ts.`;
  const stripped = (answer: Answer): Answer =>
    answer.ok ? { ...answer, text: answer.text.replaceAll(`${repo}/`, '') } : answer;
  return {
    ...host,
    async prompt(command, tell) {
      return stripped(await host.prompt({ ...command, system: `${command.system}\n\n${instructions}` }, tell));
    },
    async recover(command) {
      const found = await host.recover(command);
      return found && stripped(found);
    },
  };
}

const checked = (host: PlayerParts['host'], check: () => Promise<void>): PlayerParts['host'] => ({
  ...host,
  async open(command) {
    await check();
    return host.open(command);
  },
  async prompt(command, tell) {
    await check();
    return host.prompt(command, tell);
  },
});

/** Continues at the end of the journal. Never rejects. */
export async function takeAndPlayRun(parts: PlayerParts): Promise<Outcome<{ playing: Playing }>> {
  const { home, run } = parts;
  try {
    const place = await placeOfRun(home, run);
    if (place === null) return { ok: false, reason: `There is no run ${run}.` };
    const { generation = parts.generation } = place;
    if (generation !== parts.generation)
      return { ok: false, reason: `Run ${run} has its participants in OpenCode ${generation}. Resume it there.` };
    const taken = await takeRun(home, run, Number(process.env[STARTER_VARIABLE] ?? Number.NaN));
    if (!taken.ok) return taken;
    try {
      return { ok: true, playing: await taking(parts, place, taken) };
    } catch (error) {
      await taken.release();
      throw error;
    }
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

async function knowledgeOf({ home, run, env, warn }: PlayerParts, onMissed: () => void): Promise<Knowledge | null> {
  const source = await knowledgeSource(env);
  if (source === null) return null;
  let isTold = false;
  return openKnowledge({
    source,
    place: { cwd: knowledgeFolder(home, run), env },
    onMissed(reason) {
      if (isTold) return;
      isTold = true;
      warn(`Council ${run}: council.knowledge provided nothing: ${reason}.`);
      onMissed();
    },
  });
}

const faultText = (run: string, error: unknown): string => {
  const reason = failureText(error);
  return `Council ${run} was interrupted: ${reason}.${reason === LOST ? '' : ' You can resume it.'}`;
};

/** @throws Error without a run, or if its journal cannot be written. */
async function taking(parts: PlayerParts, place: Place, taken: Taken): Promise<Playing> {
  const { home, run, host, warn, onStep, generation } = parts;
  const lines = await readJournal(home, run);
  const state = await playedState(lines);
  const { phase } = state;
  if (phase !== 'playing' && phase !== 'waiting')
    throw new Error(phase === 'idle' ? `Run ${run} never began.` : `Run ${run} is over.`);
  await noteGeneration(home, place, generation);
  const journal = await openJournal(home, run, taken.number);
  let tellMissed = (): void => undefined;
  const knowledge = await knowledgeOf(parts, () => tellMissed());
  const seated = knowledge === null ? null : informed(host, knowledge);
  const metrics = place.hasMetrics ? openMetrics(home, () => undefined) : null;
  const { schedule } = nodeClock();
  const played: CouncilRun = resumeRun(
    {
      host: { ...checked(inRepository(seated?.host ?? host, place.repo), journal.check), check: quotesOf(place.repo) },
      journal,
      now: () => Date.now(),
      schedule,
      turn,
      onStep(step, event) {
        onStep?.(step);
        metrics?.note(step, event);
      },
      onFault: (error) => warn(faultText(run, error)),
    },
    lines,
    state,
  );
  tellMissed = played.missKnowledge;
  const personEvents = lines.filter(({ event }) => PERSONS.has(event.type)).length;
  const deaf = hearWords(home, run, personEvents, played.tell);
  const over = played.over.then(async () => {
    deaf();
    await Promise.all([metrics?.flush(), knowledge?.close()]);
    await journal.close();
    await taken.release();
  });
  return {
    place,
    tell: played.tell,
    state: played.state,
    over,
    async talk(session) {
      const isOwn = played.state().members.some((member) => member.session === session);
      const uttered = isOwn ? await host.uttered?.(session) : null;
      return uttered ? talkOf(uttered, place.repo) : null;
    },
    async leave() {
      const left = played.leave();
      seated?.leave();
      await left;
      await over;
    },
  };
}
