import { fingerprint } from '../base/fingerprint';
import { capitalised, listed, plainLine, plainQuote, plainText } from '../base/text';
import type { Severity } from '../base/types';
import type { CouncilReport, ReportFinding } from './schema';
import { checkText, hasContribution, placeOf } from './words';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
/** Never resolved: the folder is private and differs per machine. */
const ROOT = '%SRCROOT%';

/** An alert stays the same only if its rule does, and authors change. */
const RULES = [
  { severity: 'critical', level: 'error', does: 'must be fixed before anything else' },
  { severity: 'major', level: 'warning', does: 'should be fixed' },
  { severity: 'minor', level: 'note', does: 'could be improved' },
] as const satisfies readonly Readonly<{ severity: Severity; level: string; does: string }>[];
const PROBLEM_SEVERITIES = { error: 'error', warning: 'warning', note: 'recommendation' } as const;

const UNPROVED = { id: 'council-unproved', index: 0 } as const;
const NOT_HEARD = { id: 'council-not-heard', index: 1 } as const;

export const hasPlaces = ({ activity, brainstorm }: CouncilReport): boolean =>
  brainstorm === null && activity !== 'brainstorm' && activity !== 'code_brainstorm';

/**
 * SARIF 2.1.0. Results are proved findings only, because code scanning turns every result into an alert; others become
 * notifications.
 */
export function reportSarif(report: CouncilReport, { version }: Readonly<{ version: string }>): string {
  const { run, findings, begunAt, endedAt, outcome, headline, isHeadlineByRule, praise } = report;
  const invocation = {
    executionSuccessful: outcome === 'finished' && hasContribution(report),
    startTimeUtc: begunAt,
    ...(endedAt === null ? {} : { endTimeUtc: endedAt }),
    toolExecutionNotifications: [...report.unproved.map(unprovedNotification), ...notHeardNotifications(report)],
  };
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: driverOf(version) },
        automationDetails: { id: `understudy-council/${run}`, description: { text: 'One run of a council.' } },
        invocations: [invocation],
        originalUriBaseIds: { [ROOT]: { description: { text: 'The root folder of the reviewed repository.' } } },
        columnKind: 'utf16CodeUnits',
        results: findings.map((each, at) => resultOf(each, 100 * (1 - at / findings.length))),
        properties: {
          headline: plainLine(headline),
          isHeadlineByRule,
          outcome,
          praise: praise.findings.length + praise.words.length,
        },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const driverOf = (version: string) => ({
  name: 'Understudy',
  version,
  semanticVersion: version,
  rules: RULES.map(({ severity, level, does }) => ({
    id: `council-${severity}`,
    name: `Council${capitalised(severity)}`,
    shortDescription: { text: `${capitalised(severity)} finding of a council of models.` },
    fullDescription: { text: `An issue that models found by reading and that, in their view, ${does}.` },
    help: {
      text: 'Several models reviewed the code, each with a different focus. A program checked that the file contains the quote, but not the conclusions.',
    },
    defaultConfiguration: { level },
    properties: { tags: ['council'], precision: 'medium', 'problem.severity': PROBLEM_SEVERITIES[level] },
  })),
  notifications: [
    {
      id: UNPROVED.id,
      name: 'CouncilUnproved',
      shortDescription: { text: 'An unproved claim.' },
      fullDescription: {
        text: 'The quote of the claim was not found in the named file, or the file could not be read.',
      },
      help: { text: 'It is listed for completeness and does not count, because there is no location to check.' },
      defaultConfiguration: { level: 'note' },
    },
    {
      id: NOT_HEARD.id,
      name: 'CouncilNotHeard',
      shortDescription: { text: 'A participant is missing.' },
      fullDescription: {
        text: 'A participant did not contribute, or only in part, for the given reason.',
      },
      help: { text: 'Its area may not have been reviewed by any other participant.' },
      defaultConfiguration: { level: 'warning' },
    },
  ],
});

/** @param rank from 100 down. */
function resultOf(finding: ReportFinding, rank: number) {
  const { severity, file, line, endLine, quote, title } = finding;
  const rule = ruleOf(severity);
  return {
    ruleId: rule.id,
    ruleIndex: rule.index,
    kind: 'fail',
    level: RULES[rule.index]?.level ?? 'note',
    rank: Math.round(rank * 10) / 10,
    message: { text: findingText(finding) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file), uriBaseId: ROOT },
          region: {
            startLine: line,
            ...(endLine === null ? {} : { endLine }),
            snippet: { text: plainQuote(quote) },
          },
        },
      },
    ],
    partialFingerprints: { 'councilFinding/v1': fingerprint([uriOf(file), quote, title].map(folded).join('\n')) },
    properties: propertiesOf(finding),
  };
}

/** Praise never becomes a result. */
function ruleOf(severity: Severity): Readonly<{ id: string; index: number }> {
  const index = RULES.findIndex((rule) => rule.severity === severity);
  return index < 0 ? { id: 'council-minor', index: RULES.length - 1 } : { id: `council-${severity}`, index };
}

const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

function findingText(finding: ReportFinding): string {
  const { title, evidence, suggestion, foundBy, support, challengedBy } = finding;
  const notes = [
    `Found by ${listed(foundBy)}`,
    checkText(finding),
    ...(support > 0 ? [`confirmed by ${support}`] : []),
    ...(challengedBy.length > 0 ? [`challenged by ${challengedBy.length}`] : []),
  ];
  const parts = [sentence(title), evidence, ...(suggestion === null ? [] : [`Suggestion: ${suggestion}`])];
  return messageText([...parts, `${notes.join(', ')}.`].join('\n\n'));
}

/** Some viewers show only the first sentence. */
const sentence = (text: string): string => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

/**
 * Editors link every address. Other braces stay single, against the standard, because viewers show doubled ones as
 * two.
 */
const messageText = (text: string): string =>
  plainText(text)
    .replace(/\](?=\()/g, '] ')
    .replace(/\{(?=\d+\})/g, '{ ');

const uriOf = (file: string): string =>
  plainLine(file)
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment) => !['', '.', '..'].includes(segment))
    .map(encodeURIComponent)
    .join('/');

const propertiesOf = (finding: ReportFinding) => {
  const { id, foundBy, support, check, movedFrom, suggestion, confirmedBy, challengedBy, builtOn } = finding;
  return {
    id,
    heroes: foundBy,
    check,
    support,
    confirmedBy,
    challengedBy,
    builtOn,
    ...(movedFrom === null ? {} : { movedFrom }),
    ...(suggestion === null ? {} : { suggestion: plainText(suggestion) }),
  };
};

/** The quote was not found there. */
function unprovedNotification(finding: ReportFinding) {
  const { severity, title, file, line, endLine, quote, evidence } = finding;
  return {
    descriptor: UNPROVED,
    associatedRule: ruleOf(severity),
    level: 'note',
    message: { text: messageText(`Unproved claim, ${checkText(finding)}: ${title} (${placeOf(finding)})`) },
    properties: {
      ...propertiesOf(finding),
      severity,
      file: plainLine(file),
      line,
      quote: plainQuote(quote),
      evidence: plainText(evidence),
      ...(endLine === null ? {} : { endLine }),
    },
  };
}

const notHeardNotifications = ({ notHeard }: CouncilReport) =>
  notHeard.map(({ who, kind, why, isPartly }) => ({
    descriptor: NOT_HEARD,
    level: 'warning',
    message: {
      text: messageText(
        `${capitalised(who)}${kind === 'speaker' ? ' (speaker)' : ''} ${isPartly ? 'contributed only in part' : 'did not contribute'}: ${why}`,
      ),
    },
  }));
