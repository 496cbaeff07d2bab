import { memo, type ReactNode } from 'react';
import { useLanguage } from '../../../renderer/app/language';
import { Icon, type IconName } from '../../../renderer/components/Icon';
import { councilPageTexts } from '../../../texts';
import { clock } from '../../../wording/wording';
import type { CouncilTranscriptEntry } from '../contract/council';
import { failureWords, linePhrase, stageLabel } from '../wording/council-page-words';
import { SeverityMark } from './SeverityMark';

export type Said = ReadonlyMap<string, string>;
type Entry = CouncilTranscriptEntry;

/** All text is untrusted. */
export const TalkEntry = memo(function TalkEntry({ entry, said: titleById }: Readonly<{ entry: Entry; said: Said }>) {
  useLanguage();
  return drawn(entry, titleById);
}, isSame);

type Props = Readonly<{ entry: Entry; said: Said }>;

/** Each answer creates new title objects. */
function isSame(last: Props, next: Props): boolean {
  return last.entry === next.entry && titles(last).join('\n') === titles(next).join('\n');
}

function titles({ entry, said: titleById }: Props): readonly string[] {
  if (entry.kind === 'remark') return [titleById.get(entry.about) ?? ''];
  return entry.kind === 'ranking' ? entry.ids.map((id) => titleById.get(id) ?? '') : [];
}

function drawn(entry: Entry, titleById: Said): ReactNode {
  const texts = councilPageTexts().talk;
  switch (entry.kind) {
    case 'turn':
      return (
        <li className="talk-turn">
          <time dateTime={new Date(entry.at).toISOString()}>{clock(entry.at, true)}</time> {stageLabel(entry.stage)}
        </li>
      );
    case 'text':
      return <li className="talk-text">{entry.text}</li>;
    case 'tool':
      return <ToolEntry entry={entry} />;
    case 'finding':
      return (
        <Deed mark={<SeverityMark severity={entry.severity} />} title={texts.posts(entry.title)}>
          <code>{linePhrase(entry)}</code> ·{' '}
          {councilPageTexts().check[entry.check === 'moved' ? 'movedOnly' : entry.check]}
        </Deed>
      );
    case 'idea':
      return <Deed icon="plus" title={texts.idea(entry.title)} />;
    case 'remark':
      return (
        <Deed
          icon={entry.remark === 'challenges' ? 'ask' : 'plus'}
          title={texts[entry.remark](named(titleById, entry.about))}
        >
          {entry.why}
        </Deed>
      );
    case 'ranking':
      return <Deed icon="ranking" title={texts.ranks(entry.ids.map((id) => named(titleById, id)).join(' › '))} />;
    case 'knowledge':
      return (
        <Deed icon="pin" title={texts.notes(entry.key)}>
          {entry.text}
        </Deed>
      );
    case 'summary':
      return (
        <Deed icon="check" title={texts.completes}>
          {entry.text}
        </Deed>
      );
    case 'oracle':
      return (
        <Deed icon="council" title={texts.oracle[entry.what]}>
          {entry.text}
        </Deed>
      );
    case 'problem':
      return (
        <Deed icon="ask" title={texts.problem}>
          {entry.text}
        </Deed>
      );
    case 'retry':
      return <Deed icon="reset" title={texts.retry(entry.attempt, entry.of, failureWords(entry.failure))} />;
    case 'failed':
      return (
        <Deed icon="close" title={texts.failed(failureWords(entry.failure))}>
          {entry.message}
        </Deed>
      );
  }
}

const named = (titleById: Said, id: string): string => {
  const title = titleById.get(id);
  return title === undefined ? id : `${id} (${title})`;
};

const FINDING_TOOLS = ['grep', 'glob'];

function ToolEntry({ entry: { tool, about, isRefused } }: Readonly<{ entry: Extract<Entry, { kind: 'tool' }> }>) {
  const texts = councilPageTexts().talk;
  return (
    <li className="talk-tool">
      <Icon name={isRefused ? 'lock' : FINDING_TOOLS.includes(tool.toLowerCase()) ? 'search' : 'file'} />
      <code title={about}>
        {isRefused ? texts.refused(tool) : tool} {about}
      </code>
    </li>
  );
}

type DeedProps = Readonly<{ icon?: IconName; mark?: ReactNode; title: string; children?: ReactNode }>;

function Deed({ icon, mark, title, children }: DeedProps) {
  return (
    <li className="talk-deed">
      {icon ? <Icon name={icon} /> : mark}
      <span>
        <b className="talk-deed-title">{title}</b> {children !== undefined && <span className="muted">{children}</span>}
      </span>
    </li>
  );
}
