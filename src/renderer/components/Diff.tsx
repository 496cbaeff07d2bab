import { chainTexts } from '../../texts';
/** Signs, not only colour, mark added and removed lines. */
export function Diff({ text, of }: Readonly<{ text: string; of?: string }>) {
  const lines = text.split('\n').filter((line) => line !== '' && !/^(?:=+$|---|\+\+\+|Index:)/.test(line));
  const name = chainTexts().apply.diff;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="diff" tabIndex={0} aria-label={of === undefined ? name : `${name}: ${of}`}>
      <pre>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and their order never changes.
          <span key={index} className={classOf(line)}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  );
}

function classOf(line: string): string | undefined {
  if (line.startsWith('+')) return 'diff-add';
  if (line.startsWith('-')) return 'diff-del';
  return line.startsWith('@@') || line.startsWith('\\') ? 'diff-at' : undefined;
}
