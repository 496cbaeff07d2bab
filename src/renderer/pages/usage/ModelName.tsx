import type { UsageAnswer } from '../../../contract/usage';
import { lookOfModel } from '../../app/looks';
import { Swatch } from '../../components/Swatch';

export function ModelName({ model, usage }: Readonly<{ model: string; usage: Pick<UsageAnswer, 'models'> }>) {
  const slot = usage.models.find((use) => use.model === model)?.slot ?? null;
  return (
    <span className="model-name">
      <Swatch look={lookOfModel(slot)} />
      {model}
    </span>
  );
}
