import { ACTIVITY_WORDS, CHECK_WORDS, capitalised, counted, dollars, listed } from '../base/text';
import { SEVERITIES } from '../base/types';
import { codeSpan, fenced, inline, paragraphs } from './escape';
import type { CouncilReport, ReportFinding } from './schema';

/** A report as Markdown for people. Nothing that a model wrote becomes a link, an image, a heading or HTML. */
export function reportMarkdown(report: CouncilReport): string {
  const blocks = [
    '# Council report',
    `**${inline(report.headline)}**`,
    ...aboutBlocks(report),
    ...findingBlocks(report),
    ...unprovedBlocks(report),
    ...praiseBlocks(report),
    ...synthesisBlocks(report),
    ...heardBlocks(report),
    ...stageBlocks(report),
    ...costBlocks(report),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const OUTCOME_WORDS: Readonly<Record<CouncilReport['outcome'], string>> = {
  finished: 'The run has finished.',
  stopped: 'The run was stopped: this is what was there.',
  paused: 'The run is paused: this is what is there so far.',
  unfinished: 'The run is under way: this is what is there so far.',
};

function aboutBlocks(report: CouncilReport): readonly string[] {
  const { activity, input, begunAt, endedAt, outcome, run, isDefaultParty, isHeadlineByRule } = report;
  const of = input.repo === null ? '' : ` of ${codeSpan(input.repo)}`;
  const about = activity === null ? '' : `${capitalised(ACTIVITY_WORDS[activity])}${of}, run ${codeSpan(run)}. `;
  const times = `Begun ${begunAt}${endedAt === null ? '' : `, ended ${endedAt}`}.`;
  return [
    `${about}${OUTCOME_WORDS[outcome]} ${times}`,
    ...(input.problem ? [`What was asked:\n\n${quotedBlock(input.problem)}`] : []),
    ...(isDefaultParty ? ['The Oracle could not choose: the default party was sent.'] : []),
    ...(isHeadlineByRule
      ? ['The Oracle did not present this report: headline and order are by severity and support.']
      : []),
  ];
}

function findingBlocks({ findings }: CouncilReport): readonly string[] {
  if (findings.length === 0) return ['## Findings', 'There are no findings with a quote that was found.'];
  const groups = SEVERITIES.map((severity) => findings.filter((each) => each.severity === severity));
  const some = groups.filter((group) => group.length > 0);
  return [
    '## Findings',
    `${listed(some.map((group) => `${group.length} ${group[0]?.severity}`))}.`,
    ...some.flatMap((group) => [
      `### ${capitalised(group[0]?.severity ?? '')}`,
      ...group.flatMap((each) => blocksOf(each, '####')),
    ]),
  ];
}

function unprovedBlocks({ unproved }: CouncilReport): readonly string[] {
  if (unproved.length === 0) return [];
  return [
    '## Unproved claims',
    'What these quote was not found in the file they name, or the file could not be read. None of them is shown as critical.',
    ...unproved.flatMap((each) => blocksOf(each, '###')),
  ];
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
    `${heading} ${inline(title)} (${id})`,
    `${severity} · ${codeSpan(placeOf(finding))} · ${notes.join(', ')}`,
    fenced(quote),
    inline(evidence),
    ...(suggestion === null ? [] : [`Suggestion: ${inline(suggestion)}`]),
    ...remarksBlock(finding),
  ];
}

const placeOf = ({ file, line, endLine }: ReportFinding): string =>
  `${file}:${line}${endLine === null || endLine === line ? '' : `-${endLine}`}`;

const checkText = ({ check, line, movedFrom }: ReportFinding): string =>
  movedFrom === null ? CHECK_WORDS[check] : `quote found at line ${line} instead of ${movedFrom}`;

function remarksBlock({ confirmedBy, challengedBy, builtOn }: ReportFinding): readonly string[] {
  const lines = [
    ...confirmedBy.map(({ by, why }) => `- ${inline(by)} confirms: ${inline(why)}`),
    ...challengedBy.map(({ by, why }) => `- ${inline(by)} challenges: ${inline(why)}`),
    ...builtOn.map(({ by, why }) => `- ${inline(by)} adds: ${inline(why)}`),
  ];
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function praiseBlocks({ praise: { findings, words } }: CouncilReport): readonly string[] {
  const lines = [
    ...findings.map(
      (each) => `- ${inline(each.title)} (${codeSpan(placeOf(each))}, ${checkText(each)}): ${inline(each.evidence)}`,
    ),
    ...words.map((text) => `- ${inline(text)}`),
  ];
  return lines.length === 0 ? [] : ['## Praise', lines.join('\n')];
}

function synthesisBlocks({ synthesis }: CouncilReport): readonly string[] {
  return synthesis === null
    ? ['## Synthesis', 'Nobody has put the findings together.']
    : ['## Synthesis', `By ${inline(synthesis.by)}:`, quotedBlock(synthesis.text)];
}

const quotedBlock = (text: string): string =>
  paragraphs(text)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

function heardBlocks({ heard, notHeard, fallbacks }: CouncilReport): readonly string[] {
  const heardLines = heard.map(({ name, title, speaker, model, findings, words }) => {
    const by = `${inline(capitalised(speaker))}${model === null ? '' : ` (${codeSpan(model)})`}`;
    const brought = [counted(findings, 'finding'), `${counted(words, 'word')} on findings of others`].join(', ');
    return `- ${inline(name)}${title === null ? '' : `, ${inline(title)}`}: played by ${by}${title === null ? '' : `; ${brought}`}`;
  });
  const missed = notHeard.map(({ who, kind, why, isPartly }) => {
    const name = inline(kind === 'speaker' ? `${capitalised(who)} (speaker)` : who);
    return `- ${name}${isPartly ? ', heard until then' : ''}: ${inline(why)}`;
  });
  const taken = fallbacks.map(
    ({ speaker, from, to, hasAnswered }) =>
      `- ${codeSpan(to)} took over from ${codeSpan(from)} as ${inline(capitalised(speaker))}${hasAnswered ? '' : ', and has not answered'}`,
  );
  return [
    ...['## Who was heard', heardLines.join('\n') || 'Nobody was heard.'],
    ...['## Who was not heard, and why', missed.join('\n') || 'Everybody was heard to the end.'],
    ...(taken.length === 0 ? [] : ['## Fallbacks', taken.join('\n')]),
  ];
}

function stageBlocks({ stages }: CouncilReport): readonly string[] {
  if (stages.length === 0) return [];
  const lines = stages.map(({ name, isCompleted, summedUpBy }, at) => {
    const by = summedUpBy.length === 0 ? 'summed up by nobody' : `summed up by ${listed(summedUpBy.map(inline))}`;
    return `${at + 1}. ${name}: ${isCompleted ? 'completed' : 'not completed'}, ${by}`;
  });
  return ['## Stages', lines.join('\n')];
}

function costBlocks({ cost: { spent, cap, unpricedTurns, tokens }, retries }: CouncilReport): readonly string[] {
  const unpriced =
    unpricedTurns === 0 ? '' : ` ${counted(unpricedTurns, 'turn')} of models without a known price not counted.`;
  return [
    '## Cost',
    `${dollars(spent)} ${cap === null ? 'spent, without a cap' : `of ${dollars(cap)} spent`}.${unpriced} Tokens: ${tokens.input} in, ${tokens.output} out. Retries: ${retries}.`,
  ];
}
