import type { Snapshot } from '../../contract/snapshot';
import { setupTexts } from '../../texts';
import { folderName } from '../../wording/wording';

type Props = Readonly<{
  directories: readonly string[];
  value: string | null;
  isFixed?: boolean;
  onChoose: (directory: string | null) => void;
}>;

export function ProjectChoice({ directories, value, isFixed = false, onChoose }: Props) {
  const texts = setupTexts().place;
  return (
    <label className="choice">
      <span className="small">{texts.label}</span>
      <select
        className="field"
        value={value ?? ''}
        disabled={isFixed}
        onChange={(event) => onChoose(event.target.value || null)}
      >
        <option value="">{texts.everywhere}</option>
        {directories.map((path) => (
          <option key={path} value={path} title={path}>
            {texts.project(folderName(path))}
          </option>
        ))}
      </select>
    </label>
  );
}

export const projectsOf = ({ instances }: Snapshot): readonly string[] =>
  [...new Set(instances.flatMap(({ directories }) => directories))].sort();

type SelectProps = Readonly<{
  label: string;
  className?: string;
  directories: readonly string[];
  value: string | undefined;
  onChoose: (directory: string) => void;
}>;

export function ProjectSelect({ label, className, directories, value, onChoose }: SelectProps) {
  return (
    <label className={className}>
      <span className="small dim">{label}</span>
      <select className="field" value={value} title={value} onChange={(event) => onChoose(event.target.value)}>
        {directories.map((path) => (
          <option key={path} value={path} title={path}>
            {folderName(path)}
          </option>
        ))}
      </select>
    </label>
  );
}
