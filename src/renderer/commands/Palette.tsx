import { defaultFilter, Command as Menu } from 'cmdk';
import { useMemo, useState } from 'react';
import { commandTexts } from '../../texts';
import { Icon } from '../components/Icon';
import { useModal } from '../components/use-modal';
import { eventsHref } from '../events/address';
import { keyLabel, keysOf } from './keys';
import { recentCommands } from './recent';
import { COMMAND_GROUPS, type Command } from './registry';

/** More lines than this are not read: the search is there to have fewer. */
const SHOWN_MAX = 50;
/** Lines of each group before anything is sought. */
const FEW = 5;
/** How well a command fits whose hint has every word. */
const HINT_SCORE = 0.3;
/** How much more a command that was used lately fits. */
const RECENT_BONUS = 0.2;

type Props = Readonly<{ commands: readonly Command[]; onPick: (command: Command) => void; onEnd: () => void }>;
type Section = Readonly<{ title: string; commands: readonly Command[] }>;

/** Everything that can be done, found by a few letters. Escape changes nothing; focus returns to where it was. */
export function Palette({ commands, onPick, onEnd }: Props) {
  // cmdk’s own frame can have the focus too, and comes first.
  const dialog = useModal('input');
  const [sought, setSought] = useState('');
  const [chosen, choose] = useState<string | null>(null);
  const recent = useMemo(recentCommands, []);
  const texts = commandTexts();
  const sections = sectionsFor(commands, sought.trim(), recent);
  const search = (text: string) => {
    setSought(text);
    choose(null);
  };
  const [best] = sections;
  const count = sections.reduce((sum, section) => sum + section.commands.length, 0);
  return (
    <dialog className="dialog palette" ref={dialog} aria-label={texts.palette} onClose={onEnd}>
      <Menu
        label={texts.palette}
        shouldFilter={false}
        loop
        value={chosen ?? (best ? nameIn(best, best.commands[0]) : '')}
        onValueChange={choose}
      >
        <div className="palette-search">
          <Icon name="search" />
          <Menu.Input placeholder={texts.search} value={sought} onValueChange={search} />
        </div>
        <Menu.List className="palette-list" label={texts.list}>
          <Menu.Empty className="mini-note muted">{texts.none}</Menu.Empty>
          {sections.map((section) => (
            <Menu.Group heading={section.title} key={section.title}>
              {section.commands.map((command) => (
                <Menu.Item key={command.id} value={nameIn(section, command)} onSelect={() => onPick(command)}>
                  <Line command={command} />
                </Menu.Item>
              ))}
            </Menu.Group>
          ))}
        </Menu.List>
      </Menu>
      <p className="sr" role="status">
        {texts.found(count)}
      </p>
    </dialog>
  );
}

/** What cmdk knows a line by. */
const nameIn = ({ title }: Section, command: Command | undefined): string => `${title} ${command?.id}`;

function Line({ command }: Readonly<{ command: Command }>) {
  const [key] = keysOf(command.id);
  return (
    <>
      <span className="palette-what">
        <span>{command.title}</span>
        {command.hint && <span className="cap">{command.hint}</span>}
      </span>
      {key && <kbd>{keyLabel(key)}</kbd>}
    </>
  );
}

/** What is shown for a search: without one the last used come first; with one the best fitting. */
function sectionsFor(all: readonly Command[], sought: string, recent: readonly string[]): readonly Section[] {
  const texts = commandTexts();
  const commands = all.filter(({ isHidden }) => !isHidden);
  if (sought === '') {
    const last = recent.flatMap((id) => commands.find((command) => command.id === id) ?? []);
    const rest = grouped(commands.filter((command) => !last.includes(command)));
    const few = rest.map((section) => ({ ...section, commands: section.commands.slice(0, FEW) }));
    return [{ title: texts.recent, commands: last }, ...few].filter((section) => section.commands.length > 0);
  }
  const scored = commands
    .map((command) => ({ command, score: scoreOf(command, sought, recent) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX)
    .map(({ command }) => command);
  return [...ranked(scored), { title: texts.groups.events, commands: [eventSearch(sought)] }].reduce(joined, []);
}

function scoreOf({ id, title, hint = '' }: Command, sought: string, recent: readonly string[]): number {
  // Letters far apart fit almost any sentence: there whole words are wanted.
  const words = sought.toLowerCase().split(/\s+/);
  const isHinted = words.every((word) => `${title} ${hint}`.toLowerCase().includes(word));
  const score = Math.max(defaultFilter(title, sought), isHinted ? HINT_SCORE : 0);
  return score > 0 && recent.includes(id) ? score + RECENT_BONUS : score;
}

/** By what they are about. */
const grouped = (commands: readonly Command[]): readonly Section[] =>
  COMMAND_GROUPS.map((group) => ({
    title: commandTexts().groups[group],
    commands: commands.filter((command) => command.group === group),
  })).filter((section) => section.commands.length > 0);

/** The group of the best one first. */
const ranked = (commands: readonly Command[]): readonly Section[] =>
  grouped(commands).toSorted((a, b) => placeOf(commands, a) - placeOf(commands, b));
const placeOf = (commands: readonly Command[], { commands: [first] }: Section): number =>
  first ? commands.indexOf(first) : commands.length;

function joined(sections: readonly Section[], next: Section): readonly Section[] {
  const same = sections.find(({ title }) => title === next.title);
  if (!same) return [...sections, next];
  return sections.map((each) => (each === same ? { ...each, commands: [...each.commands, ...next.commands] } : each));
}

/** Whatever was typed can be looked for among the events. */
const eventSearch = (text: string): Command => ({
  id: 'search-events',
  group: 'events',
  title: commandTexts().searchEvents(text),
  run: () => {
    window.location.hash = eventsHref({ text });
  },
});
