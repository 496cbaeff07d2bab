import { LONGEST_ACT_MS } from '../../../contract/acts';
import { readDuration } from '../../../contract/duration';
import { commandTexts, timeTexts } from '../../../texts';
import type { Choice, Choices, Command } from './registry';

/** Words at the end of a search that may be what a command is told: "2 hours". */
const ARGUMENT_WORDS_MAX = 2;
/** Fewer letters say nothing. */
const ARGUMENT_MIN = 2;
/** Where one word of a name ends and the next begins. */
const BORDERS = /[\s/:._-]+/;

type Time = Readonly<{ title: string; forMs: number | null }>;

/**
 * How long something shall last: some times, and any other that is typed.
 *
 * @param run is given the time in words as well.
 * @param phrase what a line says of a time.
 */
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

/** Units as people type them, in both languages. */
const UNITS: readonly (readonly [words: RegExp, unit: 's' | 'm' | 'h' | 'd'])[] = [
  [/^(?:h|hours?|std|stunden?)$/, 'h'],
  [/^(?:s|sec(?:onds?)?|sek(?:unden?)?)$/, 's'],
  [/^(?:m|min(?:ute[ns]?)?)$/, 'm'],
  [/^(?:d|days?|t|tage?)$/, 'd'],
];

/** A time as people type it, "45m", "2 hours", "3 Tage", and as it is said; null for any other text. */
function timeIn(text: string): (Time & Readonly<{ forMs: number }>) | null {
  const [, count = '', word = ''] = /^(\d{1,4}) ?([a-z]+)$/.exec(text.trim().toLowerCase()) ?? [];
  const unit = UNITS.find(([words]) => words.test(word))?.[1];
  const forMs = unit === undefined ? null : readDuration(`${count}${unit}`);
  if (forMs === null || forMs > LONGEST_ACT_MS) return null;
  const title = unit === 'd' ? timeTexts().days(Number(count)) : `${Number(count)} ${unit === 'm' ? 'min' : unit}`;
  return { title, forMs };
}

/** The choices a text leaves: those that have every word of it, and the one it stands for. */
export function choicesFor({ of, read }: Choices, text: string): readonly Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const left = of.filter(({ title, hint = '' }) =>
    words.every((word) => `${title} ${hint}`.toLowerCase().includes(word)),
  );
  const typed = read?.(text) ?? null;
  return typed === null || left.some(({ id }) => id === typed.id) ? left : [typed, ...left];
}

/**
 * A command and what it is told in one line, as it is typed: "hold gpt-5 30m". Null where the last words are nothing that the
 * command can be told.
 */
export function toldIn(command: Command, sought: string): Readonly<{ rest: string; told: Command }> | null {
  const { choices } = command;
  if (!choices) return null;
  const words = sought.split(/\s+/);
  for (let count = Math.min(ARGUMENT_WORDS_MAX, words.length - 1); count > 0; count--) {
    const text = words.slice(-count).join(' ');
    const choice = text.length < ARGUMENT_MIN ? null : choiceIn(choices, text);
    if (choice) return { rest: words.slice(0, -count).join(' '), told: told(command, choice) };
  }
  return null;
}

/** What a text stands for, else the first choice that has a word for each of its words. */
function choiceIn({ of, read }: Choices, text: string): Choice | null {
  const wanted = text.toLowerCase().split(BORDERS).filter(Boolean);
  const fits = ({ title, id }: Choice): boolean => {
    const words = `${title} ${id}`.toLowerCase().split(BORDERS);
    return wanted.every((word) => words.some((each) => each.startsWith(word)));
  };
  return read?.(text) ?? of.find(fits) ?? null;
}

/** A command that has been told something: "Hold gpt-5: out of use, 30 minutes". */
const told = ({ choices: _, ...command }: Command, { id, title, hint, glyph, run }: Choice): Command => ({
  ...command,
  line: id,
  ...(glyph ? { glyph } : {}),
  title: `${command.title.replace(/…$/, '')}: ${title}`,
  ...(hint === undefined ? {} : { hint }),
  run,
});

export const choiceLines = ({ choices, hint: _, ...command }: Command, text: string): readonly Command[] =>
  choices ? choicesFor(choices, text).map(({ id, ...choice }) => ({ ...command, ...choice, line: id })) : [];
