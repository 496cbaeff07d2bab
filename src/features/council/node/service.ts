import { join, resolve } from 'node:path';
import type { QueryInput, QueryOutput } from '../../../contract/contract';
import type { CouncilPort } from '../../../core/ports/council';
import type { Outcome } from '../../../node/base/failure';
import { type Environment, homeIn } from '../../../node/base/state-home';
import type { OpencodeBinary } from '../../../node/opencode/binary';
import type { Talk } from '../../../protocol';
import type { CouncilPlan, CouncilView } from '../contract/council';
import { TRANSCRIPT_MAX } from '../contract/council';
import { planView } from '../core/plan-view';
import { reportFile } from '../core/report-file';
import type { RunSeen } from '../core/run-row';
import { inOrderOfTime, journalEntries } from '../core/run-transcript';
import { runView } from '../core/run-view';
import { retryWord, stopWord } from '../core/words';
import { isAddress } from '../rules/process/route';
import { reportOf } from '../rules/report/report';
import type { PersonWord } from '../rules/state/schema';
import { type CouncilState, isOver, memberOf } from '../rules/state/state';
import { openEstimates } from './estimates';
import { explained } from './explained';
import { findPlayer } from './find-player';
import { readJournal } from './journal';
import { openPlans } from './plans';
import { openPlaying } from './playing-here';
import { makeRun, type Plan, planRun } from './prepare';
import { removeSessions } from './remove-sessions';
import { type Place, playerOf, removeRun, sendWord } from './run-folder';
import { type RunsSeen, watchRuns } from './runs-seen';
import type { Talks } from './talks';
import { isThere } from './there';

export type ServiceOptions = Readonly<{
  home: string;
  env: Environment;
  companion: string;
  version: string;
  talk: Talks['ask'];
}>;

/** `close` abandons the runs played here. */
export type CouncilService = CouncilPort & Readonly<{ close(): Promise<void> }>;

type Input<Name extends 'plan' | 'say' | 'remove' | 'export'> = QueryInput<`council.${Name}`>;
type Handlers = CouncilPort['handlers'];

/** Reads nothing before the first run. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one short handler for each question
export function openCouncilService({ home, env, companion, version, talk }: ServiceOptions): CouncilService {
  const runs = watchRuns(home);
  const plans = openPlans();
  const playing = openPlaying((run, why) => runs.leftFor(run, why));
  const estimateOf = openEstimates(home);
  const making = new Map<string, AbortController>();

  const play = async (place: Place, binary: OpencodeBinary, journalLength: number): Promise<Outcome> => {
    runs.leftFor(place.run, null);
    const played = await playing.play({ binary, place, home, env, companion, told: journalLength });
    await runs.entry(place.run);
    return played.ok ? played : refused(`${played.reason}\nNothing is lost: you can resume it.`);
  };

  const plan = async (input: Input<'plan'>): Promise<QueryOutput<'council.plan'>> => {
    const directory = input.directory ?? homeIn(env);
    const planned = await planRun({
      input: { problem: input.problem?.trim() || null, repo: repoIn(input, directory, env), isDeep: input.isDeep },
      directory,
      env,
      home,
      askedIn: null,
      ...(input.maxCost === null ? {} : { maxCost: input.maxCost }),
    });
    if (!planned.ok) return refused(await explained(home, planned.reason));
    return { ok: true, plan: await shown(planned.plan) };
  };
  const shown = async (planned: Plan): Promise<CouncilPlan> => {
    const found = await findPlayer(env);
    const player = found.ok ? { name: `OpenCode ${found.binary.version}` } : { whyNot: `${found.reason}.` };
    return planView(planned, plans.keep(planned), player);
  };

  const begin: Handlers['council.begin'] = async ({ plan: id }) => {
    const planned = plans.take(id);
    if (planned === null) return refused('This plan has expired. Create a new one.');
    const found = await findPlayer(env);
    if (!found.ok) return refused(`${found.reason}. Nothing was started.`);
    const ending = new AbortController();
    let named: string | null = null;
    const onNamed = (run: string): void => {
      named = run;
      making.set(run, ending);
    };
    const made = await makeRun(planned, { signal: ending.signal, onNamed });
    if (named !== null) making.delete(named);
    if (!made.ok) return made;
    const { run } = made.place;
    const begun = await play(made.place, found.binary, 0);
    return begun.ok ? { ok: true, run } : begun;
  };

  const resume: Handlers['council.resume'] = async ({ run }) => {
    const found = await seenOf(runs, run);
    if (!found.ok) return found;
    const { seen, place } = found;
    const objection = await resumeObjection(seen, place);
    if (objection !== null || place === null)
      return refused(objection ?? `The folder of run ${run} does not name its OpenCode.`);
    const player = await findPlayer(env, place.generation);
    return player.ok ? await play(place, player.binary, seen.course.lines) : refused(`${player.reason}.`);
  };

  const say = async ({ run, word }: Input<'say'>): Promise<QueryOutput<'council.say'>> => {
    const ending = making.get(run);
    if (ending && word.kind === 'stop') {
      ending.abort();
      return { ok: true };
    }
    if ((await runs.entry(run))?.row().state === 'fetching') return refused(MADE_ELSEWHERE);
    const found = await seenOf(runs, run);
    if (!found.ok) return found;
    const { state } = found.seen.course;
    const objection = sayObjection(found.seen, word);
    return objection === null ? await sendWord(home, run, wordFor(word, state)) : refused(objection);
  };

  const remove = async ({ run, sessions }: Input<'remove'>): Promise<QueryOutput<'council.remove'>> => {
    const entry = await runs.entry(run);
    if (entry === null) return refused(noRun(run));
    const { state, isPlayed } = entry.row();
    if (state === 'fetching') return refused(making.has(run) ? STOP_FIRST : MADE_ELSEWHERE);
    if (isPlayed) return refused(`Run ${run} is running. Stop it first.`);
    await playing.released(run);
    if (sessions) {
      const found = await findPlayer(env, entry.place()?.generation);
      const removed = found.ok ? await removeSessions({ home, run, binary: found.binary, env }) : found;
      if (!removed.ok) return refused(`${removed.reason}. Nothing else was removed.`);
    }
    const removed = await removeRun(home, run);
    await runs.entry(run);
    return removed;
  };

  const transcript: Handlers['council.transcript'] = async ({ run, member }) => {
    const found = await seenOf(runs, run);
    const own = found.ok ? memberOf(found.seen.course.state, member) : undefined;
    if (!own) return null;
    const journal = journalEntries(await readJournal(home, run), member);
    const live = await saidBy(own.session, run);
    const entries = Array.isArray(live) ? inOrderOfTime(journal, live, TRANSCRIPT_MAX) : journal.slice(-TRANSCRIPT_MAX);
    return { entries: [...entries], live: Array.isArray(live) ? 'live' : live };
  };
  const saidBy = async (session: string | null, run: string): Promise<Talk[] | 'notPlayed' | 'unreachable'> => {
    const player = await playerOf(home, run);
    if (player === null) return 'notPlayed';
    const talks = session === null ? [] : await talk({ pid: player.pid, run, session });
    return talks === null ? 'unreachable' : [...talks];
  };

  return {
    rows: runs.rows,
    onChange: runs.onChange,
    handlers: {
      'council.runs': async () => {
        const found = await findPlayer(env);
        return { runs: [...(await runs.all())], whyNot: found.ok ? null : `${found.reason}.` };
      },
      'council.run': async ({ run }): Promise<CouncilView | null> => {
        const found = await seenOf(runs, run);
        if (!found.ok) return null;
        const { seen, place } = found;
        const estimate = await estimateOf(run, seen.course.state);
        return runView(seen, { estimate, generation: place?.generation ?? null });
      },
      'council.transcript': transcript,
      'council.plan': plan,
      'council.begin': begin,
      'council.resume': resume,
      'council.say': say,
      'council.remove': remove,
      'council.export': async ({ run, format }: Input<'export'>) => {
        const found = await seenOf(runs, run);
        return found.ok ? await reportFile(reportOf(found.seen.course.state), format, version) : found;
      },
    },
    async close() {
      for (const ending of making.values()) ending.abort();
      await playing.close();
      runs.close();
    },
  };
}

const STOP_FIRST = 'It is being prepared. Stop it first.';
const MADE_ELSEWHERE =
  'Another process is preparing it. To stop it, press Ctrl-C there, or run /council stop in the session that started it.';
const refused = (reason: string) => ({ ok: false, reason }) as const;
const noRun = (run: string): string => `There is no run ${run}. It may have been removed.`;
const neverBegan = (run: string): string => `Run ${run} never began. It can be removed.`;

async function seenOf(runs: RunsSeen, run: string): Promise<Outcome<{ seen: RunSeen; place: Place | null }>> {
  const entry = await runs.entry(run);
  if (entry === null) return refused(noRun(run));
  const seen = await entry.seen();
  return seen === null ? refused(neverBegan(run)) : { ok: true, seen, place: entry.place() };
}

function repoIn({ repo }: Input<'plan'>, directory: string, env: Environment): string | null {
  const named = repo?.trim() ?? '';
  if (named === '' || isAddress(named)) return named || null;
  return /^~(?=$|[\\/])/.test(named) ? join(homeIn(env), named.slice(1)) : resolve(directory, named);
}

async function resumeObjection({ run, course, isPlayed }: RunSeen, place: Place | null): Promise<string | null> {
  const { state } = course;
  if (isOver(state)) return `Run ${run} ${overWord(state)}: there is nothing to resume.`;
  if (isPlayed) return `Run ${run} is already running.`;
  if (place !== null && !place.isOwn)
    return `Run ${run} was started inside OpenCode. Resume it there with /council resume, in ${place.directory}.`;
  return place !== null && !(await isThere(place)) ? `The copy of the repository for run ${run} is deleted.` : null;
}

const overWord = ({ phase }: CouncilState): string => (phase === 'finished' ? 'has finished' : 'was stopped');

function sayObjection({ run, course: { state }, isPlayed }: RunSeen, word: Input<'say'>['word']): string | null {
  if (isOver(state)) return `Run ${run} ${overWord(state)} already.`;
  if (!isPlayed)
    return word.kind === 'stop'
      ? `Run ${run} is not running and costs nothing. Resume it to end it with a report, or remove it.`
      : `Run ${run} is not running. Resume it first.`;
  if (word.kind !== 'answer') return null;
  const isPut =
    word.question === null
      ? state.phase === 'waiting' && state.pause === 'cap'
      : state.phase === 'playing' && state.asks[0]?.id === word.question;
  return isPut ? null : 'This question is no longer open.';
}

function wordFor(word: Input<'say'>['word'], state: CouncilState): PersonWord {
  switch (word.kind) {
    case 'answer': {
      const named = word.question === null ? {} : { question: word.question };
      return { type: 'question.answered', ...named, yes: word.yes, actor: ACTOR };
    }
    case 'retry':
      return retryWord(word.name, state, ACTOR);
    case 'stop':
      return stopWord(ACTOR);
  }
}

const ACTOR = 'panel';
