import { councilRunTexts } from '../../../texts';
import { dayAndMinute } from '../../../wording/status-text';
import { clock, shortName } from '../../../wording/wording';
import type { CouncilRunRow } from '../contract/council-run';
import { councilSpeaker } from './council-words';

const DAY_MS = 86_400_000;
const SHORT = 80;

/** "Code review of storefront-api" */
export function aboutRun({ activity, problem, repo }: Pick<CouncilRunRow, 'activity' | 'problem' | 'repo'>): string {
  const t = councilRunTexts().what;
  const subject = shortened(problem ?? '');
  if (activity === 'code_review') return t.code_review(repo ?? '');
  if (activity === 'brainstorm') return t.brainstorm(subject);
  return activity === null ? (repo ?? t.nothing) : t.code_brainstorm(subject, repo ?? '');
}

function shortened(text: string): string {
  const line = [...text.replace(/\s+/g, ' ').trim()];
  return line.length <= SHORT ? line.join('') : `${line.slice(0, SHORT - 1).join('')}…`;
}

export const isToday = (at: number, now: number): boolean => now - at < DAY_MS;

/** @param now Unix ms. */
export const whenPhrase = (at: number, now: number): string => (isToday(at, now) ? clock(at) : dayAndMinute(at));

/** For screen readers. */
export function runNews({ state, question }: Pick<CouncilRunRow, 'state' | 'question'>): string | null {
  const t = councilRunTexts().told;
  if (question) return t.question(councilSpeaker(question.speaker), shortName(question.fallback));
  switch (state) {
    case 'paused_for_user':
      return t.capped;
    case 'paused':
      return t.allOff;
    case 'finished':
      return t.finished;
    case 'stopped':
      return t.stopped;
    default:
      return null;
  }
}
