import { describe, expect, it } from 'vitest';
import { viewOf } from '../../../src/engine/tools';
import { finishedBy } from '../asides';
import { EVIDENCE, outline, World } from '../world';

describe('given a session that comes to rest', () => {
  it('when its turn was answered, then the turn is finished, its agent is idle and nothing is left on its way', () => {
    const world = new World();
    world.prompt('t1');
    world.answering('t1', 'a/1');
    const { facts } = world.tell({ type: 'session.idle', session: 's' });
    expect([facts, world.state.turns.flat(), viewOf(world.state, 0).speakers[0]?.status]).toMatchObject([
      finishedBy('a/1'),
      [],
      'idle',
    ]);
  });

  it('when its turn ended for want of a model, then it is not called finished and the agent stays so', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    world.failing('t1', 'b/1', EVIDENCE.rateLimit);
    const { facts } = world.tell({ type: 'session.idle', session: 's' });
    expect([facts, viewOf(world.state, 0).speakers[0]?.status]).toMatchObject([
      [{ type: 'session.rested' }, { type: 'turn.ended', isExhausted: true }],
      'exhausted',
    ]);
  });

  it.each([
    ['its request is open, as after a kill', (world: World) => void world.start('t1', 'b/1')],
    ['its next model was not asked', () => undefined],
  ])('when a turn has moved and %s, then it is not called answered', (_, act) => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    act(world);
    const { facts } = world.tell({ type: 'session.idle', session: 's' });
    expect(facts.find(({ type }) => type === 'turn.ended')).toMatchObject({ switches: 1, answeredBy: null });
  });

  it('when the user stops a turn on its fallback model, then it is not called answered', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    world.answering('t1', 'b/1');
    const { attempt } = world.start('t1', 'b/1');
    world.tell({ type: 'attempt.aborted', attempt });
    const stopped = world.tell({ type: 'session.idle', session: 's' });
    world.prompt('t2', { model: 'b/1' });
    const unasked = world.tell({ type: 'session.idle', session: 's' });
    const ends = [stopped, unasked].flatMap(({ facts }) => facts.filter(({ type }) => type === 'turn.ended'));
    expect(ends).toMatchObject([{ answeredBy: null }, { answeredBy: null }]);
  });

  it('when a stopped request is made again, then the model that answers it is named, whoever shall speak next', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    const { attempt } = world.start('t1', 'a/1');
    world.tell({ type: 'attempt.aborted', attempt });
    world.answering('t1', 'b/1');
    const { facts } = world.tell({ type: 'session.idle', session: 's' });
    expect(facts.find(({ type }) => type === 'turn.ended')).toMatchObject({ answeredBy: 'b/1' });
  });

  it('when the user stops a turn while it waits to ask the same model again, then it is not called answered', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.answering('t1', 'a/1');
    world.tell({ type: 'session.idle', session: 's' });
    world.prompt('t2');
    world.failing('t2', 'a/1', { ...EVIDENCE.rateLimit, headers: { 'retry-after': '4' } });
    const { facts } = world.tell({ type: 'session.idle', session: 's' });
    expect(facts.find(({ type }) => type === 'turn.ended')).toMatchObject({ answeredBy: null });
  });

  it('when two of its turns end at once, then each names the model that answered it', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    world.answering('t1', 'b/1');
    world.prompt('t2', { agent: 'plan', model: 'c/1', hostLead: 'c/1' });
    world.answering('t2', 'c/1');
    const { facts } = world.tell({ type: 'session.idle', session: 's' });
    const ends = facts.flatMap((fact) => (fact.type === 'turn.ended' ? [[fact.turn, fact.answeredBy]] : []));
    expect(ends.toSorted()).toEqual([
      ['t1', 'b/1'],
      ['t2', 'c/1'],
    ]);
  });

  it('when OpenCode says so twice, then the second time says nothing else', () => {
    const world = new World();
    world.prompt('t1');
    world.tell({ type: 'session.idle', session: 's' });
    expect(world.tell({ type: 'session.idle', session: 's' }).facts).toEqual([
      { type: 'session.rested', session: 's', isClosed: false },
    ]);
  });

  it('when a title is still on its way, then its result still counts', () => {
    const world = new World();
    world.prompt('t1');
    const { attempt } = world.start('t1', 'small/1', { purpose: 'internal' });
    world.tell({ type: 'session.idle', session: 's' });
    world.fail(attempt, EVIDENCE.rateLimit);
    expect(world.standing('small/1').state).toBe('cooling');
  });

  it('when another session works, then that one is not touched', () => {
    const world = new World();
    world.prompt('t1');
    world.prompt('o1', { session: 'other' });
    world.tell({ type: 'session.idle', session: 's' });
    expect(
      viewOf(world.state, 0)
        .speakers.map(({ session, status }) => `${session} ${status}`)
        .sort(),
    ).toEqual(['other working', 's idle']);
  });

  it('when nobody knows it, then nothing happens', () => {
    const world = new World();
    const before = world.state;
    world.tell({ type: 'session.idle', session: 'unknown' });
    expect(world.state).toBe(before);
  });
});

describe('given a session that is deleted in the middle of a turn', () => {
  it('when it is gone, then no turn, speaker, session or request of it is left', () => {
    const world = new World();
    world.prompt('t1');
    world.start('t1', 'a/1');
    world.start('t1', 'small/1', { purpose: 'internal' });
    world.tell({ type: 'session.closed', session: 's' });
    const { turns, speakers, sessions, attempts } = world.state;
    expect([turns, speakers, sessions, attempts].map((table) => table.flat().length)).toEqual([0, 0, 0, 0]);
  });
});

describe('given a switch that the companion could not carry out', () => {
  it('when it says so, then the agent still speaks through the model it wanted to leave, and that is told', () => {
    const world = new World();
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.serverError);
    const { facts } = world.tell({
      type: 'switch.carried',
      turn: 't1',
      from: 'a/1',
      ok: false,
      durationMs: 30,
      reason: 'OpenCode did not accept the new model',
    });
    expect([facts, viewOf(world.state, 0).speakers[0]?.active]).toEqual([
      [
        { type: 'speaker.carried', turn: 't1', from: 'a/1', isCarried: false, durationMs: 30 },
        {
          type: 'switch.failed',
          turn: 't1',
          session: 's',
          agent: 'build',
          from: 'a/1',
          to: 'b/1',
          reason: 'OpenCode did not accept the new model',
        },
      ],
      'a/1',
    ]);
  });

  it('when it was carried out, then there is nothing else to tell', () => {
    const world = new World();
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.serverError);
    const before = world.state;
    world.tell({ type: 'switch.carried', turn: 't1', from: 'a/1', ok: true, durationMs: 30 });
    expect([world.state === before, world.last?.facts]).toEqual([
      true,
      [{ type: 'speaker.carried', turn: 't1', from: 'a/1', isCarried: true, durationMs: 30 }],
    ]);
  });
});

describe('given a sub-agent whose model fails', () => {
  it('when its turn switches, then the speaker of its parent is not touched', () => {
    const world = new World();
    world.prompt('t1');
    world.prompt('c1', { session: 'child', parentSession: 's', agent: 'general', hostLead: null });
    const { attempt } = world.start('c1', 'a/1', { session: 'child', agent: 'general' });
    const decision = outline(world.fail(attempt, EVIDENCE.serverError));
    const active = viewOf(world.state, 0).speakers.map((speaker) => `${speaker.session} ${speaker.active}`);
    expect([decision, active.sort()]).toEqual([
      { kind: 'switch', from: 'a/1', to: 'b/1', position: 1, code: 'switch.server_error' },
      ['child b/1', 's a/1'],
    ]);
  });
});
