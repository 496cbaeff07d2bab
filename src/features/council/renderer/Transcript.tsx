import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { CopyButton } from '../../../renderer/components/CopyButton';
import { councilPageTexts, sessionTexts, shellTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import type { CouncilTranscriptEntry, CouncilView } from '../contract/council';
import type { CouncilRunRow } from '../contract/council-run';
import { isOver, memberName } from '../wording/council-page-words';
import { Spend } from './Spend';
import { type Said, TalkEntry } from './TalkEntry';
import { type Member, useTranscript } from './use-council';

const SHOWN = 100;
/** In px. */
const NEAR_PX = 24;

type Props = Readonly<{
  row: CouncilRunRow;
  view: CouncilView;
  member: string | null;
  onChoose: (member: string) => void;
}>;

export function Transcript({ row, view, member, onChoose }: Props) {
  const texts = councilPageTexts().talk;
  const { members } = view;
  const whose = members.find(({ id }) => id === member) ?? null;
  return (
    <section className="card co-talk" aria-labelledby="co-talk">
      <div className="card-head">
        <h2 className="sr" id="co-talk">
          {texts.whose} {whose && memberName(whose)}
        </h2>
        <label className="co-whose">
          <span className="sr">{texts.whose}</span>
          <select className="field" value={member ?? ''} onChange={(event) => onChoose(event.target.value)}>
            {members.map((each) => (
              <option key={each.id} value={each.id}>
                {memberName(each)}
              </option>
            ))}
          </select>
        </label>
        <span className="cap co-whose-model">{whose && shortName(whose.model)}</span>
      </div>
      {/* Resets the state for another participant. */}
      <Told key={member} row={row} view={view} whose={whose} />
      <Spend row={row} estimate={view.estimate} />
    </section>
  );
}

function Told({ row, view, whose }: Pick<Props, 'row' | 'view'> & Readonly<{ whose: Member | null }>) {
  const texts = councilPageTexts().talk;
  const isSpeaking = whose?.state === 'works' && row.isPlayed && !isOver(row);
  const member = whose?.id ?? null;
  const { answer, problem, again } = useTranscript({ run: row.run, member, rev: row.rev, isSpeaking });
  return (
    <>
      {whose && <About whose={whose} live={answer?.live ?? null} />}
      {problem !== null && (
        <p className="co-said" role="alert">
          {texts.unread} {problem}{' '}
          <button className="btn btn-sm" type="button" onClick={again}>
            {sessionTexts().trouble.again}
          </button>
        </p>
      )}
      <Talk
        entries={answer?.entries ?? null}
        label={whose ? memberName(whose) : ''}
        said={idsOf(view.report)}
        brief={whose?.brief ?? null}
      />
    </>
  );
}

type AboutProps = Readonly<{
  whose: Member;
  live: 'live' | 'notPlayed' | 'unreachable' | null;
}>;

function About({ whose: { session }, live }: AboutProps) {
  const texts = councilPageTexts().talk;
  return (
    <div className="co-about">
      {live !== null && (
        <p className="cap">{live === 'live' ? texts.live : live === 'notPlayed' ? texts.journal : texts.unreachable}</p>
      )}
      {session !== null && (
        <p className="co-session">
          <span className="cap">{texts.session}</span> <code className="path">{session}</code>
          <CopyButton text={session} label={shellTexts().copy.copy} />
        </p>
      )}
    </div>
  );
}

type TalkProps = Readonly<{
  entries: readonly CouncilTranscriptEntry[] | null;
  label: string;
  said: Said;
  brief: string | null;
}>;

/** Follows new entries while the reader is at the end. */
function Talk({ entries: loaded, label, said: titleById, brief }: TalkProps) {
  const texts = councilPageTexts().talk;
  const entries = loaded ?? [];
  const [isWhole, showWhole] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const shown = isWhole ? entries : entries.slice(-SHOWN);
  useStayAtEnd(box, entries.length);
  const left = entries.length - shown.length;
  return (
    // No live region: a screen reader would announce each word.
    <div
      className="co-entries"
      ref={box}
      role="log"
      aria-live="off"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label={`${texts.whose} ${label}`}
    >
      {brief !== null && (
        <p className="small co-brief">
          <b>{texts.brief}:</b> <span className="muted">{brief}</span>
        </p>
      )}
      {left > 0 && (
        <button className="btn btn-sm btn-quiet" type="button" onClick={() => showWhole(true)}>
          {texts.earlier(left)}
        </button>
      )}
      {loaded?.length === 0 && <p className="small muted">{texts.none}</p>}
      <ol className="talk">
        {shown.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added at the end.
          <TalkEntry key={left + index} entry={entry} said={titleById} />
        ))}
      </ol>
    </div>
  );
}

function useStayAtEnd(box: RefObject<HTMLElement | null>, count: number): void {
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const note = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    };
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, [box]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new entry is a reason to go to the end.
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [box, count]);
}

function idsOf({ findings, unproved, praise, brainstorm }: CouncilView['report']): Said {
  const all = [...findings, ...unproved, ...praise.findings, ...(brainstorm?.options ?? [])];
  return new Map(all.map(({ id, title }) => [id, title]));
}
