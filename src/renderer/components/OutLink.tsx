import { LINKS, type LinkName } from '../../contract/shell';
import { usePanel } from '../app/panel';

/** Opens a tab or, from the desktop app, the system browser. */
export function OutLink({ link, label }: Readonly<{ link: LinkName; label: string }>) {
  const { api } = usePanel();
  return (
    <a
      className="btn"
      href={LINKS[link]}
      target="_blank"
      rel="noreferrer"
      onClick={(event) => {
        if (!window.understudy) return;
        event.preventDefault();
        // silent: the reader sees that nothing opened, and can press again
        void api.ask('shell.openLink', { link }).catch(() => undefined);
      }}
    >
      {label}
    </a>
  );
}
