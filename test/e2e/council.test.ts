import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CouncilStage, DONE, isFact, openCouncilStage, saying } from '../support/council-stage';
import { SIX } from '../support/council-world';

let stage: CouncilStage;

beforeAll(async () => {
  stage = await openCouncilStage();
});
afterAll(() => stage?.close());

describe('given a repository and models of three vendors', () => {
  it('when it is reviewed, then the six stages are played and findings reach the report in their order', async () => {
    const found = [
      {
        severity: 'critical',
        title: 'Code of a stranger is run',
        file: 'src/cart.js',
        line: 8,
        quote: 'return eval(code);',
        evidence: 'The code comes from the customer.',
      },
      {
        severity: 'minor',
        title: 'No test',
        file: 'src/cart.js',
        line: 1,
        quote: 'export function total(items) {',
        evidence: 'There is none.',
      },
      {
        severity: 'critical',
        title: 'Invented',
        file: 'src/cart.js',
        line: 3,
        quote: 'connectToDatabase(password)',
        evidence: 'It is not there.',
      },
      {
        severity: 'major',
        title: 'Off by lines',
        file: 'src/cart.js',
        line: 1,
        quote: 'export function discount(code) {',
        evidence: 'Elsewhere.',
      },
      { severity: 'praise', title: 'Short', file: 'README.md', line: 3, quote: 'A shop.', evidence: 'It is.' },
    ];
    stage.answer(({ hero, stage: name }) => {
      if (hero === 'Sentinel' && name === 'Deep Analysis')
        return saying({ tool: 'PostFindings', findings: found }, DONE);
      if (name === 'Presentation')
        return saying({ tool: 'PresentReport', headline: 'One hole.', order: ['f1', 'f4', 'f2'], praise: [] }, DONE);
      return null;
    });
    const run = await stage.begin();
    const opencode = await run.play();
    await run.until(isFact('run:finished'));
    const state = await run.state();
    await opencode.stop();
    expect(state.completed.filter((id) => SIX.includes(id))).toEqual(SIX);
    expect(state.board.map(({ severity, check, movedTo }) => [severity, check, movedTo])).toEqual([
      ['critical', 'verified', null],
      ['minor', 'verified', null],
      ['major', 'not_found', null],
      ['major', 'moved', 7],
      ['praise', 'verified', null],
    ]);
    expect(state.presented).toMatchObject({ headline: 'One hole.', order: ['f1', 'f4', 'f2'] });
    // A tool that changes or runs something is offered to nobody, and no instructions but ours.
    for (const { body } of stage.asked) {
      const { tools = [] } = body as { tools?: { function: { name: string } }[] };
      expect(tools.map((tool) => tool.function.name).toSorted()).toEqual(['glob', 'grep', 'read']);
    }
    expect(new Set(stage.asked.map(({ hero }) => hero))).toEqual(
      new Set(['Oracle', 'Architect', 'Sentinel', 'Healer', 'Sage']),
    );
  });
});
