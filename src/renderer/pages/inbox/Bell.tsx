import { inboxTexts } from '../../../texts';
import { keyLabel, keysOf } from '../../app/commands/keys';
import { usePanelState } from '../../app/panel';
import { useInboxOpen } from '../../app/routes';
import { Icon } from '../../components/Icon';
import { turnInbox } from './address';

const COUNT_MAX = 99;

/** The dot marks unread notices that need no action. */
export function Bell() {
  const unread = usePanelState((state) => state.snapshot?.unreadNotices ?? 0);
  const urgent = usePanelState((state) => state.snapshot?.urgentNotices ?? 0);
  const isOpen = useInboxOpen();
  const label = inboxTexts().bell(unread, urgent);
  const [key = ''] = keysOf('notices');
  return (
    <button
      className="btn btn-icon btn-quiet bell"
      type="button"
      aria-label={label}
      aria-expanded={isOpen}
      title={`${label} (${keyLabel(key)})`}
      onClick={turnInbox}
    >
      <Icon name="bell" />
      {urgent > 0 && (
        <span className="bell-count" aria-hidden="true">
          {urgent > COUNT_MAX ? `${COUNT_MAX}+` : urgent}
        </span>
      )}
      {urgent === 0 && unread > 0 && <span className="bell-dot" aria-hidden="true" />}
    </button>
  );
}
