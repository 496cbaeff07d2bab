import { LONGEST_ACT_MS } from '../../../contract/acts';
import { readDuration } from '../../../contract/duration';
import { commandTexts, timeTexts } from '../../../texts';
import type { Choice, Choices, Command } from './registry';

/** For example "2 hours". */
const ARGUMENT_WORDS_MAX = 2;
const ARGUMENT_MIN = 2;
const BORDERS = /[\s/:._-]+/;

type Time = Readonly<{ title: string; forMs: number | null }>;

/** Some durations, and any typed one. @param run also gets the duration in words. */
export function timesOf(
  times: readonly Time[],
  hint: string,
  run: (forMs: number | null, time: string) => void,
  phrase = (time: string) => time,
): Choices {
  const of = ({ title, forMs }: Time): Choice => ({
    id: String(forMs),
    title: phrase(title),
    hint,
    run: () => run(forMs, title),
  });
  return {
    label: commandTexts().forHowLong,
    of: times.map(of),
    read(text) {
      const time = timeIn(text);
      return time === null ? null : of(times.find(({ forMs }) => forMs === time.forMs) ?? time);
    },
  };
}

/** English and German. */
const UNITS: readonly (readonly [words: RegExp, unit: 's' | 'm' | 'h' | 'd'])[] = [
  [/^(?:h|hours?|std|stunden?)$/, 'h'],
  [/^(?:s|sec(?:onds?)?|sek(?:unden?)?)$/, 's'],
  [/^(?:m|min(?:ute[ns]?)?)$/, 'm'],
  [/^(?:d|days?|t|tage?)$/, 'd'],
];

/** Parses "45m", "2 hours" or "3 Tage"; else null. */
function timeIn(text: string): (Time & Readonly<{ forMs: number }>) | null {
  const [, count = '', word = ''] = /^(\d{1,4}) ?([a-z]+)$/.exec(text.trim().toLowerCase()) ?? [];
  const unit = UNITS.find(([words]) => words.test(word))?.[1];
  const forMs = unit === undefined ? null : readDuration(`${count}${unit}`);
  if (forMs === null || forMs > LONGEST_ACT_MS) return null;
  const title = unit === 'd' ? timeTexts().days(Number(count)) : `${Number(count)} ${unit === 'm' ? 'min' : unit}`;
  return { title, forMs };
}

/** The choice that the text spells comes first. */
export function choicesFor({ of, read }: Choices, text: string): readonly Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const left = of.filter(({ title, hint = '' }) =>
    words.every((word) => `${title} ${hint}`.toLowerCase().includes(word)),
  );
  const typed = read?.(text) ?? null;
  return typed === null || left.some(({ id }) => id === typed.id) ? left : [typed, ...left];
}

/** "hold gpt-5 30m"; null if the last words are no argument. */
export function toldIn(command: Command, sought: string): Readonly<{ rest: string; told: Command }> | null {
  const { choices } = command;
  if (!choices) return null;
  const words = sought.split(/\s+/);
  for (let count = Math.min(ARGUMENT_WORDS_MAX, words.length - 1); count > 0; count--) {
    const text = words.slice(-count).join(' ');
    const choice = text.length < ARGUMENT_MIN ? null : choiceIn(choices, text);
    if (choice) return { rest: words.slice(0, -count).join(' '), told: withChoice(command, choice) };
  }
  return null;
}

/** The choice that a text spells, else the first with matching prefixes. */
function choiceIn({ of, read }: Choices, text: string): Choice | null {
  const wanted = text.toLowerCase().split(BORDERS).filter(Boolean);
  const fits = ({ title, id }: Choice): boolean => {
    const words = `${title} ${id}`.toLowerCase().split(BORDERS);
    return wanted.every((word) => words.some((each) => each.startsWith(word)));
  };
  return read?.(text) ?? of.find(fits) ?? null;
}

/** "Hold gpt-5: out of use, 30 minutes". */
const withChoice = ({ choices: _, ...command }: Command, { id, title, hint, glyph, run }: Choice): Command => ({
  ...command,
  line: id,
  ...(glyph ? { glyph } : {}),
  title: `${command.title.replace(/…$/, '')}: ${title}`,
  ...(hint === undefined ? {} : { hint }),
  run,
});

export const choiceLines = ({ choices, hint: _, ...command }: Command, text: string): readonly Command[] =>
  choices ? choicesFor(choices, text).map(({ id, ...choice }) => ({ ...command, ...choice, line: id })) : [];
