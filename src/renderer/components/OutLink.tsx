import { LINKS, type LinkName } from '../../contract/shell';
import { usePanel } from '../app/panel';

/** A page of others: a tab of the browser, or by its name the browser of this machine where the panel is an app. */
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
