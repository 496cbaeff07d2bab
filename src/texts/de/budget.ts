import type { budgetTexts } from '../budget';

export const budget: ReturnType<typeof budgetTexts> = {
  spent: {
    day: (spent, limit, whose) => `${spent} von ${limit} am Tag${whose} sind verbraucht`,
    week: (spent, limit, whose) => `${spent} von ${limit} in der Woche${whose} sind verbraucht`,
    session: (spent, limit, whose) => `${spent} von ${limit} in dieser Sitzung${whose} sind verbraucht`,
  },
  unpriced: (limit, whose) =>
    `was das Modell kostet, sagt nur dieses Projekt, und ein Budget von ${limit}${whose} soll halten`,
  title: 'Geld',
  caption: 'in Geld, nach den Preisen, die OpenCode kennt',
  periods: { day: 'heute', week: 'diese Woche', session: 'eine Sitzung' },
  session: (folder, at) => `Sitzung in ${folder}, zuletzt ${at}`,
  elsewhere: (amount, part) => `${amount}, davon ${part} auf anderen Rechnern`,
  amount: (spent, limit) => `${spent} von ${limit}`,
  does: {
    warn: 'sagt Bescheid, wenn es verbraucht ist',
    degrade: 'macht mit Günstigerem weiter, wenn es verbraucht ist',
    ask: 'fragt nach, wenn es verbraucht ist und kein anderes Modell antworten kann',
    stop: 'sendet nichts mehr, wenn es verbraucht ist',
  },
  allowed: 'darf wie gewünscht überschritten werden',
  anew: (at) => `neu ab ${at}`,
  whose: (name) => ` für ${name}`,
};
