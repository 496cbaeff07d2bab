import type { EventRow } from '../../../contract/snapshot';
import { nowTexts } from '../../../texts';
import { attentionOf } from '../../../wording/attention';
import { coveredPhrase, verdict } from '../../../wording/attention-words';
import { protectionOf } from '../../../wording/protection';
import { useSnapshot } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { EventList } from '../../components/EventLine';
import { PageHead } from '../../components/PageHead';
import { Problems } from '../../components/Problems';
import { SectionTitle } from '../../components/SectionTitle';
import { NearPlans } from '../headroom/NearPlans';
import { FirstStep } from './FirstStep';
import { Pause } from './Pause';
import { ProtectionMap } from './ProtectionMap';
import { QuestionBar } from './QuestionBar';
import { Queue } from './Queue';
import { Ribbons } from './Ribbons';

const LAST_EVENTS = 5;
const PLANS_SHOWN = 4;

export function NowPage() {
  const snapshot = useSnapshot();
  const items = attentionOf(snapshot);
  const protection = protectionOf(snapshot);
  const heading = verdict(snapshot, items);
  const questions = items.flatMap((item) => (item.kind === 'question' ? [item.question] : []));
  return (
    <>
      {/* Entries replace the second sentence. */}
      <PageHead title={heading.title} lede={items.length > 0 ? coveredPhrase(snapshot) : heading.lede}>
        <Pause pause={snapshot.pause} />
      </PageHead>
      <QuestionBar questions={questions} />
      <Queue items={items} snapshot={snapshot} />
      <Problems config={snapshot.config} />
      <FirstStep snapshot={snapshot} />
      {protection.agents.length > 0 && (
        <ProtectionMap protection={protection} items={items} isPaused={snapshot.pause !== null} />
      )}
      <NearPlans most={PLANS_SHOWN} />
      <Ribbons models={snapshot.models} />
      <LastEvents events={snapshot.events.slice(0, LAST_EVENTS)} />
    </>
  );
}

function LastEvents({ events }: Readonly<{ events: readonly EventRow[] }>) {
  const texts = nowTexts().events;
  return (
    <section aria-labelledby="last-events">
      <SectionTitle id="last-events" title={texts.title}>
        <a className="link small push" href={hrefOf('events')}>
          {texts.all}
        </a>
      </SectionTitle>
      {events.length > 0 ? (
        <EventList events={events} className="card" />
      ) : (
        <p className="card card-body muted">{texts.none}</p>
      )}
    </section>
  );
}
