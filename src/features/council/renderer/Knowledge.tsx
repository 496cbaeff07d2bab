import { councilPageTexts } from '../../../texts';
import type { CouncilView } from '../contract/council';
import { memberName } from '../wording/council-page-words';
import { Fold } from './ReportParts';

type Props = Pick<CouncilView, 'knowledge' | 'members'>;

export function Knowledge({ knowledge, members }: Props) {
  if (knowledge.length === 0) return null;
  const nameOf = (id: string): string => {
    const member = members.find((each) => each.id === id);
    return member ? memberName(member) : id;
  };
  return (
    <Fold title={councilPageTexts().board.knowledge} more={String(knowledge.length)}>
      <dl className="co-ballots">
        {knowledge.map(({ key, by, text }) => (
          <div key={`${by} ${key}`}>
            <dt>
              {key} <span className="cap">{nameOf(by)}</span>
            </dt>
            <dd className="co-text">{text}</dd>
          </div>
        ))}
      </dl>
    </Fold>
  );
}
