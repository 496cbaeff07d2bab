import { createInterface } from 'node:readline';
import type { Snapshot } from '../contract/snapshot';
import { findOpencode, type OpencodeBinary } from '../node/opencode';
import { untilSnapshot } from './core-watch';
import { handoverGapMs, type TurnEvidence, turnProblems } from './evidence';
import { playLoop } from './loop';
import { type DemoMachine, type DemoOptions, playSealed } from './machine';
import { answeredLine, measuredLine, type StoryLine, storyLine, transcriptLine } from './narration';
import { type StagedOpencode, startOpencodeOn } from './opencode';
import { playRecording } from './recorded';
import {
  AGENT,
  CHAIN,
  FIRST_ANSWER,
  FIRST_PROMPT,
  LEAD_MODEL,
  modelIdOf,
  NEXT_PROMPT,
  RETRY_AFTER_S,
  scriptTroubles,
  UNDERSTUDY_MODEL,
} from './scenario';
import { openStage, type Stage, type StageOptions } from './stage';
import { formatLine, formatTitle } from './terminal';
import { type Conversation, takeTurn } from './turn';

/** Limit of a demo that a panel started. */
const UNWATCHED_LIMIT_MS = 30 * 60_000;
/** The socket is local; loading OpenCode takes the time. */
const CONNECT_LIMIT_MS = 60_000;

/**
 * @returns 0 if every check passed and, unless `once`, the user ended it; 1 with a reason on the error output. Removes
 * everything it created.
 */
export function runDemo(options: DemoOptions, machine: DemoMachine): Promise<number> {
  const { version, builtRoot, companion } = machine;
  return playSealed({ once: options.once, story: 'turn' }, machine, ({ building, fail }) =>
    play(options, machine, { stage: { version, builtRoot, companion, port: options.port, ...building }, fail }),
  );
}

type Building = Omit<StageOptions, 'binary'>;
type Play = Readonly<{ stage: Building; fail(reason: string): void }>;

async function play(options: DemoOptions, machine: DemoMachine, { stage: building, fail }: Play): Promise<number> {
  const tell = (line: StoryLine): void => machine.print(formatLine(line, machine.style));
  machine.print(formatTitle('Understudy demo: a real OpenCode loses its model', machine.style));
  machine.print('');
  const search = await findOpencode(machine.env, building.place.env);
  // A panel plays the recording without OpenCode; in a terminal the user sees what is missing.
  if (!search.ok && search.isAbsent && options.loop && machine.tellParent) {
    const { place, panel } = await openStage({ ...building, binary: null });
    const playOn = (signal: AbortSignal) => playRecording(place.home, machine.version, signal);
    return await playUntilStopped(playOn, { panel, building, machine });
  }
  if (!search.ok) throw new Error(search.reason);
  const stage = await openStage({ ...building, binary: search.binary });
  tell(storyLine('panel', stage.panel.url));
  if (options.open && !options.once) machine.openBrowser?.(stage.panel.onceUrl());
  const { opencode, conversation } = await openConversation(stage, search.binary, { building, tell, fail });
  machine.print('');
  if (options.loop) {
    scriptTroubles(stage.provider);
    const playOn = (signal: AbortSignal) => playLoop(opencode, signal);
    return await playUntilStopped(playOn, { panel: stage.panel, building, machine });
  }
  const problems = await firstTurn(conversation);
  if (problems.length > 0) throw new Error(problems.join(' '));
  machine.print('');
  if (options.once) return 0;
  machine.print('Enter sends another message, Ctrl+C ends the demo. The panel stays at the address above.');
  return await moreTurns(conversation, machine);
}

type Opening = Readonly<{ building: Building; tell(line: StoryLine): void; fail(reason: string): void }>;

async function openConversation(
  stage: Stage,
  binary: OpencodeBinary,
  opening: Opening,
): Promise<Readonly<{ opencode: StagedOpencode; conversation: Conversation }>> {
  const { building, tell, fail } = opening;
  const { signal } = building;
  tell(storyLine('starting', `OpenCode ${binary.version} in a temporary home, with providers on this machine only`));
  const opencode = await startOpencodeOn(stage, binary, building);
  const { directory } = opencode;
  void opencode.exited.then(() => fail('OpenCode has ended.'));
  const session = await opencode.openSession(AGENT);
  const chainIn = ({ chains }: Snapshot): readonly string[] | undefined =>
    chains.find((row) => row.directory === directory && row.agent === AGENT)?.chain.map(({ model }) => model);
  const wait = { limitMs: CONNECT_LIMIT_MS, signal };
  const connected = await untilSnapshot(
    stage.core.host,
    (snapshot) => snapshot.connection.status === 'connected' && chainIn(snapshot) !== undefined,
    { ...wait, what: 'The companion in OpenCode did not connect' },
  );
  tell(storyLine('connected', `companion in OpenCode ${connected.instances[0]?.opencode ?? ''}`));
  // OpenCode 2 lists its configured models some moments after loading plugins.
  const armed = await untilSnapshot(stage.core.host, (snapshot) => chainIn(snapshot)?.join() === CHAIN.join(), {
    ...wait,
    what: `The chain of ${AGENT} did not become ${CHAIN.join(' → ')}`,
  });
  tell(storyLine('chain', `${AGENT}: ${chainIn(armed)?.join(' → ')}`));
  return { opencode, conversation: { stage, session, tell, signal } };
}

type Playing = Readonly<{ panel: Stage['panel']; building: Building; machine: DemoMachine }>;

async function playUntilStopped(
  playOn: (signal: AbortSignal) => Promise<void>,
  { panel, building: { signal }, machine }: Playing,
): Promise<number> {
  machine.tellParent?.({ url: panel.url });
  machine.print('The demo continues until you press Ctrl+C. Watch it in the panel at the address above.');
  // Without a user watching, the demo must not run for days.
  const limit = machine.tellParent && AbortSignal.timeout(UNWATCHED_LIMIT_MS);
  await playOn(limit ? AbortSignal.any([signal, limit]) : signal);
  if (signal.aborted && !machine.stop.aborted) throw signal.reason;
  if (limit?.aborted) throw new Error('it reached its limit of half an hour.');
  return 0;
}

async function firstTurn(conversation: Conversation): Promise<readonly string[]> {
  const seen = await tellTurn(conversation, FIRST_PROMPT);
  const retryAfterMs = RETRY_AFTER_S * 1_000;
  const expected = { lead: LEAD_MODEL, understudy: UNDERSTUDY_MODEL, text: FIRST_ANSWER, retryAfterMs };
  return turnProblems(seen, expected);
}

async function tellTurn(conversation: Conversation, prompt: string): Promise<TurnEvidence> {
  const { tell } = conversation;
  tell(storyLine('asked', `${AGENT}: “${prompt}”`));
  const seen = await takeTurn(conversation, prompt);
  tell(answeredLine(seen.answeredBy, seen.text));
  const gapMs = handoverGapMs(seen.requests);
  if (gapMs !== null) tell(measuredLine(gapMs));
  const primaryRequests = seen.requests.filter((request) => request.model === modelIdOf(LEAD_MODEL)).length;
  tell(transcriptLine(seen.users, { model: LEAD_MODEL, asked: primaryRequests }));
  return seen;
}

/** One turn per input line. @returns the exit code. */
function moreTurns(conversation: Conversation, { input, print, stop }: DemoMachine): Promise<number> {
  const { signal } = conversation;
  const lines = createInterface({ input });
  return new Promise<number>((resolve, reject) => {
    let isBusy = false;
    const end = (): void => {
      if (stop.aborted) resolve(0);
      else reject(signal.reason);
    };
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    lines.on('line', () => {
      if (isBusy) return;
      isBusy = true;
      tellTurn(conversation, NEXT_PROMPT)
        .then(() => print(''))
        .catch((error: unknown) => (signal.aborted ? end() : reject(error)))
        .finally(() => {
          isBusy = false;
        });
    });
  }).finally(() => lines.close());
}
