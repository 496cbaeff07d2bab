import { editorTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import type { Draft } from './draft';
import type { ListChange, NamedTier } from './list-diff';
import { useOffset } from './own-lead';
import { tierPhrase } from './tier-words';

type Props = Readonly<{ changes: readonly ListChange[]; draft: Pick<Draft, 'base' | 'now'> }>;
type Offsets = Readonly<{ was: number; is: number }>;

export function ListDiff({ changes, draft: { base, now } }: Props) {
  const offsets = { was: useOffset(base.models), is: useOffset(now.models) };
  return (
    <ul className="ldiff" aria-label={editorTexts().diff.list}>
      {changes.map((change) => {
        const { kind, subject, what, note, tone } = lineOf(change, offsets);
        return (
          <li key={keyOf(change)} className={tone}>
            <span className="ldiff-kind">{kind}</span>
            <span>
              <b>{subject}</b> {what}
            </span>
            <span className="dim">{note}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Names may repeat. */
const keyOf = (change: ListChange): string =>
  `${change.kind} ${'from' in change ? change.from : ''} ${'model' in change ? change.model : `${change.tier.number} ${change.tier.name ?? ''}`}`;

type Line = Readonly<{ kind: string; subject: string; what: string; note?: string; tone?: 'ldiff-add' | 'ldiff-del' }>;

function lineOf(change: ListChange, offsets: Offsets): Line {
  const texts = editorTexts().diff;
  switch (change.kind) {
    case 'added':
      return {
        kind: texts.added,
        subject: shortName(change.model),
        tone: 'ldiff-add',
        what: placed(texts.at(change.at + offsets.is), change.tier),
        ...(change.isNewProvider ? { note: texts.newProvider(providerOf(change.model)) } : {}),
      };
    case 'removed':
      return {
        kind: texts.removed,
        subject: shortName(change.model),
        tone: 'ldiff-del',
        what: texts.from(change.from + offsets.was),
        ...(change.isLastOfProvider ? { note: texts.lastOfProvider(providerOf(change.model)) } : {}),
      };
    case 'moved': {
      const { from, to, tier } = change;
      const way = from === to ? '' : editorTexts().drag.from(from + offsets.was, to + offsets.is);
      const into = tier === null ? '' : tier === 'none' ? texts.noTier : texts.into(tierPhrase(tier));
      return { kind: texts.moved, subject: shortName(change.model), what: [way, into].filter(Boolean).join(', ') };
    }
    case 'tier-renamed':
      return { kind: texts.tier, subject: texts.renamed(tierPhrase(change.was), tierPhrase(change.tier)), what: '' };
    default:
      return { kind: texts.tier, subject: tierPhrase(change.tier), ...tierLine(change, offsets.is) };
  }
}

type TierChange = Extract<ListChange, { kind: 'tier-added' | 'tier-removed' | 'tier-moved' }>;

function tierLine(change: TierChange, offset: number): Pick<Line, 'what' | 'tone'> {
  const texts = editorTexts().diff;
  if (change.kind === 'tier-removed') return { what: texts.dissolved, tone: 'ldiff-del' };
  if (change.kind === 'tier-moved') return { what: texts.order };
  return { what: change.from === null ? texts.empty : texts.begins(change.from + offset), tone: 'ldiff-add' };
}

const placed = (at: string, tier: NamedTier | null): string => (tier === null ? at : `${at}, ${tierPhrase(tier)}`);
const providerOf = (model: string): string => model.slice(0, model.indexOf('/'));
