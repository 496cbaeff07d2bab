import { useCallback, useState } from 'react';
import type { ModelRow } from '../../../contract/snapshot';
import { probeTexts } from '../../../texts';
import { probePhrase } from '../../../wording/probe-words';
import { reasonOf } from '../../app/asked';
import { usePanel } from '../../app/panel';

export type Probed = Readonly<{ model: string; text: string; isAsking: boolean }>;

/** `rev` is the revision that the user saw. */
export function useProbe(): readonly [Probed | null, (row: ModelRow, rev: number) => void] {
  const { api, notices } = usePanel();
  const [probed, setProbed] = useState<Probed | null>(null);
  const ask = useCallback(
    async ({ model, name }: ModelRow, rev: number) => {
      const texts = probeTexts();
      setProbed({ model, text: texts.asking(name), isAsking: true });
      const answer = await api.ask('model.probe', { model, rev }).catch((error: unknown) => ({
        accepted: false as const,
        reason: reasonOf(error),
      }));
      const text = answer.accepted
        ? probePhrase(name, answer.result, answer.isBack)
        : texts.notAsked(name, answer.reason);
      setProbed({ model, text, isAsking: false });
      // The user may have left the page.
      notices.tell({ text, isRefusal: !answer.accepted || !answer.result.ok, undo: null });
    },
    [api, notices],
  );
  return [probed, (row, rev) => void ask(row, rev)];
}
