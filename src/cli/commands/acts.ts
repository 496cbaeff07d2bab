import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PersonAct } from '../../contract/acts';
import { readDuration } from '../../contract/duration';
import type { Snapshot } from '../../contract/snapshot';
import { recordsOf } from '../../wording/agent-record';
import { asArgument, plain } from '../../wording/status-text';
import { remaining } from '../../wording/wording';
import { command } from '../command';
import type { CliParts, Finish, JsonOption } from '../parts';
import { listOf, unknownAgent, unknownSession } from '../unknown-name';
import { type Deed, perform } from './core';

type ForOption = JsonOption & Readonly<{ for?: number }>;

type Plan = (snapshot: Snapshot) => Deed;

export function addModel(model: Command, parts: CliParts, finish: Finish): void {
  const act = async (options: JsonOption, plan: Plan) => finish(await perform(parts, options, plan));
  command(model, 'reset', 'close a breaker and end a cooldown; the next request tries the model again')
    .argument('<target>', 'a model "provider/model", a provider, or "all"')
    .addHelpText('after', '\nExamples:\n  understudy model reset openai/gpt-5\n  understudy model reset all')
    .action((target: string, options: JsonOption) => act(options, (snapshot) => resetOf(target, snapshot)));
  timed(command(model, 'hold', 'keep a model out of use (open) or in use (closed), whatever its breaker does'))
    .argument('<model>')
    .argument('<state>', 'open or closed', oneOf('open', 'closed'))
    .addHelpText('after', '\nExample:\n  understudy model hold openai/gpt-5 open --for 30m')
    .action((name: string, state: 'open' | 'closed', options: ForOption) =>
      act(
        options,
        done({ ...held(name, state), forMs: options.for ?? null }, `${name} is held ${state}${until(options)}.`),
      ),
    );
  command(model, 'isolate <model>', 'take a model out of all chains until you release it').action(
    (name: string, options: JsonOption) =>
      act(options, done({ type: 'health.isolated', model: name }, `${name} is out of all chains.`)),
  );
  command(model, 'release <model>', 'end the hold or the isolation of a model').action(
    (name: string, options: JsonOption) => act(options, (snapshot) => releaseOf(name, snapshot)),
  );
}

export function addAgent(agents: Command, parts: CliParts, finish: Finish): void {
  const { directory } = parts;
  const pin = async (options: ForOption, agent: string, model: string | null, text: string) => {
    const plan = done({ type: 'agent.pinned', directory, agent, model, forMs: options.for ?? null }, text);
    finish(await perform(parts, options, (snapshot) => unknownAgent(snapshot, agent, directory) ?? plan(snapshot)));
  };
  timed(command(agents, 'pin <agent> <model>', 'keep an agent of this project on one model')).action(
    (agent: string, model: string, options: ForOption) =>
      pin(options, agent, model, `${agent} stays on ${model}${until(options)}.`),
  );
  command(agents, 'unpin <agent>', 'let an agent use its chain again').action((agent: string, options: JsonOption) =>
    pin(options, agent, null, `${agent} follows its chain.`),
  );
  command(agents, 'return', 'bring paused agents back into their session')
    .argument('[agent]', 'default: all paused agents of the session')
    .option('--session <id>', 'default: the only session with paused agents')
    .action(async (agent: string | undefined, options: ReturnOptions) =>
      finish(await perform(parts, options, (snapshot) => returnOf(snapshot, agent ?? null, options.session))),
    );
}

/** @param answerRun answers a council, by the id of its run. */
export function addSwitching(program: Command, parts: CliParts, finish: Finish, answerRun: AnswerRun): void {
  command(program, 'answer', 'answer the open question: may the next model take over?')
    .argument('<answer>', 'yes or no', oneOf('yes', 'no'))
    .option('--council [run]', 'answer a council instead; default: the newest running one')
    .action(async (word: string, { council, ...options }: AnswerOptions) => {
      const isYes = word === 'yes';
      const run = typeof council === 'string' ? council : undefined;
      finish(
        council === undefined
          ? await perform(parts, options, (snapshot) => answerOf(snapshot, isYes))
          : await answerRun(parts, isYes, run, options),
      );
    });
  timed(command(program, 'pause', 'stop switching: each message uses the primary model'))
    .addHelpText('after', '\nExamples:\n  understudy pause --for 15m\n  understudy resume')
    .action(async (options: ForOption) => {
      const act = { type: 'switching.paused', forMs: options.for ?? null } as const;
      finish(await perform(parts, options, done(act, `Switching is paused${until(options)}.`)));
    });
  command(program, 'resume', 'start switching again').action(async (options: JsonOption) =>
    finish(await perform(parts, options, done({ type: 'switching.resumed' }, 'Switching goes on.'))),
  );
}

type AnswerRun = (parts: CliParts, isYes: boolean, run: string | undefined, options: JsonOption) => Promise<number>;
type AnswerOptions = JsonOption & Readonly<{ council?: string | true }>;
type ReturnOptions = JsonOption & Readonly<{ session?: string }>;

const timed = (to: Command): Command =>
  to.addOption(
    new Option('--for <duration>', 'such as 90s, 30m, 2h or 1d; default: until further notice').argParser(duration),
  );

function duration(text: string): number {
  const forMs = readDuration(text);
  if (forMs === null) throw new InvalidArgumentError('Expected a time such as 90s, 30m, 2h or 1d.');
  return forMs;
}

const oneOf =
  (...words: readonly string[]) =>
  (text: string): string => {
    if (!words.includes(text)) throw new InvalidArgumentError(`Expected ${words.join(' or ')}.`);
    return text;
  };

const until = ({ for: forMs }: ForOption): string =>
  forMs === undefined ? ' until further notice' : ` for ${forMs < 60_000 ? `${forMs / 1_000} s` : remaining(forMs)}`;

const held = (model: string, state: 'open' | 'closed' | null) => ({ type: 'health.held' as const, model, state });

const done =
  (act: PersonAct, text: string): Plan =>
  ({ rev }) => ({ name: 'person.act', input: { act, rev, actor: 'cli' }, done: text });

/** Ends one isolation or hold; several need several releases. */
function releaseOf(model: string, snapshot: Snapshot): Deed {
  const { isolatedBy = [], hold = null } = snapshot.models.find((row) => row.model === model) ?? {};
  if (isolatedBy.length === 0)
    return done({ ...held(model, null), forMs: null }, `${model} is no longer held.`)(snapshot);
  const text =
    isolatedBy.length > 1
      ? `${model} is still isolated by ${isolatedBy.length - 1} more: release it again.`
      : hold
        ? `${model} is no longer isolated. It is still held ${hold.state}: release it again.`
        : `${model} is back in its chains.`;
  return done({ type: 'health.released', model }, text)(snapshot);
}

function returnOf(snapshot: Snapshot, agent: string | null, session?: string): Deed {
  const back = (id: string): Deed =>
    done({ type: 'speaker.retried', session: id, agent }, `${agent ?? 'Every agent'} is back in ${id}.`)(snapshot);
  if (session !== undefined) return unknownSession(snapshot, session) ?? back(session);
  const paused = recordsOf(snapshot).filter(({ state }) => state === 'paused');
  const matching = paused.filter((record) => agent === null || record.agent === agent);
  const [first, ...others] = new Set(matching.map((record) => record.session));
  if (first === undefined)
    return paused.length === 0
      ? 'No agent is paused.'
      : plain(`No paused agent matches '${agent}'. Sessions: ${listOf(paused.map((record) => record.session))}`);
  if (others.length === 0) return back(first);
  const lines = matching.map((record) => {
    const title = record.title === undefined ? '' : `, "${record.title}"`;
    return `  understudy agent return ${asArgument(record.agent)} --session ${record.session}   in ${record.project}${title}`;
  });
  return ['Agents are paused in several sessions. Name one:', ...lines.map(plain)].join('\n');
}

function resetOf(target: string, { rev }: Snapshot): Deed {
  if (target === 'all')
    return { name: 'health.reset', input: { target: { all: true }, rev }, done: 'Every model is reset.' };
  const which = target.includes('/') ? { model: target } : { provider: target };
  return { name: 'health.reset', input: { target: which, rev }, done: `${target} is reset.` };
}

function answerOf({ rev, questions }: Snapshot, yes: boolean): Deed {
  const [open] = questions;
  if (open === undefined) return 'No question is open.';
  const act: PersonAct = { type: 'question.answered', question: open.id, yes };
  const { agent, model, to } = open;
  const next = to === null ? `${agent} tries ${model} again.` : `${to} takes over for ${agent}.`;
  return { name: 'person.act', input: { act, rev, actor: 'cli' }, done: yes ? next : `${agent} ends its turn.` };
}
