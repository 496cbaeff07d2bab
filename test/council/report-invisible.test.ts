import { describe, expect, it } from 'vitest';
import type { CouncilFormat } from '../../src/features/council/contract/council';
import { reportFile } from '../../src/features/council/core/report-file';
import type { CouncilReport } from '../../src/features/council/rules/report/schema';
import { richBrainstorm, richReview } from '../support/council-report';

const UNSEEN = ['\u200b', '\u200d', '\u00ad', '\u3164', '\u202e'];

/** The report with invisible characters behind each name of a model. */
function withUnseen(report: CouncilReport): CouncilReport {
  const models = new Set<string>();
  const collect = (key: string, value: unknown): unknown => {
    if (key === 'model' && typeof value === 'string') models.add(value);
    return value;
  };
  const text = JSON.stringify(report, collect);
  return JSON.parse([...models].reduce((rest, model) => rest.replaceAll(model, model + UNSEEN.join('')), text));
}

describe.each([
  ['review', richReview()],
  ['brainstorm', richBrainstorm()],
])('given a %s with invisible characters in the names of its models', (_, report) => {
  it('when it is exported, then none is in any format, Markdown names each, and JSON says the same', async () => {
    const unseen = withUnseen(report);
    const formats: readonly CouncilFormat[] = ['md', 'html', 'json', 'sarif'];
    const texts: [CouncilFormat, string][] = [];
    for (const format of formats) {
      const file = await reportFile(unseen, format, '0.1.0');
      if (file.ok) texts.push([format, file.text]);
    }
    expect(texts.length).toBeGreaterThanOrEqual(3);
    for (const [format, text] of texts)
      expect([format, UNSEEN.filter((one) => text.includes(one))]).toEqual([format, []]);
    const { md = '', json = '' } = Object.fromEntries(texts);
    for (const number of ['200B', '200D', '00AD', '3164', '202E']) expect(md).toContain(`‹U+${number}›`);
    expect(JSON.parse(json)).toEqual(unseen);
  });
});
