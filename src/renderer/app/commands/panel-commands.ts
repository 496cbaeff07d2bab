import { PAGES } from '../../../contract/shell';
import type { ModelRow, Snapshot } from '../../../contract/snapshot';
import { aboutRun, whenPhrase } from '../../../features/council/wording/council-run-words';
import {
  attentionTexts,
  commandTexts,
  councilRunTexts,
  LANGUAGES,
  type Language,
  modelTexts,
  nowTexts,
  shellTexts,
} from '../../../texts';
import {
  isResettable,
  outConsequences,
  type ResetTarget,
  resetConsequences,
  resettable,
} from '../../../wording/act-words';
import { chainKey } from '../../../wording/chain-words';
import { rowIn } from '../../../wording/model-rows';
import { clock, shortName, stateLabel } from '../../../wording/wording';
import type { IconName } from '../../components/Icon';
import { eventsHref } from '../../pages/events/address';
import { turnInbox } from '../../pages/inbox/address';
import type { ModelQuestion } from '../../pages/models/ModelDialogs';
import type { Acts } from '../acts';
import type { useLanguage } from '../language';
import type { Notice } from '../notices';
import { hrefOf } from '../routes';
import { toggleTheme } from '../theme';
import { HOLD_TIMES, holdAct, PAUSE_TIMES, pauseAct, pinAct } from '../timed-acts';
import { timesOf } from './choices';
import { wishNewRun } from './new-council';
import { cyclePanes } from './panes';
import type { Choice, Choices, Command } from './registry';

export type Doors = Readonly<{
  palette(): void;
  sheet(): void;
  ask(question: ModelQuestion): void;
  pause(): void;
}>;

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

export function panelCommands(around: Surroundings): readonly Command[] {
  return [
    ...shellCommands(around),
    ...viewCommands(),
    ...(around.snapshot ? knownCommands(around.snapshot, around) : []),
  ];
}

function viewCommands(): readonly Command[] {
  const { goTo: phrase, places } = commandTexts();
  const views = PAGES.map(
    (name): Command => ({
      id: name,
      group: 'views',
      icon: name,
      title: phrase(shellTexts().views[name]),
      run: goTo(hrefOf(name)),
    }),
  );
  const parts = [
    ['export-scorecard', places.scorecard, 'sessions', 'export'],
    ['doctor', places.doctor, 'setup', 'check'],
    ['drill', places.drill, 'setup', 'probe'],
  ] as const;
  const council = { id: 'new-council', group: 'acts', icon: 'council' } as const;
  return [
    ...views,
    { ...council, title: commandTexts().newCouncil, run: wishNewRun },
    ...parts.map(([id, title, view, icon]): Command => ({ id, group: 'views', icon, title, run: goTo(hrefOf(view)) })),
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
    ...(search
      ? [{ id: 'find', group: 'here', icon: 'search', title: texts.find, run: () => search.focus() } as const]
      : []),
    ...(notice?.undo
      ? [
          {
            id: 'undo',
            group: 'acts',
            icon: 'reset',
            title: texts.undo,
            hint: notice.text,
            run: notice.undo,
          } as const,
        ]
      : []),
    { id: 'notices', group: 'panel', icon: 'bell', title: texts.notices, run: turnInbox },
    { id: 'theme', group: 'panel', icon: 'theme', title: texts.theme, run: toggleTheme },
    ...languageCommands(language),
    { id: 'sheet', group: 'panel', icon: 'keyboard', title: texts.sheet, run: doors.sheet },
    {
      id: 'single-keys',
      group: 'panel',
      icon: 'keyboard',
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
            icon: 'reset',
            title: texts.resetMany,
            choices: manyResets(snapshot, acts),
            run: () => doors.ask({ kind: 'resetMany' }),
          } as const,
        ]
      : []),
    ...snapshot.models.flatMap((row) => modelCommands(row, snapshot, { acts, doors })),
    ...pinCommands(snapshot, acts),
    ...placeCommands(snapshot),
  ];
}

function placeCommands({ at, chains, sessions, councils, events }: Snapshot): readonly Command[] {
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
    ...councils.map(
      (row): Command => ({
        id: `council ${row.run}`,
        group: 'councils',
        title: texts.openCouncil(aboutRun(row)),
        hint: [
          councilRunTexts().states[row.state],
          ...(row.begunAt === null ? [] : [whenPhrase(row.begunAt, at)]),
        ].join(' · '),
        run: goTo(hrefOf('council', row.run)),
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

function pauseCommands({ pause, rev }: Snapshot, acts: Acts, doors: Doors): readonly Command[] {
  const texts = commandTexts();
  const look = { group: 'acts', icon: 'pause' } as const;
  if (!pause) {
    const { times, consequence } = nowTexts().pause;
    const named = PAUSE_TIMES.map(({ time, forMs }) => ({ title: times[time], forMs }));
    const choices = timesOf(named, consequence, (forMs) => void acts.act(...pauseAct(forMs), rev));
    return [{ ...look, id: 'pause', title: texts.pause, hint: texts.pauseHint, choices, run: doors.pause }];
  }
  const run = () => void acts.act({ type: 'switching.resumed' }, { text: attentionTexts().done.resume() }, rev);
  return [{ ...look, id: 'resume', title: texts.resume, run }];
}

function manyResets(snapshot: Snapshot, { reset }: Acts): Choices {
  const texts = modelTexts().reset;
  const providers = new Set(resettable(snapshot, { all: true }).map(({ provider }) => provider));
  const resetOf = (id: string, title: string, target: ResetTarget): Choice => ({
    id,
    title,
    hint: resetConsequences(snapshot, target).join(' '),
    run: () => void reset(target, { text: texts.doneMany(title) }, snapshot.rev),
  });
  return {
    label: commandTexts().whichModels,
    of: [
      resetOf('', texts.every, { all: true }),
      ...[...providers].map((provider) => resetOf(provider, provider, { provider })),
    ],
  };
}

function pinCommands({ chains, models, pins, rev }: Snapshot, { act }: Acts): readonly Command[] {
  const texts = commandTexts();
  const own = chains.filter(({ agent }) => agent !== '*');
  return own.map((row): Command => {
    const { agent, directory } = row;
    const look = { id: `pin ${chainKey(row)}`, group: 'acts', icon: 'lock' } as const;
    if (pins.some((pin) => pin.directory === directory && pin.agent === agent)) {
      const free = { type: 'agent.pinned', directory, agent, model: null, forMs: null } as const;
      const run = () => void act(free, { text: attentionTexts().done.letGo(agent) }, rev);
      return { ...look, title: texts.unpin(agent), hint: directory, run };
    }
    const of = row.chain.map(({ model }): Choice => {
      const existing = rowIn(models, directory, model);
      const hint = existing ? `${model} · ${stateLabel(existing)}` : model;
      const glyph = existing?.state ?? 'unseen';
      return { id: model, title: shortName(model), hint, glyph, run: () => void act(...pinAct(row, model), rev) };
    });
    const choices = { label: texts.onWhichModel, of, isNeeded: true };
    return { ...look, title: texts.pin(agent), hint: directory, choices, run: goTo(hrefOf('chains', chainKey(row))) };
  });
}

function modelCommands(row: ModelRow, snapshot: Snapshot, means: Means): readonly Command[] {
  const { model, name } = row;
  const open: Command = {
    id: `model ${model}`,
    group: 'models',
    glyph: row.state,
    title: commandTexts().openModel(name),
    hint: `${model} · ${stateLabel(row)}`,
    run: goTo(hrefOf('models', model)),
  };
  return [open, ...askedActs(row, snapshot, means), ...plainActs(row, means.acts, snapshot.rev)];
}

const modelAct = (row: ModelRow, id: keyof typeof ACT_ICONS, command: Omit<Command, 'id' | 'group'>): Command => ({
  ...command,
  icon: ACT_ICONS[id],
  id: `${id} ${row.model}`,
  group: 'acts',
});

const ACT_ICONS = {
  reset: 'reset',
  hold: 'lock',
  isolate: 'close',
  'end-hold': 'check',
  release: 'check',
} as const satisfies Readonly<Record<string, IconName>>;

/** Acts whose buttons open a dialog. */
function askedActs(row: ModelRow, snapshot: Snapshot, { acts, doors: { ask } }: Means): readonly Command[] {
  const { reset, hold, isolate } = commandTexts();
  const { model, name } = row;
  const toldOf = (consequences: readonly string[]) => consequences.join(' ');
  const dialogAct = (kind: 'reset' | 'hold' | 'isolate', title: string, consequences: readonly string[]) =>
    modelAct(row, kind, { title, hint: toldOf(consequences), run: () => ask({ kind, row }) });
  const out = outConsequences(snapshot, model);
  const { times } = modelTexts().hold;
  const named = HOLD_TIMES.map(({ time, forMs }) => ({ title: times[time], forMs }));
  const choices = timesOf(
    named,
    toldOf(out),
    (forMs, length) => void acts.act(...holdAct(row, { state: 'open', forMs, length }), snapshot.rev),
    commandTexts().outOfUse,
  );
  return [
    ...(isResettable(row) ? [dialogAct('reset', reset(name), resetConsequences(snapshot, { model }))] : []),
    ...(row.hold === null && row.isolatedBy.length === 0
      ? [{ ...dialogAct('hold', hold(name), out), choices }, dialogAct('isolate', isolate(name), out)]
      : []),
  ];
}

/** Acts whose buttons open no dialog. */
function plainActs(row: ModelRow, { act }: Acts, rev: number): readonly Command[] {
  const texts = commandTexts();
  const done = modelTexts().actions;
  const { model, name } = row;
  const unhold = () =>
    void act({ type: 'health.held', model, state: null, forMs: null }, { text: done.unheld(name) }, rev);
  const release = () => void act({ type: 'health.released', model }, { text: done.released(name) }, rev);
  return [
    ...(row.hold ? [modelAct(row, 'end-hold', { title: texts.endHold(name), run: unhold })] : []),
    ...(row.isolatedBy.length > 0 ? [modelAct(row, 'release', { title: texts.release(name), run: release })] : []),
  ];
}
