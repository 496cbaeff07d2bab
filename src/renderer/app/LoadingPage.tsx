import { faultTexts, shellTexts } from '../../texts';
import { Bones, useLate } from '../components/Waiting';
import { usePanelState } from './panel';

export function LoadingPage() {
  const { loading } = shellTexts();
  const isUnreachable = usePanelState((state) => state.link === 'lost' || state.isSilent);
  const isLate = useLate();
  if (isUnreachable) {
    return (
      <header className="head">
        <div className="head-text">
          <h1>{loading.unreachable}</h1>
          <p className="lede">{loading.unreachableLede}</p>
        </div>
      </header>
    );
  }
  return isLate && <Shape title={loading.reading} />;
}

export function LoadingView() {
  return useLate() && <Shape title={faultTexts().loading} />;
}

function Shape({ title }: Readonly<{ title: string }>) {
  return (
    <>
      <header className="head">
        <div className="head-text">
          <h1>{title}</h1>
        </div>
      </header>
      <Bones />
    </>
  );
}
