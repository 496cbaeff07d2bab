import type { standingTexts } from '../standing';

const NUMBERS = ['Keine', 'Ein', 'Zwei', 'Drei', 'Vier', 'Fünf', 'Sechs', 'Sieben', 'Acht', 'Neun'];
const numberWord = (count: number): string => NUMBERS[count] ?? String(count);

export const standing: ReturnType<typeof standingTexts> = {
  position: {
    lead: (of) => `Erstbesetzung, 1 von ${of}`,
    understudy: (position, of) => `${position} von ${of}, Zweitbesetzung`,
  },
  agent: {
    onlyOut: (last) => `Das einzige Modell fällt aus${last && `; ${last}`}`,
    allOut: (count, last) => `Alle ${count} Modelle fallen aus${last && `; ${last}`}`,
    leftOut: (last) => `In dieser Sitzung außen vor${last && `; ${last}`}`,
    stopped: (model, last) => `Die Runde fand kein Modell; ${model} nimmt jetzt Anfragen an${last && `; ${last}`}`,
    inPlace: (lead) => `Springt für ${lead} ein`,
    oneModel: 'Ein Modell: fällt es aus, steht die Arbeit still',
    firstTurn: 'Erste Runde läuft',
    idle: 'Untätig, Kette bereit',
    onPrimary: (turns) => `${turns}, alle mit der Erstbesetzung`,
    switched: (turns, switches) => `${turns}, ${switches}`,
  },
  home: {
    needsYou: (lead) => `${lead} braucht einen Eingriff: erst beheben, dann zurücksetzen`,
    next: 'Zurück mit der nächsten Nachricht',
    ready: 'Zurück, sobald es wieder bereit ist',
  },
  caution: {
    oneModel: (agent) => `${agent}: nur ein Modell. Fällt es aus, steht die Arbeit still.`,
    sharedFate: (count, provider) =>
      `Gemeinsames Schicksal: ${count === 2 ? 'beide' : `alle ${count}`} Modelle hängen an ${provider}.`,
  },
  models: {
    ready: (count) => `${count} bereit`,
    toLookAt: (count) => `${count} zu prüfen`,
    unseen: (count) => `${count} noch nicht benutzt`,
    order: 'Schlechteste zuerst, dann nach Last.',
  },
  stale: {
    title: 'Diese Ansicht hat den Kontakt zu Understudy verloren.',
    lede: (at) => `Die Uhren stehen; zu sehen ist der Stand von ${at}. Sie verbindet sich von selbst wieder.`,
  },
  exhausted: {
    title: (agent) => `${agent} hat kein Modell mehr.`,
    lede: (count) =>
      count === 1
        ? 'Das einzige Modell fällt aus. Die Sitzung ist sicher; die Nachricht erneut senden, sobald es zurück ist.'
        : `Alle ${count} Modelle der Kette fallen aus. Die Sitzung ist sicher; die Nachricht erneut senden, sobald eines zurück ist.`,
    stopped: (agent) => `${agent} ist stehen geblieben.`,
    again: (model) =>
      `Die Runde fand kein Modell, aber ${model} nimmt jetzt Anfragen an. Die Sitzung ist sicher; die Nachricht erneut senden.`,
  },
  stuck: {
    one: (agent, at) => `${agent} wartet${at && ` bis etwa ${at}`}.`,
    many: (count) => `${numberWord(count)} Agenten warten nach einem Fehler.`,
    alone: (why, at) => `${why}; keine Zweitbesetzung, OpenCode fragt${at && ` etwa um ${at}`} erneut an`,
    passedOn: (why, at) => `${why}; OpenCode fragt${at && ` etwa um ${at}`} erneut an`,
    held: (why, at) => `${why}; die Runde geht${at && ` etwa um ${at}`} weiter`,
  },
  unprotected: {
    one: (agent) => `${agent} hat keine Zweitbesetzung.`,
    many: (count, of) => `${count} von ${of} Agenten haben keine Zweitbesetzung.`,
    lede: (count) =>
      `Im Moment läuft alles. Fällt ${count === 1 ? 'das Modell' : 'das Modell von einem davon'} aus, steht die Arbeit still.`,
  },
  asks: (agent) => `${agent} wartet auf eine Antwort.`,
  leftOut: {
    one: (agent) => `${agent} ist in dieser Sitzung außen vor.`,
    many: (count) => `${numberWord(count)} Agenten sind in ihren Sitzungen außen vor.`,
    lede: 'Wer außen vor ist, antwortet dort nicht, bis man ihn zurückholt.',
  },
  blocked: {
    title: (model) => `${model} braucht einen Eingriff.`,
    lede: (agent) => `Bis behoben und zurückgesetzt ist, macht ${agent} mit dem nächsten Modell weiter.`,
  },
  away: {
    one: (agent) => `${agent} arbeitet mit der Zweitbesetzung. Nichts steht still.`,
    many: (count) => `${numberWord(count)} Agenten arbeiten mit der Zweitbesetzung. Nichts steht still.`,
    inProject: (agent, project) => `${agent} in ${project}`,
    speaks: (name, model) => `${name} arbeitet mit ${model}`,
    left: (name, model, phrase) => `${name} hat ${model} verlassen: ${phrase}`,
    returns: (name, lead, at) => `${name} kehrt gegen ${at} zu ${lead} zurück`,
  },
  failing: {
    title: (project) => `Anfragen in ${project} scheitern.`,
    lede: (project, failed, asked) => `${failed} der letzten ${asked} Anfragen in ${project} sind gescheitert.`,
  },
  calm: {
    waiting: {
      title: 'Warten auf OpenCode.',
      lede: 'OpenCode mit dem Begleit-Plugin starten; es erscheint hier von selbst.',
    },
    lost: { title: 'Nicht verbunden: OpenCode läuft nicht.', lede: 'Zu sehen ist der letzte bekannte Stand.' },
    incompatible: {
      title: 'Plugin und App haben verschiedene Versionen.',
      lede: 'Beide auf dieselbe Version bringen; bis dahin liest diese Ansicht nur.',
    },
    primary: { title: 'Alle Agenten arbeiten mit der Erstbesetzung.', lede: 'Nichts zu tun.' },
    ready: { title: 'Bereit.', lede: 'Die Ketten sind bereit; noch ist nichts gelaufen.' },
    noChain: {
      title: 'Verbunden, aber keine Kette ist festgelegt.',
      lede: 'Ohne Kette ist nichts geschützt. Fallback-Modelle in model-fallback.json eintragen.',
    },
  },
};
