import { Icon } from '../../../renderer/components/Icon';
import { councilPageTexts, wordTexts } from '../../../texts';
import { checkPhrase, linePhrase } from '../wording/council-page-words';
import type { Finding } from './use-council';

export function FindingNotes({ finding, isNamed = false }: Readonly<{ finding: Finding; isNamed?: boolean }>) {
  const texts = councilPageTexts().board;
  const { listed } = wordTexts();
  const { foundBy, check, support, confirmedBy, challengedBy } = finding;
  const isProved = check === 'verified' || check === 'moved';
  const others = [...new Set([...foundBy.slice(1), ...confirmedBy.map(({ by }) => by)])];
  return (
    <span className="fnd-notes">
      <code>{linePhrase(finding)}</code>
      <span>{foundBy[0]}</span>
      <span>
        <Icon name={isProved ? 'check' : 'close'} />
        {checkPhrase(finding)}
      </span>
      {(isNamed ? others.length : support) > 0 && (
        <span>
          <Icon name="plus" />
          {isNamed ? texts.confirmedByNames(listed(others)) : texts.confirmedBy(support)}
        </span>
      )}
      {challengedBy.length > 0 && (
        <span className="c-degraded">
          <Icon name="ask" />
          {texts.challengedBy(listed(challengedBy.map(({ by }) => by)))}
        </span>
      )}
    </span>
  );
}

/** The quote is untrusted. */
export function Quote({ text, line }: Readonly<{ text: string; line: number }>) {
  return (
    <pre className="co-quote">
      {text.split('\n').map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a quote never change their order.
        <span key={index}>
          <span className="co-line" aria-hidden="true">
            {line + index}
          </span>
          <span className="co-code">{each}</span>
        </span>
      ))}
    </pre>
  );
}

export function Remarks({ about }: Readonly<{ about: Pick<Finding, 'confirmedBy' | 'challengedBy' | 'builtOn'> }>) {
  const texts = councilPageTexts().board;
  const { confirmedBy, challengedBy, builtOn } = about;
  const lines = [
    ...confirmedBy.map(({ by, why }) => [texts.confirms(by), why] as const),
    ...challengedBy.map(({ by, why }) => [texts.challenges(by), why] as const),
    ...builtOn.map(({ by, why }) => [texts.builds(by), why] as const),
  ];
  return <RemarkList lines={lines} />;
}

export function RemarkList({ lines }: Readonly<{ lines: readonly (readonly [who: string, why: string])[] }>) {
  if (lines.length === 0) return null;
  return (
    <ul className="co-remarks">
      {lines.map(([who, why]) => (
        <li key={`${who} ${why}`} className="co-remark">
          <b className="co-remark-by">{who}</b> <span className="muted">{why}</span>
        </li>
      ))}
    </ul>
  );
}
