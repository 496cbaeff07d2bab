import { type RecordedRequest, toolCallThen, type Wire } from '../../../src/demo/scripted-provider';
import { runOpencode } from '../../../src/node/opencode';
import { FAULTS, type Fault, type FaultName, rowOf } from './faults';
import { visible } from './play';
import { ANSWER, FINISHED, PARTIAL, type Row, type Scene, type Told, WRITE } from './row';

export const WIRES: readonly Wire[] = ['openai-compatible', 'anthropic', 'openai-responses', 'google', 'openrouter'];

const OVER_EACH_WIRE: readonly FaultName[] = [
  'answers 429',
  'answers 500',
  'breaks off in mid-stream',
  'stops without a word',
  'streams an error nobody knows',
  'stalls between two words',
];

const overWires = (row: Row, wires: readonly Wire[]): Row => ({ ...row, options: { ...row.options, wires } });

const otherThan = (wire: Wire): Wire => (wire === 'anthropic' ? 'openai-compatible' : 'anthropic');

/** Only the nightly run plays the row of a fault, unless `npm test` plays this fault in its place. */
export const rowUnless = (perMerge: readonly FaultName[], name: FaultName): Row =>
  perMerge.includes(name) ? rowOf(name) : { ...rowOf(name), isNightly: true };

/** `npm test` plays it in each place: it involves reading, the end of a response and the next step. */
const PER_MERGE: readonly FaultName[] = ['breaks off in mid-stream'];

export const wireRows = (wire: Wire): readonly Row[] =>
  OVER_EACH_WIRE.map((name) => overWires(rowUnless(PER_MERGE, name), [wire, otherThan(wire)]));

const MID_TURN: readonly FaultName[] = [
  'answers 429',
  'answers 401',
  'answers 500',
  'resets the connection',
  'never answers',
  'stalls between two words',
  'breaks off in mid-stream',
  'stops without a word',
];

/**
 * The fault follows after the primary's tool has written a file, when OpenCode writes an old copy of the message back.
 */
export const MID_TURN_ROWS: readonly Row[] = MID_TURN.map((name) => {
  const { step }: Fault = FAULTS[name];
  const row = rowUnless(PER_MERGE, name);
  return {
    ...row,
    when: `${row.when} after its tool wrote a file`,
    models: step ? [toolCallThen('write', WRITE, step)] : [],
    // Other rows' files cannot be overwritten without reading them first.
    isAlone: true,
    expected: {
      ...row.expected,
      requests: ['lead', 'lead', 'understudy'],
      history: ['user: One', 'assistant: [write completed]', `assistant: ${ANSWER}`],
    },
  };
});

const SUB_AGENT: readonly FaultName[] = [
  'answers 429',
  'answers 402',
  'answers 503',
  'refuses the connection',
  'falls silent after its headers',
  'breaks off in mid-stream',
  'ends without a finish',
  'streams an error that speaks of a limit',
];

const TASK = { description: 'Help', prompt: 'Help me', subagent_type: 'helper', agent: 'helper' };
const taskTool = ({ body }: RecordedRequest): string =>
  JSON.stringify(body).includes('"subagent"') ? 'subagent' : 'task';
const HEARD = 'PARENT HEARD IT';

export const SUB_AGENT_ROWS: readonly Row[] = SUB_AGENT.map((name) => {
  const row = rowUnless(PER_MERGE, name);
  const helper = { mode: 'subagent', description: 'Helps', prompt: 'Help.' };
  return {
    ...row,
    when: `the lead of a sub-agent ${name}`,
    outcome: 'the parent receives the answer of the understudy',
    models: [
      (request) =>
        JSON.stringify(request.body).includes(ANSWER)
          ? { kind: 'text', text: HEARD }
          : { kind: 'toolCall', name: taskTool(request), arguments: TASK },
      ...row.models,
    ],
    roles: ['parent', 'lead', 'understudy'],
    options: {
      ...row.options,
      ...(row.options?.refusedAt === undefined ? {} : { refusedAt: 1 }),
      models: 3,
      config: (chain) => ({ agent: { helper: { ...helper, model: chain[1] } } }),
      agents: (chain) => ({ helper: { fallbackModels: [chain[2]] } }),
    },
    expected: {
      ...row.expected,
      answer: HEARD,
      requests: ['parent', ...(row.expected.requests ?? []), 'parent'],
      history: [
        'user: One',
        'assistant: [task completed]',
        `assistant: ${HEARD}`,
        `user: ${TASK.prompt}`,
        `assistant: ${ANSWER}`,
      ],
    },
  };
});

/** Before, in and after a response, by time, and over the network. */
const RUN: readonly FaultName[] = [
  'answers 429',
  'never answers',
  'breaks off in mid-stream',
  'stops without a word',
  'answers 401',
  'answers 503',
  'refuses the connection',
  'streams an error nobody knows',
];

/** The fault occurs in `opencode run`, a process that ends with the turn. */
export const RUN_ROWS: readonly Row[] = RUN.map((name) => {
  const { answer, requests, history } = { ...FINISHED, ...rowOf(name).expected };
  // Printed output cannot be revoked.
  const printed = name === 'breaks off in mid-stream' ? `${PARTIAL}\n${answer}\n` : `${answer}\n`;
  return {
    // A process costs as much as ten turns in a running one.
    ...rowUnless(PER_MERGE, name),
    outcome: 'the answer of the understudy is printed and the exit code is 0',
    send: run,
    isElsewhere: true,
    expected: { answer: printed, error: 'exit 0', requests, history },
  };
});

/** Wires on which an empty turn ends for an unknown reason: in a sub-agent, and under `opencode run`. */
export function unknownEndRows(wire: Wire): readonly Row[] {
  if (wire !== 'openai-responses' && wire !== 'google') return [];
  const subAgent = SUB_AGENT_ROWS.slice(0, 1).map((row) => overWires(row, ['anthropic', wire, otherThan(wire)]));
  const run = RUN_ROWS.slice(0, 1).map((row) => overWires(row, [wire, otherThan(wire)]));
  const both = [...subAgent, ...run.map((row) => ({ ...row, when: `${row.when} under \`opencode run\`` }))];
  return both.map((row) => ({ ...row, isNightly: true }));
}

async function run({ stage, project }: Scene): Promise<Told> {
  const { binary, sandbox, home } = stage;
  const { directory } = project;
  const env = { UNDERSTUDY_HOME: home };
  const { exitCode, stdout } = await runOpencode({ binary, sandbox, directory, args: ['One'], env });
  return { answer: visible(stdout), error: `exit ${exitCode}` };
}
