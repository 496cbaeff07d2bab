import type { fleetPageTexts } from '../fleet-page';

export const fleetPage: ReturnType<typeof fleetPageTexts> = {
  title: {
    off: 'Dieser Rechner ist in keiner Flotte.',
    unready: 'Dieser Rechner ist für seine Flotte nicht bereit.',
    connecting: (team) => `Der Server des Teams ${team} wird gefragt.`,
    away: (team) => `Der Server des Teams ${team} antwortet nicht.`,
    shut: (team) => `Der Server des Teams ${team} lässt diesen Rechner nicht ein.`,
    full: (team) => `Der Server des Teams ${team} nimmt nichts Neues an.`,
    flooded: (team) => `Nicht alles auf dem Server des Teams ${team} wird gelesen.`,
    alone: (team) => `Team ${team} ist verbunden, und noch hat kein anderer Rechner etwas gesagt.`,
    together: (team, count) =>
      `Team ${team} ist verbunden, mit ${count === 1 ? 'einem anderen Rechner' : `${count} anderen Rechnern`}.`,
  },
  lede: {
    off: 'In einer Flotte sagen die Rechner eines Teams einander, wie es um die Konten steht, die sie teilen: Was einer herausfindet, wissen alle.',
    alone: 'Dieser Rechner arbeitet allein weiter.',
    until: 'Bis er antwortet, arbeitet dieser Rechner allein weiter.',
    looks: 'Dieser Rechner arbeitet allein weiter und sucht den Server von selbst.',
    name: (name) => `Dieser Rechner heißt ${name}.`,
    saved: (count) =>
      count === 1
        ? 'Eine Anfrage wurde nicht in ein bekanntes Limit gestellt.'
        : `${count} Anfragen wurden nicht in ein bekanntes Limit gestellt.`,
  },
  lacks: {
    preferences: (_at, why) => `Welche Flotte gewählt ist, ist nicht zu lesen: ${why}`,
    team: () => 'Die Flotte hat kein Team.',
    secret: (at, _why, team) => `Das Geheimnis des Teams ${team} ist nicht da: ${at}.`,
    secretUnread: (_at, why, team) => `Das Geheimnis des Teams ${team} wird nicht benutzt: ${why}.`,
    secretOdd: (at) => `In ${at} steht kein Geheimnis eines Teams.`,
    variable: (at) =>
      `Die Umgebungsvariable ${at} ist nicht gesetzt: Sie soll das Passwort für den Server der Flotte enthalten.`,
    passwordUnread: (_at, why) => `Das Passwort für den Server der Flotte wird nicht benutzt: ${why}.`,
    id: (_at, why) => `Was diesen Rechner benennt, kann nicht aufgeschrieben werden: ${why}.`,
    authority: (at) => `Die Zertifizierungsstelle des Servers ist nicht bekannt: ${at} ist nicht da.`,
    authorityUnread: (at, why) => `Die Zertifizierungsstelle des Servers ist nicht bekannt: ${at}: ${why}.`,
    certificate: (at) => `Die Zertifizierungsstelle des Servers ist nicht bekannt: In ${at} steht kein Zertifikat.`,
  },
  troubles: {
    unreachable: 'Er ist nicht zu erreichen.',
    untrusted:
      'Keine verschlüsselte Verbindung kommt zustande: seinem Zertifikat wird nicht vertraut, oder er verschlüsselt nicht.',
    refused: 'Er lehnt Benutzernamen oder Passwort ab, oder was dieser Benutzer darf.',
    readonly: 'Er ist eine Kopie, die nichts schreiben lässt.',
    full: 'Er hat keinen Speicher mehr oder kann nicht schreiben.',
    slow: 'Er braucht länger als zwei Sekunden.',
    flooded: 'Zu einem Konto liegt mehr darauf, als ein Team sagt: nichts davon wird gelesen.',
    failed: 'Er tut nicht, was von ihm verlangt wird.',
  },
  server: {
    title: 'Der Server',
    reason: 'Seine Worte',
    doctor: 'Das sieht alles an und sagt, was zu tun ist:',
    command: 'understudy fleet status --check',
  },
  machines: {
    title: 'Rechner',
    caption: 'die etwas über diese Konten gesagt haben',
    none: 'Kein anderer Rechner hat etwas über diese Konten gesagt.',
    version: (version) => `Understudy ${version}`,
    ignored: 'nicht beachtet',
    unheard: 'nicht gehört',
    ignore: 'Nicht beachten',
    ignoreThis: (name) => `${name} nicht beachten`,
    heed: 'Wieder beachten',
    heedThis: (name) => `${name} wieder beachten`,
    nowIgnored: (name) => `${name} wird auf diesem Rechner nicht beachtet.`,
    nowHeeded: (name) => `${name} wird wieder beachtet.`,
  },
  accounts: {
    title: 'Konten',
    caption: 'die dieser Rechner benutzt',
    none: 'Noch wurde kein Konto gefragt.',
    shared: 'geteilt',
    apart: {
      login: 'nicht geteilt: Die Anmeldung nennt kein Konto',
      keyless: 'nicht geteilt: Kein Schlüssel sagt, wem es gehört',
      local: 'nicht geteilt: Sein Server gehört zu diesem Rechner',
    },
    heard: (machines) => `gehört von ${machines}`,
  },
  probes: {
    title: 'Wird gerade wieder versucht',
    caption: 'von je einem Rechner',
    none: 'Kein Modell eines geteilten Kontos wird gerade wieder versucht.',
    here: 'von diesem Rechner',
    by: (machine) => `von ${machine}`,
  },
  told: {
    title: 'Was gesagt wird',
    health:
      'Wie es um Konten und Modelle steht: welches Limit bis wann dauert, was zu oft ausgefallen ist, und was vorbei ist.',
    headroom: 'Wie voll die Limits der Konten sind.',
    budget: 'Was ein Konto diesen Rechner kostet, Stunde um Stunde: ein Budget des Anbieters zählt das von allen.',
    nothing: 'Nichts: Dieser Rechner sagt und hört nichts, so ist es gewählt.',
    never: 'Prompts, Antworten, Fehlermeldungen, Ordner, Projekte, Agenten und Schlüssel gehen nie zum Server.',
    settings: 'Einstellungen',
  },
  begin: {
    title: 'Anfangen',
    needs:
      'Dazu gehört ein eigener Server: Redis 7 oder Valkey. Vor dem Beitritt zu einem Team wird nichts geöffnet und nichts gesendet.',
    first: 'Auf dem ersten Rechner:',
    join: 'understudy fleet join redis://10.0.0.5:6379 --team acme --name build-7 --new',
    others: 'Auf jedem anderen, mit dem Geheimnis, das der erste gezogen hat:',
    joinOther: 'understudy fleet join redis://10.0.0.5:6379 --team acme --name build-8 --secret-env FLEET_SECRET',
    copy: 'Befehl kopieren',
  },
  settings: {
    title: 'Flotte',
    none: 'Keine. Nichts wird geöffnet und nichts gesendet, solange kein Team gewählt ist:',
    server: 'Server',
    encrypted: (host) => `${host}, verschlüsselt`,
    open: (host) => `${host}, nicht verschlüsselt`,
    team: 'Team',
    name: 'Dieser Rechner',
    unnamed: 'ohne Namen',
    share: {
      health: 'Sagen und hören, wie es um Konten und Modelle steht',
      headroom: 'Sagen und hören, wie voll Limits sind',
      budget: 'Sagen und hören, was Konten kosten, damit ein Budget des Anbieters alle Rechner zählt',
    },
    leave: 'Das beendet es; was andere gesagt haben, gilt dann nicht mehr:',
    leaveCommand: 'understudy fleet leave',
    view: 'Die Flotte',
  },
};
