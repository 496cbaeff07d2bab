import { cell, codeSpan, fenced, inline, paragraphs, quotedBlock } from './escape';
import type { CouncilReport, ReportBrainstorm, ReportOption } from './schema';
import { evidenceText, heldText, optionText, placeOf, pointsText, rankedText } from './words';

export function brainstormBlocks({ brainstorm }: CouncilReport): readonly string[] {
  if (brainstorm === null) return [];
  return [
    ...questionBlocks(brainstorm),
    ...['## Ideas', rankedText(brainstorm)],
    ...brainstorm.options.flatMap(optionBlocks),
    ...dissentBlocks(brainstorm),
    ...section('Next steps', numbered(brainstorm.nextSteps)),
    ...ballotBlocks(brainstorm),
    ...section('Gaps after the first round', listOf(brainstorm.gaps)),
  ];
}

const section = (title: string, text: string): readonly string[] => (text === '' ? [] : [`## ${title}`, text]);
const listOf = (texts: readonly string[]): string => texts.map((text) => `- ${inline(text)}`).join('\n');
const numbered = (texts: readonly string[]): string => texts.map((text, at) => `${at + 1}. ${inline(text)}`).join('\n');

function questionBlocks({ question, criteria, constraints }: ReportBrainstorm): readonly string[] {
  const blocks = [
    ...(question === null ? [] : [quotedBlock(question)]),
    ...(criteria.length === 0 ? [] : ['Criteria for an answer:', listOf(criteria)]),
    ...(constraints.length === 0 ? [] : ['Constraints:', listOf(constraints)]),
  ];
  return blocks.length === 0 ? [] : ['## The question, as the Oracle framed it', ...blocks];
}

function optionBlocks(option: ReportOption): readonly string[] {
  const { id, rank, title, text, evidence, supportedBy, challengedBy, builtOn } = option;
  const place = rank === null ? '' : `${rank}. `;
  const held = heldText(option, inline);
  const remarks = [
    ...supportedBy.map(({ by, why }) => `- ${inline(by)} supports: ${inline(why)}`),
    ...challengedBy.map(({ by, why }) => `- ${inline(by)} challenges: ${inline(why)}`),
    ...builtOn.map(({ by, why }) => `- ${inline(by)} adds: ${inline(why)}`),
  ];
  return [
    `### ${place}${inline(title)} (${inline(id)})`,
    rank === null ? held : `${pointsText(option)} · ${held}`,
    paragraphs(text),
    ...(remarks.length === 0 ? [] : [remarks.join('\n')]),
    ...evidence.flatMap((each) => [`Based on ${codeSpan(placeOf(each))}, ${evidenceText(each)}:`, fenced(each.quote)]),
  ];
}

function dissentBlocks(brainstorm: ReportBrainstorm): readonly string[] {
  const lines = brainstorm.dissent.map(({ by, about, why }) => {
    const of = about === null ? 'the whole' : optionText(brainstorm, about, inline);
    return `- ${inline(by)}, about ${of}: ${inline(why)}`;
  });
  return section('Dissent', lines.join('\n'));
}

function ballotBlocks({ ballots }: ReportBrainstorm): readonly string[] {
  if (ballots.length === 0) return [];
  const rows = ballots.map(({ by, ranking }) => `| ${cell(by)} | ${ranking.map(cell).join(', ')} |`);
  return ['## Ballots', ['| Who | Ranking, best first |', '| --- | --- |', ...rows].join('\n')];
}
