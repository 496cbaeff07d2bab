import { useState } from 'react';
import type { UnknownPhrase } from '../../../contract/unknown-phrase';
import { settingsTexts } from '../../../texts';
import { clock } from '../../../wording/wording';
import { useAnswer } from '../../app/asked';
import { useSnapshot } from '../../app/panel';
import { Failed, SettingsCard } from './parts';
import { TeachDialog } from './TeachDialog';

const PAGE_ROWS = 20;

export function PhraseInbox({ onWritten }: Readonly<{ onWritten: () => void }>) {
  const { unknownPhrases } = useSnapshot();
  const texts = settingsTexts().inbox;
  const [offset, setOffset] = useState(0);
  const [open, setOpen] = useState<UnknownPhrase | null>(null);
  const page = { offset, limit: PAGE_ROWS };
  const { answer, problem, again } = useAnswer('phrases.unknown', page, `${offset} ${unknownPhrases}`);
  if (problem !== null) return <Failed problem={problem} again={again} />;
  const total = answer?.total ?? unknownPhrases;
  const caption = total === 0 ? '' : texts.caption(total);
  return (
    <SettingsCard id="inbox" title={texts.title} caption={caption}>
      <p className="card-body">{total === 0 ? texts.empty : texts.more}</p>
      {answer && answer.entries.length > 0 && <Phrases entries={answer.entries} onOpen={setOpen} />}
      {total > PAGE_ROWS && (
        <div className="card-body setup-acts">
          <button className="btn" type="button" disabled={offset === 0} onClick={() => setOffset(offset - PAGE_ROWS)}>
            {texts.later}
          </button>
          <button
            className="btn"
            type="button"
            disabled={offset + PAGE_ROWS >= total}
            onClick={() => setOffset(offset + PAGE_ROWS)}
          >
            {texts.earlier}
          </button>
        </div>
      )}
      {open && <TeachDialog entry={open} onWritten={onWritten} onEnd={() => setOpen(null)} />}
    </SettingsCard>
  );
}

type PhrasesProps = Readonly<{ entries: readonly UnknownPhrase[]; onOpen: (entry: UnknownPhrase) => void }>;

function Phrases({ entries, onOpen }: PhrasesProps) {
  const texts = settingsTexts().inbox;
  return (
    <div className="scroll">
      <table className="tbl set-tbl" aria-labelledby="inbox">
        <thead>
          <tr>
            <th scope="col">{texts.said}</th>
            <th scope="col">{texts.provider}</th>
            <th scope="col">{texts.times}</th>
            <th scope="col">{texts.last}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="said">{saidBy(entry)}</td>
              <td>{entry.provider}</td>
              <td>{entry.count}</td>
              <td>{clock(entry.lastSeen)}</td>
              <td className="num">
                <button
                  className="btn btn-sm"
                  type="button"
                  aria-label={texts.teachThis(saidBy(entry))}
                  onClick={() => onOpen(entry)}
                >
                  {texts.teach}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** "E_MOON 418: The moon is in the way". */
function saidBy({ code, status, text }: UnknownPhrase): string {
  const head = [code, status].filter((part) => part !== null && part !== '').join(' ');
  return [head, text].filter((part) => part !== '').join(': ');
}
