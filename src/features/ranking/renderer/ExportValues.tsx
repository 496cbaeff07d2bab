import { reasonOf } from '../../../renderer/app/asked';
import { useCommands } from '../../../renderer/app/commands/use-commands';
import { usePanel } from '../../../renderer/app/panel';
import { saveFile } from '../../../renderer/app/save-file';
import { rankingPageTexts } from '../../../texts';

const CHOICES = [
  ['json', false],
  ['csv', false],
  ['json', true],
  ['csv', true],
] as const;

const ALL_AS_CSV = 3;

export function ExportValues() {
  const { api, notices } = usePanel();
  const texts = rankingPageTexts().give;
  const save = async (place: number) => {
    const choice = CHOICES[place];
    if (choice === undefined) return;
    const [format, all] = choice;
    try {
      const { name, text } = await api.ask('rank.export', { format, all });
      saveFile(name, [text], format === 'csv' ? 'text/csv' : 'application/json');
    } catch (error) {
      notices.tell({ text: reasonOf(error), isRefusal: true, undo: null });
    }
  };
  useCommands(() => [
    { id: 'export', group: 'here', icon: 'export', title: texts.command, run: () => void save(ALL_AS_CSV) },
  ]);
  return (
    <select
      className="field rk-export"
      aria-label={texts.label}
      value=""
      onChange={(event) => void save(Number(event.currentTarget.value))}
    >
      <option value="">{texts.label}</option>
      {CHOICES.map(([format, all], place) => (
        <option key={`${format} ${all}`} value={place}>
          {`${format.toUpperCase()}, ${all ? texts.all : texts.own}`}
        </option>
      ))}
    </select>
  );
}
