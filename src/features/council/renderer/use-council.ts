import { useCallback, useEffect, useRef, useState } from 'react';
import type { QueryInput, QueryOutput } from '../../../contract/contract';
import { type Answered, useAnswer } from '../../../renderer/app/asked';
import { useCalm } from '../../../renderer/app/pages-of';
import { useCoreNow, usePanel, useSnapshot } from '../../../renderer/app/panel';
import { shareUnchanged } from '../../../renderer/app/share';
import { notifyResult } from '../../../renderer/app/told';
import { councilPageTexts } from '../../../texts';
import type { CouncilView } from '../contract/council';
import type { CouncilRunRow } from '../contract/council-run';

/** Shortest interval between reads, in ms. */
const NEWS_MS = 500;
/** Polled, in ms, since raw text causes no event. */
const SAYING_MS = 2_000;

export function useRuns(): Answered<'council.runs'> {
  const { councils } = useSnapshot();
  const news = useCalm(councils.map(({ run, rev }) => `${run} ${rev}`).join(), 2 * NEWS_MS);
  const query = useAnswer('council.runs', null, news, true);
  return { ...query, answer: useShared(query.answer) };
}

export type FollowedRun = Answered<'council.run'> & Readonly<{ row: CouncilRunRow | null }>;

export function useRun(run: string): FollowedRun {
  const latest = useSnapshot().councils.find((each) => each.run === run) ?? null;
  const rev = useCalm(latest?.rev ?? 0, NEWS_MS);
  const query = useAnswer('council.run', { run }, `${run} ${rev}`);
  const answer = useShared(query.answer);
  const stored = answer?.row ?? null;
  const isNewer = latest !== null && (stored === null || latest.rev >= stored.rev);
  return { ...query, answer, row: isNewer ? latest : stored };
}

type TranscriptOf = Readonly<{ run: string; member: string | null; rev: number; isSpeaking: boolean }>;

export function useTranscript({ run, member, rev, isSpeaking }: TranscriptOf): Answered<'council.transcript'> {
  const beat = useCoreNow(isSpeaking ? null : undefined, SAYING_MS);
  const calm = useCalm(rev, NEWS_MS);
  const round = isSpeaking ? Math.floor(beat / SAYING_MS) : 0;
  const input = member === null ? null : { run, member };
  const moment = `${calm} ${round}`;
  const [askedAt, askAt] = useState(moment);
  const query = useAnswer('council.transcript', input, `${run} ${member} ${askedAt}`);
  // A new query would discard the previous answer.
  useEffect(() => {
    if (!query.isAsking) askAt(moment);
  }, [query.isAsking, moment]);
  return { ...query, answer: useShared(query.answer) };
}

function useShared<T>(answer: T): T {
  const last = useRef<T | null>(null);
  const shared = shareUnchanged(last.current, answer);
  last.current = shared;
  return shared;
}

export type Word = QueryInput<'council.say'>['word'];
/** Each shows its outcome as a notice and never rejects; @returns true on success. */
export type RunActs = Readonly<{
  say(word: Word, text: string): Promise<boolean>;
  resume(): Promise<boolean>;
  remove(sessions: boolean): Promise<boolean>;
}>;

export function useRunActs(run: string): RunActs {
  const panel = usePanel();
  const { api } = panel;
  const tell = useCallback(
    async (request: Promise<QueryOutput<'council.say'>>, text: string) =>
      (await notifyResult(panel, request, { text, refused: (why) => why })) !== null,
    [panel],
  );
  const texts = councilPageTexts();
  return {
    say: (word, text) => tell(api.ask('council.say', { run, word }), text),
    resume: () => tell(api.ask('council.resume', { run }), texts.pause.resumed),
    remove: (sessions) => tell(api.ask('council.remove', { run, sessions }), texts.remove.done),
  };
}

export type Member = CouncilView['members'][number];
export type Report = CouncilView['report'];
export type Finding = Report['findings'][number];
export type Option = NonNullable<Report['brainstorm']>['options'][number];
