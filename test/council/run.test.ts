import { describe, expect, it } from 'vitest';
import { councilStep } from '../../src/features/council/rules/run/step';
import { initialCouncil } from '../../src/features/council/rules/state/state';
import {
  DONE,
  dutiful,
  fenced,
  openWorld,
  PARTY_CALL,
  type Prompt,
  SIX,
  settingsOf,
  setupFor,
  speaker,
} from '../support/council-world';

const settings = settingsOf([speaker('claude', 'anthropic'), speaker('gpt', 'openai'), speaker('gemini', 'google')]);
const finding = (title: string, more: object = {}) => ({
  ...{ severity: 'critical', title, file: 'src/a.ts', line: title.length, quote: `const ${title}`, evidence: 'Shown.' },
  ...more,
});
const post = (...findings: object[]) => ({ tool: 'PostFindings', findings });
const isStage = ({ text }: Prompt, name: string): boolean => text.includes(`Stage: ${name}`);

describe('a whole review', () => {
  it('plays the six stages in their order, and the Oracle before and between', () => {
    const world = openWorld(setupFor(settings), (prompt) => ({ says: dutiful(prompt) }));
    world.play();
    expect(world.state().phase).toBe('finished');
    expect(world.state().completed).toEqual([
      ...['casting', 'reconnaissance', 'transition', 'deep_analysis', 'transition'],
      ...['cross_reference', 'oracle_review', 'synthesis', 'presentation'],
    ]);
    expect(world.factsOf('oracle:decision')).toMatchObject([
      { activityType: 'code_review', processId: 'CODE_REVIEW', isDefault: false },
    ]);
  });

  it('deals the heroes over vendors in turn', () => {
    const world = openWorld(setupFor(settings), (prompt) => ({ says: dutiful(prompt) }));
    world.play();
    expect(world.state().members.map(({ id, speaker: name }) => `${id} ${name}`)).toEqual([
      ...['oracle claude', 'architect claude', 'sentinel gpt', 'healer gemini', 'sage claude'],
    ]);
  });

  it('lets as many speak at once as it is told, and one at a time where they refer to each other', () => {
    let running = 0;
    let most = 0;
    let mostInTurn = 0;
    const world = openWorld(setupFor({ ...settings, parallel: 2 }), (prompt) => {
      running = Object.values(world?.state().pending ?? {}).length + 1;
      if (isStage(prompt, 'Cross-Reference')) mostInTurn = Math.max(mostInTurn, running);
      else most = Math.max(most, running);
      return { says: dutiful(prompt) };
    });
    world.play();
    expect(most).toBeLessThanOrEqual(3);
    expect(mostInTurn).toBeLessThanOrEqual(2);
    expect(world.state().phase).toBe('finished');
  });

  it('brings five findings into the report, in the order the Oracle says', () => {
    const titles = ['one', 'three', 'fifteen', 'seventeen', 'twentyfive'];
    const world = openWorld(setupFor(settings), (prompt) => {
      if (isStage(prompt, 'Deep Analysis') && prompt.member === 'sentinel')
        return { says: fenced(post(...titles.map((title) => finding(title))), DONE) };
      if (prompt.tools.includes('PresentReport'))
        return {
          says: fenced(
            { tool: 'PresentReport', headline: 'Five.', order: ['f5', 'f3', 'f1', 'f2', 'f4'], praise: [] },
            DONE,
          ),
        };
      return { says: dutiful(prompt) };
    });
    world.play();
    expect(world.state().presented?.order).toEqual(['f5', 'f3', 'f1', 'f2', 'f4']);
    expect(world.state().board.map(({ title }) => title)).toEqual(titles);
  });

  it('has the hero with the most confirmed findings put it together', () => {
    const world = openWorld(setupFor(settings), (prompt) => {
      if (isStage(prompt, 'Deep Analysis')) return { says: fenced(post(finding(`by ${prompt.member}`)), DONE) };
      if (isStage(prompt, 'Cross-Reference') && prompt.member === 'architect') {
        const of = world.state().board.find(({ by }) => by === 'healer')?.id;
        return { says: fenced(post({ confirms: of, why: 'Seen.' }), DONE) };
      }
      return { says: dutiful(prompt) };
    });
    world.play();
    expect(world.state().synthesizer).toBe('healer');
  });
});

describe('evidence', () => {
  it('never lets an invented quote be critical, tells its author once, and takes what is mended', () => {
    const world = openWorld(setupFor(settings), (prompt) => {
      if (prompt.member !== 'sentinel' || !/Deep Analysis|was not found/.test(prompt.text))
        return { says: dutiful(prompt) };
      const isTold = prompt.text.includes('was not found');
      const found = isTold ? finding('mended') : finding('mended', { quote: 'INVENTED a' });
      return { says: fenced(post(found, ...(isTold ? [] : [finding('invented', { quote: 'INVENTED b' })])), DONE) };
    });
    world.play();
    expect(world.state().board.map(({ title, severity, check }) => [title, severity, check])).toEqual([
      ['mended', 'critical', 'verified'],
      ['invented', 'major', 'not_found'],
    ]);
    expect(world.prompts.filter(({ text }) => text.includes('was not found'))).toHaveLength(1);
  });
});

describe('a sloppy party', () => {
  it('ends with an honest report, whatever it says', () => {
    const world = openWorld(setupFor(settings), (prompt) => {
      if (prompt.member === 'oracle')
        return { says: 'I think we should look at everything. { "tool": "SelectHeroes" }' };
      const twice = Array.from({ length: 100 }, () => finding('same', { line: 40 }));
      return {
        says: `Sure!\n${fenced(post(...twice), post(...twice), post({ confirms: 'f99', why: 'x' }))}\n\`\`\`json\n{ broken\n\`\`\``,
      };
    });
    const steps = world.play();
    expect(steps).toBeLessThan(500);
    expect(world.state()).toMatchObject({ phase: 'finished', isDefaultParty: true });
    expect(world.state().board).toHaveLength(1);
    expect(world.state().presented?.headline).toBe('1 finding, 1 critical.');
    expect(world.factsOf('turn:done').every(({ isWhole }) => !isWhole)).toBe(true);
  });
});

describe('the Oracle', () => {
  it('gets a default party where it cannot choose, and a report by rule', () => {
    const oracle = { ...speaker('seer', 'mistral'), fallback: null };
    const world = openWorld(
      setupFor(settingsOf([oracle, ...settings.speakers], { heroes: ['claude', 'gpt', 'gemini'] })),
      (prompt) => (prompt.model === 'mistral/seer' ? { fails: {} } : { says: dutiful(prompt) }),
    );
    world.play();
    expect(world.state().phase).toBe('finished');
    expect(world.factsOf('oracle:decision')).toMatchObject([
      { isDefault: true, heroes: ['architect', 'sentinel', 'healer', 'sage', 'warden'] },
    ]);
    expect(world.state().completed.filter((id) => SIX.includes(id))).toEqual(SIX);
  });

  it('summons a reinforcement, which makes the stages that are over for itself alone', () => {
    const world = openWorld(setupFor(settings), (prompt) => {
      if (prompt.member === 'oracle' && prompt.text.includes('Oracle Review.'))
        return { says: fenced({ tool: 'SummonReinforcement', hero: 'alchemist', brief: 'Loops.', because: [] }, DONE) };
      return { says: dutiful(prompt) };
    });
    world.play();
    const done = world.factsOf('turn:done').filter(({ hero }) => hero === 'alchemist');
    expect(done.map(({ stage }) => stage)).toEqual(['reconnaissance', 'deep_analysis', 'cross_reference']);
    expect(world.factsOf('hero:summoned')).toMatchObject([{ hero: 'alchemist' }]);
    const others = world
      .factsOf('turn:done')
      .filter(({ hero, stage }) => hero === 'sage' && stage === 'reconnaissance');
    expect(others).toHaveLength(1);
    expect(world.state().completed.filter((id) => SIX.includes(id))).toEqual(SIX);
  });

  it('dismisses a hero, whose findings stay', () => {
    const world = openWorld(setupFor(settings), (prompt) => {
      if (prompt.member === 'sage' && isStage(prompt, 'Reconnaissance'))
        return { says: fenced(post(finding('kept')), DONE) };
      if (prompt.member === 'oracle' && prompt.text.includes('Transition.'))
        return { says: fenced({ tool: 'DismissHero', hero: 'sage', because: 'Enough.' }, DONE) };
      return { says: dutiful(prompt) };
    });
    world.play();
    expect(world.factsOf('hero:dismissed')).toHaveLength(1);
    expect(world.prompts.filter(({ member }) => member === 'sage')).toHaveLength(1);
    expect(world.state().board).toHaveLength(1);
  });

  it('has one more try where its choice was wrong', () => {
    let tries = 0;
    const world = openWorld(setupFor(settings), (prompt) => {
      if (!prompt.tools.includes('SelectHeroes')) return { says: dutiful(prompt) };
      return {
        says: tries++ === 0 ? fenced({ ...PARTY_CALL, heroes: [{ id: 'merlin', brief: 'x' }] }) : fenced(PARTY_CALL),
      };
    });
    world.play();
    expect(tries).toBe(2);
    expect(world.state().isDefaultParty).toBe(false);
  });
});

describe('money', () => {
  it('pauses at the cap, goes on by a yes, and ends by a no', () => {
    const dear = setupFor({ ...settings, maxCost: 1 });
    const play = () =>
      openWorld(dear, (prompt) => ({ says: dutiful(prompt), spent: { cost: 0.3, input: 1, output: 1 } }));
    const world = play();
    world.play();
    expect(world.factsOf('run:paused')).toMatchObject([{ reason: 'cap', cap: 1 }]);
    // Turns under way end: three at once may go beyond it, and no more.
    expect(world.state().spent.cost).toBeLessThan(2);
    const before = world.prompts.length;
    world.play(3_600_000);
    expect(world.prompts).toHaveLength(before);
    world.tell({ type: 'question.answered', yes: true, actor: 'test' });
    world.play();
    expect(world.prompts.length).toBeGreaterThan(before);
    const other = play();
    other.play();
    other.tell({ type: 'question.answered', yes: false, actor: 'test' });
    expect(other.state().phase).toBe('stopped');
  });
});

describe('an end before its time', () => {
  it('stops everybody who speaks, and asks nobody after that', () => {
    const world = openWorld(setupFor(settings), (prompt) =>
      prompt.tools.includes('SelectHeroes') ? { says: dutiful(prompt) } : { hangs: true },
    );
    world.play(1_000);
    const before = world.prompts.length;
    world.tell({ type: 'run.stopped', actor: 'test' });
    expect(world.aborted).toHaveLength(3);
    world.tell({ type: 'speaker.retried', name: 'all', actor: 'test' });
    world.play();
    expect(world.prompts).toHaveLength(before);
    expect(world.state()).toMatchObject({ phase: 'stopped', pending: {} });
  });

  it('goes on without a participant whose session was deleted', () => {
    const world = openWorld(setupFor(settings), (prompt) =>
      prompt.member === 'healer' ? { fails: { kind: 'session_lost' } } : { says: dutiful(prompt) },
    );
    world.play();
    expect(world.factsOf('hero:lost')).toMatchObject([{ hero: 'healer', because: 'Its session was deleted' }]);
    expect(world.factsOf('speaker:degraded')).toEqual([]);
    expect(world.state().phase).toBe('finished');
  });
});

describe('played again', () => {
  it('comes to the same bytes', () => {
    let nth = 0;
    const world = openWorld(setupFor(settings), (prompt) =>
      nth++ % 4 === 3 ? { fails: {} } : { says: dutiful(prompt) },
    );
    world.play();
    const again = world.log.reduce((state, { event, at }) => councilStep(state, event, at).state, initialCouncil);
    expect(JSON.stringify(again)).toBe(JSON.stringify(world.state()));
  });
});
