import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type DemoMachine, type DemoOptions, type Playing, playSealed } from '../../../demo/machine';
import { type StoryLine, storyLine } from '../../../demo/narration';
import { requireCompanion } from '../../../demo/opencode';
import type { DemoPlace } from '../../../demo/place';
import type { ScriptedProvider } from '../../../demo/scripted-provider';
import { openStage } from '../../../demo/stage';
import { formatLine, formatTitle } from '../../../demo/terminal';
import { writeFile } from '../../../node/base/disk';
import { createSandbox, findOpencode, generationOf, type OpencodeBinary } from '../../../node/opencode';
import { answerWord } from '../core/words';
import { findPlayer } from '../node/find-player';
import { type Ears, type PlayedOut, playRunInChild, sayLine } from '../node/play-run';
import { makeRun, type Plan, planRun } from '../node/prepare';
import { type Place, sendWord } from '../node/run-folder';
import { SKIP_MS } from '../rules/base/settings';
import { reportMarkdown } from '../rules/report/markdown';
import { reportOf } from '../rules/report/report';
import type { CouncilStep } from '../rules/run/step';
import type { CouncilFact } from '../rules/state/events';
import type { CouncilState } from '../rules/state/state';
import { castConfig, DYING, SPEAKERS } from './cast';
import { councilProblems } from './evidence';
import { factLines, requestsLine, speakerLines } from './narration';
import { type CouncilScript, scriptCouncil } from './script';
import { SHOP } from './shop';

const SECOND_MS = 1_000;
/** A run without pauses takes half a minute, on a busy machine three. */
const ONCE_LIMIT_MS = 240 * SECOND_MS;
const TITLE = 'Understudy demo: a council reviews a small shop, and one of its models dies in the middle of it';
const CHOICES = 'Answer a question with yes or no; type retry gpt or stop. Ctrl+C ends the demo.';
const HOW_TO_ANSWER = `Type yes or no, and press Enter. After ${SKIP_MS / SECOND_MS} s the speaker is skipped.`;

type Show = Readonly<{
  once: boolean;
  machine: DemoMachine;
  home: string;
  run: string;
  script: CouncilScript;
  tell(line: StoryLine): void;
  fail(reason: string): void;
}>;

/**
 * @returns exit code 0 after a complete run that, with `once`, passed its checks; otherwise 1, with the reason on the
 * error output.
 */
export function runCouncilDemo(options: DemoOptions, machine: DemoMachine): Promise<number> {
  return playSealed({ once: options.once, story: 'run' }, machine, (playing) => play(options, machine, playing));
}

async function play(options: DemoOptions, machine: DemoMachine, { building, fail }: Playing): Promise<number> {
  const { once, port } = options;
  const { place } = building;
  const tell = (line: StoryLine): void => machine.print(formatLine(line, machine.style));
  machine.print(`${formatTitle(TITLE, machine.style)}\n`);
  const binary = await playerOn(machine.env, place);
  requireCompanion(machine.companion);
  const { version, builtRoot, companion } = machine;
  const { provider, panel } = await openStage({ version, builtRoot, companion, port, binary, ...building });
  tell(storyLine('panel', panel.url));
  if (options.open && !once) machine.openBrowser?.(panel.onceUrl());
  const script = scriptCouncil(provider, {
    isPaced: !once,
    placeKey: generationOf(binary) === 1 ? 'filePath' : 'path',
  });
  const plan = await planOn(place, provider);
  for (const line of speakerLines(plan)) tell(line);
  const made = await makeRun(plan);
  if (!made.ok) throw new Error(made.reason);
  tell(storyLine('starting', `OpenCode ${binary.version} in a temporary home, with providers on this machine only`));
  const { run } = made.place;
  const facts: CouncilFact[] = [];
  const ears = earsOf({ once, machine, home: place.home, run, script, tell, fail }, facts);
  const state = await playedOn(place, { binary, ears, once, machine, signal: building.signal, run: made.place });
  const report = reportOf(state);
  tell(requestsLine(SPEAKERS[DYING].model, script.asked()));
  machine.print(`\n${reportMarkdown(report).trimEnd()}`);
  const problems = once ? councilProblems({ report, facts, readers: script.readers() }) : [];
  if (problems.length > 0) throw new Error(problems.join(' '));
  if (once) return 0;
  machine.print('\nThe panel stays at the address above until Ctrl+C.');
  const { signal } = building;
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return 0;
}

/** OpenCode runs in the demo's folder to print its version, not in the user's. */
async function playerOn(env: DemoMachine['env'], place: DemoPlace): Promise<OpencodeBinary> {
  const search = await findOpencode(env, place.env);
  if (!search.ok) throw new Error(search.reason);
  const player = await findPlayer({ ...place.env, OPENCODE_BIN: search.binary.path });
  if (!player.ok) throw new Error(player.reason);
  return player.binary;
}

async function planOn(place: DemoPlace, provider: ScriptedProvider): Promise<Plan> {
  const { root, env, home } = place;
  const sandbox = await createSandbox({ root, git: false, config: castConfig(provider.url) });
  const directory = await sandbox.addProject('shop', { git: false, files: SHOP });
  const config = { council: { speakers: SPEAKERS } };
  await writeFile(join(sandbox.configDirectory, 'model-fallback.json'), `${JSON.stringify(config, null, 2)}\n`);
  const input = { problem: null, repo: directory, isDeep: false };
  const planned = await planRun({ input, directory, env, home, askedIn: null });
  if (!planned.ok) throw new Error(planned.reason);
  return planned.plan;
}

type Running = Readonly<{
  binary: OpencodeBinary;
  ears: Ears;
  once: boolean;
  machine: DemoMachine;
  signal: AbortSignal;
  run: Place;
}>;

/** @throws Error with a displayable message if the run does not end. */
async function playedOn({ home, env }: DemoPlace, running: Running): Promise<CouncilState> {
  const { binary, ears, once, machine, signal: stop, run } = running;
  const limit = once ? AbortSignal.timeout(ONCE_LIMIT_MS) : null;
  const signal = limit ? AbortSignal.any([stop, limit]) : stop;
  const { companion } = machine;
  const out: PlayedOut = await playRunInChild({ binary, place: run, home, env, companion, signal, told: 0 }, ears);
  if (out.isOver) return out.state;
  stop.throwIfAborted();
  throw new Error(limit?.aborted ? `The run did not end within ${ONCE_LIMIT_MS / SECOND_MS} s.` : out.why);
}

function earsOf(show: Show, facts: CouncilFact[]): Ears {
  const { once, machine, home, run, tell, fail } = show;
  let state: CouncilState | null = null;
  const say = async (line: string): Promise<void> => {
    const problem = await sayLine({ home, run, state, choices: CHOICES }, line);
    if (problem !== null) tell(storyLine('', problem, 'quiet'));
  };
  return {
    taken() {
      if (once) return null;
      const lines = createInterface({ input: machine.input, terminal: false });
      lines.on('line', (line) => void say(line));
      return () => lines.close();
    },
    hear(step) {
      state = step.state;
      facts.push(...step.facts);
      for (const fact of step.facts) hearFact(show, fact, step);
      const isAsked = once && step.facts.some(({ type }) => type === 'question:put');
      if (isAsked) void sendWord(home, run, answerWord(true, step.state)).then((sent) => sent.ok || fail(sent.reason));
    },
  };
}

function hearFact({ once, machine, script, tell }: Show, fact: CouncilFact, step: CouncilStep): void {
  const isStage = fact.type === 'stage:begun' && fact.stage !== 'casting' && fact.stage !== 'transition';
  if (isStage || fact.type === 'run:finished') machine.print('');
  for (const line of factLines(fact, step)) tell(line);
  if (fact.type === 'speaker:deferred') script.release();
  if (fact.type === 'question:put')
    tell(storyLine('', once ? 'The demo answers yes because of --once.' : HOW_TO_ANSWER, 'quiet'));
}
