import type { budgetTexts } from '../budget';

export const budget: ReturnType<typeof budgetTexts> = {
  spent: {
    day: (spent, limit, whose) => `${spent} von ${limit} am Tag${whose} sind verbraucht`,
    week: (spent, limit, whose) => `${spent} von ${limit} in der Woche${whose} sind verbraucht`,
    session: (spent, limit, whose) => `${spent} von ${limit} in dieser Sitzung${whose} sind verbraucht`,
  },
  whose: (name) => ` für ${name}`,
};
