import { plainModel } from '../../contract';
import { modelTexts } from '../../texts';

/** A model, name first for the eye; copied text and screen readers get `provider/model`. */
export function ModelId({ model, isStrong = false }: Readonly<{ model: string; isStrong?: boolean }>) {
  const plain = plainModel(model);
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  const path = plain.slice(0, Math.max(0, plain.length - name.length - 1));
  return (
    <span className={isStrong ? 'id id-strong' : 'id'} title={plain}>
      <span className="id-path">
        {path}
        <span className="id-slash">/</span>
      </span>
      <span className="id-name">{name}</span>
      {plain !== model && <span className="id-apart">{modelTexts().apart.tag}</span>}
    </span>
  );
}
