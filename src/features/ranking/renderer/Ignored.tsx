import { ModelId } from '../../../renderer/components/ModelId';
import { rankingPageTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import type { RankAnswer } from '../contract/ranking';
import type { Ranking } from './use-ranking';

export function Ignored({ ranking, answer }: Readonly<{ ranking: Ranking; answer: RankAnswer }>) {
  const texts = rankingPageTexts().review;
  const { act, isBusy, run } = ranking;
  if (answer.ignored.length === 0) return null;
  return (
    <details className="rk-rest">
      <summary>{texts.ignored}</summary>
      <ul className="rk-rows">
        {answer.ignored.map((model) => (
          <li key={model}>
            <ModelId model={model} />
            <button
              className="btn btn-sm btn-quiet"
              type="button"
              aria-label={texts.bring(shortName(model))}
              aria-disabled={isBusy || run === null}
              onClick={() => isBusy || void act({ type: 'decide', model, choice: null, evidence: '' })}
            >
              {texts.takeBack}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
