import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PersonAct } from '../../contract/acts';
import { readDuration } from '../../contract/duration';
import type { Snapshot } from '../../contract/snapshot';
import { recordsOf } from '../../wording/agent-record';
import { asArgument, plain } from '../../wording/status-text';
import { remaining } from '../../wording/wording';
import type { CliParts, JsonOption } from '../parts';
import { type Deed, perform } from './core';

type ForOption = JsonOption & Readonly<{ for?: number }>;
type Finish = (code: number) => void;

/** Adds what a person can do about health and switching. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table: one command after the other
export function addActs(program: Command, parts: CliParts, finish: Finish): void {
  const act = async (options: JsonOption, plan: (snapshot: Snapshot) => Deed) =>
    finish(await perform(parts, options, plan));

  command(program, 'reset', 'close a breaker and end a cooldown; the next request tries the model again')
    .argument('<target>', 'a model "provider/model", a provider, or "all"')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy reset openai/gpt-5\n  understudy reset openai\n  understudy reset all',
    )
    .action((target: string, options: JsonOption) => act(options, (snapshot) => resetOf(target, snapshot)));

  timed(command(program, 'hold', 'keep a model out of use (open) or in use (closed), whatever its breaker says'))
    .argument('<model>')
    .argument('<state>', 'open or closed', oneOf('open', 'closed'))
    .addHelpText(
      'after',
      '\nExamples:\n  understudy hold openai/gpt-5 open --for 30m\n  understudy release openai/gpt-5',
    )
    .action((model: string, state: 'open' | 'closed', options: ForOption) =>
      act(
        options,
        said(
          { type: 'health.held', model, state, forMs: options.for ?? null },
          `${model} is held ${state}${until(options)}.`,
        ),
      ),
    );
  command(program, 'isolate', 'take a model out of all chains until it is released')
    .argument('<model>')
    .action((model: string, options: JsonOption) =>
      act(options, said({ type: 'health.isolated', model }, `${model} is out of all chains.`)),
    );
  command(program, 'release', 'end the hold of a model, or bring back one that is isolated')
    .argument('<model>')
    .action((model: string, options: JsonOption) => act(options, (snapshot) => releaseOf(model, snapshot)));

  timed(command(program, 'pin', 'let one agent of this project use one model only'))
    .argument('<agent>')
    .argument('<model>')
    .action((agent: string, model: string, options: ForOption) =>
      act(
        options,
        said(
          pinOf(parts, agent, { model, forMs: options.for ?? null }),
          `${agent} stays on ${model}${until(options)}.`,
        ),
      ),
    );
  command(program, 'unpin', 'let an agent go back to its chain')
    .argument('<agent>')
    .action((agent: string, options: JsonOption) =>
      act(options, said(pinOf(parts, agent, { model: null, forMs: null }), `${agent} follows its chain.`)),
    );

  timed(command(program, 'pause', 'switch no model until resumed: each message goes to the primary'))
    .addHelpText('after', '\nExamples:\n  understudy pause --for 15m\n  understudy resume')
    .action((options: ForOption) =>
      act(
        options,
        said({ type: 'switching.paused', forMs: options.for ?? null }, `Switching is paused${until(options)}.`),
      ),
    );
  command(program, 'resume', 'let switching go on').action((options: JsonOption) =>
    act(options, said({ type: 'switching.resumed' }, 'Switching goes on.')),
  );

  command(program, 'answer', 'answer the open question: may the next model take over?')
    .argument('<answer>', 'yes or no', oneOf('yes', 'no'))
    .action((word: string, options: JsonOption) => act(options, (snapshot) => answerOf(snapshot, word === 'yes')));
  command(program, 'recall', 'bring back agents that are left out of a session')
    .argument('[session]', 'its id, or an agent; without it the session with agents that are left out')
    .argument('[agent]', 'one of them')
    .action((session: string | undefined, agent: string | undefined, options: JsonOption) =>
      act(options, (snapshot) => recallOf(snapshot, session, agent)),
    );
}

const command = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description).option('--json', 'answer as JSON');

const timed = (to: Command): Command =>
  to.addOption(
    new Option('--for <duration>', 'such as 90s, 30m, 2h or 1d; without it until further notice').argParser(duration),
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

/** An act that says itself what it is about. */
const said =
  (act: PersonAct, done: string) =>
  ({ rev }: Snapshot): Deed => ({ name: 'person.act', input: { act, rev, actor: 'cli' }, done });

/** Whatever a person keeps a model out by: each release ends one of it. */
function releaseOf(model: string, snapshot: Snapshot): Deed {
  const { isolatedBy = [], hold = null } = snapshot.models.find((row) => row.model === model) ?? {};
  if (isolatedBy.length === 0)
    return said({ type: 'health.held', model, state: null, forMs: null }, `${model} is no longer held.`)(snapshot);
  const done =
    isolatedBy.length > 1
      ? `${model} is still isolated by ${isolatedBy.length - 1} more: release it again.`
      : hold
        ? `${model} is no longer isolated. It is still held ${hold.state}: release it again.`
        : `${model} is back in its chains.`;
  return said({ type: 'health.released', model }, done)(snapshot);
}

/** Without the id of a session: in the one session that it can mean. */
function recallOf(snapshot: Snapshot, named: string | undefined, agent: string | undefined): Deed {
  const paused = recordsOf(snapshot).filter(({ state }) => state === 'paused');
  const isSession = agent !== undefined || snapshot.sessions.some(({ session }) => session === named);
  const meant = named === undefined ? paused : paused.filter((record) => record.agent === named);
  if (named !== undefined && (isSession || meant.length === 0)) return recalled(named, agent ?? null)(snapshot);
  const [first, ...others] = new Set(meant.map(({ session }) => session));
  if (first === undefined) return 'No agent is paused.';
  if (others.length === 0) return recalled(first, named ?? null)(snapshot);
  const lines = meant.map((record) => {
    const title = record.title === undefined ? '' : `, "${record.title}"`;
    return `  understudy recall ${record.session} ${asArgument(record.agent)}   in ${record.project}${title}`;
  });
  return ['Agents are paused in several sessions. Name one:', ...lines.map(plain)].join('\n');
}

const recalled = (session: string, agent: string | null) =>
  said({ type: 'speaker.retried', session, agent }, `${agent ?? 'Everybody'} is back in ${session}.`);

function resetOf(target: string, { rev }: Snapshot): Deed {
  if (target === 'all')
    return { name: 'health.reset', input: { target: { all: true }, rev }, done: 'Every model is reset.' };
  const which = target.includes('/') ? { model: target } : { provider: target };
  return { name: 'health.reset', input: { target: which, rev }, done: `${target} is reset.` };
}

function pinOf(
  { directory }: CliParts,
  agent: string,
  to: Readonly<{ model: string | null; forMs: number | null }>,
): PersonAct {
  return { type: 'agent.pinned', directory, agent, ...to };
}

function answerOf({ rev, questions }: Snapshot, yes: boolean): Deed {
  const [open] = questions;
  if (open === undefined) return 'No question is open.';
  const act: PersonAct = { type: 'question.answered', question: open.id, yes };
  const { agent, model, to } = open;
  const said = to === null ? `${model} is asked once more for ${agent}.` : `${to} takes over for ${agent}.`;
  const done = yes ? said : `${agent} ends its turn.`;
  return { name: 'person.act', input: { act, rev, actor: 'cli' }, done };
}
