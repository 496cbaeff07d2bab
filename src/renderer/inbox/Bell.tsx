import { inboxTexts } from '../../texts';
import { keyLabel, keysOf } from '../commands/keys';
import { Icon } from '../components/Icon';
import { usePanelState } from '../panel';
import { useInboxOpen } from '../routes';
import { turnInbox } from './address';

/** More than this many is many. */
const COUNT_MAX = 99;

/** Opens and closes the notices, and says how many nobody has read. */
export function Bell() {
  const unread = usePanelState((state) => state.snapshot?.unreadNotices ?? 0);
  const isOpen = useInboxOpen();
  const label = inboxTexts().bell(unread);
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
      {unread > 0 && (
        <span className="bell-count" aria-hidden="true">
          {unread > COUNT_MAX ? `${COUNT_MAX}+` : unread}
        </span>
      )}
    </button>
  );
}
