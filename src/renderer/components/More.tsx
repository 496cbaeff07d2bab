import { moreTexts } from '../../texts';

/** The last line of a short list: how much it leaves out, and where all of it is. Nothing where it leaves nothing out. */
export function More({ count, say, href }: Readonly<{ count: number; say: (count: number) => string; href: string }>) {
  if (count <= 0) return null;
  return (
    <li className="mini-note">
      <a className="link small" href={href}>
        {say(count)}
      </a>
    </li>
  );
}

/** The last line of a list that can be shown whole: how much it leaves out. Nothing where it leaves nothing out. */
export function ShowRest({ count, show }: Readonly<{ count: number; show: () => void }>) {
  if (count <= 0) return null;
  return (
    <li className="mini-note">
      <button className="btn btn-sm btn-quiet" type="button" onClick={show}>
        {moreTexts().entries(count)}
      </button>
    </li>
  );
}
