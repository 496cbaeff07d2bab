import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasToolResult } from '../../src/demo/scripted-steps';
import { isPlayed } from '../../src/features/council/node/run-folder';
import { companionPath, putCompanion } from '../../src/node/setup/companion-files';
import { builtPlugin } from '../support/built-companion';
import { councilPromises } from '../support/council-promises';
import { type CouncilStage, DONE, isFact, ofType, openCouncilStage, saying, sixOf } from '../support/council-stage';
import { type FactOf, fenced, SIX } from '../support/council-world';
import { NIGHTLY } from '../support/nightly';
import { textOf } from '../support/said';

let stage: CouncilStage;

beforeAll(async () => {
  stage = await openCouncilStage();
});
afterEach(() => stage.stopAll());
afterAll(() => stage?.close());

const DEAD = { kind: 'status', status: 500 } as const;
/** What is said so slowly that the others are through. */
const SLOW = `${'I am still looking at this repository. '.repeat(8)}\n${fenced(DONE)}`;

councilPromises({
  name: 'on OpenCode 1',
  isThere: true,
  stage: () => stage,
  shared: NIGHTLY,
  sessions: '/session',
  place: 'filePath',
});

describe('given a repository and models of three vendors', NIGHTLY, () => {
  it('when everybody is sloppy, then it ends with a report that says so', async () => {
    const same = { severity: 'critical', title: 'Same', file: 'src/cart.js', line: 48, evidence: 'e' };
    const { run } = await stage.playing(({ hero }) => {
      if (hero === 'Oracle') return { kind: 'text', text: 'Let us look at everything! {"tool":"SelectHeroes"}' };
      const findings = Array.from({ length: 100 }, () => ({ ...same, quote: 'return eval(code);' }));
      return saying(
        { tool: 'PostFindings', findings },
        { tool: 'PostFindings', findings: [...findings, { confirms: 'f99', why: 'w' }] },
      );
    });
    await run.until(isFact('run:finished'), 120_000);
    const state = await run.state();
    expect(state).toMatchObject({ isDefaultParty: true, board: [{ check: 'moved', movedTo: 8 }] });
    expect(sixOf(state.completed)).toEqual(SIX);
    expect(ofType(await run.facts(), 'turn:done').some(({ isWhole }) => isWhole)).toBe(false);
  }, 150_000);
});

describe('given a speaker that fails', NIGHTLY, () => {
  it('when it fails in the middle of a round, then the others speak first and it rejoins', async () => {
    let failures = 0;
    const { run } = await stage.playing(({ hero, stage: name }) => {
      if (name !== 'Reconnaissance') return null;
      if (hero === 'Sentinel') return failures++ < 3 ? DEAD : null;
      // Somebody still has to speak when it has failed three times.
      return hero === 'Healer' ? { kind: 'text', text: SLOW, paceMs: 90 } : null;
    });
    await run.until(isFact('run:finished'));
    const facts = await run.facts();
    expect(ofType(facts, 'speaker:deferred')).toMatchObject([{ speaker: 'beta' }]);
    expect(ofType(facts, 'speaker:recovered')).toMatchObject([{ speaker: 'beta', model: 'beta/beta-model' }]);
    expect(ofType(facts, 'question:put')).toEqual([]);
    const done = ofType(facts, 'turn:done').filter(({ stage: id }) => id === 'reconnaissance');
    expect(done.map(({ hero }) => hero).at(-1)).toBe('sentinel');
  });

  it('when two are dead, then a person is asked about one after the other, and the run goes on by what they say', async () => {
    const { run } = await stage.playing(({ model }) =>
      model === 'beta-model' || model === 'gamma-model' ? DEAD : null,
    );
    const first = await run.until(isFact('question:put'));
    expect(first).toMatchObject({ fallback: `${first.speaker}/${first.speaker}-model-small`, kind: 'server_error' });
    await run.tell({ type: 'question.answered', yes: true, actor: 'test' });
    const second = await run.until(
      (fact): fact is FactOf<'question:put'> => fact.type === 'question:put' && fact.speaker !== first.speaker,
    );
    await run.tell({ type: 'question.answered', yes: false, actor: 'test' });
    await run.until(isFact('run:finished'));
    const facts = await run.facts();
    // The last of the round was asked about at once, and the other one after the round.
    expect(ofType(facts, 'speaker:deferred').map(({ speaker }) => speaker)).toEqual([second.speaker]);
    expect(ofType(facts, 'speaker:reasked')).toHaveLength(1);
    expect(ofType(facts, 'speaker:degraded')).toMatchObject([
      { speaker: second.speaker, reason: 'User declined fallback', left: 2, of: 3 },
    ]);
    const asks = (speaker: string): boolean => stage.asked.some(({ model }) => model === `${speaker}-model-small`);
    expect([first.speaker, second.speaker].map(asks)).toEqual([true, false]);
    expect(sixOf((await run.state()).completed)).toEqual(SIX);
  });

  it('when all are off, then the run waits, and goes on when a person brings them back', async () => {
    let isDead = true;
    const speakers = ['alpha', 'beta', 'gamma'].map((name) => {
      const model = `${name}/${name}-model`;
      return { name, model, fallback: model, vendor: name };
    });
    const { run } = await stage.playing(({ hero }) => (isDead && hero !== 'Oracle' ? DEAD : null), { speakers });
    await run.until(isFact('run:paused'));
    const asked = stage.asked.length;
    isDead = false;
    await run.tell({ type: 'speaker.retried', name: 'all', actor: 'test' });
    await run.until(isFact('run:finished'));
    expect(stage.asked.length).toBeGreaterThan(asked);
    expect(sixOf((await run.state()).completed)).toEqual(SIX);
  });

  it('when it is the Oracle’s, then the default party is sent and the report made by rule', async () => {
    const oracle = { name: 'seer', model: 'gamma/gamma-model-small', fallback: null, vendor: 'gamma' };
    const speakers = ['alpha', 'beta'].map((name) => ({
      ...{ name, model: `${name}/${name}-model`, fallback: null, vendor: name },
    }));
    const { run } = await stage.playing(
      ({ model }) => (model === 'gamma-model-small' ? { kind: 'status', status: 401 } : null),
      {
        ...{ speakers: [...speakers, oracle], oracle: 'seer', heroes: ['alpha', 'beta'] },
      },
    );
    await run.until(isFact('run:finished'));
    expect(ofType(await run.facts(), 'oracle:decision')).toMatchObject([
      { isDefault: true, heroes: ['architect', 'sentinel', 'healer', 'sage', 'warden'] },
    ]);
  });
});

describe('given a run that must not go on as it is', NIGHTLY, () => {
  it('when its cap is reached, then it waits for a person', async () => {
    const usage = { inputTokens: 100_000, outputTokens: 10 };
    const { run } = await stage.playing(
      (asked) => {
        const step = asked.stage === 'Casting' ? null : saying(DONE);
        return step?.kind === 'text' ? { ...step, usage } : null;
      },
      { maxCost: 0.25 },
    );
    const paused = await run.until(isFact('run:paused'));
    expect(paused).toMatchObject({ reason: 'cap', cap: 0.25 });
    await run.tell({ type: 'question.answered', yes: false, actor: 'test' });
    await run.until(isFact('run:stopped'));
  });
});

describe('given participants that do not keep to reading', NIGHTLY, () => {
  it('when one repeats itself, then nobody waits for a person', async () => {
    const call = { kind: 'toolCall', name: 'glob', arguments: { pattern: '*.js' } } as const;
    const { run } = await stage.playing(({ hero, stage: name, body }) =>
      hero === 'Sentinel' && name === 'Reconnaissance' && JSON.stringify(body).split('"tool_call_id"').length < 6
        ? call
        : null,
    );
    await run.until(isFact('run:finished'));
    expect(
      hasToolResult(
        stage.provider.requests().findLast(({ body }) => JSON.stringify(body).includes('tool_call_id')) as never,
      ),
    ).toBe(true);
  });
});

describe('given a user who has the companion installed', NIGHTLY, () => {
  it('when a run is played, then it is played once, and nobody is asked twice', async () => {
    const put = await putCompanion({ home: stage.home, source: builtPlugin() });
    expect(put.ok).toBe(true);
    const path = join(stage.sandbox.configDirectory, 'opencode.json');
    const before = await readFile(path, 'utf8');
    const plugin = [pathToFileURL(companionPath(stage.home)).href];
    await writeFile(path, JSON.stringify({ ...JSON.parse(before), plugin }));
    try {
      const { run } = await stage.playing(() => null);
      await run.until(isFact('run:finished'));
      const commands = stage.asked.map(({ text }) => /\((r[\w-]+\/c\d+)\)\s*$/.exec(text)?.[1]);
      expect(new Set(commands).size).toBe(commands.length);
      expect((await run.events()).filter(({ type }) => type === 'run.resumed')).toHaveLength(1);
    } finally {
      await writeFile(path, before);
    }
  });
});

describe('given an OpenCode whose starter is gone', NIGHTLY, () => {
  it('when it is still at it, then it leaves the run, and ends', async () => {
    const starter = spawn('sleep', ['60']);
    const { run } = await stage.playing(
      ({ stage: name }) => (name === 'Reconnaissance' ? { kind: 'hang' } : null),
      {},
      {
        UNDERSTUDY_COUNCIL_BY: String(starter.pid),
      },
    );
    await stage.untilAsked(({ stage: name }) => name === 'Reconnaissance');
    expect(await isPlayed(stage.home, run.name)).toBe(true);
    starter.kill('SIGKILL');
    await expect.poll(() => isPlayed(stage.home, run.name), { timeout: 10_000 }).toBe(false);
    await stage.allEnded();
    expect((await run.state()).phase).toBe('playing');
    expect((await run.events()).some(({ type }) => type === 'turn.failed')).toBe(false);
  });
});

describe('given keys in what participants and providers say', NIGHTLY, () => {
  it('when a run is kept, then none of them is', async () => {
    const key = `sk-proj-${'a1B2c3D4'.repeat(5)}`;
    const finding = {
      ...{ severity: 'major', title: `Key ${key}`, file: 'src/cart.js', line: 8, quote: 'return eval(code);' },
      ...{ evidence: `Mail owner@example.com about ${key}.`, suggestion: `Replace ${key}` },
    };
    let failures = 0;
    const { run } = await stage.playing(({ hero, stage: name }) => {
      if (hero === 'Sentinel' && name === 'Deep Analysis')
        return saying(
          { tool: 'PostFindings', findings: [finding] },
          { tool: 'UpdateKnowledge', key: 'k', text: key },
          DONE,
        );
      if (hero === 'Healer' && name === 'Deep Analysis' && failures++ < 3)
        return { kind: 'status', status: 401, body: { error: { message: `Incorrect API key provided: ${key}` } } };
      return null;
    });
    await run.until(isFact('question:put'));
    await run.tell({ type: 'question.answered', yes: false, actor: 'test' });
    await run.until(isFact('run:finished'));
    const kept = await readFile(join(stage.home, 'council', run.name, 'journal.jsonl'), 'utf8');
    expect(kept).toContain('return eval(code);');
    for (const secret of [key, 'owner@example.com', 'verysecret', 'not-a-real-key']) expect(kept).not.toContain(secret);
    // Whoever asked has no place in it either.
    expect(kept).not.toContain(stage.sandbox.root);
  });
});

describe('given a user who calls a council from their own session', NIGHTLY, () => {
  it('when they say yes to what it would be, then it is played beside the session, and its report is shown there', async () => {
    const server = await stage.openInside();
    stage.answer(() => null);
    const session = await server.createSession(stage.repo, { title: 'Mine' });
    const say = async (text: string): Promise<string> => textOf(await server.prompt(session, { text }));
    const plan = await say('/council .');
    expect(plan).toContain('Code review of project');
    expect(plan).toContain('/yes starts it, /no cancels it.');
    expect(stage.asked).toEqual([]);
    expect(await say('/yes')).toContain('The council has started');
    await expect.poll(() => say('/council status'), { timeout: 60_000, interval: 500 }).toContain('is over');
    expect(await say('/council export')).toContain('Participants');
    // No model was asked what was typed, and participants lie under the session.
    expect(stage.asked.some(({ hero }) => hero === '')).toBe(false);
    const children = await server.request<readonly { title: string }[]>('GET', `/session/${session.id}/children`, {
      directory: stage.repo,
    });
    expect(children.map(({ title }) => title.replace(/ \(.*$/, '')).toSorted()).toContain('Council: The Oracle');
    expect(await say('/yes')).toContain('No question is open.');
  });

  it('when they say no, then nothing is begun', async () => {
    const server = await stage.openInside();
    stage.answer(() => null);
    const session = await server.createSession(stage.repo, { title: 'Mine' });
    const say = async (text: string): Promise<string> => textOf(await server.prompt(session, { text }));
    await say('/council .');
    expect(await say('/no')).toContain('Nothing was started.');
    expect(await say('/council stop')).toContain('No council was started');
    expect(stage.asked).toEqual([]);
  });

  it('when they ask for more rounds about a problem, then it is thought about beside the session, and nothing is read', async () => {
    const server = await stage.openInside();
    stage.answer(() => null);
    const session = await server.createSession(stage.repo, { title: 'Mine' });
    const say = async (text: string): Promise<string> => textOf(await server.prompt(session, { text }));
    const plan = await say('/council --deep what is wrong here?');
    expect(plan).toContain('Brainstorm: what is wrong here?, in 8 stages, by the Oracle and 4 to 6 personas');
    expect(plan).toContain('The models have no tools');
    expect(await say('/yes')).toContain('The council has started');
    await expect.poll(() => say('/council status'), { timeout: 60_000, interval: 500 }).toContain('is over');
    expect(stage.asked.flatMap(({ body }) => (body as { tools?: unknown[] }).tools ?? [])).toEqual([]);
    expect(await say('/council export')).toContain('8. Presentation: completed');
  });

  it('when an ordinary message is sent, then its request is the same as before there was a council', async () => {
    const server = await stage.openInside();
    stage.answer(() => null);
    const ask = async (): Promise<unknown> => {
      const session = await server.createSession(stage.repo, { title: 'Mine' });
      await server.prompt(session, { text: 'Hello' });
      return stage.asked.findLast(({ hero }) => hero === '')?.body;
    };
    const before = JSON.stringify(await ask());
    const session = await server.createSession(stage.repo, { title: 'Council' });
    await server.prompt(session, { text: '/council .' });
    await server.prompt(session, { text: '/yes' });
    await stage.untilAsked(({ hero }) => hero === 'Oracle');
    expect(JSON.stringify(await ask())).toBe(before);
  });
});
