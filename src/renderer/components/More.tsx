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
