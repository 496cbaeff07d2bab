import { moreTexts } from '../../texts';

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
