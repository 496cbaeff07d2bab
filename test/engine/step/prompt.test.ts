import { describe, expect, it } from 'vitest';
import { viewOf } from '../../../src/engine/tools';
import { EVIDENCE, HOUR, MINUTE, outline, scopeOf, World } from '../world';

/** A turn in which the lead hit its limit and b/1 answered. */
function switched(): World {
  const world = new World();
  world.prompt('t1');
  world.failing('t1', 'a/1', EVIDENCE.rateLimit);
  world.answering('t1', 'b/1');
  world.tell({ type: 'session.idle', session: 's' });
  return world;
}

const speakers = (world: World): unknown =>
  viewOf(world.state, world.now).speakers.map(({ agent, lead, active, status, position }) => ({
    agent,
    lead,
    active,
    status,
    position,
  }));

describe('given an agent whose lead is well', () => {
  it('when a prompt comes, then the lead keeps speaking and the whole decision says so', () => {
    const world = new World(['a/1', 'b/1']);
    expect(world.prompt('t1')).toEqual({
      turn: 't1',
      attempt: null,
      session: 's',
      agent: 'build',
      action: { kind: 'keep', to: 'a/1' },
      code: 'keep.lead',
      failure: null,
      trace: [
        { model: 'a/1', position: 0, verdict: 'chosen', code: 'chain.first', state: 'unseen', backInMs: null },
        { model: 'b/1', position: 1, verdict: 'skipped', code: 'chain.later', state: 'unseen', backInMs: null },
      ],
    });
  });

  it('when nothing is configured for the directory, then the model stays and no chain is told', () => {
    const world = new World();
    const { action, trace } = world.prompt('t1', { directory: '/elsewhere' });
    expect({ action, trace }).toEqual({ action: { kind: 'keep', to: 'a/1' }, trace: [] });
  });

  it('when fallback is switched off there, then the model stays although it is out', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.configure(scopeOf(['a/1', 'b/1'], { enabled: false }));
    expect(outline(world.prompt('t1'))).toEqual({ kind: 'keep', to: 'a/1', code: 'keep.lead' });
  });

  it('when the agent has a chain of its own, then that one counts and not the one for all', () => {
    const world = new World();
    const own = scopeOf(['x/1', 'y/1']).agents['*'];
    const all = scopeOf(['a/1', 'b/1']).agents['*'];
    if (!own || !all) throw new Error('no plan');
    world.configure(scopeOf([], { agents: { build: own, '*': all } }));
    const chains = ['build', 'constructor'].map((agent) =>
      world.prompt(agent, { agent, model: 'x/1', hostLead: 'x/1' }).trace.map(({ model }) => model),
    );
    expect(chains).toEqual([
      ['x/1', 'y/1'],
      ['a/1', 'b/1'],
    ]);
  });
});

describe('given a lead that is known to be out', () => {
  it('when a prompt comes, then it goes straight to the first understudy', () => {
    expect(outline(switched().prompt('t2'))).toEqual({
      kind: 'redirect',
      from: 'a/1',
      to: 'b/1',
      position: 1,
      code: 'redirect.rate_limit',
    });
  });

  it('when the prompt inherits the understudy of the last turn, then that is no choice: the chain is the same', () => {
    expect(
      switched()
        .prompt('t2', { model: 'b/1' })
        .trace.map(({ model }) => model),
    ).toEqual(['a/1', 'b/1', 'c/1']);
  });

  it('when 15 minutes have passed and the prompt inherits the understudy, then it goes home', () => {
    const world = switched().wait(15 * MINUTE);
    expect([outline(world.prompt('t2', { model: 'b/1' })), speakers(world)]).toEqual([
      { kind: 'home', to: 'a/1', code: 'home.ready' },
      [{ agent: 'build', lead: 'a/1', active: 'a/1', status: 'working', position: 0 }],
    ]);
  });

  it('when it has gone home, then the next prompt just keeps the lead', () => {
    const world = switched().wait(15 * MINUTE);
    world.prompt('t2');
    expect(outline(world.prompt('t3'))).toEqual({ kind: 'keep', to: 'a/1', code: 'keep.lead' });
  });

  it('when 5 minutes have passed, then it may be used, but the understudy that is ready goes first', () => {
    expect(
      outline(
        switched()
          .wait(5 * MINUTE)
          .prompt('t2'),
      ),
    ).toEqual({
      kind: 'redirect',
      from: 'a/1',
      to: 'b/1',
      position: 1,
      code: 'redirect.rate_limit',
    });
  });

  it('when the terminal names the lead with every prompt, then naming it is no choice', () => {
    expect(outline(switched().prompt('t2', { isExplicit: true, model: 'a/1' }))).toEqual({
      kind: 'redirect',
      from: 'a/1',
      to: 'b/1',
      position: 1,
      code: 'redirect.rate_limit',
    });
  });
});

describe('given a user who picks a model by hand', () => {
  it('when it is another than the lead, then it is left alone and is position 0 of this turn', () => {
    const decision = new World().prompt('t1', { isExplicit: true, model: 'x/9' });
    expect([outline(decision), decision.trace.map(({ model }) => model)]).toEqual([
      { kind: 'keep', to: 'x/9', code: 'keep.lead' },
      ['x/9', 'a/1', 'b/1', 'c/1'],
    ]);
  });

  it('when it is the understudy that speaks, named explicitly, then it is a choice as well', () => {
    expect(outline(switched().prompt('t2', { isExplicit: true, model: 'b/1' }))).toEqual({
      kind: 'keep',
      to: 'b/1',
      code: 'keep.lead',
    });
  });

  it('when it fails, then the chain stands in', () => {
    const world = new World();
    world.prompt('t1', { isExplicit: true, model: 'x/9' });
    expect(outline(world.failing('t1', 'x/9', EVIDENCE.serverError))).toEqual({
      kind: 'switch',
      from: 'x/9',
      to: 'a/1',
      position: 1,
      code: 'switch.server_error',
    });
  });

  it('when the next prompt inherits it, then the choice still holds', () => {
    const world = new World();
    world.prompt('t1', { isExplicit: true, model: 'x/9' });
    expect(world.prompt('t2', { model: 'x/9' }).trace[0]?.model).toBe('x/9');
  });

  it('when an understudy spoke for another lead before, then keeping the choice is not called going home', () => {
    expect(outline(switched().prompt('t2', { isExplicit: true, model: 'x/9' }))).toEqual({
      kind: 'keep',
      to: 'x/9',
      code: 'keep.lead',
    });
  });
});

describe('given a sub-agent without a model of its own', () => {
  const child = { session: 'child', parentSession: 's', agent: 'general', isExplicit: true } as const;

  it('when it inherits the understudy of its parent, then its own chain leads and not the understudy', () => {
    const world = switched().wait(15 * MINUTE);
    expect(outline(world.prompt('c1', { ...child, model: 'b/1', hostLead: null }))).toEqual({
      kind: 'redirect',
      from: 'b/1',
      to: 'a/1',
      position: 0,
      code: 'redirect.lead',
    });
  });

  it('when the lead is still out, then the child speaks through an understudy too', () => {
    expect(outline(switched().prompt('c1', { ...child, model: 'b/1', hostLead: null }))).toEqual({
      kind: 'redirect',
      from: 'a/1',
      to: 'b/1',
      position: 1,
      code: 'redirect.rate_limit',
    });
  });

  it('when its parent speaks through its lead, then the child inherits that lead', () => {
    const world = new World();
    world.prompt('t1', { isExplicit: true, model: 'x/9' });
    expect(world.prompt('c1', { ...child, model: 'x/9', hostLead: null }).trace.map(({ model }) => model)).toEqual([
      'x/9',
      'a/1',
      'b/1',
      'c/1',
    ]);
  });

  it('when it asks, then the panel knows whose child it is', () => {
    const world = switched();
    world.prompt('c1', { ...child, model: 'b/1', hostLead: null });
    const { sessions } = viewOf(world.state, world.now);
    expect(sessions.map(({ session, parent }) => [session, parent]).sort()).toEqual([
      ['child', 's'],
      ['s', null],
    ]);
  });
});

describe('given another agent of the same session', () => {
  it('when it inherits the understudy of the agent before it, then that is no choice', () => {
    const world = switched().wait(15 * MINUTE);
    expect(outline(world.prompt('t2', { agent: 'plan', model: 'b/1', hostLead: null }))).toEqual({
      kind: 'redirect',
      from: 'b/1',
      to: 'a/1',
      position: 0,
      code: 'redirect.lead',
    });
  });
});

describe('given a chain of which nobody is left', () => {
  const cooling = (changes: Parameters<typeof scopeOf>[1] = {}, chain = ['a/1', 'b/1']): World => {
    const world = new World(chain, changes);
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.wait(MINUTE).failingAlone('b/1', EVIDENCE.quota);
    return world;
  };

  it('when a prompt comes, then the turn ends and the soonest is named', () => {
    const world = cooling();
    expect([outline(world.prompt('t1')), speakers(world)]).toEqual([
      { kind: 'exhausted', soonest: { model: 'a/1', inMs: 4 * MINUTE }, code: 'exhausted.cooling' },
      [{ agent: 'build', lead: 'a/1', active: 'a/1', status: 'exhausted', position: 0 }],
    ]);
  });

  it('when OpenCode asks nevertheless, then the request is not sent', () => {
    const world = cooling();
    world.prompt('t1');
    expect(outline(world.start('t1', 'a/1').decision)).toEqual({
      kind: 'exhausted',
      soonest: { model: 'a/1', inMs: 4 * MINUTE },
      code: 'exhausted.cooling',
    });
  });

  it('when there is a backup model, then it speaks, and the trace shows it at the end', () => {
    const decision = cooling({ backupModel: 'z/1' }).prompt('t1');
    expect([outline(decision), decision.trace.at(-1)]).toEqual([
      { kind: 'redirect', from: 'a/1', to: 'z/1', position: 2, code: 'redirect.rate_limit' },
      { model: 'z/1', position: 2, verdict: 'chosen', code: 'chain.backup', state: 'unseen', backInMs: null },
    ]);
  });

  it('when the backup model is out as well, then the turn ends', () => {
    const world = cooling({ backupModel: 'z/1' });
    world.failingAlone('z/1', EVIDENCE.auth);
    expect(world.prompt('t1').action.kind).toBe('exhausted');
  });

  it('when OpenCode shall go on by itself (onExhausted native), then the lead is kept and asked', () => {
    const world = cooling({ onExhausted: 'native' });
    expect([outline(world.prompt('t1')), world.start('t1', 'a/1').decision]).toEqual([
      { kind: 'keep', to: 'a/1', code: 'keep.native' },
      null,
    ]);
  });

  it('when the chain is the lead alone, then its limit is OpenCode’s business', () => {
    const world = cooling({}, ['a/1']);
    expect([outline(world.prompt('t1')), world.start('t1', 'a/1').decision]).toEqual([
      { kind: 'keep', to: 'a/1', code: 'keep.native' },
      null,
    ]);
  });

  it('when only a person can mend them, and a person has just sent a message, then the lead is tried', () => {
    const world = new World(['a/1', 'b/1']);
    world.failingAlone('a/1', EVIDENCE.auth);
    world.failingAlone('b/1', EVIDENCE.auth);
    expect([outline(world.prompt('t1')), world.start('t1', 'a/1').decision]).toEqual([
      { kind: 'keep', to: 'a/1', code: 'keep.blocked' },
      null,
    ]);
  });

  it('when one of them is probing, then it will answer for itself and no request is forced', () => {
    const world = new World(['a/1', 'b/1']);
    for (let count = 0; count < 3; count++) world.failingAlone('b/1', EVIDENCE.serverError);
    world.wait(HOUR).start('probe', 'b/1', { session: 'other' });
    world.failingAlone('a/1', EVIDENCE.auth);
    expect([world.standing('b/1').state, outline(world.prompt('t1'))]).toEqual([
      'probing',
      { kind: 'exhausted', soonest: { model: 'b/1', inMs: 10 * MINUTE }, code: 'exhausted.cooling' },
    ]);
  });

  it('when a person holds one of them open, then no request is forced', () => {
    const world = new World(['a/1', 'b/1']);
    world.failingAlone('a/1', EVIDENCE.auth);
    world.tell({ type: 'health.isolated', model: 'b/1', actor: 'ann' });
    expect(outline(world.prompt('t1'))).toEqual({ kind: 'exhausted', soonest: null, code: 'exhausted.out' });
  });

  it('when one of them only cannot take the request, then no request is forced', () => {
    const world = new World(['a/1', 'b/1'], { models: { 'b/1': { vision: false } } });
    world.failingAlone('a/1', EVIDENCE.auth);
    expect(outline(world.prompt('t1', { needs: { vision: true } }))).toEqual({
      kind: 'exhausted',
      soonest: null,
      code: 'exhausted.out',
    });
  });

  it('when the forced request has left, then the next of the turn is refused while they are blocked', () => {
    const world = new World(['a/1', 'b/1']);
    world.failingAlone('a/1', EVIDENCE.auth);
    world.failingAlone('b/1', EVIDENCE.auth);
    world.prompt('t1');
    const first = world.start('t1', 'a/1');
    world.tell({ type: 'attempt.aborted', attempt: first.attempt });
    expect([first.decision, outline(world.start('t1', 'a/1').decision)]).toEqual([
      null,
      { kind: 'exhausted', soonest: null, code: 'exhausted.out' },
    ]);
  });

  it('when the lead is tried so and answers, then it is ready', () => {
    const world = new World(['a/1', 'b/1']);
    world.failingAlone('a/1', EVIDENCE.auth);
    world.failingAlone('b/1', EVIDENCE.auth);
    world.prompt('t1');
    world.answering('t1', 'a/1');
    expect(world.standing('a/1').state).toBe('ready');
  });
});

describe('given a prompt that is told twice', () => {
  it('when a switch lies between, then what the turn has used up stays used up', () => {
    const world = new World(['a/1', 'b/1', 'c/1', 'd/1'], { maxFallbackDepth: 1 });
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.serverError);
    world.prompt('t1');
    expect(outline(world.failing('t1', 'b/1', EVIDENCE.serverError))).toEqual({
      kind: 'exhausted',
      soonest: null,
      code: 'exhausted.depth',
    });
  });

  it('when the agent is shown, then it has one turn', () => {
    const world = new World();
    world.prompt('t1');
    world.prompt('t1');
    const view = viewOf(world.state, world.now);
    expect([view.speakers[0]?.turns, view.sessions[0]?.turns]).toEqual([1, 1]);
  });
});

describe('given a chain that is edited', () => {
  it('when the next prompt comes, then the new chain counts', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.configure(scopeOf(['a/1', 'd/1']));
    expect(world.prompt('t2').trace.map(({ model }) => model)).toEqual(['a/1', 'd/1']);
  });

  it('when it is edited inside a turn, then the next decision of that turn takes the new one', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    const { attempt } = world.start('t1', 'a/1');
    world.configure(scopeOf(['a/1', 'd/1']));
    expect(outline(world.fail(attempt, EVIDENCE.serverError))).toEqual({
      kind: 'switch',
      from: 'a/1',
      to: 'd/1',
      position: 1,
      code: 'switch.server_error',
    });
  });
});

describe('given 201 sessions', () => {
  it('when the last arrives, then the oldest idle one is forgotten', () => {
    const world = new World();
    for (let count = 0; count < 200; count++) {
      world.wait(1).prompt(`t${count}`, { session: `s${count}` });
      if (count === 50 || count === 60) world.tell({ type: 'session.idle', session: `s${count}` });
    }
    world.wait(HOUR).prompt('late', { session: 'late' });
    const known = new Set(viewOf(world.state, world.now).sessions.map(({ session }) => session));
    expect([known.size, known.has('s50'), known.has('s60'), known.has('s0')]).toEqual([200, false, true, true]);
  });
});
