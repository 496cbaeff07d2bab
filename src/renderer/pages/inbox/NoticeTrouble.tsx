import { useState } from 'react';
import { inboxTexts } from '../../../texts';
import { useAnswer } from '../../app/asked';
import { usePanelState } from '../../app/panel';
import { remember, remembered } from '../../app/remembered';
import { Icon } from '../../components/Icon';
import { openInbox } from './address';

const NAME = 'notice-trouble';

export function NoticeTrouble() {
  const noticeCount = usePanelState((state) => state.heard);
  const unread = usePanelState((state) => state.snapshot?.unreadNotices ?? 0);
  // Without notices, none were missed.
  const isWanted = noticeCount + unread > 0;
  const outcome = useAnswer('shell.get', {}, `${noticeCount} ${unread}`, isWanted).answer?.notices;
  const [dismissed, setKnown] = useState(() => remembered(NAME));
  if (!outcome || outcome.kind === 'shown' || outcome.kind === dismissed) return null;
  const { trouble } = inboxTexts();
  const dismiss = () => {
    remember(NAME, outcome.kind);
    setKnown(outcome.kind);
  };
  return (
    <div className="banner trouble small" role="status">
      <span>{outcome.kind === 'failed' ? trouble.failed(outcome.why) : trouble.unsupported}</span>
      <button className="btn btn-sm" type="button" onClick={openInbox}>
        {trouble.show}
      </button>
      <button className="btn btn-icon btn-quiet btn-sm" type="button" aria-label={trouble.dismiss} onClick={dismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}
