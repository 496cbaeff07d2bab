import { useCoreNow } from '../../../renderer/app/panel';
import { onRowKey } from '../../../renderer/app/row-keys';
import { councilPageTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import type { CouncilMemberRow, CouncilView } from '../contract/council';
import { memberName, memberPhrase, retryPhrase, speakerPhrase } from '../wording/council-page-words';
import { councilSpeaker } from '../wording/council-words';
import { initialsOf } from './map-places';
import { heroesOf, isOracle } from './members';
import { PartyMap } from './PartyMap';
import { type RunActs, useRunActs } from './use-council';

type Props = Readonly<{
  run: string;
  view: CouncilView;
  chosen: string | null;
  onChoose: (member: string) => void;
  isPlayed: boolean;
}>;

export function PartyCard({ run, view, chosen, onChoose, isPlayed }: Props) {
  const { party: texts, counts } = councilPageTexts();
  const { members, links, speakers, report } = view;
  const oracle = members.find(isOracle);
  const heroes = heroesOf(members);
  const initials = initialsOf(heroes.map(memberName));
  const size = report.activity === 'code_review' ? counts.hero(heroes.length) : counts.persona(heroes.length);
  const vendors = new Set(heroes.map(({ vendor }) => vendor)).size;
  return (
    <section className="card co-party" aria-labelledby="co-party">
      <div className="card-head">
        <h2 id="co-party">{texts.title}</h2>
        <span className="cap push">{heroes.length > 0 && texts.size(size, counts.vendor(vendors))}</span>
      </div>
      <div className="co-map">
        <PartyMap members={members} links={links} size={size} />
        {links.length > 0 && <p className="cap">{texts.lines}</p>}
      </div>
      {heroes.length === 0 && <p className="small muted co-none">{texts.nobody}</p>}
      <ul className="party" aria-labelledby="co-party" onKeyDown={onRowKey}>
        {oracle && (
          <MemberItem
            member={oracle}
            letters={initialsOf([memberName(oracle)])[0] ?? ''}
            chosen={chosen}
            onChoose={onChoose}
          />
        )}
        {heroes.map((hero, index) => (
          <MemberItem key={hero.id} member={hero} letters={initials[index] ?? ''} chosen={chosen} onChoose={onChoose} />
        ))}
      </ul>
      <Speakers speakers={speakers} acts={useRunActs(run)} isPlayed={isPlayed} />
    </section>
  );
}

type ItemProps = Pick<Props, 'chosen' | 'onChoose'> & Readonly<{ member: CouncilMemberRow; letters: string }>;

function MemberItem({ member, letters, chosen, onChoose }: ItemProps) {
  const texts = councilPageTexts().party;
  const { id, state, model, posted, remarks, reason, retrying, title } = member;
  const isLeader = isOracle(member);
  return (
    <li>
      <button
        className="party-row"
        type="button"
        data-row={id}
        aria-pressed={chosen === id}
        title={texts.open(memberName(member))}
        onClick={() => onChoose(id)}
      >
        <span className={`ini ini-${isLeader ? 'oracle' : state}`} aria-hidden="true">
          {letters}
        </span>
        <span className="party-who">
          <span className="party-line" title={[title, model].filter(Boolean).join(' · ')}>
            <b className="party-name">{memberName(member)}</b>{' '}
            <span className={state === 'asks' || state === 'out' ? 'c-open' : 'dim'}>{memberPhrase(member)}</span>{' '}
            <span className="dim party-model">· {shortName(model)}</span>
          </span>
          {retrying !== null ? <RetryLine member={member} /> : reason !== null && <span className="cap">{reason}</span>}
        </span>
        {!isLeader && (
          <span className="party-count" title={texts.brought(posted, remarks)}>
            <span aria-hidden="true">{posted}</span>
            <span className="sr">{texts.brought(posted, remarks)}</span>
          </span>
        )}
      </button>
    </li>
  );
}

function RetryLine({ member }: Readonly<{ member: CouncilMemberRow }>) {
  const now = useCoreNow(member.retrying?.at);
  return <span className="cap">{retryPhrase(member, now)}</span>;
}

type SpeakersProps = Readonly<{ speakers: CouncilView['speakers']; acts: RunActs; isPlayed: boolean }>;

function Speakers({ speakers, acts, isPlayed }: SpeakersProps) {
  const texts = councilPageTexts().party;
  return (
    <div className="co-voices">
      <h3 className="small" id="co-voices">
        {texts.speakers}
      </h3>
      <ul aria-labelledby="co-voices">
        {speakers.map((speaker) => (
          <li key={speaker.name} className="co-voice-row">
            <span className="co-voice">
              <b className="co-voice-name">{councilSpeaker(speaker.name)}</b>{' '}
              <span className={speaker.state === 'off' ? 'c-open' : 'dim'}>{speakerPhrase(speaker)}</span>
              <span className="cap co-voice-model">{`${shortName(speaker.active)} · ${speaker.vendor}`}</span>
            </span>
            {speaker.state === 'off' && isPlayed && (
              <button
                className="btn btn-sm"
                type="button"
                aria-label={texts.retryOf(councilSpeaker(speaker.name))}
                onClick={() =>
                  void acts.say({ kind: 'retry', name: speaker.name }, texts.retryDone(councilSpeaker(speaker.name)))
                }
              >
                {texts.retry}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
