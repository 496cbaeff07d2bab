import { describe, expect, it } from 'vitest';
import { PERSONAS } from '../../src/features/council/rules/cast/personas';
import { stagesOf } from '../../src/features/council/rules/process/process';
import { reportOf } from '../../src/features/council/rules/report/report';
import type { RunSetup } from '../../src/features/council/rules/state/events';
import { DONE, dutiful, fenced, openWorld, type Prompt, settingsOf, setupFor, speaker } from '../support/council-world';

const settings = settingsOf([speaker('claude', 'anthropic'), speaker('gpt', 'openai'), speaker('gemini', 'google')]);
const PARTY = ['pragmatist', 'visionary', 'skeptic', 'economist'];
const brainstorm = (more: Partial<RunSetup['input']> = {}): RunSetup =>
  setupFor(settings, {
    input: { problem: 'How do we halve the build time?', repo: null, isDeep: false, ...more },
    roster: PERSONAS,
  });

const isStage = ({ text }: Prompt, name: string): boolean => text.includes(`Stage: ${name}.`);
const cast = (process: string) => ({
  tool: 'SelectHeroes',
  process,
  heroes: PARTY.map((id) => ({ id, brief: `BRIEF-${id}` })),
});
const ideas = (...list: object[]) => ({ tool: 'PostIdeas', ideas: list });
/** Each persona has one idea, and marks it, so that it can be looked for in what others are told. */
const ownIdea = (member: string, nth = 1) => ({ title: `TITLE-${member}-${nth}`, text: `TEXT-${member}-${nth}` });

/** A party that does what it should. `ranks` says who ranks how; else as posted. */
function says(process: string, ranks: Readonly<Record<string, readonly string[]>> = {}) {
  return (prompt: Prompt): { says: string } => {
    const { member, tools } = prompt;
    if (tools.includes('SelectHeroes')) return { says: fenced(cast(process)) };
    if (tools.includes('FrameProblem'))
      return {
        says: fenced(
          { tool: 'FrameProblem', question: 'What halves it?', criteria: ['minutes'], constraints: ['no new servers'] },
          DONE,
        ),
      };
    if (tools.includes('NameGaps')) return { says: fenced({ tool: 'NameGaps', gaps: ['caching'] }, DONE) };
    if (isStage(prompt, 'Divergence')) return { says: fenced(ideas(ownIdea(member)), DONE) };
    if (isStage(prompt, 'Second Divergence')) return { says: fenced(ideas(ownIdea(member, 2)), DONE) };
    if (isStage(prompt, 'Exchange') && member === 'skeptic')
      return { says: fenced(ideas({ challenges: 'i1', why: 'WHY-skeptic' }, { supports: 'i2', why: 'Yes.' }), DONE) };
    if (tools.includes('RankIdeas'))
      return { says: fenced({ tool: 'RankIdeas', ranking: ranks[member] ?? ['i1', 'i2', 'i3', 'i4'] }, DONE) };
    if (tools.includes('PresentOptions'))
      return {
        says: fenced(
          { tool: 'PresentOptions', headline: 'Cache first.', nextSteps: ['Measure.'], dissent: ['Skeptic doubts.'] },
          DONE,
        ),
      };
    return { says: dutiful(prompt) };
  };
}

function played(setup: RunSetup, reply = says('STANDARD')) {
  const world = openWorld(setup, reply);
  world.play();
  return world;
}

describe('a brainstorm', () => {
  it('plays framing, divergence, exchange, convergence, synthesis and presentation', () => {
    const world = played(brainstorm());
    expect(world.state().phase).toBe('finished');
    expect(world.state().completed).toEqual([
      ...['casting', 'framing', 'divergence', 'transition', 'exchange', 'convergence', 'synthesis', 'presentation'],
    ]);
    expect(world.factsOf('oracle:decision')).toMatchObject([
      { activityType: 'brainstorm', processId: 'STANDARD', heroes: PARTY, isDefault: false },
    ]);
  });

  it('has a second round alone and a red team where it is asked for in depth', () => {
    const world = played(brainstorm({ isDeep: true }), says('DEEP'));
    expect(world.state().completed.filter((id) => id !== 'casting' && id !== 'transition')).toEqual(
      stagesOf('DEEP').map(({ id }) => id),
    );
    expect(stagesOf('DEEP').map(({ id }) => id)).toEqual([
      ...['framing', 'divergence', 'second_divergence', 'exchange', 'red_team', 'convergence', 'synthesis'],
      'presentation',
    ]);
    const second = world.prompts.filter((prompt) => isStage(prompt, 'Second Divergence'));
    expect(second.map(({ text }) => text.includes('- caching'))).toEqual([true, true, true, true]);
  });

  it('is about a repository where one is named, and personas look at it', () => {
    const world = played(brainstorm({ repo: '/repo' }));
    expect(world.factsOf('oracle:decision')).toMatchObject([{ activityType: 'code_brainstorm' }]);
    const [first] = world.prompts.filter((prompt) => isStage(prompt, 'Divergence'));
    expect(first?.system).toContain('You have only the tools read, glob and grep');
    expect(first?.text).toContain('It is about the repository in your folder.');
    expect(played(brainstorm()).prompts.every(({ system }) => system.includes('no tools'))).toBe(true);
  });

  it('sends five by default where the Oracle cannot choose, and presents by the count', () => {
    const world = openWorld(brainstorm(), (prompt) =>
      prompt.member === 'oracle' ? { fails: { kind: 'quota', hintMs: 60_000 } } : says('STANDARD')(prompt),
    );
    for (let rounds = 0; rounds < 5; rounds++) {
      world.play();
      if (world.state().asks.length > 0) world.tell({ type: 'question.answered', yes: false, actor: 'person' });
    }
    world.play();
    expect(world.factsOf('oracle:decision')).toMatchObject([
      { heroes: ['pragmatist', 'visionary', 'skeptic', 'advocate', 'engineer'], isDefault: true },
    ]);
  });
});

describe('isolation', () => {
  it.each([
    ['STANDARD', false],
    ['DEEP', true],
  ] as const)('in %s nobody is shown before the exchange what anybody else has said', (process, isDeep) => {
    const world = played(brainstorm({ isDeep }), says(process));
    const alone = world.prompts.filter((prompt) =>
      ['Divergence', 'Second Divergence'].some((of) => isStage(prompt, of)),
    );
    expect(alone).toHaveLength(isDeep ? 8 : 4);
    for (const { member, text, system } of alone) {
      const others = PARTY.filter((id) => id !== member);
      for (const other of others)
        for (const mark of [`TITLE-${other}`, `TEXT-${other}`, `BRIEF-${other}`])
          expect(text + system, `${member} is shown ${mark}`).not.toContain(mark);
      expect(text).toContain(`BRIEF-${member}`);
    }
    const exchanged = world.prompts.filter((prompt) => isStage(prompt, 'Exchange'));
    expect(exchanged.map(({ text }) => PARTY.every((id) => text.includes(`TEXT-${id}-1`)))).toEqual(
      PARTY.map(() => true),
    );
  });

  it('each speaks in a session of its own', () => {
    const world = played(brainstorm());
    const sessions = new Map(world.prompts.map(({ member, session }) => [member, session]));
    expect(new Set(sessions.values()).size).toBe(PARTY.length + 1);
  });

  it('leaves out a gap that gives an idea away, and says so to the Oracle once', () => {
    const world = played(brainstorm({ isDeep: true }), (prompt) =>
      prompt.tools.includes('NameGaps') && !prompt.text.includes('About what you said')
        ? { says: fenced({ tool: 'NameGaps', gaps: ['more like TITLE-visionary-1', 'i2 again', 'people'] }, DONE) }
        : prompt.text.includes('a gap that names an idea')
          ? { says: fenced(DONE) }
          : says('DEEP')(prompt),
    );
    expect(world.state().gaps).toEqual(['people']);
    expect(world.prompts.filter(({ text }) => text.includes('a gap that names an idea'))).toHaveLength(1);
  });

  it('adds to the gaps what is mended, and loses none of them', () => {
    const world = played(brainstorm({ isDeep: true }), (prompt) => {
      if (!prompt.tools.includes('NameGaps')) return says('DEEP')(prompt);
      const isTold = prompt.text.includes('a gap that names an idea');
      return { says: fenced({ tool: 'NameGaps', gaps: isTold ? ['time'] : ['people', 'i2 again', 'money'] }, DONE) };
    });
    expect(world.state().gaps).toEqual(['people', 'money', 'time']);
  });

  it('shows the Oracle how to summon because of an idea, and takes it', () => {
    const world = played(brainstorm(), (prompt) =>
      prompt.tools.includes('SummonReinforcement')
        ? { says: fenced({ tool: 'SummonReinforcement', hero: 'engineer', brief: 'Look.', because: ['i2'] }, DONE) }
        : says('STANDARD')(prompt),
    );
    expect(world.factsOf('hero:summoned')).toMatchObject([{ hero: 'engineer', because: ['i2'] }]);
    const asked = world.prompts.find(({ tools }) => tools.includes('SummonReinforcement'));
    expect(asked?.text).toContain('"because": ["i3"]');
    expect(asked?.text).not.toMatch(/alchemist|bard|"f\d"/);
  });

  it('lets nobody join with a brief that gives an idea away, and lets who joins think alone', () => {
    let told = 0;
    const world = played(brainstorm(), (prompt) => {
      if (!prompt.tools.includes('SummonReinforcement') || prompt.member !== 'oracle') return says('STANDARD')(prompt);
      const brief = told++ === 0 ? 'Build on title-skeptic-1.' : 'Look at people.';
      return { says: fenced({ tool: 'SummonReinforcement', hero: 'historian', brief, because: [] }, DONE) };
    });
    expect(world.prompts.filter(({ text }) => text.includes('the brief names an idea'))).toHaveLength(1);
    const alone = world.prompts.filter((prompt) => prompt.member === 'historian' && isStage(prompt, 'Divergence'));
    expect(alone.map(({ text }) => text.includes('Look at people.'))).toEqual([true]);
    for (const { text } of alone) expect(text).not.toMatch(/TITLE-|TEXT-/);
    expect(world.state().ideas.map(({ by }) => by)).toEqual([...PARTY, 'historian']);
  });

  it('takes no remark before anybody has seen the others', () => {
    const world = played(brainstorm(), (prompt) =>
      isStage(prompt, 'Divergence') && prompt.member === 'skeptic'
        ? { says: fenced(ideas(ownIdea('skeptic'), { supports: 'i1', why: 'w' }), DONE) }
        : says('STANDARD')(prompt),
    );
    expect(world.state().ideas.flatMap(({ supports }) => supports)).toHaveLength(1);
    expect(world.prompts.some(({ text }) => text.includes('you have not seen the ideas of the others yet'))).toBe(true);
  });

  it('shows authors by letters, one’s own as one’s own, and begins a ranking elsewhere for each', () => {
    const world = played(brainstorm());
    const ranking = world.prompts.filter((prompt) => isStage(prompt, 'Convergence'));
    const firsts = ranking.map(({ text }) => /The ideas, in no order:\n- (i\d)/.exec(text)?.[1]);
    expect(new Set(firsts).size).toBe(4);
    for (const { member, text } of ranking) {
      expect(text).toContain(`TITLE-${member}-1 (your own`);
      expect(text).not.toMatch(/anthropic|openai|google|claude|gpt|gemini/);
    }
  });
});

describe('what comes of it', () => {
  const ranks = {
    pragmatist: ['i2', 'i1', 'i3', 'i4'],
    visionary: ['i2', 'i3', 'i1', 'i4'],
    skeptic: ['i3', 'i2', 'i4', 'i1'],
    economist: ['i1'],
  };

  it('ranks by the Borda count, and keeps who held what, dissent and next steps', () => {
    const world = played(brainstorm(), says('STANDARD', ranks));
    const { brainstorm: report, findings, headline, isHeadlineByRule } = reportOf(world.state());
    // i1: 2 + 1 + 0 + 3, i2: 3 + 3 + 2 + 1, i3: 1 + 2 + 3 + 1, i4: 0 + 0 + 1 + 1.
    expect(report?.options.map(({ id, rank, points, firstPlaces }) => [id, rank, points, firstPlaces])).toEqual([
      ['i2', 1, 9, 2],
      ['i3', 2, 7, 1],
      ['i1', 3, 6, 1],
      ['i4', 4, 2, 0],
    ]);
    expect(report).toMatchObject({
      ...{ question: 'What halves it?', criteria: ['minutes'], constraints: ['no new servers'] },
      ballots: [
        { by: 'Pragmatist', ranking: ranks.pragmatist },
        { by: 'Visionary', ranking: ranks.visionary },
        { by: 'Skeptic', ranking: ranks.skeptic },
        { by: 'Economist', ranking: ranks.economist },
      ],
      dissent: [{ by: 'The Oracle', about: null, why: 'Skeptic doubts.' }],
      nextSteps: ['Measure.'],
    });
    expect([findings, headline, isHeadlineByRule]).toEqual([[], 'Cache first.', false]);
  });

  it('keeps what was said against the idea that came first', () => {
    const world = played(brainstorm(), says('STANDARD'));
    expect(reportOf(world.state()).brainstorm?.dissent[0]).toEqual({ by: 'Skeptic', about: 'i1', why: 'WHY-skeptic' });
  });

  it('has the persona put it together whose ideas have the most points', () => {
    expect(played(brainstorm(), says('STANDARD', ranks)).state().synthesizer).toBe('visionary');
  });

  it('asks twice for a ranking that is missing, and counts the ballots that are there', () => {
    const world = played(brainstorm(), (prompt) =>
      prompt.member === 'economist' && prompt.tools.includes('RankIdeas')
        ? { says: fenced(DONE) }
        : says('STANDARD')(prompt),
    );
    expect(world.state().phase).toBe('finished');
    expect(Object.keys(world.state().ballots)).toEqual(['pragmatist', 'visionary', 'skeptic']);
    expect(world.prompts.filter(({ text }) => text.includes('RankIdeas is missing'))).toHaveLength(2);
  });

  it('counts an idea that two had by themselves once, and for both', () => {
    const world = played(brainstorm(), (prompt) =>
      isStage(prompt, 'Divergence') && prompt.member === 'economist'
        ? { says: fenced(ideas({ title: ' title-Pragmatist-1 ', text: 'The same.' }), DONE) }
        : says('STANDARD')(prompt),
    );
    expect(world.state().ideas).toHaveLength(3);
    expect(reportOf(world.state()).brainstorm?.options.find(({ id }) => id === 'i1')?.proposedBy).toEqual([
      'Pragmatist',
      'Economist',
    ]);
  });

  it('lets neither of two who had an idea speak for it', () => {
    const world = played(brainstorm(), (prompt) => {
      if (prompt.member !== 'economist') return says('STANDARD')(prompt);
      if (isStage(prompt, 'Divergence'))
        return { says: fenced(ideas({ title: 'TITLE-pragmatist-1', text: 'x' }), DONE) };
      if (isStage(prompt, 'Exchange')) return { says: fenced(ideas({ supports: 'i1', why: 'Mine.' }), DONE) };
      return says('STANDARD')(prompt);
    });
    expect(world.state().ideas.find(({ id }) => id === 'i1')?.supports).toEqual([]);
    expect(world.prompts.some(({ text }) => text.includes('i1 is your own idea'))).toBe(true);
  });

  it('looks up what an idea quotes from the repository, and tells whoever quotes what is not there', () => {
    const place = { file: 'a.ts', line: 1, quote: 'INVENTED words' };
    const world = played(brainstorm({ repo: '/repo' }), (prompt) =>
      isStage(prompt, 'Divergence') && prompt.member === 'skeptic'
        ? {
            says: fenced(ideas({ ...ownIdea('skeptic'), evidence: [{ ...place, quote: 'const a = 1' }, place] }), DONE),
          }
        : says('STANDARD')(prompt),
    );
    const found = reportOf(world.state()).brainstorm?.options.find(({ proposedBy }) => proposedBy[0] === 'Skeptic');
    expect(found?.evidence.map(({ check }) => check)).toEqual(['verified', 'not_found']);
    expect(world.prompts.some(({ text }) => text.includes('was not found in a.ts at line 1'))).toBe(true);
  });
});
