import type { QueryOutput } from '../../../contract/contract';
import type { PreferencesInForce, PreferencesPatch } from '../../../contract/preferences';
import { settingsTexts, shellTexts } from '../../../texts';
import { useAnswer } from '../../app/asked';
import { type Panel, usePanel, useSnapshot } from '../../app/panel';
import { notifyResult } from '../../app/told';

export type Settings = Readonly<{
  /** Null before the first response. */
  inForce: PreferencesInForce | null;
  problem: string | null;
  again: () => void;
  /** Ten seconds to undo. */
  change: (patch: PreferencesPatch, done?: string) => void;
}>;

/** Shared by all windows. */
export function useSettings(): Settings {
  const panel = usePanel();
  const { settings } = useSnapshot();
  const { answer, problem, again } = useAnswer('settings.get', null, String(settings), true);
  const change: Settings['change'] = (patch, done = settingsTexts().changed) => {
    if (answer !== null) void changed(panel, answer, patch, done).then(again);
  };
  return { inForce: answer, problem, again, change };
}

async function changed(panel: Panel, before: PreferencesInForce, patch: PreferencesPatch, done: string): Promise<void> {
  const back = (now: QueryOutput<'settings.set'> & { ok: true }) => () => {
    const request = panel.api.ask('settings.set', { patch: asBefore(patch, before.preferences), rev: now.rev });
    void notifyResult(panel, request, { text: shellTexts().notice.undone });
  };
  const request = panel.api.ask('settings.set', { patch, rev: before.rev });
  await notifyResult(panel, request, { text: done, undo: back });
}

function asBefore<Patch>(patch: Patch, before: unknown): Patch {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return before as Patch;
  const held = before as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(patch).map(([key, value]) => [key, asBefore(value, held[key])])) as Patch;
}
