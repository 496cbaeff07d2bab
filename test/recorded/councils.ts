import { type Answers, DONE, isFact, openCouncilStage, saying } from '../support/council-stage';
import { opencodeBinary } from '../support/opencode-binary';
import { opencode2Binary } from '../support/opencode2/real';

const FOUND = [
  {
    ...{ severity: 'critical', title: 'Code of a stranger is run', file: 'src/cart.js', line: 8 },
    ...{ quote: 'return eval(code);', evidence: 'The code comes from the customer.', suggestion: 'Use a table.' },
  },
  {
    ...{ severity: 'major', title: 'Off by lines', file: 'src/cart.js', line: 1 },
    ...{ quote: 'export function discount(code) {', evidence: 'Elsewhere.' },
  },
  {
    ...{ severity: 'praise', title: 'Short', file: 'README.md', line: 3 },
    ...{ quote: 'A shop.', evidence: 'It is.' },
  },
];

/** A review with findings, a speaker that fails twice, and a presented report. */
const review: Answers = ({ hero, stage, model }, nth) => {
  if (model === 'beta-model' && nth < 2) return { kind: 'status', status: 429, headers: { 'retry-after': '1' } };
  if (hero === 'Sentinel' && stage === 'Deep Analysis') return saying({ tool: 'PostFindings', findings: FOUND }, DONE);
  if (stage !== 'Presentation') return null;
  return saying({ tool: 'PresentReport', headline: 'One hole.', order: ['f1', 'f2'], praise: ['f3'] }, DONE);
};

/** Plays a review to its end, then another one that is left in the middle. */
export async function playCouncils(generation: string, place: Readonly<{ home: string; root: string }>): Promise<void> {
  const stage = await openCouncilStage(
    async () => (generation === 'OpenCode 1' ? opencodeBinary() : opencode2Binary()),
    place,
  );
  try {
    const finished = await stage.playing(review);
    await finished.run.until(isFact('run:finished'), 120_000);
    await stage.stopAll();
    const { run } = await stage.playing(({ stage: name }) => (name === 'Deep Analysis' ? { kind: 'hang' } : null));
    await run.until(
      (fact): fact is Extract<typeof fact, { type: 'stage:begun' }> =>
        fact.type === 'stage:begun' && fact.stage === 'deep_analysis',
      120_000,
    );
    await run.tell({ type: 'speaker.retried', name: 'alpha', actor: 'test' });
  } finally {
    await stage.stopAll();
    await stage.provider.close();
  }
}
