import { failureText, type Outcome } from '../../../node/base/failure';
import { type Played, type PlayedOut, playRunInChild } from './play-run';
import { removeCopy } from './run-folder';

export type PlayingHere = Readonly<{
  /** Never rejects. @returns when the run has a player, or the reason why not. */
  play(played: Omit<Played, 'signal'>): Promise<Outcome>;
  released(run: string): Promise<void>;
  /** The runs can be resumed. */
  close(): Promise<void>;
}>;

export function openPlaying(onLeft: (run: string, why: string) => void): PlayingHere {
  const playing = new Map<string, Promise<void>>();
  const closing = new AbortController();

  const follow = async (played: Omit<Played, 'signal'>, taken: () => void): Promise<PlayedOut> => {
    const { home, place } = played;
    const ears = {
      taken: () => {
        taken();
        return null;
      },
      hear: () => undefined,
    };
    const out = await playRunInChild({ ...played, signal: closing.signal }, ears);
    // A remaining copy is removed with the run.
    if (out.isOver) await removeCopy(home, place.run);
    return out;
  };
  return {
    async play(played) {
      const { run } = played.place;
      if (closing.signal.aborted) return { ok: false, reason: 'Understudy is closing.' };
      if (playing.has(run)) return { ok: false, reason: `Run ${run} is already running.` };
      return await new Promise((resolve) => {
        const left = (why: string): void => {
          onLeft(run, why);
          resolve({ ok: false, reason: why });
        };
        const followed = follow(played, () => resolve({ ok: true })).then(
          (out) => (out.isOver ? resolve({ ok: true }) : left(out.why)),
          (error: unknown) => left(failureText(error)),
        );
        playing.set(
          run,
          followed.finally(() => playing.delete(run)),
        );
      });
    },
    released: async (run) => await playing.get(run),
    async close() {
      closing.abort();
      await Promise.all(playing.values());
    },
  };
}
