import type { moreTexts } from '../more';

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 weitere${one}` : `${count} weitere ${many}`;

export const more: ReturnType<typeof moreTexts> = {
  entries: (count) => `${count} weitere zeigen`,
  models: (count) => counted(count, 's Modell', 'Modelle'),
  agents: (count) => counted(count, 'r Agent', 'Agenten'),
  sessions: (count) => counted(count, ' Sitzung', 'Sitzungen'),
  chains: (count) => counted(count, ' Kette', 'Ketten'),
  limits: (count) => counted(count, 's Limit', 'Limits'),
  machines: (count) => counted(count, ' Maschine', 'Maschinen'),
};
