export type Group = Readonly<{
  generation: number;
  name: string;
  says: string;
  limitMinutes: number;
  file?: string;
  pattern?: string;
}>;
export type Outcome = 'held' | 'known' | 'failed';
export type PlayedPromise = Readonly<{ place: string; title: string; outcome: Outcome; why: string }>;
export type Counts = Readonly<Record<Outcome, number>>;
export type Summary = Readonly<{
  date: string;
  places: Readonly<Record<string, Counts>>;
  known: Readonly<Record<string, string>>;
  failed: Readonly<Record<string, string>>;
}>;
/** By version, then by group name. */
export type Results = Readonly<Record<string, Readonly<Record<string, Summary>>>>;
type Report = Readonly<{
  testResults: readonly Readonly<{
    status: string;
    message: string;
    assertionResults: readonly Readonly<{
      status: string;
      ancestorTitles: readonly string[];
      title: string;
      failureMessages: readonly string[];
      meta?: Readonly<{ known?: string }>;
    }>[];
  }>[];
}>;

export const RELEASES: readonly Readonly<{ generation: number; versions: readonly string[] }>[];
export const OLDER: readonly string[];
export const GROUPS: readonly Group[];
export function order(a: string, b: string): number;
export function generationOf(version: string): number;
export function readReport(report: Report): readonly PlayedPromise[];
export function plain(text: string): string;
export function summaryOf(promises: readonly PlayedPromise[], date: string): Summary;
export function totalOf(summary: Pick<Summary, 'places'>): Counts;
export function withResult(results: Results, version: string, group: string, summary: Summary): Results;
export function pageOf(results: Results): string;
export function quoted(why: string): string;
