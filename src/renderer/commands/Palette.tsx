import { defaultFilter, Command as Menu } from 'cmdk';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { commandTexts } from '../../texts';
import { Icon } from '../components/Icon';
import { eventsHref } from '../events/address';
import { keyLabel, keysOf } from './keys';
import { recentCommands } from './recent';
import { COMMAND_GROUPS, type Command } from './registry';

/** More lines than this are not read: the search is there to have fewer. */
const SHOWN_MAX = 50;
/** How much more a command that was used lately fits. */
const RECENT_BONUS = 0.2;

type Props = Readonly<{ commands: readonly Command[]; onPick: (command: Command) => void; onEnd: () => void }>;
type Section = Readonly<{ title: string; commands: readonly Command[] }>;

/** Everything that can be done, found by a few letters. Escape changes nothing; focus returns to where it was. */
export function Palette({ commands, onPick, onEnd }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [sought, setSought] = useState('');
  const recent = useMemo(recentCommands, []);
  const texts = commandTexts();
  useLayoutEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const sections = sectionsFor(commands, sought.trim(), recent);
  const count = sections.reduce((sum, section) => sum + section.commands.length, 0);
  return (
    <dialog className="dialog palette" ref={dialog} aria-label={texts.palette} onClose={onEnd}>
      <Menu label={texts.palette} shouldFilter={false} loop>
        <div className="palette-search">
          <Icon name="search" />
          <Menu.Input autoFocus placeholder={texts.search} value={sought} onValueChange={setSought} />
        </div>
        <Menu.List className="palette-list" label={texts.list}>
          <Menu.Empty className="mini-note muted">{texts.none}</Menu.Empty>
          {sections.map(({ title, commands: shown }) => (
            <Menu.Group heading={title} key={title}>
              {shown.map((command) => (
                <Menu.Item key={command.id} value={`${title} ${command.id}`} onSelect={() => onPick(command)}>
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
    const rest = commands.filter((command) => !last.includes(command)).slice(0, SHOWN_MAX - last.length);
    return [{ title: texts.recent, commands: last }, ...grouped(rest)].filter((section) => section.commands.length > 0);
  }
  const scored = commands
    .map((command) => ({ command, score: scoreOf(command, sought, recent) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX)
    .map(({ command }) => command);
  return [...grouped(scored), { title: texts.groups.events, commands: [eventSearch(sought)] }].reduce(joined, []);
}

function scoreOf({ id, title, hint = '' }: Command, sought: string, recent: readonly string[]): number {
  const score = Math.max(defaultFilter(title, sought), defaultFilter(`${title} ${hint}`, sought) / 2);
  return score > 0 && recent.includes(id) ? score + RECENT_BONUS : score;
}

/** By what they are about: the group of the best one first. */
function grouped(commands: readonly Command[]): readonly Section[] {
  const isOrdered = (a: string, b: string) =>
    commands.findIndex(({ group }) => group === a) - commands.findIndex(({ group }) => group === b);
  return COMMAND_GROUPS.filter((group) => commands.some((command) => command.group === group))
    .toSorted(isOrdered)
    .map((group) => ({
      title: commandTexts().groups[group],
      commands: commands.filter((command) => command.group === group),
    }));
}

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
