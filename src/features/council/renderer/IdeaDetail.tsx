import { councilPageTexts } from '../../../texts';
import { checkPhrase, linePhrase } from '../wording/council-page-words';
import { Quote, RemarkList } from './FindingParts';
import type { Option } from './use-council';

export function IdeaDetail({ option }: Readonly<{ option: Option }>) {
  const texts = councilPageTexts();
  const { text, evidence, supportedBy, challengedBy, builtOn } = option;
  const lines = [
    ...supportedBy.map(({ by, why }) => [texts.ideas.supports(by), why] as const),
    ...challengedBy.map(({ by, why }) => [texts.board.challenges(by), why] as const),
    ...builtOn.map(({ by, why }) => [texts.board.builds(by), why] as const),
  ];
  return (
    <>
      <p className="co-text">{text}</p>
      {evidence.length > 0 && <p className="cap">{texts.ideas.evidence}</p>}
      {evidence.map((each) => (
        <div key={`${linePhrase(each)} ${each.quote}`}>
          <p className="cap">
            <code>{linePhrase(each)}</code> · {checkPhrase({ ...each, movedFrom: null })}
          </p>
          <Quote text={each.quote} line={each.line} />
        </div>
      ))}
      <RemarkList lines={lines} />
    </>
  );
}
