import { ACTIVITY_WORDS, capitalised, LESS_GROUNDED, listed } from '../base/text';
import { brainstormBlocks } from './brainstorm-markdown';
import { codeSpan, fenced, inline, quotedBlock } from './escape';
import type { CouncilReport, ReportFinding } from './schema';
import {
  broughtText,
  bySeverity,
  checkText,
  costText,
  countsText,
  DEFAULT_PARTY_TEXT,
  noFindingsText,
  noSynthesisText,
  OUTCOME_WORDS,
  placeOf,
  RULED_TEXT,
  SECRETS_TEXT,
  stageText,
  UNPROVED_TEXT,
} from './words';

/** No text of a model becomes a link, an image, a heading or HTML. */
export function reportMarkdown(report: CouncilReport): string {
  const blocks = [
    '# Council report',
    `**${inline(report.headline)}**`,
    ...aboutBlocks(report),
    ...brainstormBlocks(report),
    ...findingBlocks(report),
    ...unprovedBlocks(report),
    ...praiseBlocks(report),
    ...synthesisBlocks(report),
    ...heardBlocks(report),
    ...secretBlocks(report),
    ...stageBlocks(report),
    ...costBlocks(report),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function aboutBlocks(report: CouncilReport): readonly string[] {
  const { activity, input, begunAt, endedAt, outcome, run, isDefaultParty, isHeadlineByRule, isLessGrounded } = report;
  const of = input.repo === null ? '' : ` of ${codeSpan(input.repo)}`;
  const about = activity === null ? '' : `${capitalised(ACTIVITY_WORDS[activity])}${of}, run ${codeSpan(run)}. `;
  const times = `Begun ${begunAt}${endedAt === null ? '' : `, ended ${endedAt}`}.`;
  return [
    `${about}${OUTCOME_WORDS[outcome]} ${times}`,
    ...(input.problem ? [`The problem:\n\n${quotedBlock(input.problem)}`] : []),
    ...(isDefaultParty ? [DEFAULT_PARTY_TEXT] : []),
    ...(isHeadlineByRule ? [RULED_TEXT] : []),
    ...(isLessGrounded ? [LESS_GROUNDED] : []),
  ];
}

function findingBlocks(report: CouncilReport): readonly string[] {
  const { findings, brainstorm } = report;
  if (findings.length === 0) return brainstorm === null ? ['## Findings', noFindingsText(report)] : [];
  const groups = bySeverity(findings);
  return [
    '## Findings',
    `${countsText(findings)}.`,
    ...groups.flatMap(({ severity, of }) => [
      `### ${capitalised(severity)}`,
      ...of.flatMap((each) => blocksOf(each, '####')),
    ]),
  ];
}

function unprovedBlocks({ unproved }: CouncilReport): readonly string[] {
  if (unproved.length === 0) return [];
  return ['## Unproved claims', UNPROVED_TEXT, ...unproved.flatMap((each) => blocksOf(each, '###'))];
}

function blocksOf(finding: ReportFinding, heading: '###' | '####'): readonly string[] {
  const { id, severity, title, quote, evidence, suggestion, foundBy, challengedBy, support } = finding;
  const notes = [
    checkText(finding),
    `found by ${listed(foundBy.map(inline))}`,
    ...(support > 0 ? [`confirmed by ${support}`] : []),
    ...(challengedBy.length > 0 ? [`challenged by ${challengedBy.length}`] : []),
  ];
  return [
    `${heading} ${inline(title)} (${inline(id)})`,
    `${severity} · ${codeSpan(placeOf(finding))} · ${notes.join(', ')}`,
    fenced(quote),
    inline(evidence),
    ...(suggestion === null ? [] : [`Suggestion: ${inline(suggestion)}`]),
    ...remarksBlock(finding),
  ];
}

function remarksBlock({ confirmedBy, challengedBy, builtOn }: ReportFinding): readonly string[] {
  const lines = [
    ...confirmedBy.map(({ by, why }) => `- ${inline(by)} confirms: ${inline(why)}`),
    ...challengedBy.map(({ by, why }) => `- ${inline(by)} challenges: ${inline(why)}`),
    ...builtOn.map(({ by, why }) => `- ${inline(by)} adds: ${inline(why)}`),
  ];
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function praiseBlocks({ praise: { findings, words } }: CouncilReport): readonly string[] {
  if (findings.length + words.length === 0) return [];
  const lines = words.map((text) => `- ${inline(text)}`);
  return [
    '## Praise',
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    ...findings.flatMap((each) => blocksOf(each, '###')),
  ];
}

function synthesisBlocks(report: CouncilReport): readonly string[] {
  const { synthesis } = report;
  return synthesis === null
    ? ['## Synthesis', noSynthesisText(report)]
    : ['## Synthesis', `By ${inline(synthesis.by)}:`, quotedBlock(synthesis.text)];
}

function heardBlocks(report: CouncilReport): readonly string[] {
  const { heard: contributors, notHeard, fallbacks } = report;
  const heardLines = contributors.map((member) => {
    const { name, title, speaker, model } = member;
    const by = `${inline(capitalised(speaker))}${model === null ? '' : ` (${codeSpan(model)})`}`;
    const part = title === null ? '' : `, ${inline(title)}`;
    return `- ${inline(name)}${part}: played by ${by}${title === null ? '' : `; ${broughtText(report, member)}`}`;
  });
  const missed = notHeard.map(({ who, kind, why, isPartly }) => {
    const name = inline(kind === 'speaker' ? `${capitalised(who)} (speaker)` : who);
    return `- ${name}${isPartly ? ', contributed until then' : ''}: ${inline(why)}`;
  });
  const taken = fallbacks.map(
    ({ speaker, from, to, hasAnswered }) =>
      `- ${codeSpan(to)} took over from ${codeSpan(from)} as ${inline(capitalised(speaker))}${hasAnswered ? '' : ', but has not answered'}`,
  );
  return [
    ...['## Participants', heardLines.join('\n') || 'No participant contributed.'],
    ...['## Missing participants', missed.join('\n') || 'All participants contributed.'],
    ...(taken.length === 0 ? [] : ['## Fallbacks', taken.join('\n')]),
  ];
}

function secretBlocks({ secrets = [] }: CouncilReport): readonly string[] {
  if (secrets.length === 0) return [];
  return ['## Files not read', SECRETS_TEXT, secrets.map((path) => `- ${codeSpan(path)}`).join('\n')];
}

function stageBlocks({ stages }: CouncilReport): readonly string[] {
  if (stages.length === 0) return [];
  const lines = stages.map((stage, at) => `${at + 1}. ${stageText(stage, inline)}`);
  return ['## Stages', lines.join('\n')];
}

const costBlocks = (report: CouncilReport): readonly string[] => ['## Cost', costText(report)];
