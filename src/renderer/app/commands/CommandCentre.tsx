import { lazy, Suspense, useState } from 'react';
import { flushSync } from 'react-dom';
import { ShortcutSheet } from '../../components/ShortcutSheet';
import { ModelDialog, type ModelQuestion } from '../../pages/models/ModelDialogs';
import { useProbe } from '../../pages/models/probe';
import { PauseDialog } from '../../pages/now/Pause';
import { useActs } from '../acts';
import { useLanguage } from '../language';
import { persistently } from '../lazy-view';
import { usePageKeys } from '../page-keys';
import { usePanel } from '../panel';
import { panelCommands } from './panel-commands';
import { rememberCommand } from './recent';
import type { Command } from './registry';
import { useCommands } from './use-commands';

const Palette = lazy(async () => ({ default: (await persistently(() => import('./Palette'))).Palette }));

type Open =
  | Readonly<{ door: 'palette'; commands: readonly Command[] } | { door: 'sheet' } | { door: 'pause' }>
  | ModelQuestion;

export function CommandCentre() {
  const panel = usePanel();
  const acts = useActs();
  const language = useLanguage();
  const [, probe] = useProbe();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  useCommands(() =>
    panelCommands({
      snapshot: panel.store.getState().snapshot,
      notice: panel.notices.store.getState().notice,
      acts,
      language,
      singleKeys: { isOn: panel.singleKeys.store.getState(), turn: panel.singleKeys.turn },
      doors: {
        palette: () => setOpen({ door: 'palette', commands: panel.commands.all() }),
        sheet: () => setOpen({ door: 'sheet' }),
        pause: () => setOpen({ door: 'pause' }),
        ask: setOpen,
      },
    }),
  );
  usePageKeys();
  if (!open) return null;
  if ('kind' in open) return <ModelDialog question={open} onProbe={probe} onEnd={close} />;
  if (open.door === 'sheet') return <ShortcutSheet onEnd={close} />;
  if (open.door === 'pause') return <PauseDialog onEnd={close} />;
  const pick = (command: Command) => {
    // Restores the focus first: a dialog opened by the command returns it there.
    flushSync(close);
    rememberCommand(command.id);
    command.run();
  };
  return (
    <Suspense fallback={null}>
      <Palette commands={open.commands} onPick={pick} onEnd={close} />
    </Suspense>
  );
}
