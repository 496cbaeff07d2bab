import { isObject, leavesOf, valueAt } from '../../../core/config/at-path';
import { openDocument, plainValue, type ValueChange } from '../../../core/config/document';
import { pathText } from '../../../core/config/index';
import type { Edited } from '../../../core/edits/edit';
import { setValues } from '../../../core/edits/value-edit';
import type { ImportedCouncil } from './ai-models';

/** `left`: keys with other values, not overwritten. */
export type CouncilEdited = Readonly<{ edited: Edited; left: readonly string[] }>;

type Speaker = NonNullable<ImportedCouncil['speakers']>[string];

const COUNCIL = 'council';
const SPEAKER_KEYS = ['enabled', 'model', 'fallback', 'vendor'] as const satisfies readonly (keyof Speaker)[];

export function importCouncil(text: string, imported: ImportedCouncil, isForced: boolean): CouncilEdited {
  const opened = openDocument(text.replace(/^\ufeff/, ''));
  const before = opened.ok ? plainValue(opened.root) : {};
  const changes: ValueChange[] = [];
  const left: string[] = [];
  const take = (path: readonly string[], isSame: boolean, over: readonly ValueChange[], anew: ValueChange): void => {
    if (isSame) return;
    if (valueAt(before, path) === undefined) changes.push(anew);
    else if (isForced) changes.push(...over);
    else left.push(pathText(path));
  };
  for (const [name, speaker] of Object.entries(imported.speakers ?? {})) {
    const path = [COUNCIL, 'speakers', name];
    const there = valueAt(before, path);
    take(path, isSameSpeaker(there, speaker), overSpeaker(path, there, speaker), { path, value: speaker });
  }
  const { latency, observability } = imported;
  for (const [at, value] of leavesOf({ ...(latency && { latency }), ...(observability && { observability }) }, [])) {
    const change = { path: [COUNCIL, ...at.map(String)], value };
    take(change.path, valueAt(before, change.path) === value, [change], change);
  }
  return { edited: setValues(text, changes), left };
}

function isSameSpeaker(there: unknown, { enabled = true, model, fallback = null, vendor }: Speaker): boolean {
  if (!isObject(there)) return false;
  return (
    (there.enabled ?? true) === enabled &&
    there.model === model &&
    (there.fallback ?? null) === fallback &&
    there.vendor === vendor
  );
}

/** Changes single keys, so that their comments stay. */
const overSpeaker = (path: readonly string[], there: unknown, speaker: Speaker): readonly ValueChange[] =>
  isObject(there)
    ? SPEAKER_KEYS.map((key) => ({ path: [...path, key], value: speaker[key] }))
    : [{ path, value: speaker }];
