import { useEffect, useReducer, useRef } from 'react';
import { choiceTexts } from '../../../texts';
import { useAsked } from '../../app/asked';
import { usePanel } from '../../app/panel';
import { Diff } from '../../components/Diff';
import { ScrollTable } from '../../components/ScrollTable';
import { Fold } from './Fold';
import { toldWrite } from './writes';

type Props = Readonly<{ writes: number; onWritten: () => void }>;

/** Offers the behaviour of published designs, until the user chooses. */
export function ChoiceCard({ writes, onWritten }: Props) {
  const panel = usePanel();
  const texts = choiceTexts();
  const [refusals, onRefused] = useReducer((count: number) => count + 1, 0);
  const change = useAsked('setup.choice', null, `${writes} ${refusals}`);
  const isAnswered = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked anew can be answered anew.
  useEffect(() => {
    isAnswered.current = false;
  }, [change]);
  if (!change) return null;
  const { path, diff, seen } = change;
  const choose = async (isWanted: boolean) => {
    if (isAnswered.current) return;
    isAnswered.current = true;
    const wish = { text: isWanted ? texts.written : texts.kept, onWritten };
    if (await toldWrite(panel, panel.api.ask('setup.choose', { isWanted, seen }), wish)) return;
    isAnswered.current = false;
    // The rejected preview is out of date.
    onRefused();
  };
  return (
    <Fold id="choice" title={texts.title} caption={texts.caption}>
      <p className="card-body">{texts.explained}</p>
      <ScrollTable name={{ label: texts.table }} columns={[texts.when, texts.here, texts.there]}>
        <tbody>
          {Object.values(texts.differences).map(({ when, here, there }) => (
            <tr key={when}>
              <th scope="row">{when}</th>
              <td>{here}</td>
              <td>{there}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      <div className="card-body">
        <p className="small">{texts.change(path)}</p>
        <Diff text={diff} of={texts.title} />
      </div>
      <div className="card-body setup-acts">
        <button className="btn" type="button" onClick={() => void choose(false)}>
          {texts.keep}
        </button>
        <button className="btn" type="button" onClick={() => void choose(true)}>
          {texts.write}
        </button>
      </div>
    </Fold>
  );
}
