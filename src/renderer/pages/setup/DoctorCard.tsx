import { setupTexts } from '../../../texts';
import type { Answered } from '../../app/asked';
import { Glyph } from '../../components/Glyph';
import { Icon } from '../../components/Icon';
import { Fold } from './Fold';
import type { Findings } from './facts';

type Finding = Findings[number];

export function DoctorCard({ doctor, isNext }: Readonly<{ doctor: Answered<'doctor.run'>; isNext: boolean }>) {
  const texts = setupTexts();
  const findings = doctor.answer ?? [];
  const count = (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict === verdict).length;
  const summary = texts.doctor.summary(count('ok'), count('warn'), count('fail'));
  return (
    <Fold
      id="doctor"
      title={texts.doctor.title}
      caption={doctor.isAsking ? texts.doctor.checking : summary}
      isLive
      isNext={isNext && count('fail') > 0}
    >
      {doctor.problem !== null && <p className="card-body">{texts.failed(doctor.problem)}</p>}
      <ul>
        {findings.map((finding) => (
          <Check key={`${finding.check} ${finding.says}`} finding={finding} />
        ))}
      </ul>
      <p className="card-body">
        <button className="btn btn-sm" type="button" onClick={doctor.again}>
          <Icon name="reset" />
          {texts.doctor.again}
        </button>
      </p>
    </Fold>
  );
}

function Check({ finding }: Readonly<{ finding: Finding }>) {
  const { checks, verdicts } = setupTexts().doctor;
  const name = Object.hasOwn(checks, finding.check) ? checks[finding.check as keyof typeof checks] : finding.check;
  return (
    <li className="check-row">
      {finding.verdict === 'ok' ? (
        <Icon name="check" className="i c-ready" />
      ) : (
        <Glyph name={finding.verdict === 'warn' ? 'warn' : 'blocked'} />
      )}
      <div>
        <b>{name}</b>
        <span className="sr">: {verdicts[finding.verdict]}</span>
        <p className="small check-says">{finding.says}</p>
        {finding.fix !== null && <p className="small check-fix">{finding.fix}</p>}
      </div>
    </li>
  );
}
