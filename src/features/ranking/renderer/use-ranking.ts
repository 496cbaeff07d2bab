import { useCallback, useEffect, useRef, useState } from 'react';
import type { QueryOutput } from '../../../contract/contract';
import { reasonOf, useAnswer } from '../../../renderer/app/asked';
import { useCalm } from '../../../renderer/app/pages-of';
import { usePanel, useSnapshot } from '../../../renderer/app/panel';
import { runLater } from '../../../renderer/app/visible';
import { isResting, type RankAnswer, type Role, type Run, type RunAct } from '../contract/ranking';

/** A null directory means all projects. */
export type Place = Readonly<{ directory: string | null; agent: string }>;

/** Null takes those in force. */
export type Wanted = Readonly<{ role: Role | null; isLive: boolean | null; formula: string | null }>;

export const AS_IT_IS: Wanted = { role: null, isLive: null, formula: null };

const CALM_MS = 200;

export type Ranking = Readonly<{
  place: Place;
  answer: RankAnswer | null;
  isFresh: boolean;
  problem: string | null;
  isLive: boolean;
  run: Run | null;
  isGoing: boolean;
  /** A newer answer may follow; decisions are disabled meanwhile. */
  isBusy: boolean;
  /** True if the answer is that of the current run. */
  isOfRun: boolean;
  again: () => void;
  /** Grows with each act that may have changed values, names or weights. */
  round: number;
  /** @returns the reason for a rejection, or null. */
  act: (act: RunAct) => Promise<string | null>;
}>;

export function useRanking(place: Place, wanted: Wanted): Ranking {
  const { config } = useSnapshot();
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((count) => count + 1), []);
  const { run, rev, act, look } = useRun(place);
  const isLive = wanted.isLive ?? run?.isLive ?? false;
  const formula = useCalm(wanted.formula, CALM_MS);
  const question = { ...place, role: wanted.role, formula, isLive };
  const edition = config.map((row) => row.edition).join(' ');
  const isGoing = run != null && !isResting(run);
  // Decisions are disabled during a run.
  const key = `${JSON.stringify(question)} ${isGoing ? 'going' : rev} ${round} ${edition}`;
  const { answer, problem } = useAnswer('rank.get', run === undefined ? null : question, key);
  const isAnswered = useAskedWith(answer, key) === key;
  const shown = answer !== null && answer.agent === place.agent ? answer : null;
  const shownRun = shown && JSON.stringify(shown.run);
  const isOlder = shownRun !== null && run !== undefined && !isGoing && shownRun !== JSON.stringify(run);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer that knows of another run is a reason to look once.
  useEffect(() => {
    if (isOlder) void look();
  }, [answer]);
  const isOfRun = run != null && shown?.role === run.role && isLive === run.isLive && wanted.formula === null;
  return {
    place,
    answer: shown,
    problem,
    isLive,
    again,
    round,
    act,
    isOfRun,
    run: run ?? null,
    isFresh: isAnswered && formula === wanted.formula,
    isGoing,
    isBusy: isGoing || !isAnswered,
  };
}

/** Key of the query that led to the answer; answers for earlier keys never arrive. */
function useAskedWith(answer: RankAnswer | null, key: string): string | null {
  const last = useRef<Readonly<{ answer: RankAnswer; key: string }> | null>(null);
  if (answer !== null && last.current?.answer !== answer) last.current = { answer, key };
  return last.current?.key ?? null;
}

type News = QueryOutput<'rank.run'>;
type Followed = Readonly<{ run: Run | null | undefined; rev: number; act: Ranking['act']; look: () => Promise<void> }>;

/** Follows a running proposal; at rest only the user's acts change it. */
function useRun({ directory, agent }: Place): Followed {
  const { api } = usePanel();
  const about = JSON.stringify([directory, agent]);
  const [received, hear] = useState<Readonly<{ about: string; news: News }> | null>(null);
  const [round, setRound] = useState(0);
  const news = received?.about === about ? received.news : null;
  const latest = useRef(about);
  latest.current = about;
  const follows = news === null || (news.run !== null && !isResting(news.run));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a round is a reason to ask again; `about` is the place.
  useEffect(() => {
    if (!follows) return;
    let isOver = false;
    let prevent = () => {};
    api.ask('rank.run', { directory, agent, rev: news?.rev ?? null }).then(
      (next) => isOver || hear({ about, news: next }),
      () => {
        if (isOver) return;
        // silent: a proposal that has no run, or cannot be reached, is asked again below
        // The query for the ranking reports why the run is unavailable.
        if (news === null) hear({ about, news: { rev: 0, run: null } });
        else prevent = runLater(() => setRound((count) => count + 1), AGAIN_MS);
      },
    );
    return () => {
      isOver = true;
      prevent();
    };
  }, [api, about, follows, news, round]);
  const look = useCallback(async (): Promise<void> => {
    const where = JSON.stringify([directory, agent]);
    // silent: the row keeps its last news, and asks again
    const next = await api.ask('rank.run', { directory, agent, rev: null }).catch(() => null);
    if (next !== null && latest.current === where) hear({ about: where, news: next });
  }, [api, directory, agent]);
  const act = useCallback(
    async (what: RunAct): Promise<string | null> => {
      const done = await api.ask('rank.act', { directory, agent, act: what }).catch((error: unknown) => ({
        ok: false as const,
        reason: reasonOf(error),
      }));
      if (!done.ok) return done.reason;
      await look();
      return null;
    },
    [api, directory, agent, look],
  );
  return { run: news === null ? undefined : news.run, rev: news?.rev ?? 0, act, look };
}

const AGAIN_MS = 3_000;
