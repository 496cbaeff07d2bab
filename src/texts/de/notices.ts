import { plural } from '../catalogue';
import type { noticeTexts } from '../notices';

export const notices: ReturnType<typeof noticeTexts> = {
  counts: { fallback: plural('Wechsel', 'Wechsel'), notice: plural('Benachrichtigung', 'Benachrichtigungen') },
  fell: {
    title: (agent, to) => `${agent} spricht jetzt durch ${to}`,
    body: (why, back) => `${why}.${back === '' ? '' : ` Zurück gegen ${back}.`}`,
  },
  fellTogether: {
    title: (agents) => `${agents} haben das Modell gewechselt`,
    body: (why, names) => `${why === '' ? '' : `${why}. `}${names}.`,
    why: (provider, reason) => `${provider}: ${reason}`,
  },
  exhausted: {
    title: (agent) => `${agent} hat kein Modell mehr`,
    all: (count) => `${count} von ${count} nicht verfügbar.`,
    back: (time, model) => `Zuerst zurück gegen ${time} (${model}).`,
    never: 'Von allein kommt keines zurück.',
    stopped: (agent) => `${agent} ist stehen geblieben`,
    again: (count, model) => `Alle ${count} sind an dieser Nachricht gescheitert; die nächste geht an ${model}.`,
    depth: (count) =>
      `maxFallbackDepth hat die Nachricht nach ${count} ${count === 1 ? 'Wechsel' : 'Wechseln'} beendet; es bleiben Modelle.`,
    cut: 'Die Nachricht endete, bevor jedes Modell angefragt war.',
  },
  recovered: { title: (agent) => `${agent} kann weitermachen`, body: (model) => `${model} hat geantwortet.` },
  home: {
    title: (agent, model) => `${agent} ist zurück bei ${model}`,
    body: (lasted, turns) => `Fallback seit ${lasted}, ${turns}.`,
  },
  attention: {
    title: (provider) => `${provider} braucht einen Eingriff`,
    body: (why) => `${why}. Erneut fragen hilft nicht.`,
  },
  unstable: {
    title: (model) => `${model} schwankt`,
    body: (until) => (until === '' ? 'Wird nicht benutzt.' : `Wird bis ${until} nicht benutzt.`),
  },
  lost: { title: 'Kontakt zu OpenCode verloren', body: 'Der Fallback ist nicht gesichert.' },
  versions: {
    title: 'Begleiter und App haben verschiedene Versionen',
    body: 'Der Begleiter in OpenCode und diese App verstehen einander nicht.',
  },
  session: { title: (what) => `Sitzung beendet: ${what}` },
  costlier: {
    title: (agent) => `${agent} ist auf einem teureren Modell`,
    body: (to, times, model) => `${to}: etwa ${times}× ${model}.`,
  },
  changed: {
    title: 'Kette auf der Platte geändert',
    body: 'Eine Konfigurationsdatei wurde außerhalb dieser App geändert.',
  },
  update: {
    title: (version) => `Understudy ${version} ist bereit`,
    body: 'Gilt, sobald es installiert ist. Einstellungen › Allgemein sagt, wie.',
  },
  passed: {
    title: (plan, part) => `${plan}: ${part} verbraucht`,
    estimate: (plan, part) => `${plan}: etwa ${part} verbraucht, geschätzt`,
    body: (full, back) =>
      [full && `So weiter, voll gegen ${full}.`, back && `Neu ab ${back}.`].filter(Boolean).join(' '),
  },
  budget: {
    near: 'Ein Budget ist fast verbraucht',
    spent: 'Ein Budget ist verbraucht',
    stopped: (agent) => `${agent} ist stehen geblieben: ein Budget ist verbraucht`,
    body: (spent, anew) => `${spent}.${anew && ` Neu ab ${anew}.`}`,
  },
  failing: {
    title: (agent) => `Anfragen von ${agent} scheitern immer wieder`,
    body: 'Mindestens die Hälfte der letzten in dieser Sitzung ist gescheitert.',
  },
  many: {
    title: 'Viele Anfragen scheitern',
    body: (count) => `${count} binnen fünf Minuten. Ein Blick auf Netz und Anbieter lohnt.`,
  },
  retries: {
    title: (agent, count, of) => `${agent} hat ${count} von ${of} Wiederholungen verbraucht`,
    warned: 'Ein Blick auf Netz und Anbieter lohnt.',
    spent: 'In dieser Sitzung wird kein Modell nach einem Fehlschlag noch einmal gefragt; sonst gilt das Regelwerk.',
  },
  stuck: {
    title: (agent, until) => `${agent} steht still${until && ` bis etwa ${until}`}`,
    body: (why) => `${why}. OpenCode fragt immer wieder an.`,
  },
  asks: {
    spend: (spent) => `${spent}. Darf es weiter Geld kosten?`,
    title: (agent) => `${agent} wartet auf eine Antwort`,
    drain: (used, model) => `${used}. Darf ${model} antworten? Ohne Antwort geht es dort weiter.`,
    other: (model) => `Darf ${model} einspringen?`,
    again: (model) => `Darf ${model} noch einmal gefragt werden?`,
  },
  digest: {
    title: (notices) => `${notices} während der Ruhezeiten`,
    body: 'Sie stehen in der Liste der Benachrichtigungen.',
  },
  acts: {
    open: 'Öffnen',
    hold: '30 min hier festlegen',
    resetAll: 'Alle zurücksetzen',
    fix: 'Beheben…',
    release: 'Freigeben',
    doctor: 'Diagnose',
    update: 'Aktualisieren…',
    export: 'Exportieren',
    holdCheaper: (model) => `30 min auf ${model} festlegen`,
    review: 'Ansehen',
  },
};
