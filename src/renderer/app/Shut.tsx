import { shellTexts } from '../../texts';
import type { Shutting } from './door';

export function Shut({ why }: Readonly<{ why: Shutting }>) {
  const { shut } = shellTexts();
  return (
    <main className="main">
      <header className="head">
        <div className="head-text">
          <h1>{shut.title[why]}</h1>
          <p className="lede">{shut.more[why]}</p>
        </div>
      </header>
    </main>
  );
}
