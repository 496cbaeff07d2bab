import { plural } from '../catalogue';
import type { noticeTexts } from '../notices';

export const notices: ReturnType<typeof noticeTexts> = {
  counts: { fallback: plural('Wechsel', 'Wechsel'), notice: plural('Benachrichtigung', 'Benachrichtigungen') },
  fell: {
    title: (agent, to) => `${agent} nutzt jetzt ${to}`,
    body: (why, back) => `${why}.${back === '' ? '' : ` Zurück gegen ${back}.`}`,
  },
  fellTogether: {
    title: (agents) => `${agents} haben das Modell gewechselt`,
    body: (why, names) => `${why === '' ? '' : `${why}. `}${names}.`,
    why: (provider, reason) => `${provider}: ${reason}`,
  },
  exhausted: {
    title: (agent) => `${agent} hat kein Modell mehr`,
    all: (count) =>
      count === 1 ? 'Das einzige Modell ist nicht verfügbar.' : `Alle ${count} Modelle sind nicht verfügbar.`,
    back: (time, model) => `Zuerst zurück gegen ${time} (${model}).`,
    never: 'Eines davon beheben, um fortzufahren.',
    stopped: (agent) => `${agent} steht still`,
    again: (count, model) => `Alle ${count} sind an dieser Nachricht gescheitert; die nächste geht an ${model}.`,
    depth: (count) =>
      `maxFallbackDepth hat die Nachricht nach ${count} ${count === 1 ? 'Wechsel' : 'Wechseln'} beendet; es bleiben Modelle.`,
    cut: 'Die Runde endete, bevor alle Modelle angefragt wurden.',
  },
  recovered: { title: (agent) => `${agent} arbeitet wieder`, body: (model) => `${model} hat geantwortet.` },
  home: {
    title: (agent, model) => `${agent} ist zurück bei ${model}`,
    body: (lasted, turns) => `Mit Fallback-Modell für ${lasted}, ${turns}.`,
  },
  attention: {
    title: (provider) => `${provider} braucht einen Eingriff`,
    body: (why) => `${why}. Wiederholen hilft nicht.`,
  },
  unstable: {
    title: (model) => `${model} ist instabil`,
    body: (until) => (until === '' ? 'Wird nicht benutzt.' : `Wird bis ${until} nicht benutzt.`),
  },
  lost: { title: 'Verbindung zu OpenCode verloren', body: 'Understudy sieht nicht, ob die Sitzungen geschützt sind.' },
  versions: {
    title: 'Begleiter und App haben verschiedene Versionen',
    body: 'Der Begleiter in OpenCode und diese App können nicht kommunizieren.',
  },
  session: { title: (what) => `Sitzung beendet: ${what}` },
  costlier: {
    title: (agent) => `${agent} nutzt ein teureres Modell`,
    body: (to, times, model) => `${to}: etwa ${times}× ${model}.`,
  },
  changed: {
    title: 'Konfiguration außerhalb geändert',
    body: 'Eine Konfigurationsdatei wurde außerhalb dieser App geändert.',
  },
  update: {
    title: (version) => `Understudy ${version} ist bereit`,
    body: 'Zum Verwenden installieren: siehe Einstellungen › Allgemein.',
  },
  passed: {
    title: (plan, part) => `${plan}: ${part} verbraucht`,
    estimate: (plan, part) => `${plan}: etwa ${part} verbraucht (Schätzung)`,
    body: (full, back) =>
      [full && `In diesem Tempo voll gegen ${full}.`, back && `Neu ab ${back}.`].filter(Boolean).join(' '),
  },
  budget: {
    near: 'Ein Budget ist fast verbraucht',
    spent: 'Ein Budget ist verbraucht',
    stopped: (agent) => `${agent} steht still: ein Budget ist verbraucht`,
    body: (spent, anew) => `${spent}.${anew && ` Neu ab ${anew}.`}`,
  },
  failing: {
    title: (agent) => `Anfragen von ${agent} scheitern immer wieder`,
    body: 'Mindestens die Hälfte der letzten Anfragen dieser Sitzung ist gescheitert.',
  },
  many: {
    title: 'Viele Anfragen scheitern',
    body: (count) => `${count} binnen fünf Minuten. Netz und Anbieter prüfen.`,
  },
  retries: {
    title: (agent, count, of) => `${agent} hat ${count} von ${of} Wiederholungen verbraucht`,
    warned: 'Netz und Anbieter prüfen.',
    spent:
      'In dieser Sitzung werden fehlschlagende Modelle nicht mehr wiederholt; die übrigen Schritte des Regelwerks gelten.',
  },
  stuck: {
    title: (agent, until) => `${agent} kommt nicht weiter${until && ` bis etwa ${until}`}`,
    body: (why) => `${why}. OpenCode wiederholt die Anfrage immer wieder.`,
  },
  asks: {
    spend: (spent) => `${spent}. Das Budget überschreiten?`,
    title: (agent) => `${agent} wartet auf eine Antwort`,
    drain: (used, model) => `${used}. Darf ${model} antworten? Ohne Antwort geschieht das.`,
    other: (model) => `Darf stattdessen ${model} antworten?`,
    again: (model) => `${model} wiederholen?`,
  },
  digest: {
    title: (notices) => `${notices} während der Ruhezeiten`,
    body: 'Siehe Liste der Benachrichtigungen.',
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
