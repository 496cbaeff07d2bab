import type { Answer, CouncilHost } from '../../core/council/host';
import { type CouncilRun, resumeRun, stateOf } from '../../core/council/runner';
import type { CouncilStep } from '../../council/run/step';
import type { PersonWord } from '../../council/state/schema';
import type { CouncilState } from '../../council/state/state';
import { nodeClock } from '../../node/base/clock';
import type { Outcome } from '../../node/base/failure';
import { failureText } from '../../node/base/failure';
import { openMetrics } from '../../node/council/metrics';
import { quotesOf } from '../../node/council/quotes';
import { hearWords, openJournal, type Place, placeOfRun, readJournal, takeRun } from '../../node/council/run-folder';

/** A run that this process plays. */
export type Playing = Readonly<{
  place: Place;
  tell(word: PersonWord): void;
  state(): CouncilState;
  over: Promise<void>;
  /** Lets go of it: it can be taken up again. */
  leave(): Promise<void>;
}>;

/** What only people say: each of these has come out of the run's inbox. */
const PERSONS: ReadonlySet<string> = new Set<PersonWord['type']>([
  'question.answered',
  'speaker.retried',
  'run.stopped',
]);

/** What a run is played with. */
export type PlayerParts = Readonly<{
  home: string;
  run: string;
  /** Where its participants live. */
  host: Omit<CouncilHost, 'check'>;
  onStep?(step: CouncilStep): void;
  warn(message: string): void;
}>;

/**
 * The host for a repository that lies where the run itself does not know: participants are told, and name its files as if it lay nowhere.
 */
function inRepository(host: PlayerParts['host'], repo: string | null): PlayerParts['host'] {
  if (repo === null) return host;
  const told = `The repository is the folder ${repo}: give your tools paths in it. In findings name files from there, as in src/main.ts.`;
  const stripped = (answer: Answer): Answer =>
    answer.ok ? { ...answer, text: answer.text.replaceAll(`${repo}/`, '') } : answer;
  return {
    ...host,
    async prompt(command, tell) {
      return stripped(await host.prompt({ ...command, system: `${command.system}\n\n${told}` }, tell));
    },
    async recover(command) {
      const found = await host.recover(command);
      return found && stripped(found);
    },
  };
}

/** Plays a run from where its journal ends; one that has only begun is played from its beginning. Never rejects. */
export async function playRun(parts: PlayerParts): Promise<Outcome<{ playing: Playing }>> {
  const { home, run, host, warn, onStep } = parts;
  try {
    const place = await placeOfRun(home, run);
    if (place === null) return { ok: false, reason: `There is no run ${run}.` };
    const taken = await takeRun(home, run);
    if (!taken.ok) return taken;
    const lines = await readJournal(home, run);
    const { phase } = stateOf(lines);
    if (phase !== 'playing' && phase !== 'waiting') {
      await taken.release();
      return { ok: false, reason: phase === 'idle' ? `Run ${run} never began.` : `Run ${run} is over.` };
    }
    const journal = await openJournal(home, run);
    const metrics = place.hasMetrics ? openMetrics(home, () => undefined) : null;
    const { schedule } = nodeClock();
    const played: CouncilRun = resumeRun(
      {
        host: { ...inRepository(host, place.repo), check: quotesOf(place.repo) },
        journal,
        now: () => Date.now(),
        schedule,
        onStep(step, event) {
          onStep?.(step);
          metrics?.note(step, event);
        },
        onFault: (error) => warn(`Council ${run} stands still: its journal cannot be written (${failureText(error)}).`),
      },
      lines,
    );
    const heard = lines.filter(({ event }) => PERSONS.has(event.type)).length;
    const deaf = hearWords(home, run, heard, played.tell);
    const release = async (): Promise<void> => {
      deaf();
      await metrics?.flush();
      await journal.close();
      await taken.release();
    };
    const over = played.over.then(release);
    return {
      ok: true,
      playing: {
        place,
        tell: played.tell,
        state: played.state,
        over,
        async leave() {
          await played.leave();
          await over;
        },
      },
    };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}
