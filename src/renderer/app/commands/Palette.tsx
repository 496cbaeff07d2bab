import { defaultFilter, Command as Menu } from 'cmdk';
import { type KeyboardEvent, type MouseEvent, useMemo, useState } from 'react';
import { commandTexts } from '../../../texts';
import { Glyph } from '../../components/Glyph';
import { Icon, type IconName } from '../../components/Icon';
import { useModal } from '../../components/use-modal';
import { eventsHref } from '../../pages/events/address';
import { choiceLines, toldIn } from './choices';
import { favouriteCommands, turnFavourite } from './favourites';
import { keyLabel, keysOf } from './keys';
import { recentCommands } from './recent';
import { COMMAND_GROUPS, type Command, type CommandGroup } from './registry';

const SHOWN_MAX = 50;
/** Lines per group without a search. */
const FEW = 5;
const HINT_SCORE = 0.3;
/** Bonus of favourites and recent commands. */
const WANTED_BONUS = 0.2;
/** Whole words precede prefixes: exceeds all other points together. */
const EXACT_BONUS = 2;
/** Factor for lines whose last words are an argument, so that whole names come first. */
const TOLD_SHARE = 0.6;
const EVENT_SEARCH = 'search-events';

const GROUP_ICONS: Readonly<Record<CommandGroup, IconName>> = {
  here: 'search',
  acts: 'check',
  views: 'chevron',
  agents: 'chains',
  models: 'models',
  sessions: 'sessions',
  councils: 'council',
  events: 'events',
  panel: 'settings',
};

type Props = Readonly<{ commands: readonly Command[]; onPick: (command: Command) => void; onEnd: () => void }>;
type Section = Readonly<{ title: string; commands: readonly Command[] }>;

export function Palette({ commands, onPick, onEnd }: Props) {
  // cmdk's frame precedes the input and can have the focus too.
  const dialog = useModal('input');
  const [sought, setSought] = useState('');
  const [chosen, choose] = useState<string | null>(null);
  const [asking, setAsked] = useState<Command | null>(null);
  const [favourites, favour] = useState(favouriteCommands);
  const [news, tell] = useState('');
  const recent = useMemo(recentCommands, []);
  const texts = commandTexts();
  const sections = asking?.choices
    ? [{ title: asking.title, commands: choiceLines(asking, sought.trim()) }]
    : sectionsFor(commands, sought.trim(), { recent, favourites });
  const [best] = sections;
  const value = chosen ?? (best ? nameIn(best, best.commands[0]) : '');
  const current = currentIn(sections, value);
  const search = (text: string) => {
    setSought(text);
    choose(null);
    tell('');
  };
  const ask = (command: Command | null) => {
    setAsked(command);
    search('');
  };
  const pick = (command: Command) => (command.choices?.isNeeded ? ask(command) : onPick(command));
  const starred = asking ?? (current && isLasting(current) ? current : null);
  const turn = ({ id }: Command) => {
    const next = turnFavourite(id, (each) => commands.some((one) => one.id === each));
    favour(next);
    // A line with an argument becomes its plain command as a favourite.
    const title = commands.find((each) => each.id === id)?.title ?? id;
    tell(next.includes(id) ? texts.favoured(title) : texts.unfavoured(title));
  };
  const onKey = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const isMod = event.ctrlKey || event.metaKey;
    if (isMod && event.key.toLowerCase() === 'd' && starred) turn(starred);
    else if (event.key === 'Tab' && !event.shiftKey && !asking && current?.choices) ask(current);
    else if (asking && (event.key === 'Escape' || (event.key === 'Backspace' && sought === ''))) ask(null);
    else return;
    event.preventDefault();
  };
  const count = sections.reduce((sum, section) => sum + section.commands.length, 0);
  return (
    <dialog className="dialog palette" ref={dialog} aria-label={texts.palette} onClose={onEnd}>
      <Menu
        label={asking?.choices?.label ?? texts.palette}
        shouldFilter={false}
        loop
        value={value}
        onValueChange={choose}
        onKeyDown={onKey}
      >
        <div className="palette-search">
          {asking ? <span className="palette-asked">{asking.title}</span> : <Icon name="search" />}
          <Menu.Input placeholder={asking?.choices?.label ?? texts.search} value={sought} onValueChange={search} />
        </div>
        <Menu.List className="palette-list" label={asking?.choices?.label ?? texts.list}>
          <Menu.Empty className="mini-note muted">{texts.none}</Menu.Empty>
          <Sections sections={sections} favourites={favourites} onSelect={pick} />
        </Menu.List>
      </Menu>
      <Foot
        isAsked={asking !== null}
        back={() => ask(null)}
        choose={!asking && current?.choices ? () => ask(current) : null}
        isFavourite={starred !== null && favourites.includes(starred.id)}
        turn={starred && (() => turn(starred))}
      />
      <p className="sr" role="status">
        {news || (asking ? texts.choices(count) : texts.found(count))}
      </p>
    </dialog>
  );
}

/** A command may also be listed with an argument. */
const nameIn = ({ title }: Section, command: Command | undefined): string =>
  `${title} ${command?.id} ${command?.line ?? ''}`;

const currentIn = (sections: readonly Section[], value: string): Command | null =>
  sections.flatMap((section) => section.commands.filter((command) => nameIn(section, command) === value))[0] ?? null;

const isLasting = ({ id }: Command): boolean => id !== EVENT_SEARCH && id !== 'undo';

type SectionsProps = Readonly<{
  sections: readonly Section[];
  favourites: readonly string[];
  onSelect: (command: Command) => void;
}>;

function Sections({ sections, favourites, onSelect }: SectionsProps) {
  return sections.map((section) => (
    <Menu.Group heading={section.title} key={section.title}>
      {section.commands.map((command) => (
        <Menu.Item key={nameIn(section, command)} value={nameIn(section, command)} onSelect={() => onSelect(command)}>
          <Line command={command} isFavourite={command.line === undefined && favourites.includes(command.id)} />
        </Menu.Item>
      ))}
    </Menu.Group>
  ));
}

type FootProps = Readonly<{
  isAsked: boolean;
  back: () => void;
  choose: (() => void) | null;
  isFavourite: boolean;
  turn: (() => void) | null;
}>;

/** Outside of cmdk's frame, which takes every Enter for the selected line. */
function Foot({ isAsked, back, choose, isFavourite, turn }: FootProps) {
  const texts = commandTexts();
  if (!(isAsked || choose || turn)) return null;
  return (
    <footer className="palette-foot">
      {isAsked && <Hint keys="Escape" name={texts.back} onPress={back} />}
      {choose && <Hint keys="Tab" name={texts.choose} onPress={choose} />}
      {turn && <Hint keys="Mod+d" name={isFavourite ? texts.unfavour : texts.favour} onPress={turn} />}
    </footer>
  );
}

type HintProps = Readonly<{ keys: string; name: string; onPress: () => void }>;

/** Clicking keeps the focus in the input. */
function Hint({ keys, name, onPress }: HintProps) {
  return (
    <button className="btn btn-sm btn-quiet" type="button" onMouseDown={keepFocus} onClick={onPress}>
      <kbd>{keyLabel(keys)}</kbd>
      {name}
    </button>
  );
}

const keepFocus = (event: MouseEvent) => event.preventDefault();

function Line({ command, isFavourite }: Readonly<{ command: Command; isFavourite: boolean }>) {
  const [key] = keysOf(command.id);
  const { glyph, icon, group, title, hint } = command;
  return (
    <>
      <span className="palette-icon">
        {glyph ? <Glyph name={glyph} /> : <Icon name={icon ?? GROUP_ICONS[group]} />}
      </span>
      <span className="palette-what">
        <span>{title}</span>
        {hint && <span className="cap">{hint}</span>}
      </span>
      {isFavourite && (
        <span className="palette-star">
          <Icon name="star" />
          <span className="sr">{commandTexts().isFavourite}</span>
        </span>
      )}
      {key && <kbd>{keyLabel(key)}</kbd>}
    </>
  );
}

type Preferred = Readonly<{ recent: readonly string[]; favourites: readonly string[] }>;

function sectionsFor(all: readonly Command[], sought: string, { recent, favourites }: Preferred): readonly Section[] {
  const texts = commandTexts();
  const commands = all.filter(({ isHidden }) => !isHidden);
  if (sought === '') {
    const named = (ids: readonly string[]) => ids.flatMap((id) => commands.find((command) => command.id === id) ?? []);
    const dear = named(favourites);
    const last = named(recent.filter((id) => !favourites.includes(id)));
    const rest = grouped(commands.filter((command) => !dear.includes(command) && !last.includes(command)));
    const few = rest.map((section) => ({ ...section, commands: section.commands.slice(0, FEW) }));
    const first = [
      { title: texts.favourites, commands: dear },
      { title: texts.recent, commands: last },
    ];
    return [...first, ...few].filter((section) => section.commands.length > 0);
  }
  const wanted = [...favourites, ...recent];
  const scored = commands
    .flatMap((command) => {
      const inLine = toldIn(command, sought);
      const chosenLine = inLine && { command: inLine.told, score: TOLD_SHARE * scoreOf(command, inLine.rest, wanted) };
      return [{ command, score: scoreOf(command, sought, wanted) }, ...(chosenLine ? [chosenLine] : [])];
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX)
    .map(({ command }) => command);
  return [...ranked(scored), { title: texts.groups.events, commands: [eventSearch(sought)] }].reduce(joined, []);
}

function scoreOf({ id, title, hint = '' }: Command, sought: string, wanted: readonly string[]): number {
  // Fuzzy matching fits almost any sentence: hints need whole words.
  const words = sought.toLowerCase().split(/\s+/);
  const isHinted = words.every((word) => `${title} ${hint}`.toLowerCase().includes(word));
  const score = Math.max(defaultFilter(title, sought), isHinted ? HINT_SCORE : 0);
  if (score === 0) return 0;
  const whole = new Set(
    title
      .toLowerCase()
      .replace(/…$/, '')
      .split(/[\s:]+/),
  );
  const exact = words.every((word) => whole.has(word)) ? EXACT_BONUS : 0;
  return score + exact + (wanted.includes(id) ? WANTED_BONUS : 0);
}

const grouped = (commands: readonly Command[]): readonly Section[] =>
  COMMAND_GROUPS.map((group) => ({
    title: commandTexts().groups[group],
    commands: commands.filter((command) => command.group === group),
  })).filter((section) => section.commands.length > 0);

const ranked = (commands: readonly Command[]): readonly Section[] =>
  grouped(commands).toSorted((a, b) => bestOf(commands, a) - bestOf(commands, b));
const bestOf = (commands: readonly Command[], { commands: [first] }: Section): number =>
  first ? commands.indexOf(first) : commands.length;

function joined(sections: readonly Section[], next: Section): readonly Section[] {
  const same = sections.find(({ title }) => title === next.title);
  if (!same) return [...sections, next];
  return sections.map((each) => (each === same ? { ...each, commands: [...each.commands, ...next.commands] } : each));
}

const eventSearch = (text: string): Command => ({
  id: EVENT_SEARCH,
  group: 'events',
  title: commandTexts().searchEvents(text),
  run: () => {
    window.location.hash = eventsHref({ text });
  },
});
