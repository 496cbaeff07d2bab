import type { NoticeRow } from '../../../contract/notices';
import { councilNewsTexts, inboxTexts, modelTexts } from '../../../texts';
import { mustBeAsked } from '../../../wording/notice-show';
import {
  type NoticeAct,
  type NoticeQuestion,
  noticeActs,
  noticeBody,
  noticeTitle,
} from '../../../wording/notice-words';
import { shortName } from '../../../wording/wording';
import { type ActReport, useActs } from '../../app/acts';
import { usePanel, usePanelState } from '../../app/panel';
import { Glyph, type GlyphName } from '../../components/Glyph';
import { eventTime } from '../events/words';

const MINUTE_MS = 60_000;
const GLYPHS: Readonly<Record<NoticeRow['notice'], GlyphName>> = {
  N1: 'degraded',
  N2: 'degraded',
  N3: 'open',
  N4: 'ready',
  N5: 'ready',
  N6: 'blocked',
  N7: 'held',
  N8: 'offline',
  N9: 'warn',
  N10: 'info',
  N11: 'warn',
  N12: 'info',
  N13: 'info',
  N14: 'warn',
  N15: 'degraded',
  N16: 'warn',
  N17: 'warn',
  N18: 'warn',
  N19: 'warn',
  N20: 'stuck',
  N21: 'info',
  N22: 'blocked',
  N23: 'paused',
  N24: 'info',
  digest: 'info',
};

export function NoticeItem({ row }: Readonly<{ row: NoticeRow }>) {
  const snapshot = usePanelState((state) => state.snapshot);
  const texts = inboxTexts();
  const acts = snapshot ? noticeActs(row, snapshot) : [];
  const body = noticeBody(row);
  return (
    <li className={row.isRead ? 'notice' : 'notice notice-new'} data-notice={row.notice}>
      <Glyph name={GLYPHS[row.notice]} />
      <div className="notice-what">
        <p className="notice-title">
          {!row.isRead && <span className="sr">{texts.unread}: </span>}
          {noticeTitle(row)}
        </p>
        {body !== '' && <p className="notice-body">{body}</p>}
        <p className="cap">
          <time dateTime={new Date(row.at).toISOString()}>{eventTime(row.at, snapshot?.at ?? row.at)}</time>
          {row.project !== null && ` · ${row.project}`}
          {row.isOver && ` · ${texts.over}`}
        </p>
        <Acts row={row} acts={row.isOver ? acts.filter((act) => 'view' in act) : acts} />
      </div>
    </li>
  );
}

function Acts({ row, acts }: Readonly<{ row: NoticeRow; acts: readonly NoticeAct[] }>) {
  const { act, reset, say } = useActs();
  const { commands, store } = usePanel();
  if (acts.length === 0) return null;
  const ask = (question: NoticeQuestion): void => {
    const { snapshot } = store.getState();
    const report = saidOf(question, row);
    const { name, input } = question;
    if (snapshot && mustBeAsked(question, snapshot)) commands.run('reset-many');
    else if (name === 'health.reset') void reset(input.target, report, input.rev);
    else if (name === 'council.say') void say(input, report);
    else void act(input.act, report, input.rev);
  };
  return (
    <p className="notice-acts">
      {acts.map((each) =>
        'view' in each ? (
          <a key={each.label} className="link small" href={each.view} aria-label={`${each.label}: ${noticeTitle(row)}`}>
            {each.label}
          </a>
        ) : (
          <button
            key={each.label}
            className="btn btn-sm"
            type="button"
            aria-label={`${each.label}: ${noticeTitle(row)}`}
            onClick={() => ask(each.ask)}
          >
            {each.label}
          </button>
        ),
      )}
    </p>
  );
}

function saidOf(question: NoticeQuestion, row: NoticeRow): ActReport {
  const { agents, model } = row;
  const { done } = inboxTexts();
  if (question.name === 'health.reset') return { text: modelTexts().reset.doneMany(modelTexts().reset.every) };
  if (question.name === 'council.say') return { text: councilNewsTexts().answered(noticeTitle(row)) };
  const { act } = question.input;
  if (act.type === 'agent.pinned')
    return {
      text: done.pinned(agents[0] ?? act.agent, shortName(act.model ?? ''), Math.round((act.forMs ?? 0) / MINUTE_MS)),
    };
  return { text: done.released(shortName(model ?? '')) };
}
