import { listed } from '../../base/text';
import type { CouncilReport, ReportBrainstorm, ReportOption } from '../schema';
import { evidenceText, optionText, placeOf, pointsText, rankedText } from '../words';
import { card, code, figures, foldedCard, glyph, list, quoteBlock, saidBlock, steps, textBlock, words } from './parts';

/** What was asked, the ideas as they were ranked, who does not agree, what to do next, and the ballots. */
export function brainstormCards({ brainstorm }: CouncilReport): readonly string[] {
  if (brainstorm === null) return [];
  const { options, nextSteps, gaps, dissent } = brainstorm;
  const ideas = options.map(optionItem).join('');
  return [
    ...questionCards(brainstorm),
    card('ideas', { title: 'Ideas', note: rankedText(brainstorm), body: ideas === '' ? '' : `<ol>${ideas}</ol>` }),
    ...(dissent.length === 0 ? [] : [dissentCard(brainstorm)]),
    ...(nextSteps.length === 0 ? [] : [card('next', { title: 'Next steps', body: steps(nextSteps.map(words)) })]),
    ...ballotCards(brainstorm),
    ...(gaps.length === 0
      ? []
      : [foldedCard('gaps', { title: 'What the first round had left out', body: list('lines', gaps.map(words)) })]),
  ];
}

function questionCards({ question, criteria, constraints }: ReportBrainstorm): readonly string[] {
  const listOf = (title: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`<p class="muted">${title}</p>${list('points', items.map(words))}`];
  const parts = [
    ...(question === null ? [] : [textBlock(question)]),
    ...listOf('What an answer is measured by:', criteria),
    ...listOf('What it has to keep to:', constraints),
  ];
  if (parts.length === 0) return [];
  const body = parts.map((part) => `<div class="block">${part}</div>`).join('');
  return [card('question', { title: 'The question, as the Oracle framed it', body })];
}

function optionItem(option: ReportOption): string {
  const { id, rank, title, text } = option;
  const number = `<span class="n">${rank === null ? '–' : rank}</span>`;
  const points = rank === null ? '' : `<span class="mark muted">${pointsText(option)}</span>`;
  return `<li class="item">${number}<h3>${words(title)} <span class="cap">${words(id)}</span></h3>${points}
${textBlock(text)}
${metaLine(option)}${evidenceBlocks(option)}${remarks(option)}</li>`;
}

function metaLine({ proposedBy, supportedBy, challengedBy }: ReportOption): string {
  const names = (of: ReportOption['supportedBy']): string => of.map(({ by }) => words(by)).join(', ');
  const notes = [
    `<span><span>proposed by ${proposedBy.length === 0 ? 'nobody' : listed(proposedBy.map(words))}</span></span>`,
    ...(supportedBy.length > 0
      ? [`<span>${glyph('plus')}<span>supported by ${supportedBy.length}: ${names(supportedBy)}</span></span>`]
      : []),
    ...(challengedBy.length > 0
      ? [
          `<span class="warn">${glyph('ask')}<span>challenged by ${challengedBy.length}: ${names(challengedBy)}</span></span>`,
        ]
      : []),
  ];
  return `<div class="meta">${notes.join(' ')}</div>`;
}

function evidenceBlocks({ evidence }: ReportOption): string {
  return evidence
    .map((each) => {
      const isFound = each.check === 'verified' || each.check === 'moved';
      const sign = isFound ? `<span>${glyph('check')}` : `<span class="warn">${glyph('cross')}`;
      const quote = quoteBlock(each.quote, {
        name: `Quote from ${placeOf(each)}`,
        firstLine: isFound ? each.line : null,
        lastLine: null,
      });
      return `${quote}<div class="meta"><span><span>rests on ${code(placeOf(each))}</span></span> ${sign}${evidenceText(each)}</span></div>`;
    })
    .join('');
}

function remarks({ supportedBy, challengedBy, builtOn }: ReportOption): string {
  const items = [
    ...supportedBy.map(({ by, why }) => `<b>${words(by)} supports:</b> ${words(why)}`),
    ...challengedBy.map(({ by, why }) => `<b>${words(by)} challenges:</b> ${words(why)}`),
    ...builtOn.map(({ by, why }) => `<b>${words(by)} adds:</b> ${words(why)}`),
  ];
  return saidBlock(`What others said of it (${items.length})`, items);
}

function dissentCard(brainstorm: ReportBrainstorm): string {
  const items = brainstorm.dissent.map(({ by, about, why }) => {
    const of = about === null ? 'the whole' : optionText(brainstorm, about, words);
    return `<span><b>${words(by)}</b>, about ${of}</span><span>${words(why)}</span>`;
  });
  return card('dissent', { title: 'Dissent', body: list('lines', items) });
}

function ballotCards({ ballots }: ReportBrainstorm): readonly string[] {
  if (ballots.length === 0) return [];
  const rows = ballots.map(
    ({ by, ranking }) => `<tr><th scope="row">${words(by)}</th><td>${ranking.map(words).join(', ') || '–'}</td></tr>`,
  );
  const head = '<thead><tr><th scope="col">Who</th><th scope="col">Ranking, the best first</th></tr></thead>';
  const body = `<table>${head}<tbody>${rows.join('')}</tbody></table>`;
  return [card('ballots', { title: 'Ballots', body })];
}

/** How many ideas there are, and how they stand. */
export function brainstormFigures({ brainstorm }: CouncilReport): string {
  if (brainstorm === null) return '';
  const { options, ballots, dissent } = brainstorm;
  const challenged = options.filter(({ challengedBy }) => challengedBy.length > 0).length;
  const rows = figures([
    ['Ideas', String(options.length)],
    ['Ballots', String(ballots.length)],
    ['Challenged', String(challenged)],
    ['Dissent kept', String(dissent.length)],
  ]);
  return card('figures', { title: 'In figures', body: `<div class="block">${rows}</div>` });
}
