import { describe, expect, it } from 'vitest';
import { CASTING } from '../../src/features/council/rules/process/process';
import { aboutTurn } from '../../src/features/council/rules/prompts/about';
import { reportMarkdown } from '../../src/features/council/rules/report/markdown';
import { reportOf } from '../../src/features/council/rules/report/report';
import { councilStep } from '../../src/features/council/rules/run/step';
import type { CouncilEvent, CouncilFact } from '../../src/features/council/rules/state/events';
import { JournalLine, PersonWord } from '../../src/features/council/rules/state/schema';
import { initialCouncil } from '../../src/features/council/rules/state/state';
import { factText, namesOf } from '../../src/features/council/rules/told/fact-text';
import { dutiful, openWorld, type Prompt, settingsOf, setupFor, speaker } from '../support/council-world';

const SENTENCE = '(Some RAG queries timed out this session – responses may be less grounded)';
const settings = settingsOf([speaker('claude', 'anthropic'), speaker('gpt', 'openai')]);
const setup = setupFor(settings, { input: { problem: null, repo: 'shop', isDeep: false } });
const MISSED: CouncilEvent = { type: 'knowledge.missed' };

function heard(events: readonly CouncilEvent[]) {
  const facts: CouncilFact[] = [];
  const state = events.reduce((before, event, at) => {
    const step = councilStep(before, event, at + 1);
    facts.push(...step.facts);
    return step.state;
  }, initialCouncil);
  return { state, facts };
}

describe('given a source of knowledge that gives nothing in time', () => {
  it('when that happens twice, also to two processes, then it is told once, in the published words', () => {
    const { facts, state } = heard([{ type: 'run.begun', setup }, MISSED, MISSED, { type: 'run.resumed' }, MISSED]);
    const told = facts.filter(({ type }) => type === 'knowledge:missed');
    expect(told.map((fact) => factText(fact, namesOf(setup)))).toEqual([SENTENCE]);
    expect(state.isLessGrounded).toBe(true);
  });

  it('when there is a report, then it says so once, and nothing where all came in time', () => {
    const sentencesIn = (events: readonly CouncilEvent[]) => {
      const report = reportOf(heard(events).state);
      return [report.isLessGrounded, reportMarkdown(report).split(SENTENCE).length - 1];
    };
    expect(sentencesIn([{ type: 'run.begun', setup }, MISSED, MISSED])).toEqual([true, 1]);
    expect(sentencesIn([{ type: 'run.begun', setup }])).toEqual([false, 0]);
  });

  it('when it is written down, then it is read again as it was; no person can say it', () => {
    expect(JournalLine.parse({ v: 1, at: 1, event: { ...MISSED, query: 'secret' } })).toEqual({
      v: 1,
      at: 1,
      event: MISSED,
    });
    expect(PersonWord.safeParse({ ...MISSED, actor: 'cli' }).success).toBe(false);
  });

  it('when the run has not begun or is over, then nothing comes of it', () => {
    expect(heard([MISSED]).facts).toEqual([]);
    const over = heard([{ type: 'run.begun', setup }, { type: 'run.stopped', actor: 'x' }, MISSED]);
    expect([over.state.isLessGrounded, over.facts.filter(({ type }) => type === 'knowledge:missed')]).toEqual([
      false,
      [],
    ]);
  });
});

describe('given turns of a run', () => {
  it('when they are asked, then each says what it is about: of a hero its field and its brief, of the Oracle what it has to do', () => {
    const prompts: Prompt[] = [];
    const world = openWorld(setup, (prompt) => {
      prompts.push(prompt);
      return { says: dutiful(prompt) };
    });
    world.play();
    const of = (member: string) =>
      prompts.filter((prompt) => prompt.member === member).map(({ about: { stage, query } }) => `${stage}: ${query}`);
    expect(of('sentinel').slice(0, 2)).toEqual([
      'reconnaissance: shop. auth flows, input validation, secrets handling, OWASP vulnerabilities, dependency CVEs. As sentinel.',
      'deep_analysis: shop. auth flows, input validation, secrets handling, OWASP vulnerabilities, dependency CVEs. As sentinel.',
    ]);
    expect(of('oracle')[0]).toBe('casting: shop. Read the request and the repository, and choose the party.');
  });

  it('when a long problem was put, then the query begins with it, as one line, and is short all the same', () => {
    const input = { problem: 'Which\ndatabase? '.repeat(100), repo: 'shop', isDeep: false };
    const { state } = heard([{ type: 'run.begun', setup: { ...setup, input } }]);
    const [oracle] = state.members;
    if (!oracle) throw new Error('The Oracle comes first.');
    const { query } = aboutTurn(state, oracle, CASTING);
    expect([query.startsWith('Which database? Which database?'), query.length]).toEqual([true, 400]);
  });
});
