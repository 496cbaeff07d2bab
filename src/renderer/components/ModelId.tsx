import { shortName } from '../../contract';

/** A model, name first for the eye; copied text and screen readers get `provider/model`. */
export function ModelId({ model, isStrong = false }: Readonly<{ model: string; isStrong?: boolean }>) {
  const name = shortName(model);
  const path = model.slice(0, Math.max(0, model.length - name.length - 1));
  return (
    <span className={isStrong ? 'id id-strong' : 'id'} title={model}>
      <span className="id-path">
        {path}
        <span className="id-slash">/</span>
      </span>
      <span className="id-name">{name}</span>
    </span>
  );
}
