import type { headroomTexts } from '../headroom';

export const headroom: ReturnType<typeof headroomTexts> = {
  length: {
    minute: 'pro Minute',
    hour: 'pro Stunde',
    day: 'pro Tag',
    week: 'pro Woche',
    month: 'pro Monat',
    of: (length) => `in ${length}`,
  },
  plan: {
    hours: (hours) => `${hours}-Stunden`,
    day: 'Tages',
    week: 'Wochen',
    month: 'Monats',
    days: (days) => `${days}-Tage`,
    unknown: 'Tarif',
  },
  units: {
    requests: 'Anfragen',
    tokens: 'Token',
    input_tokens: 'Eingabe-Token',
    output_tokens: 'Ausgabe-Token',
    share: 'Tarif',
    credits: 'Guthaben',
  },
  counted: (unit, length) => (length === '' ? unit : `${unit} ${length}`),
  near: {
    share: (model, part, plan) => `${model} hat ${part} vom ${plan}-Limit verbraucht`,
    reserve: (model, part, plan) =>
      `${model} hat ${part} vom ${plan}-Limit verbraucht, und der Rest ist für einen anderen Agenten reserviert`,
    drain: (model, part, plan, inHours) =>
      `${model} hat ${part} vom ${plan}-Limit verbraucht, und der Rest würde etwa ${inHours} reichen`,
    there: (here, part) => `${here}, dort ${part}`,
    partOf: (part, plan) => `${part} vom ${plan}-Limit`,
    emptier: (account, used) => `${account} hat mehr Spielraum: ${used}`,
    refused: (model, plan) => `der Anbieter von ${model} lehnt Anfragen ab: ${plan}-Limit`,
    left: (model, left, limit, what) => `${model} hat noch ${left} von ${limit} ${what}`,
    needs: (model, left, limit, what, needs) =>
      `${model} hat noch ${left} von ${limit} ${what}, und diese Anfrage braucht etwa ${needs}`,
  },
  estimated: (text) => `${text} (Schätzung)`,
  account: {
    labelled: (provider, label) => `${provider} (${label})`,
    apart: (name) => `${name}, getrennt`,
  },
  window: {
    ofPlan: (plan) => `${plan}-Limit`,
    ofModel: (what, model) => `${what}, ${model}`,
    of: (part, limit) => `${part} von ${limit}`,
    unknown: 'seit dem Zurücksetzen unbekannt',
    back: (at) => `neu ab ${at}`,
    full: (at) => `voll gegen ${at}`,
    estimate: 'Schätzung',
    refusing: 'lehnt Anfragen ab',
    overdraws: 'darüber hinaus gegen Aufpreis',
    seen: (ago) => `Stand vor ${ago}`,
    now: 'Stand gerade eben',
  },
  unknown: {
    title: 'Unerkannte Header',
    note: 'Diese Header könnten Limits sein, ihre Bedeutung ist aber unbekannt. Sie lösen nie einen Wechsel aus.',
  },
  none: 'Gerade ist kein Limit bekannt. Understudy liest Limits aus Antworten der Anbieter: OpenCode benutzen, dann wieder nachsehen.',
};
