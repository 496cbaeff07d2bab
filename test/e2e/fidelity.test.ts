import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RecordedRequest, toolCallThen } from '../../src/demo/scripted-provider';
import { CONTINUE_MESSAGE } from '../../src/engine';
import { editProviders, PNG_PART, PNG_URL, sendParts } from '../support/prompt-parts';
import { textOf } from '../support/said';
import { sharedStage } from '../support/shared-stage';
import type { Case, Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await sharedStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.provider.clear());

const LIMITED = { kind: 'status', status: 429 } as const;
const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
const LASTING = { cooldownMs: 600_000, retryOriginalAfterMs: 600_000, restMs: 600_000 } as const;
const HELPER = { mode: 'subagent', description: 'Helps', prompt: 'Help.' } as const;
const TEXT = { type: 'text', text: 'MAIN WORDS' } as const;
const dataUrl = (text: string): string => `data:text/plain;base64,${Buffer.from(text).toString('base64')}`;

/** A project whose models read images and think as hard as they are told. */
async function makeCase(): Promise<Case> {
  const made = await stage.makeCase({ defaults: LASTING, config: { agent: { helper: HELPER } } });
  await editProviders(made.directory, ({ models }) => {
    for (const model of Object.values(models))
      Object.assign(model, {
        attachment: true,
        reasoning: true,
        modalities: { input: ['text', 'image'], output: ['text'] },
      });
  });
  await writeFile(join(made.directory, 'notes.txt'), 'NOTES IN A FILE\n');
  return made;
}

/** A request's body with the names of its model taken out: what is left is the same for whoever is asked. */
function withoutNames({ chain, ids }: Case, request: RecordedRequest | undefined): unknown {
  const names = [...chain, ...ids];
  const text = names.reduce((all, name) => all.replaceAll(name, 'MODEL'), JSON.stringify(request?.body ?? null));
  return JSON.parse(text);
}

type Row = Readonly<{
  name: string;
  body: (made: Case) => Readonly<Record<string, unknown>>;
  /** What must be in both requests. */
  holds: RegExp;
  /** True where `npm test` plays it; the nightly run plays all. */
  isPerMerge?: boolean;
}>;

const ROWS: readonly Row[] = [
  { name: 'a text', body: () => ({ parts: [TEXT] }), holds: /MAIN WORDS/ },
  {
    name: 'a text file in a data URL',
    body: () => ({
      parts: [TEXT, { type: 'file', mime: 'text/plain', filename: 'a.txt', url: dataUrl('DATA WORDS') }],
    }),
    holds: /DATA WORDS/,
  },
  {
    name: 'a text file of the project',
    body: ({ directory }) => {
      const url = pathToFileURL(join(directory, 'notes.txt')).href;
      return { parts: [TEXT, { type: 'file', mime: 'text/plain', filename: 'notes.txt', url }] };
    },
    holds: /NOTES IN A FILE/,
  },
  {
    name: 'an image',
    body: () => ({ parts: [TEXT, PNG_PART] }),
    holds: new RegExp(PNG_URL.slice(0, 40)),
    isPerMerge: true,
  },
  {
    name: 'a mention of an agent',
    body: () => ({ parts: [TEXT, { type: 'agent', name: 'helper' }] }),
    holds: /call the task tool with subagent: helper/,
  },
  {
    name: 'a sub-task',
    body: () => ({ parts: [{ type: 'subtask', agent: 'helper', description: 'Help', prompt: 'SUB TASK' }] }),
    holds: /CHILD ANSWERS/,
    isPerMerge: true,
  },
  {
    name: 'a synthetic text',
    body: () => ({ parts: [TEXT, { type: 'text', text: 'SYNTHETIC WORDS', synthetic: true }] }),
    holds: /SYNTHETIC WORDS/,
  },
  { name: 'the agent plan', body: () => ({ agent: 'plan', parts: [TEXT] }), holds: /Plan Mode/ },
  {
    name: 'a variant',
    body: () => ({ variant: 'high', parts: [TEXT] }),
    holds: /"reasoning_effort":"high"/,
    isPerMerge: true,
  },
  { name: 'a system text', body: () => ({ system: 'SYSTEM WORDS', parts: [TEXT] }), holds: /SYSTEM WORDS/ },
  {
    name: 'a tool that is off',
    body: () => ({ tools: { webfetch: false }, parts: [TEXT] }),
    holds: /^(?!.*"name":"webfetch").*"name":"write"/s,
  },
];

/** A sub-task is answered by its own agent, in a conversation of its own, before the message itself is. */
const isChild = ({ body }: RecordedRequest): boolean =>
  /SUB TASK/.test(JSON.stringify(body)) && !/"tool_calls"/.test(JSON.stringify(body));

describe('given a message whose lead fails', () => {
  for (const { name, body, holds, isPerMerge } of ROWS) {
    const tags = isPerMerge ? [] : ['nightly'];
    it(`when it has ${name}, then its understudy is sent the same, and it stays one message with one answer`, {
      tags,
    }, async () => {
      const { provider, server } = stage;
      const made = await makeCase();
      const [lead = '', understudy = ''] = made.ids;
      provider.script(lead, (request) => (isChild(request) ? { kind: 'text', text: 'CHILD ANSWERS' } : LIMITED));
      provider.script(understudy, [ANSWER]);
      const session = await server.createSession(made.directory);
      const sent = body(made);
      const answer = await sendParts(server, session, sent);
      const asked = provider.requests(lead).find((request) => !isChild(request));
      const bodies = [asked, provider.requests(understudy)[0]].map((request) => withoutNames(made, request));
      expect(JSON.stringify(bodies[0])).toMatch(holds);
      expect(bodies[1]).toEqual(bodies[0]);
      expect([textOf(answer), answer.info.agent, provider.requests(understudy).length]).toEqual([
        ANSWER.text,
        sent.agent ?? 'build',
        1,
      ]);
      const answers = async () =>
        (await server.messages(session)).filter(
          ({ info, parts }) => info.role === 'assistant' && !parts.some(({ type }) => type === 'tool'),
        ).length;
      await expect.poll(answers).toBe(1);
      const users = (await server.messages(session)).filter(({ info }) => info.role === 'user');
      expect(users.filter(({ parts }) => parts.some((part) => part.synthetic !== true))).toHaveLength(1);
    });
  }

  it('when it wants an answer of a given shape, then its understudy gives one', { tags: ['nightly'] }, async () => {
    const { provider, server } = stage;
    const made = await makeCase();
    provider.script(made.ids[0] ?? '', [LIMITED]);
    provider.script(made.ids[1] ?? '', [{ kind: 'toolCall', name: 'StructuredOutput', arguments: { x: 2 } }]);
    const session = await server.createSession(made.directory);
    const schema = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
    const answer = await sendParts(server, session, { parts: [TEXT], format: { type: 'json_schema', schema } });
    const bodies = provider.requests().map((request) => withoutNames(made, request));
    expect([answer.info.structured, answer.info.error, bodies.length]).toEqual([{ x: 2 }, undefined, 2]);
    expect(bodies[1]).toEqual(bodies[0]);
  });
});

describe('given a turn that has already done something', () => {
  it('when its lead fails after a tool has changed a file, then the tool has run once and its understudy reads the result', async () => {
    const { provider, server } = stage;
    const made = await makeCase();
    const [lead = '', understudy = ''] = made.ids;
    const command = { command: 'echo once >> made.txt && echo TOOL RESULT', description: 'Adds a line' };
    provider.script(lead, toolCallThen('bash', command, LIMITED));
    provider.script(understudy, [ANSWER]);
    const session = await server.createSession(made.directory);
    const answer = await sendParts(server, session, { parts: [TEXT] });
    const tools = (await server.messages(session)).flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool'));
    expect([textOf(answer), await readFile(join(made.directory, 'made.txt'), 'utf8'), tools.length]).toEqual([
      ANSWER.text,
      'once\n',
      1,
    ]);
    const [, second] = provider.requests(lead);
    expect(withoutNames(made, provider.requests(understudy)[0])).toEqual(withoutNames(made, second));
    expect(JSON.stringify(second?.body)).toContain('TOOL RESULT');
  });

  it('when it breaks off after more than 500 characters, then they stay, say so, and are what its understudy goes on from', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const made = await makeCase();
    const [lead = '', understudy = ''] = made.ids;
    const long = 'A long answer. '.repeat(40).trim();
    provider.script(lead, [{ kind: 'cut', text: long, afterMs: 500 }]);
    provider.script(understudy, [ANSWER]);
    const session = await server.createSession(made.directory);
    await sendParts(server, session, { parts: [TEXT] });
    const texts = (await server.messages(session)).map(textOf);
    const marked = `${long}\n\n[${lead} broke off here.]`;
    expect(texts).toEqual([TEXT.text, marked, ANSWER.text]);
    const [asked] = provider.requests(understudy);
    expect((asked?.body as { messages?: unknown[] } | undefined)?.messages?.slice(-2)).toEqual([
      { role: 'assistant', content: marked },
      { role: 'user', content: CONTINUE_MESSAGE },
    ]);
  });

  it('when it breaks off after a few words, then its understudy is not sent them, and they are gone at rest', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const made = await makeCase();
    const [lead = '', understudy = ''] = made.ids;
    provider.script(lead, [{ kind: 'cut', text: 'A FEW WORDS', afterMs: 500 }]);
    provider.script(understudy, [ANSWER]);
    const session = await server.createSession(made.directory);
    await sendParts(server, session, { parts: [TEXT] });
    const texts = async () => (await server.messages(session)).map(textOf);
    await expect.poll(texts).toEqual([TEXT.text, ANSWER.text]);
    expect(JSON.stringify(provider.requests(understudy)[0]?.body)).not.toContain('A FEW WORDS');
  });
});
