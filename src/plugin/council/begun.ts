import type { CouncilHost } from '../../core/council/host';
import { stateHome } from '../../node/base/state-home';
import { isRunName, type Place, placeOfRun, RUN_VARIABLE } from '../../node/council/run-folder';
import { type Playing, playRun } from './player';

/** The runs this process plays, by their names: OpenCode opens a directory more than once. */
const playing = new Map<string, Promise<Playing | null>>();

/**
 * Plays the run that this OpenCode was started for, if it is to be played in this directory; once, whoever asks.
 *
 * @param hostIn gives its participants a place, once it is known which session asked for it.
 */
export async function playAppointed(
  directory: string,
  { hostIn, warn }: Readonly<{ hostIn(place: Place): Omit<CouncilHost, 'check'>; warn(message: string): void }>,
): Promise<void> {
  const run = process.env[RUN_VARIABLE] ?? '';
  if (!isRunName(run) || playing.has(run)) return;
  const home = stateHome();
  const place = await placeOfRun(home, run);
  if (place?.directory !== directory || playing.has(run)) return;
  const begun = playRun({ home, run, host: hostIn(place), warn }).then((outcome) => {
    if (!outcome.ok) warn(outcome.reason);
    return outcome.ok ? outcome.playing : null;
  });
  playing.set(run, begun);
}
