import { visibleJson } from '../../../engine/tools';
import type { CouncilFormat } from '../contract/council';
import { reportMarkdown } from '../rules/report/markdown';
import { hasPlaces, reportSarif } from '../rules/report/sarif';
import type { CouncilReport } from '../rules/report/schema';

type Outcome<T> = (Readonly<{ ok: true }> & T) | Readonly<{ ok: false; reason: string }>;

const WRITERS: Readonly<
  Record<CouncilFormat, (report: CouncilReport, by: Readonly<{ version: string }>) => string | Promise<string>>
> = {
  md: reportMarkdown,
  html: async (report) => (await import('./report-html')).reportHtml(report),
  json: (report) => `${visibleJson(report)}\n`,
  sarif: reportSarif,
};
const NO_PLACES = 'A brainstorm has no findings in files. Export it as md, html or json.';

/** @returns the reason if the format is not possible. */
export async function reportFile(
  report: CouncilReport,
  format: CouncilFormat,
  version: string,
): Promise<Outcome<{ name: string; text: string }>> {
  if (format === 'sarif' && !hasPlaces(report)) return { ok: false, reason: NO_PLACES };
  return { ok: true, name: `council-${report.run}.${format}`, text: await WRITERS[format](report, { version }) };
}
