import { ACTIVITY_WORDS, capitalised, counted, dollars, LESS_GROUNDED } from '../base/text';
import { ORACLE } from '../base/types';
import { markup } from './escape';
import { brainstormCards, brainstormFigures } from './html/brainstorm';
import { findingCards, findingFigures } from './html/findings';
import { card, code, figures, list, plain, steps, textBlock, words } from './html/parts';
import { POLICY, STYLE } from './html/style';
import type { CouncilReport } from './schema';
import {
  broughtText,
  DEFAULT_PARTY_TEXT,
  noSynthesisText,
  OUTCOME_WORDS,
  RULED_TEXT,
  SECRETS_TEXT,
  spentText,
  stageText,
} from './words';

/**
 * A report as one HTML file without scripts, links and fetched parts. The words of models and strangers are text in it.
 */
export function reportHtml(report: CouncilReport): string {
  const main = [...brainstormCards(report), ...findingCards(report), synthesisCard(report)];
  const side = [
    ...[brainstormFigures(report), findingFigures(report), heardCard(report), notHeardCard(report)],
    ...[fallbackCard(report), secretCard(report), stageCard(report), costCard(report)],
  ];
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Council report: ${plain(report.headline)}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="page">
${headOf(report)}
<main class="cols">
<div class="stack">
${main.join('\n')}
</div>
<div class="stack">
${side.filter((each) => each !== '').join('\n')}
</div>
</main>
<footer class="foot">Written by Understudy. What models said stands here as they said it; whether a quote is in its file was checked.</footer>
</div>
</body>
</html>
`;
}

function headOf(report: CouncilReport): string {
  const { activity, input, begunAt, endedAt, outcome, run, isDefaultParty, isHeadlineByRule, isLessGrounded } = report;
  const of = input.repo === null ? '' : ` of ${code(input.repo)}`;
  const about = activity === null ? '' : `${capitalised(ACTIVITY_WORDS[activity])}${of}, run ${code(run)}. `;
  const times = `Begun ${timeOf(begunAt)}${endedAt === null ? '' : `, ended ${timeOf(endedAt)}`}.`;
  const notes = [
    ...(isDefaultParty ? [DEFAULT_PARTY_TEXT] : []),
    ...(isHeadlineByRule ? [RULED_TEXT] : []),
    ...(isLessGrounded ? [LESS_GROUNDED] : []),
  ];
  return `<header class="head">
<p class="cap">Council report</p>
<h1 dir="auto">${plain(report.headline)}</h1>
<p class="lede">${ledeOf(report)}</p>
<p class="small muted">${about}${OUTCOME_WORDS[outcome]} ${times}</p>
${notes.map((note) => `<p class="small muted">${note}</p>`).join('\n')}
${input.problem ? `<div class="asked"><p class="cap">What was asked</p>${textBlock(input.problem)}</div>` : ''}
</header>`;
}

/** What there is at a glance: "22 findings with evidence, 1 without. 7 participants, 26 min, $1.52." */
function ledeOf({ brainstorm, findings, praise, unproved, heard, begunAt, endedAt, cost }: CouncilReport): string {
  const proved = findings.length + praise.findings.length;
  const claims = `${counted(proved, 'finding')} with evidence, ${unproved.length} without`;
  const ideas = brainstorm === null ? [] : [counted(brainstorm.options.length, 'idea')];
  const what = brainstorm !== null && proved + unproved.length === 0 ? ideas : [...ideas, claims];
  const participants = heard.filter(({ id }) => id !== ORACLE).length;
  const took = endedAt === null ? [] : [durationText(Date.parse(endedAt) - Date.parse(begunAt))];
  return `${what.join(', ')}. ${[counted(participants, 'participant'), ...took, dollars(cost.spent)].join(', ')}.`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** "26 min", "1 h 5 min". @param ms how long it took. */
function durationText(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / 1_000)} s`;
  const minutes = `${Math.floor((ms % HOUR_MS) / MINUTE_MS)} min`;
  return ms < HOUR_MS ? minutes : `${Math.floor(ms / HOUR_MS)} h ${minutes}`;
}

/** "2026-11-26 11:30:02 UTC". @param instant in ISO 8601. */
const timeOf = (instant: string): string =>
  `<time datetime="${markup(instant)}">${markup(`${instant.slice(0, 19).replace('T', ' ')} UTC`)}</time>`;

function synthesisCard(report: CouncilReport): string {
  const { synthesis } = report;
  const body = synthesis === null ? `<p class="muted">${noSynthesisText(report)}</p>` : textBlock(synthesis.text);
  const note = synthesis === null ? '' : `by ${words(synthesis.by)}`;
  return card('synthesis', { title: 'Synthesis', note, body: `<div class="block">${body}</div>` });
}

function heardCard(report: CouncilReport): string {
  const items = report.heard.map((member) => {
    const { id, name, title, speaker, model } = member;
    const by = `played by ${words(capitalised(speaker))}${model === null ? '' : `, ${code(model)}`}`;
    const kind = id === ORACLE ? 'ini oracle' : 'ini';
    const part = title === null ? '' : ` <span class="dim">${words(title)}</span>`;
    const brought = title === null ? '' : `<p>${broughtText(report, member)}</p>`;
    return `<span class="${kind}" aria-hidden="true">${initials(name)}</span><div><p class="muted"><b>${words(name)}</b>${part}</p><p>${by}</p>${brought}</div>`;
  });
  const body = list('party', items) || '<p class="block small muted">Nobody was heard.</p>';
  return card('heard', { title: 'Who was heard', note: String(items.length), body });
}

const initials = (name: string): string => plain(capitalised([...name.replace(/^The /, '')].slice(0, 2).join('')));

function notHeardCard({ notHeard }: CouncilReport): string {
  const items = notHeard.map(({ who, kind, why, isPartly }) => {
    const name = kind === 'speaker' ? `${capitalised(who)} (speaker)` : who;
    return `<span class="ini out" aria-hidden="true">${initials(who)}</span><div><p class="muted"><b>${words(name)}</b>${isPartly ? ', heard until then' : ''}</p><p>${words(why)}</p></div>`;
  });
  const body = list('party', items) || '<p class="block small muted">Everybody was heard.</p>';
  return card('not-heard', { title: 'Who was not heard, and why', body });
}

function fallbackCard({ fallbacks }: CouncilReport): string {
  if (fallbacks.length === 0) return '';
  const items = fallbacks.map(
    ({ speaker, from, to, hasAnswered }) =>
      `<span>${code(to)} took over from ${code(from)} as ${words(capitalised(speaker))}${hasAnswered ? '' : ', and has not answered'}</span>`,
  );
  return card('fallbacks', { title: 'Fallbacks', body: list('lines small', items) });
}

function secretCard({ secrets = [] }: CouncilReport): string {
  if (secrets.length === 0) return '';
  const body = `<p class="block small muted">${SECRETS_TEXT}</p>${list('lines small', secrets.map(code))}`;
  return card('secrets', { title: 'Files not read', note: String(secrets.length), body });
}

function stageCard({ stages }: CouncilReport): string {
  if (stages.length === 0) return '';
  const items = stages.map((stage) => stageText(stage, words));
  return card('stages', { title: 'Stages', body: `<div class="small">${steps(items)}</div>` });
}

function costCard(report: CouncilReport): string {
  const { tokens } = report.cost;
  const rows = figures([
    ['Tokens in', String(tokens.input)],
    ['Tokens out', String(tokens.output)],
    ['Retries', String(report.retries)],
  ]);
  const body = `<div class="block"><p class="small muted">${spentText(report)}</p></div><div class="block">${rows}</div>`;
  return card('cost', { title: 'Cost', body });
}
