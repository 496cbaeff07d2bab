import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedRequest, ScriptedStep, Wire } from '../../src/demo/scripted-provider';
import { CONTINUE_MESSAGE } from '../../src/engine';
import { textOf } from '../support/said';
import { sharedStage } from '../support/shared-stage';
import { type Case, type CaseOptions, QUICK, type Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await sharedStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.provider.clear());

const WIRES: readonly Wire[] = ['openai-compatible', 'anthropic', 'openai-responses', 'google', 'openrouter'];
/** Leaves a wire to the nightly run, unless it is one of those that `npm test` plays. */
const tagsOf = (wire: Wire, ...perMerge: readonly Wire[]): string[] => (perMerge.includes(wire) ? [] : ['nightly']);
/** Those whose answers are ended in three different ways; the others are ended like one of them. */
const ENDED_BY = WIRES.slice(0, 3);
const LIMITED = { kind: 'status', status: 429 } as const;
const LEAD = { kind: 'text', text: 'LEAD ANSWERS' } as const;
const SPARE = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;

/**
 * A project whose agents follow a policy that ships, or one with a row of its own. It is a repository over the first wire:
 * what becomes of its snapshots is the same over the others.
 */
async function following(
  policy: string | Readonly<Record<string, readonly string[]>>,
  more: CaseOptions = {},
): Promise<Case> {
  const [wire = WIRES[0]] = more.wires ?? [];
  const options = { git: wire === WIRES[0], ...more };
  const defaults = { ...QUICK, ...options.defaults };
  if (typeof policy === 'string') return stage.makeCase({ ...options, defaults: { ...defaults, policy } });
  const made = await stage.makeCase(options);
  const config = {
    defaults: { ...defaults, policy: 'mine' },
    policies: { mine: { extends: 'swift', rows: policy } },
    agents: { '*': { fallbackModels: made.chain.slice(1) } },
  };
  await writeFile(join(made.directory, '.opencode', 'model-fallback.json'), JSON.stringify(config));
  return made;
}

type ProviderEntry = { options: Record<string, unknown>; models: Record<string, { limit: { context: number } }> };

/** Changes what OpenCode is told of one provider of a project, before it is first asked anything there. */
async function configure(
  { directory, chain }: Case,
  at: number,
  change: (entry: ProviderEntry) => void,
): Promise<void> {
  const path = join(directory, 'opencode.json');
  const config = JSON.parse(await readFile(path, 'utf8'));
  change(config.provider[chain[at]?.split('/')[0] ?? '']);
  await writeFile(path, JSON.stringify(config));
}

/** What was said in a session, message by message. */
async function said(
  session: Parameters<Stage['server']['messages']>[0],
): Promise<readonly (readonly [string, string])[]> {
  return (await stage.server.messages(session)).map((message) => [message.info.role, textOf(message)] as const);
}

const bodyOf = (request: RecordedRequest | undefined): string => JSON.stringify(request?.body ?? null);

describe('given an answer that only lacks its finish, under the policy that values it', () => {
  for (const wire of WIRES) {
    it(`when a ${wire} lead has said more than 500 characters, then they are the answer`, {
      tags: tagsOf(wire, 'anthropic'),
    }, async () => {
      const { provider, server } = stage;
      const { directory, ids } = await following('patient', { wires: [wire] });
      const long = `${'word '.repeat(110)}end`;
      provider.script(ids[0] ?? '', [{ kind: 'noFinish', text: long }]);
      const session = await server.createSession(directory);
      const answer = await server.prompt(session, { text: 'One' });
      expect([textOf(answer), answer.info.finish, answer.info.error, provider.requests().length]).toEqual([
        long,
        'stop',
        undefined,
        1,
      ]);
    });
  }
});

describe('given a policy that lets a model rest before it is left', () => {
  const REST_MS = 1_500;

  it('when the rest is over, then the understudy finishes the turn', { tags: ['nightly'] }, async () => {
    const { provider, server } = stage;
    const { directory, ids } = await following({ rate_limit: [`wait:${REST_MS}`, 'switch'] });
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[1] ?? '', [SPARE]);
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(SPARE.text);
    const [lead] = provider.requests(ids[0]);
    const [spare] = provider.requests(ids[1]);
    expect((spare?.at ?? 0) - (lead?.at ?? 0)).toBeGreaterThanOrEqual(REST_MS);
  });

  it('when the user stops the turn meanwhile, then nobody is asked and the next message is answered', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const { directory, ids } = await following({ rate_limit: ['wait:60000', 'switch'] });
    provider.script(ids[0] ?? '', [LIMITED, LEAD]);
    provider.script(ids[1] ?? '', [SPARE]);
    const session = await server.createSession(directory);
    const stream = await server.events(directory);
    const pending = server.prompt(session, { text: 'One' }).catch(() => null);
    await provider.waitForRequest((request) => request.model === ids[0] && request.respondedAt !== null);
    const idle = stream.waitFor((event) => event.type === 'session.idle');
    await server.abort(session);
    await Promise.all([pending, idle]);
    stream.close();
    expect(provider.requests().length).toBe(1);
    expect([LEAD.text, SPARE.text]).toContain(textOf(await server.prompt(session, { text: 'Two' })));
    expect(provider.requests().length).toBe(2);
  });
});

describe('given a time limit of OpenCode’s own', () => {
  for (const [limit, step] of [
    ['timeout', { kind: 'hang' }],
    ['timeout', { kind: 'stall', text: 'partial words' }],
    ['chunkTimeout', { kind: 'stall', text: 'partial words' }],
  ] as const) {
    const tags = step.kind === 'stall' ? ['nightly'] : [];
    it(`when \`${limit}\` ends a model’s ${step.kind}, then the understudy finishes the turn`, { tags }, async () => {
      const { provider, server } = stage;
      const made = await following('swift');
      const { directory, ids } = made;
      await configure(made, 0, ({ options }) => {
        options[limit] = 1_500;
      });
      provider.script(ids[0] ?? '', [step]);
      provider.script(ids[1] ?? '', [SPARE]);
      const session = await server.createSession(directory);
      expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(SPARE.text);
      expect([provider.requests(ids[0]).length, provider.requests(ids[1]).length]).toEqual([1, 1]);
    });
  }
});

describe('given a chain that is out for a moment', () => {
  it('when the first is back within 30 s, then the turn waits for it, and so does one that begins meanwhile', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const { directory, ids } = await following('swift', {
      defaults: { cooldownMs: 4_000, retryOriginalAfterMs: 4_000 },
    });
    for (const [at, id] of ids.entries()) provider.script(id, [LIMITED, at === 0 ? LEAD : SPARE]);
    const [one, two] = [await server.createSession(directory), await server.createSession(directory)];
    const first = server.prompt(one, { text: 'One' });
    await provider.waitForRequest((request) => request.model === ids[1] && request.respondedAt !== null);
    const second = server.prompt(two, { text: 'Two' });
    const texts = [textOf(await first), textOf(await second)];
    expect(texts.every((text) => text === LEAD.text || text === SPARE.text)).toBe(true);
    expect(provider.requests().length).toBe(4);
  });
});

describe('given a chain whose end is left to OpenCode', () => {
  it('when OpenCode’s own retry is answered, then the turn is finished and the model is well', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await following('swift', { defaults: { onExhausted: 'native' } });
    provider.script(ids[0] ?? '', [{ kind: 'status', status: 401 }]);
    provider.script(ids[1] ?? '', [{ kind: 'status', status: 503 }, SPARE]);
    const app = await stage.openApp();
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(SPARE.text);
    const snapshot = await app.until((seen) =>
      seen.models.some((row) => row.model === chain[1] && row.calls === 2 && row.failed === 1),
    );
    await app.close();
    expect([provider.requests(ids[0]).length, provider.requests(ids[1]).length]).toEqual([1, 2]);
    expect(snapshot.models.find((row) => row.model === chain[1])?.state).toMatch(/ready|degraded/);
  });
});

/** How a provider of each wire says that a conversation is too long. */
const TOO_LONG: Readonly<Record<Wire, unknown>> = {
  'openai-compatible': {
    error: { message: 'This model’s maximum context length is 8192 tokens.', code: 'context_length_exceeded' },
  },
  anthropic: {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  },
  'openai-responses': {
    error: {
      message: 'Your input exceeds the context window of this model.',
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  },
  google: {
    error: {
      code: 400,
      message: 'The input token count (9000) exceeds the maximum number of tokens allowed (8192).',
      status: 'INVALID_ARGUMENT',
    },
  },
  openrouter: { error: { code: 400, message: 'This endpoint’s maximum context length is 8192 tokens.' } },
};

describe('given a conversation that is too long', () => {
  for (const wire of WIRES) {
    const tooLong: ScriptedStep = { kind: 'status', status: 400, body: TOO_LONG[wire] };

    it(`when OpenCode has compacted it over ${wire}, then the same model answers the prompt once more`, {
      tags: tagsOf(wire, 'openrouter'),
    }, async () => {
      const { provider, server } = stage;
      const { directory, ids } = await following('swift', { wires: [wire] });
      provider.script(ids[0] ?? '', [LEAD, tooLong, { kind: 'text', text: 'A SUMMARY' }, LEAD]);
      provider.script(ids[1] ?? '', [SPARE]);
      const session = await server.createSession(directory);
      await server.prompt(session, { text: 'One' });
      expect(textOf(await server.prompt(session, { text: 'Two' }))).toBe(LEAD.text);
      expect([provider.requests(ids[0]).length, provider.requests(ids[1]).length]).toEqual([4, 0]);
      expect(bodyOf(provider.requests(ids[0])[3])).toContain('A SUMMARY');
    });
  }

  for (const wire of ENDED_BY) {
    const tooLong: ScriptedStep = { kind: 'status', status: 400, body: TOO_LONG[wire] };

    it(`when it still is too long after that over ${wire}, then the turn ends with one clear sentence`, {
      tags: tagsOf(wire, 'anthropic'),
    }, async () => {
      const { provider, server } = stage;
      const { directory, ids } = await following('swift', { wires: [wire] });
      provider.script(ids[0] ?? '', [LEAD, tooLong, { kind: 'text', text: 'A SUMMARY' }, tooLong]);
      provider.script(ids[1] ?? '', [SPARE]);
      const session = await server.createSession(directory);
      await server.prompt(session, { text: 'One' });
      const end = await server.prompt(session, { text: 'Two' });
      expect(String(end.info.error?.data?.message)).toMatch(/^Understudy: this conversation is too long for/);
      expect([provider.requests(ids[0]).length, provider.requests(ids[1]).length]).toEqual([4, 0]);
    });
  }
});

describe('given a conversation that is too long for its model alone', () => {
  it('when it still is after OpenCode has compacted it, then a model that is known to hold more answers', async () => {
    const { provider, server } = stage;
    const made = await following('swift');
    const { directory, ids } = made;
    await configure(made, 1, ({ models }) => {
      for (const model of Object.values(models)) model.limit.context = 1_000_000;
    });
    const tooLong: ScriptedStep = { kind: 'status', status: 400, body: TOO_LONG['openai-compatible'] };
    provider.script(ids[0] ?? '', [LEAD, tooLong, { kind: 'text', text: 'A SUMMARY' }, tooLong]);
    provider.script(ids[1] ?? '', [SPARE]);
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'One' });
    expect(textOf(await server.prompt(session, { text: 'Two' }))).toBe(SPARE.text);
    expect([provider.requests(ids[0]).length, provider.requests(ids[1]).length]).toEqual([4, 1]);
  });
});

describe('given the policy that asks the same model again', () => {
  it('when the lead answers 503 once, then the lead finishes the turn and the history is clean', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await following('steady');
    provider.script(ids[0] ?? '', [{ kind: 'status', status: 503 }, LEAD]);
    provider.script(ids[1] ?? '', [SPARE]);
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(LEAD.text);
    expect([provider.requests(ids[0]).length, provider.requests(ids[1]).length, await said(session)]).toEqual([
      2,
      0,
      [
        ['user', 'One'],
        ['assistant', LEAD.text],
      ],
    ]);
  });

  for (const wire of ENDED_BY) {
    it(`when a ${wire} lead falls silent in mid-stream, then the lead answers anew and the partial text is gone`, {
      tags: ['nightly'],
    }, async () => {
      const { provider, server } = stage;
      const { directory, ids } = await following('steady', { wires: [wire], defaults: { stallTimeoutMs: 1_500 } });
      provider.script(ids[0] ?? '', [{ kind: 'stall', text: 'partial words' }, LEAD]);
      provider.script(ids[1] ?? '', [SPARE]);
      const session = await server.createSession(directory);
      const stream = await server.events(directory);
      const answer = await server.prompt(session, { text: 'One' });
      await stream.waitFor((event) => event.type === 'message.removed');
      stream.close();
      expect([textOf(answer), provider.requests(ids[0]).length, provider.requests(ids[1]).length]).toEqual([
        LEAD.text,
        2,
        0,
      ]);
      expect(bodyOf(provider.requests(ids[0])[1])).not.toContain('partial words');
      expect(await said(session)).toEqual([
        ['user', 'One'],
        ['assistant', LEAD.text],
      ]);
    });
  }
});

describe('given the policy that lets a model go on', () => {
  const half = 'The first half of the answer';
  for (const wire of WIRES) {
    it(`when a ${wire} lead stops without a finish, then it is told to continue and both halves stay`, {
      tags: tagsOf(wire, 'openai-responses'),
    }, async () => {
      const { provider, server } = stage;
      const { directory, ids } = await following('patient', { wires: [wire] });
      provider.script(ids[0] ?? '', [{ kind: 'noFinish', text: half }, LEAD]);
      provider.script(ids[1] ?? '', [SPARE]);
      const session = await server.createSession(directory);
      expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(LEAD.text);
      const [first, second, ...more] = provider.requests(ids[0]);
      expect([bodyOf(first).includes(CONTINUE_MESSAGE), bodyOf(second).includes(half), more]).toEqual([
        false,
        true,
        [],
      ]);
      expect(bodyOf(second).indexOf(CONTINUE_MESSAGE)).toBeGreaterThan(bodyOf(second).indexOf(half));
      expect(await said(session)).toEqual([
        ['user', 'One'],
        ['assistant', half],
        ['assistant', LEAD.text],
      ]);
      await server.prompt(session, { text: 'Two' });
      expect(bodyOf(provider.requests(ids[0])[2])).not.toContain(CONTINUE_MESSAGE);
    });
  }
});

describe('given a model that is told to go on once, and left', () => {
  it('when it stops early again, then the understudy begins anew and nothing of the lead is left', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const { directory, ids } = await following('swift');
    provider.script(ids[0] ?? '', [{ kind: 'noFinish', text: 'partial words' }]);
    provider.script(ids[1] ?? '', [SPARE]);
    const session = await server.createSession(directory);
    const stream = await server.events(directory);
    const answer = await server.prompt(session, { text: 'One' });
    await stream.waitFor((event) => event.type === 'session.idle');
    stream.close();
    expect([textOf(answer), provider.requests(ids[0]).length]).toEqual([SPARE.text, 2]);
    const asked = bodyOf(provider.requests(ids[1])[0]);
    expect([asked.includes('partial words'), asked.includes(CONTINUE_MESSAGE)]).toEqual([false, false]);
    await expect
      .poll(() => said(session))
      .toEqual([
        ['user', 'One'],
        ['assistant', SPARE.text],
      ]);
  });

  it('when more than 500 characters have come before it fails, then the understudy is told to go on from them', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const { directory, ids } = await following('swift', { defaults: { stallTimeoutMs: 1_500 } });
    const long = `${'word '.repeat(110)}end`;
    provider.script(ids[0] ?? '', [{ kind: 'stall', text: long }]);
    provider.script(ids[1] ?? '', [SPARE]);
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(SPARE.text);
    const asked = bodyOf(provider.requests(ids[1])[0]);
    expect(asked.indexOf(CONTINUE_MESSAGE)).toBeGreaterThan(asked.indexOf(long));
    expect([asked.includes(long), await said(session)]).toEqual([
      true,
      [
        ['user', 'One'],
        ['assistant', `${long}\n\n[${ids[0]} broke off here.]`],
        ['assistant', SPARE.text],
      ],
    ]);
  });
});
