import { CHECK_WORDS, capitalised, listed } from '../../base/text';
import type { Severity } from '../../base/types';
import type { CouncilReport, ReportFinding } from '../schema';
import { bySeverity, checkText, countsText, noFindingsText, placeOf, UNPROVED_TEXT } from '../words';
import { card, code, figures, foldedCard, glyph, list, paragraphs, quoteBlock, saidBlock, words } from './parts';

/** Findings in the order in which they are to be read, unproved claims and praise apart. */
export function findingCards(report: CouncilReport): readonly string[] {
  const { findings, unproved, isHeadlineByRule, brainstorm } = report;
  const title = isHeadlineByRule ? 'Findings by severity and support' : 'Findings in the Oracle’s order';
  const isLeftOut = findings.length === 0 && brainstorm !== null;
  const body =
    findings.length === 0
      ? `<p class="block muted">${noFindingsText(report)}</p>`
      : `<ol>${findings.map((each, at) => findingItem(each, at + 1)).join('')}</ol>`;
  return [
    ...(isLeftOut ? [] : [card('findings', { title, note: countsText(findings), body })]),
    ...(unproved.length === 0 ? [] : [unprovedCard(unproved)]),
    ...praiseCards(report),
  ];
}

const unprovedCard = (unproved: readonly ReportFinding[]): string =>
  foldedCard('unproved', {
    title: 'Unproved claims',
    note: `${unproved.length}, never counted`,
    kind: 'card unproved',
    body: `<p class="block muted">${UNPROVED_TEXT}</p><ul>${unproved.map((each) => findingItem(each, null)).join('')}</ul>`,
  });

/** @param place in the order; null where there is none. */
function findingItem(finding: ReportFinding, place: number | null): string {
  const { id, severity, title, evidence, suggestion } = finding;
  const number = place === null ? '' : `<span class="n">${place}</span>`;
  return `<li class="${place === null ? 'item wide' : 'item'}">${number}<h3>${words(title)} <span class="cap">${words(id)}</span></h3>${mark(severity)}
<div class="text">${paragraphs(evidence)}${suggestion === null ? '' : `<p dir="auto"><b>Suggestion:</b> ${words(suggestion)}</p>`}</div>
${findingQuote(finding)}${metaLine(finding)}${remarks(finding)}</li>`;
}

const mark = (severity: Severity): string =>
  `<span class="mark ${severity}">${glyph(severity)}${capitalised(severity)}</span>`;

const isFound = ({ check }: ReportFinding): boolean => check === 'verified' || check === 'moved';

const findingQuote = (finding: ReportFinding): string =>
  quoteBlock(finding.quote, {
    name: `Quote from ${placeOf(finding)}`,
    firstLine: isFound(finding) ? finding.line : null,
    lastLine: finding.endLine,
  });

function metaLine(finding: ReportFinding): string {
  const { foundBy, support, confirmedBy, challengedBy } = finding;
  const confirming = namesOf([...foundBy.slice(1), ...confirmedBy.map(({ by }) => by)]);
  const challenging = namesOf(challengedBy.map(({ by }) => by));
  const sign = isFound(finding) ? `<span>${glyph('check')}` : `<span class="warn">${glyph('cross')}`;
  const notes = [
    `<span>${code(placeOf(finding))}</span>`,
    `<span><span>found by ${listed(foundBy.map(words))}</span></span>`,
    `${sign}${checkText(finding)}</span>`,
    ...(support > 0 ? [`<span>${glyph('plus')}<span>confirmed by ${support}: ${confirming}</span></span>`] : []),
    ...(challengedBy.length > 0
      ? [`<span class="warn">${glyph('ask')}<span>challenged by ${challengedBy.length}: ${challenging}</span></span>`]
      : []),
  ];
  return `<div class="meta">${notes.join(' ')}</div>`;
}

const namesOf = (names: readonly string[]): string => [...new Set(names)].map(words).join(', ');

function remarks({ confirmedBy, challengedBy, builtOn }: ReportFinding): string {
  const items = [
    ...confirmedBy.map(({ by, why }) => `<b>${words(by)} confirms:</b> ${words(why)}`),
    ...challengedBy.map(({ by, why }) => `<b>${words(by)} challenges:</b> ${words(why)}`),
    ...builtOn.map(({ by, why }) => `<b>${words(by)} adds:</b> ${words(why)}`),
  ];
  return saidBlock(`What others said of it (${items.length})`, items);
}

function praiseCards({ praise: { findings, words: said } }: CouncilReport): readonly string[] {
  if (findings.length + said.length === 0) return [];
  const items = findings.map((each) => findingItem(each, null)).join('');
  const body = `${items === '' ? '' : `<ul>${items}</ul>`}${list('lines', said.map(words))}`;
  const note = String(findings.length + said.length);
  return [foldedCard('praise', { title: `${glyphOf('praise')}Praise`, note, body })];
}

const glyphOf = (severity: Severity): string => `<span class="sign ${severity}">${glyph(severity)}</span> `;

/** How many findings there are of each severity, how many quotes stand where they should, and who agreed. */
export function findingFigures({ findings, unproved, praise }: CouncilReport): string {
  const all = [...findings, ...praise.findings, ...unproved];
  if (all.length === 0) return '';
  const count = (isSo: (finding: ReportFinding) => boolean): number => all.filter(isSo).length;
  const severities = bySeverity([...findings, ...praise.findings]).map(
    ({ severity, of }) => [`${glyphOf(severity)}${capitalised(severity)}`, String(of.length)] as const,
  );
  const checks = figures([
    [capitalised(CHECK_WORDS.verified), `${count(({ check }) => check === 'verified')} of ${all.length}`],
    ['Quote found at another line', String(count(({ check }) => check === 'moved'))],
    ['Unproved', String(unproved.length)],
    ['Confirmed by another hero', String(count(({ support }) => support > 0))],
    ['Challenged', String(count(({ challengedBy }) => challengedBy.length > 0))],
  ]);
  const body = `${severities.length === 0 ? '' : `<div class="block">${figures(severities)}</div>`}<div class="block">${checks}</div>`;
  return card('counts', { title: 'In figures', body });
}
