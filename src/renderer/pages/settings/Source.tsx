import { settingsTexts } from '../../../texts';

export function Source({ path, line }: Readonly<{ path: string | null; line: number | null }>) {
  if (path === null) return <span className="dim">{settingsTexts().policy.standard}</span>;
  const name = path.split(/[\\/]/).slice(-2).join('/');
  return (
    <span className="path dim" title={path}>
      {line === null ? name : `${name}:${line}`}
    </span>
  );
}

export const FieldProblem = ({ text, id }: Readonly<{ text: string | null; id?: string }>) =>
  text !== null && (
    <span className="wrong small" id={id}>
      {text}
    </span>
  );
