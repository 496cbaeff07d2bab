import { writtenModel } from '../../contract/written-model';
import { unbooked as plainModel } from '../../engine/names';
import { modelTexts } from '../../texts';

/** Copied text and screen readers get `provider/model` with its variant. */
export function ModelId({ model, isStrong = false }: Readonly<{ model: string; isStrong?: boolean }>) {
  const plain = plainModel(model);
  const { model: id, variant } = writtenModel(plain);
  const name = id.slice(id.lastIndexOf('/') + 1);
  const path = id.slice(0, Math.max(0, id.length - name.length - 1));
  return (
    <span className={isStrong ? 'id id-strong' : 'id'} title={plain}>
      <span className="id-path">
        {path}
        <span className="id-slash">/</span>
      </span>
      <span className="id-name">{name}</span>
      {variant !== null && <span className="id-variant">#{variant}</span>}
      {plain !== model && <span className="id-apart">{modelTexts().apart.tag}</span>}
    </span>
  );
}
