import type { EventRow, Snapshot } from '../contract/snapshot';
import { clock, counted, kindPhrase, ownerPhrase, remaining, stateWithin } from '../wording/wording';

export type Tone = 'plain' | 'bad' | 'good' | 'quiet';

export type StoryLine = Readonly<{ label: string; text: string; tone: Tone }>;

export const storyLine = (label: string, text: string, tone: Tone = 'plain'): StoryLine => ({ label, text, tone });

type Surroundings = Pick<Snapshot, 'at' | 'models'>;

/** Empty if another line covers it. */
export function eventLines(event: EventRow, around: Surroundings): readonly StoryLine[] {
  switch (event.code.slice(0, event.code.indexOf('.'))) {
    case 'switch':
      return [failedLine(event), classifiedLine(event, around), handoverLine('switched', event)];
    case 'redirect':
      return [skippedLine(event, around), handoverLine('redirected', event)];
    case 'home':
      return [storyLine('returned', `${event.agent ?? 'the session'} is back on ${event.to}, its primary`, 'good')];
    case 'exhausted':
      return [failedLine(event), storyLine('exhausted', 'all models of the chain are unavailable', 'bad')];
    case 'pass':
      return [failedLine(event), storyLine('stayed', `on ${event.model}`, 'bad')];
    case 'carry':
      return [storyLine('not moved', `${event.model} → ${event.to}: ${event.detail ?? 'OpenCode refused'}`, 'bad')];
    default:
      return [];
  }
}

function failedLine({ model, status, kind, detail }: EventRow): StoryLine {
  const what = status === null ? `is ${kindPhrase(kind ?? 'unknown', null)}` : `answered ${status}`;
  return storyLine('failed', `${model} ${what}${detail ? `: “${detail}”` : ''}`, 'bad');
}

function classifiedLine(event: EventRow, around: Surroundings): StoryLine {
  return storyLine('classified', `${event.kind}: ${statePhrase(event, around)}`);
}

function skippedLine(event: EventRow, around: Surroundings): StoryLine {
  return storyLine('skipped', `${event.model} is skipped: ${statePhrase(event, around)}`);
}

/** "cooling until 14:32:10, in 2 min, provider says". */
function statePhrase({ model, state, until }: EventRow, { at, models }: Surroundings): string {
  const source = models.find((row) => row.model === model)?.source ?? null;
  const what = state === 'info' ? 'no change of state' : stateWithin(state);
  if (until === null) return what;
  return `${what} until ${clock(until, true)}, in ${remaining(until - at)}${source ? `, ${ownerPhrase(source)}` : ''}`;
}

/** "aurora/aurora-large → borealis/swift-mini, 2 of 3 in the chain, in 3.1 ms". */
function handoverLine(label: string, { model, to, trace, durationMs }: EventRow): StoryLine {
  const position = trace.find((entry) => entry.model === to)?.position;
  const place = position === undefined ? '' : `, ${position + 1} of ${trace.length} in the chain`;
  const took = durationMs === null ? '' : `, in ${milliseconds(durationMs)}`;
  return storyLine(label, `${model} → ${to}${place}${took}`);
}

export function answeredLine(model: string, text: string): StoryLine {
  return storyLine('answered', `${model}: “${text}”`, 'good');
}

export function measuredLine(gapMs: number): StoryLine {
  return storyLine(
    'measured',
    `${milliseconds(gapMs)} from the failed response to the next provider's request`,
    'good',
  );
}

export function transcriptLine(users: number, lead: Readonly<{ model: string; asked: number }>): StoryLine {
  const times = lead.asked === 1 ? 'called once' : `called ${lead.asked} times`;
  const calls = lead.asked === 0 ? 'not called' : times;
  return storyLine('transcript', `${counted(users, 'user message')}; ${lead.model} was ${calls}`, 'quiet');
}

/** "3.1 ms" below ten, "42 ms" above. */
export function milliseconds(durationMs: number): string {
  return `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`;
}
