import { readDuration, remaining } from '../../contract';
import { commandTexts } from '../../texts';
import type { Choice, Choices, Command } from './registry';

/** Longer than that nothing is held or paused by a clock, in ms. Source: the acts' schema. */
const LONGEST_MS = 31 * 86_400_000;
/** Words at the end of a search that may be what a command is told: "2 hours". */
const ARGUMENT_WORDS_MAX = 2;
/** Fewer letters say nothing. */
const ARGUMENT_MIN = 2;

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
    ...{ id: String(forMs), title: phrase(title), hint },
    run: () => run(forMs, title),
  });
  return {
    label: commandTexts().forHowLong,
    of: times.map(of),
    read(text) {
      const forMs = readDuration(text.replaceAll(' ', '').toLowerCase());
      return forMs === null || forMs > LONGEST_MS ? null : of({ title: remaining(forMs), forMs });
    },
  };
}

/** The choices a text leaves: those that hold every word of it, else the one it stands for. */
export function choicesFor({ of, read }: Choices, text: string): readonly Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const left = of.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
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
    const choice = text.length < ARGUMENT_MIN ? null : (read(choices, text) ?? null);
    if (choice) return { rest: words.slice(0, -count).join(' '), told: told(command, choice) };
  }
  return null;
}

/** One of the choices whose words, from one of them on, begin like the text; else what the text stands for. */
function read({ of, read }: Choices, text: string): Choice | null {
  const begin = ` ${text.toLowerCase()}`;
  return of.find(({ title }) => ` ${title.toLowerCase()}`.includes(begin)) ?? read?.(text) ?? null;
}

/** A command that has been told something: "Hold gpt-5: out of use, 30 minutes". */
export const told = ({ choices: _, ...command }: Command, { title, hint, glyph, run }: Choice): Command => ({
  ...command,
  ...(glyph ? { glyph } : {}),
  title: `${command.title.replace(/…$/, '')}: ${title}`,
  ...(hint === undefined ? {} : { hint }),
  run,
});
