import { isRunName, RUN_VARIABLE } from '../../../node/base/council-runs';
import type { Outcome } from '../../../node/base/failure';
import { isAlive } from '../../../node/base/is-alive';
import { stateHome } from '../../../node/base/state-home';
import type { CouncilHost } from '../core/host';
import { type Place, placeOfRun, STARTER_VARIABLE } from '../node/run-folder';
import { leaveFetches } from './fetching';
import { type PlayerParts, type Playing, takeAndPlayRun } from './player';
import { talksIn } from './talking';

const appointed = new Set<string>();
/** OpenCode may open a directory more than once. */
const playing = new Map<string, Promise<Playing | null>>();

/** Plays the run for which this OpenCode was started; only once. */
export async function playAppointed(
  directory: string,
  {
    hostIn,
    ...parts
  }: Pick<PlayerParts, 'generation' | 'warn'> & Readonly<{ hostIn(place: Place): Omit<CouncilHost, 'check'> }>,
): Promise<void> {
  const run = process.env[RUN_VARIABLE] ?? '';
  if (!isRunName(run) || appointed.has(run)) return;
  const home = stateHome();
  const place = await placeOfRun(home, run);
  if (place?.directory !== directory || appointed.has(run)) return;
  appointed.add(run);
  endWithStarter(directory);
  const outcome = await playHere(place, { ...parts, host: hostIn(place) });
  if (!outcome.ok) parts.warn(outcome.reason);
}

const STARTER_EVERY_MS = 2_000;

/** Ends with the process that started it, since no other would end it. */
function endWithStarter(directory: string): void {
  const starter = Number(process.env[STARTER_VARIABLE]);
  if (!Number.isSafeInteger(starter) || starter <= 0) return;
  const timer = setInterval(() => {
    if (isAlive(starter)) return;
    clearInterval(timer);
    void leavePlayed(directory).finally(() => process.exit(0));
  }, STARTER_EVERY_MS);
  timer.unref();
}

export async function playHere(
  { run }: Place,
  parts: Omit<PlayerParts, 'home' | 'run' | 'env'>,
): Promise<Outcome<{ playing: Playing }>> {
  if (playing.has(run)) return { ok: false, reason: `Run ${run} is already running.` };
  const begun = takeAndPlayRun({ ...parts, home: stateHome(), run, env: process.env });
  playing.set(
    run,
    begun.then((outcome) => (outcome.ok ? outcome.playing : null)),
  );
  const outcome = await begun;
  if (outcome.ok) {
    const { over, talk } = outcome.playing;
    const deafen = talksIn(run, talk);
    void over.then(() => {
      deafen();
      playing.delete(run);
    });
  } else playing.delete(run);
  return outcome;
}

/** The next process continues the runs. Never rejects. */
export async function leavePlayed(directory: string): Promise<void> {
  await leaveFetches(directory);
  for (const [run, begun] of playing) {
    const played = await begun;
    if (played?.place.directory !== directory) continue;
    playing.delete(run);
    appointed.delete(run);
    await played.leave();
  }
}
