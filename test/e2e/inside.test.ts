import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelRow } from '../../src/contract/snapshot';
import { toolCallThen } from '../../src/demo/scripted-provider';
import type { OpencodeEvent, OpencodeMessage, OpencodeSession } from '../../src/node/opencode';
import { runOpencode } from '../../src/node/opencode';
import { textOf } from '../support/said';
import { sharedStage } from '../support/shared-stage';
import type { CaseOptions, Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await sharedStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.provider.clear());

const LEAD = { kind: 'text', text: 'LEAD ANSWERS' } as const;
const SPARE = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
const LIMITED = { kind: 'status', status: 429 } as const;
const OK = { kind: 'text', text: 'OK' } as const;
const KEYLESS = { kind: 'status', status: 401 } as const;
const LASTING = { cooldownMs: 600_000, retryOriginalAfterMs: 600_000, restMs: 600_000 } as const;

/** Types a command, and waits for the end of its turn. */
const command = ({ id, directory }: OpencodeSession, name: string, words = ''): Promise<OpencodeMessage> =>
  stage.server.request('POST', `/session/${id}/command`, { directory, body: { command: name, arguments: words } });

const toastIn = ({ type, properties }: OpencodeEvent): string | null =>
  type === 'tui.toast.show' ? String((properties as { message?: unknown }).message) : null;
const toastsOf = (seen: readonly OpencodeEvent[]): string[] => seen.map(toastIn).filter((text) => text !== null);
const isToast =
  (pattern: RegExp) =>
  (event: OpencodeEvent): boolean =>
    pattern.test(toastIn(event) ?? '');

/** A conversation whose lead has just been limited. */
async function limited(options: CaseOptions = {}) {
  const made = await stage.makeCase({ defaults: LASTING, ...options });
  stage.provider.script(made.ids[0] ?? '', [LIMITED, LEAD]);
  stage.provider.script(made.ids[1] ?? '', [SPARE]);
  const session = await stage.server.createSession(made.directory);
  await stage.server.prompt(session, { text: 'One' });
  return { ...made, session };
}

describe('given a conversation whose lead is limited', () => {
  it('when /fallback-status is typed, then no model is asked for it, and none is ever shown it', async () => {
    const { provider, server } = stage;
    const { session, chain, ids } = await limited();
    const before = provider.requests().length;
    const answer = await command(session, 'fallback-status');
    expect(textOf(answer)).toMatch(/^Understudy: \*\*build uses \S+, 2 of 2\.\*\*/);
    for (const model of chain) expect(textOf(answer)).toContain(model);
    expect(textOf(answer)).toMatch(
      /Cooling · rate limited \(429\) · \d+m \d+s left, until about \d\d:\d\d, our estimate · 1 request, 1 failed/,
    );
    expect(provider.requests().length).toBe(before);
    expect(textOf(await server.prompt(session, { text: 'Two' }))).toBe(SPARE.text);
    const asked = JSON.stringify(provider.requests(ids[1]).at(-1)?.body);
    expect([asked.includes('Two'), /fallback-status|2 of 2/.test(asked)]).toEqual([true, false]);
  });

  it('when the conversation is compacted right after a command, then the summary is of the conversation', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const { session, directory, chain, ids } = await limited();
    await command(session, 'fallback-status');
    const [providerID] = chain[1]?.split('/') ?? [];
    const body = { providerID, modelID: ids[1] };
    await server.request('POST', `/session/${session.id}/summarize`, { directory, body });
    const asked = JSON.stringify(provider.requests(ids[1]).at(-1)?.body);
    expect([asked.includes(SPARE.text), /fallback-status|2 of 2/.test(asked)]).toEqual([true, false]);
  });

  it('when /retry names it, then it is asked again with the next message, and the app has heard', async () => {
    const { server } = stage;
    const app = await stage.openApp();
    const { session, chain, ids } = await limited();
    await app.until(({ models }) => models.some(({ model, state }) => model === chain[0] && state === 'cooling'));
    const wrong = await command(session, 'retry', `${ids[0]}x`);
    expect(textOf(wrong)).toContain(`Did you mean ${ids[0]}?`);
    const right = await command(session, 'retry', ids[0]);
    expect(textOf(right)).toBe(`Understudy: You reset ${ids[0]}: available from your next message on.`);
    const { events } = await app.until(({ models }) =>
      models.some(({ model, state }) => model === chain[0] && state === 'ready'),
    );
    await app.close();
    expect(events.find(({ code }) => code === 'reset.model')?.model).toBe(chain[0]);
    expect(textOf(await server.prompt(session, { text: 'Two' }))).toBe(LEAD.text);
  });

  it('when nobody asks anything, then /yes says so', { tags: ['nightly'] }, async () => {
    const { session } = await limited();
    expect(textOf(await command(session, 'yes'))).toBe('Understudy: No question is open.');
  });

  it('when more sessions meet the same failure, then there is one notice of it, and one when the lead has answered', {
    tags: ['nightly'],
  }, async () => {
    const { server, provider } = stage;
    const app = await stage.openApp();
    const { directory, ids, chain } = await stage.makeCase();
    provider.script(ids[0] ?? '', [LIMITED, LIMITED, LEAD]);
    provider.script(ids[1] ?? '', [SPARE]);
    const stream = await server.events(directory);
    const [one, two] = [await server.createSession(directory), await server.createSession(directory)];
    await Promise.all([server.prompt(one, { text: 'One' }), server.prompt(two, { text: 'Two' })]);
    await server.prompt(one, { text: 'Three' });
    await stream.waitFor(isToast(/^build (?:switched|used)/));
    const leadIs = (fits: (row: ModelRow) => boolean) =>
      app.until(({ models }) => models.some((row) => row.model === chain[0] && fits(row)));
    await leadIs(({ failed }) => failed > 0);
    await leadIs(({ state }) => state === 'ready');
    await app.close();
    expect(textOf(await server.prompt(two, { text: 'Four' }))).toBe(LEAD.text);
    await stream.waitFor(isToast(/^build is back on lead-model/));
    stream.close();
    expect(toastsOf(stream.seen()).length).toBe(2);
  });
});

describe('given another plugin that does fallbacks', () => {
  it('when the first message is sent, then the user is told once what to do about it', async () => {
    const { server, provider, sandbox } = stage;
    const file = join(sandbox.root, 'opencode-model-fallback.js');
    await writeFile(file, 'export const Neighbour = async () => ({});\n');
    const { directory, ids } = await stage.makeCase({ config: { plugin: [pathToFileURL(file).href] } });
    provider.script(ids[0] ?? '', [LEAD]);
    const stream = await server.events(directory);
    const session = await server.createSession(directory);
    for (const text of ['One', 'Two']) await server.prompt(session, { text });
    await command(session, 'fallback-status');
    await stream.waitFor(isToast(/^opencode-model-fallback also switches models after failures/));
    stream.close();
    expect(toastsOf(stream.seen()).length).toBe(1);
  });
});

describe('given a chain of which nobody is left', () => {
  it('when two messages are sent, then one notice says so and when the first is back', {
    tags: ['nightly'],
  }, async () => {
    const { server, provider } = stage;
    const { directory, ids } = await stage.makeCase({ defaults: LASTING });
    for (const id of ids) provider.script(id, [{ ...LIMITED, headers: { 'retry-after': '600' } }]);
    const stream = await server.events(directory);
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'One' });
    await server.prompt(session, { text: 'Two' });
    await stream.waitFor(isToast(/^build has no available model.*first back about \d\d:\d\d$/));
    stream.close();
    expect(toastsOf(stream.seen()).filter((text) => text.includes('no available model')).length).toBe(1);
  });
});

describe('given a conversation that begins with a command', () => {
  // Which agents OpenCode has, it may have told before the first command, or after it: both are so.
  const ARMED = /^Understudy: \*\*(?:Ready|All \d agents are protected and on their primary)\.\*\*/;
  const BARE = /no chain is set|None of \d agents is protected/;

  it('when OpenCode asks for a title, then no model is asked for that either, and the next message is an ordinary one', {
    tags: ['nightly'],
  }, async () => {
    const { server, provider } = stage;
    const { directory, ids } = await stage.makeCase({ config: { agent: { title: { disable: false } } } });
    provider.script(ids[0] ?? '', [LEAD]);
    const session = await server.createSession(directory);
    const answer = await command(session, 'fallback-status');
    expect([textOf(answer), provider.requests().length]).toEqual([expect.stringMatching(ARMED), 0]);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(LEAD.text);
  });

  it('when `opencode run` is given one, then it prints the answer and ends well', { tags: ['nightly'] }, async () => {
    const { binary, sandbox, home, provider } = stage;
    const { directory, chain } = await stage.makeCase();
    const args = ['/fallback-status'];
    const run = await runOpencode({ binary, sandbox, directory, args, env: { UNDERSTUDY_HOME: home } });
    expect([run.exitCode, provider.requests().length]).toEqual([0, 0]);
    expect(run.stdout).toContain(chain[1]);
  });

  it('when the project has no chains, then it is answered all the same', async () => {
    const { server, provider } = stage;
    const { directory } = await stage.makeCase({ fallback: false });
    const session = await server.createSession(directory);
    expect(textOf(await command(session, 'fallback-status'))).toMatch(BARE);
    expect(provider.requests().length).toBe(0);
  });
});

describe('given an answer under way', () => {
  const long = { kind: 'text', text: 'One word after the other '.repeat(8), paceMs: 150 } as const;

  it('when a command comes in the middle of it, then it ends undisturbed and the command is answered after it', {
    tags: ['nightly'],
  }, async () => {
    const { server, provider } = stage;
    const { directory, ids } = await stage.makeCase();
    provider.script(ids[0] ?? '', [long]);
    const session = await server.createSession(directory);
    const stream = await server.events(directory);
    const turn = server.prompt(session, { text: 'One' });
    await stream.waitFor(
      ({ type, properties }) => type.startsWith('message.part') && /word/.test(JSON.stringify(properties)),
    );
    const typed = await command(session, 'fallback-status');
    await turn;
    stream.close();
    const said = (await server.messages(session)).filter(({ info }) => info.role === 'assistant').map(textOf);
    expect([said, provider.requests().length]).toEqual([[long.text, textOf(typed)], 1]);
    expect(textOf(typed)).toMatch(/^Understudy: /);
  });

  it('when a command comes while a tool works, then it says at once what it did, and the model goes on after the tool', async () => {
    const { server, provider } = stage;
    const { directory, ids } = await stage.makeCase();
    const wait = 'until [ -e go ]; do sleep 0.1; done; echo DONE';
    provider.script(ids[0] ?? '', toolCallThen('bash', { command: wait, description: 'Wait' }, LEAD));
    const session = await server.createSession(directory);
    const stream = await server.events(directory);
    const turn = server.prompt(session, { text: 'One' });
    await stream.waitFor(({ properties }) => /"status":"running"/.test(JSON.stringify(properties)));
    const typed = command(session, 'retry', 'all');
    const shown = async () => (await server.messages(session)).filter(({ info }) => info.role === 'user').map(textOf);
    const told = expect.stringMatching(/^\/retry all\n\nYou reset every model: /);
    await expect.poll(shown).toEqual(['One', told]);
    await writeFile(join(directory, 'go'), '');
    expect([textOf(await turn), textOf(await typed)]).toEqual([LEAD.text, LEAD.text]);
    stream.close();
    const [, second, ...more] = provider.requests();
    expect([/retry all|was reset/.test(JSON.stringify(second?.body)), more]).toEqual([false, []]);
  });
});

describe('given an agent whose policy asks the user', () => {
  /** A turn whose lead has lost its key: its question is open. */
  async function asking() {
    const { server, provider } = stage;
    const made = await stage.makeCase({ defaults: { policy: 'council', ...LASTING } });
    provider.script(made.ids[0] ?? '', [KEYLESS]);
    provider.script(made.ids[1] ?? '', [SPARE]);
    const stream = await server.events(made.directory);
    const session = await server.createSession(made.directory);
    const turn = server.prompt(session, { text: 'One' });
    await stream.waitFor(isToast(/^build asks you whether understudy1-model-\d+ may continue: .*\/yes or \/no$/));
    return { ...made, stream, session, turn };
  }
  const shown = async (session: OpencodeSession): Promise<string> =>
    JSON.stringify((await stage.server.messages(session)).map(textOf));

  it('when /yes is typed meanwhile, then the next model finishes the turn, and nothing of the question is left', async () => {
    const { session, turn, stream, ids } = await asking();
    await expect.poll(() => shown(session)).toContain('Understudy: build asks you whether');
    const typed = command(session, 'yes');
    expect(textOf(await turn)).toBe(SPARE.text);
    expect(textOf(await typed)).toBe(SPARE.text);
    const asked = JSON.stringify(stage.provider.requests(ids[1]).at(-1)?.body);
    expect([asked.includes('One'), /\/yes|You said/.test(asked)]).toEqual([true, false]);
    expect([stage.provider.requests(ids[0]).length, stage.provider.requests(ids[1]).length]).toEqual([1, 1]);
    await expect.poll(() => shown(session)).not.toContain('asks you whether');
    stream.close();
  });

  it('when /no is typed, then the turn ends with one sentence, and so does the next, until /retry', async () => {
    const { server, provider } = stage;
    const { session, turn, stream, ids } = await asking();
    const typed = command(session, 'no');
    const error = String((await turn).info.error?.data?.message);
    expect(error.replaceAll('\u2060', '')).toMatch(/^Understudy: build is paused in this session: \/retry build/);
    await typed;
    const next = await server.prompt(session, { text: 'Two' });
    expect(String(next.info.error?.data?.message)).toContain('paused in this session');
    const tried = `Understudy: build is back in this session, but ${ids[0]} is still unavailable: `;
    provider.script(ids[0] ?? '', [KEYLESS]);
    expect(textOf(await command(session, 'retry', 'build'))).toContain(`${tried}refusing the API key (401).`);
    // The lead is still without a key: the question comes before anything is sent.
    const asks = stream.next(isToast(/^build asks you whether/));
    const third = server.prompt(session, { text: 'Three' });
    await asks;
    await command(session, 'yes');
    expect(textOf(await third)).toBe(SPARE.text);
    stream.close();
  });

  it('when /retry comes as the lead has its key again, then it says so, and the lead speaks without a question', {
    tags: ['nightly'],
  }, async () => {
    const { server, provider } = stage;
    const { session, turn, stream, ids } = await asking();
    await Promise.all([command(session, 'no'), turn]);
    provider.script(ids[0] ?? '', [OK, LEAD]);
    const said = textOf(await command(session, 'retry', 'build'));
    expect(said).toBe(`Understudy: build has rejoined this session: ${ids[0]} answers.`);
    expect(textOf(await server.prompt(session, { text: 'Two' }))).toBe(LEAD.text);
    const bodies = provider.requests(ids[0]).map(({ body }) => JSON.stringify(body));
    expect([
      bodies.length,
      bodies[1]?.includes('Reply with the single word OK'),
      bodies[2]?.includes('/retry'),
    ]).toEqual([3, true, false]);
    expect(
      (await server.request('GET', `/session/${session.id}/children`, { directory: session.directory })) ?? [],
    ).toEqual([]);
    stream.close();
  });

  it('when another session’s first message comes meanwhile, then it waits for a yes of its own before anybody is asked', {
    tags: ['nightly'],
  }, async () => {
    const { server, provider } = stage;
    const { session, turn, stream, directory, ids } = await asking();
    await Promise.all([command(session, 'no'), turn]);
    const other = await server.createSession(directory);
    const asks = stream.next(isToast(/^build asks you whether understudy1-model-\d+ may continue/));
    const first = server.prompt(other, { text: 'Two' });
    await asks;
    await expect.poll(() => shown(other)).toContain('Understudy: build asks you whether');
    expect(provider.requests().length).toBe(1);
    await command(other, 'yes');
    expect(textOf(await first)).toBe(SPARE.text);
    await expect.poll(() => shown(other)).not.toContain('asks you whether');
    expect(textOf(await server.prompt(other, { text: 'Three' }))).toBe(SPARE.text);
    expect([provider.requests(ids[0]).length, provider.requests(ids[1]).length]).toEqual([1, 2]);
    stream.close();
  });

  it('when the panel answers, then the turn goes on as well', async () => {
    const app = await stage.openApp();
    const { session, turn, stream } = await asking();
    // What the companion remembers of earlier sessions comes first: a question of theirs is open until its end is heard.
    const { questions, rev } = await app.until((snapshot) => snapshot.questions[0]?.session === session.id);
    const act = { type: 'question.answered', question: questions[0]?.id ?? '', yes: true } as const;
    expect(await app.host.handlers['person.act']({ act, rev, actor: 'panel' })).toMatchObject({ accepted: true });
    expect(textOf(await turn)).toBe(SPARE.text);
    stream.close();
    await app.close();
  });
});
