import type { ModelRow, Snapshot } from '../../contract';
import {
  chainKey,
  clock,
  isResettable,
  outConsequences,
  resetConsequences,
  resettable,
  stateLabel,
} from '../../contract';
import { commandTexts, LANGUAGES, type Language, shellTexts } from '../../texts';
import type { Acts } from '../acts';
import { eventsHref } from '../events/address';
import { turnInbox } from '../inbox/address';
import type { useLanguage } from '../language';
import type { ModelQuestion } from '../models/ModelDialogs';
import type { Notice } from '../notices';
import { hrefOf, ROUTES } from '../routes';
import { toggleTheme } from '../theme';
import { cyclePanes } from './panes';
import type { Command } from './registry';

/** What opens a dialog, or another part of the shell. */
export type Doors = Readonly<{
  palette(): void;
  sheet(): void;
  ask(question: ModelQuestion): void;
  pause(): void;
}>;

/** Everything around the views that commands are made of. */
export type Surroundings = Readonly<{
  snapshot: Snapshot | null;
  notice: Notice | null;
  acts: Acts;
  singleKeys: Readonly<{ isOn: boolean; turn(isOn: boolean): void }>;
  language: ReturnType<typeof useLanguage>;
  doors: Doors;
}>;

const goTo = (href: string) => () => {
  window.location.hash = href;
};

/** The commands every view has. */
export function panelCommands(around: Surroundings): readonly Command[] {
  return [
    ...shellCommands(around),
    ...viewCommands(),
    ...(around.snapshot ? knownCommands(around.snapshot, around) : []),
  ];
}

function viewCommands(): readonly Command[] {
  const { goTo: phrase, places } = commandTexts();
  const views = ROUTES.map(
    (name): Command => ({ id: name, group: 'views', title: phrase(shellTexts().views[name]), run: goTo(hrefOf(name)) }),
  );
  const parts = [
    ['export-scorecard', places.scorecard, 'sessions'],
    ['doctor', places.doctor, 'setup'],
    ['drill', places.drill, 'setup'],
  ] as const;
  return [
    ...views,
    ...parts.map(([id, title, view]): Command => ({ id, group: 'views', title, run: goTo(hrefOf(view)) })),
  ];
}

function shellCommands({ notice, language, singleKeys, doors }: Surroundings): readonly Command[] {
  const texts = commandTexts();
  const hidden = { group: 'panel', isHidden: true } as const;
  const search = document.querySelector<HTMLElement>('main input[type=search]');
  return [
    { ...hidden, id: 'palette', title: texts.palette, run: doors.palette },
    { ...hidden, id: 'panes', title: texts.panes, run: () => cyclePanes(1) },
    { ...hidden, id: 'panesBack', title: texts.panes, run: () => cyclePanes(-1) },
    ...(search ? [{ id: 'find', group: 'here', title: texts.find, run: () => search.focus() } as const] : []),
    ...(notice?.undo
      ? [
          {
            id: 'undo',
            group: 'acts',
            title: texts.undo,
            hint: `${notice.subject} ${notice.text}`,
            run: notice.undo,
          } as const,
        ]
      : []),
    { id: 'notices', group: 'panel', title: texts.notices, run: turnInbox },
    { id: 'theme', group: 'panel', title: texts.theme, run: toggleTheme },
    ...languageCommands(language),
    { id: 'sheet', group: 'panel', title: texts.sheet, run: doors.sheet },
    {
      id: 'single-keys',
      group: 'panel',
      title: singleKeys.isOn ? texts.singleOff : texts.singleOn,
      run: () => singleKeys.turn(!singleKeys.isOn),
    },
  ];
}

const languageCommands = ([spoken, change]: Surroundings['language']): readonly Command[] =>
  (Object.keys(LANGUAGES) as Language[])
    .filter((language) => language !== spoken)
    .map((language) => ({
      id: `language ${language}`,
      group: 'panel',
      title: commandTexts().speak(LANGUAGES[language]),
      run: () => change(language),
    }));

function knownCommands(snapshot: Snapshot, { acts, doors }: Surroundings): readonly Command[] {
  const texts = commandTexts();
  return [
    ...pauseCommands(snapshot, acts, doors),
    ...(resettable(snapshot, { all: true }).length > 0
      ? [
          {
            id: 'reset-many',
            group: 'acts',
            title: texts.resetMany,
            run: () => doors.ask({ kind: 'resetMany' }),
          } as const,
        ]
      : []),
    ...snapshot.models.flatMap((row) => modelCommands(row, snapshot, { acts, doors })),
    ...placeCommands(snapshot),
  ];
}

function placeCommands({ chains, sessions, events }: Snapshot): readonly Command[] {
  const texts = commandTexts();
  const codes = [...new Set(events.map(({ code }) => code))];
  return [
    ...chains.map(
      (row): Command => ({
        id: `agent ${chainKey(row)}`,
        group: 'agents',
        title: texts.openChain(row.agent),
        hint: `${row.directory} · ${row.chain.map(({ model }) => model).join(', ')}`,
        run: goTo(hrefOf('chains', chainKey(row))),
      }),
    ),
    ...sessions.map(
      ({ session, project, title, at }): Command => ({
        id: `session ${session}`,
        group: 'sessions',
        title: texts.openSession(title ?? project),
        hint: [title === undefined ? session : project, clock(at)].join(' · '),
        run: goTo(hrefOf('sessions', session)),
      }),
    ),
    ...codes.map(
      (code): Command => ({
        id: `code ${code}`,
        group: 'events',
        title: texts.eventsOf(code),
        run: goTo(eventsHref({ codes: [code] })),
      }),
    ),
  ];
}

type Means = Readonly<{ acts: Acts; doors: Doors }>;

function pauseCommands({ pause }: Snapshot, acts: Acts, doors: Doors): readonly Command[] {
  const texts = commandTexts();
  if (!pause) return [{ id: 'pause', group: 'acts', title: texts.pause, hint: texts.pauseHint, run: doors.pause }];
  const { subject, text } = texts.resumed;
  const run = () => void acts.act({ type: 'switching.resumed' }, { subject, text });
  return [{ id: 'resume', group: 'acts', title: texts.resume, run }];
}

function modelCommands(row: ModelRow, snapshot: Snapshot, means: Means): readonly Command[] {
  const { model, name } = row;
  const open: Command = {
    id: `model ${model}`,
    group: 'models',
    title: commandTexts().openModel(name),
    hint: `${model} · ${stateLabel(row)}`,
    run: goTo(hrefOf('models', model)),
  };
  return [open, ...askedActs(row, snapshot, means.doors), ...plainActs(row, means.acts)];
}

const modelAct = (row: ModelRow, id: string, command: Pick<Command, 'title' | 'hint' | 'run'>): Command => ({
  ...command,
  id: `${id} ${row.model}`,
  group: 'acts',
});

/** Acts that a dialog asks about, as it does for their buttons. */
function askedActs(row: ModelRow, snapshot: Snapshot, { ask }: Doors): readonly Command[] {
  const { reset, hold, isolate } = commandTexts();
  const { model, name } = row;
  const toldOf = (consequences: readonly string[]) => consequences.join(' ');
  const asked = (kind: 'reset' | 'hold' | 'isolate', title: string, consequences: readonly string[]) =>
    modelAct(row, kind, { title, hint: toldOf(consequences), run: () => ask({ kind, row }) });
  const out = outConsequences(snapshot, model);
  return [
    ...(isResettable(row) ? [asked('reset', reset(name), resetConsequences(snapshot, { model }))] : []),
    ...(row.hold === null && row.isolatedBy.length === 0
      ? [asked('hold', hold(name), out), asked('isolate', isolate(name), out)]
      : []),
  ];
}

/** Acts that end what a person set: their buttons do not ask either. */
function plainActs(row: ModelRow, { act }: Acts): readonly Command[] {
  const texts = commandTexts();
  const { model, name } = row;
  const unhold = () =>
    void act({ type: 'health.held', model, state: null, forMs: null }, { subject: name, text: texts.notHeld });
  const release = () => void act({ type: 'health.released', model }, { subject: name, text: texts.released });
  return [
    ...(row.hold ? [modelAct(row, 'end-hold', { title: texts.endHold(name), run: unhold })] : []),
    ...(row.isolatedBy.length > 0 ? [modelAct(row, 'release', { title: texts.release(name), run: release })] : []),
  ];
}
