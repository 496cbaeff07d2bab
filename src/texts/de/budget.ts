import type { budgetTexts } from '../budget';

export const budget: ReturnType<typeof budgetTexts> = {
  spent: {
    day: (spent, limit, whose) => `${spent} von ${limit} am Tag${whose} sind verbraucht`,
    week: (spent, limit, whose) => `${spent} von ${limit} in der Woche${whose} sind verbraucht`,
    session: (spent, limit, whose) => `${spent} von ${limit} in dieser Sitzung${whose} sind verbraucht`,
  },
  unpriced: (limit, whose) =>
    `nur dieses Projekt nennt den Preis des Modells, daher lässt sich das Budget von ${limit}${whose} nicht prüfen`,
  title: 'Geldbudgets',
  caption: 'in Geld, nach den Preisen von OpenCode',
  periods: { day: 'heute', week: 'diese Woche', session: 'eine Sitzung' },
  session: (folder, at) => `Sitzung in ${folder}, zuletzt ${at}`,
  elsewhere: (amount, part) => `${amount}, davon ${part} auf anderen Rechnern`,
  amount: (spent, limit) => `${spent} von ${limit}`,
  does: {
    warn: 'benachrichtigt, wenn verbraucht',
    degrade: 'nutzt günstigere Modelle, wenn verbraucht',
    ask: 'fragt nach, wenn verbraucht und kein anderes Modell antworten kann',
    stop: 'sendet nichts mehr, wenn verbraucht',
  },
  allowed: 'Überschreitung ist erlaubt',
  anew: (at) => `neu ab ${at}`,
  whose: (name) => ` für ${name}`,
};
