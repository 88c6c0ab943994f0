/** A visit for its host: accept, or refuse with a reason. Opening the page decides nothing. */
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_MAX } from '@gatehouse/contract/limits'
import { appointmentCalls, type HostVisit } from '@gatehouse/contract/visitors/appointments'
import { exchange } from '../../api/http.ts'
import { Refusal } from '../../api/refusal.ts'
import { wordsOf } from '../enrolment/texts.ts'
import { Field, Outcome, State, Times, Wrong } from './Parts.tsx'

export function HostView({ token, visit, again }: { token: string; visit: HostVisit; again: () => void }) {
  const { t } = useTranslation('visit')
  const [done, setDone] = useState<'accepted' | 'refused'>()
  if (done) return <Outcome mark="✓" title={t(`hostPage.${done}`)} words={t('hostPage.doneWords')} />
  return (
    <div className="view">
      <h1>{t('hostPage.title')}</h1>
      <section>
        <State state={visit.state} />
        {visit.canDecide && <p>{t('hostPage.lead', { name: visit.visitorName })}</p>}
        {!visit.canDecide && <p>{t(visit.state === 'waiting' ? 'hostPage.desk' : 'hostPage.decided')}</p>}
        <dl>
          <dt>{t('name')}</dt>
          <dd>{visit.visitorName}</dd>
          <dt>{t('reason')}</dt>
          <dd>{t(`reasons.${visit.reason}`)}</dd>
          <Times {...visit} />
          <dt>{t('persons')}</dt>
          <dd>{visit.visitorNumber}</dd>
        </dl>
      </section>
      {visit.canDecide && <Decision token={token} status={visit.status} done={setDone} again={again} />}
    </div>
  )
}

interface DecisionProps {
  token: string
  status: HostVisit['status']
  done: (decision: 'accepted' | 'refused') => void
  again: () => void
}

function Decision({ token, status, done, again }: DecisionProps) {
  const { t } = useTranslation('visit')
  const [refusing, setRefusing] = useState(false)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const [sending, setSending] = useState(false)
  async function send(decision: 'accepted' | 'refused'): Promise<void> {
    setSending(true)
    setRefusal(undefined)
    try {
      if (decision === 'accepted') await exchange(appointmentCalls.hostAccept, { linkToken: token, body: { status } })
      else await exchange(appointmentCalls.hostRefuse, { linkToken: token, body: { status, reason } })
      done(decision)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setRefusal(error)
      // It was decided meanwhile, or is the desk's matter now.
      if (error.code === 200420) again()
    } finally {
      setSending(false)
    }
  }
  function refuse(event: FormEvent): void {
    event.preventDefault()
    setMissing(reason.trim() === '')
    if (reason.trim() !== '') void send('refused')
  }
  const wrong = <Wrong words={refusal && wordsOf(refusal)} />
  if (refusing)
    return (
      <form onSubmit={refuse} noValidate>
        <section>
          <Field
            label={t('hostPage.reason')}
            hint={t('hostPage.reasonHint')}
            wrong={missing ? t('hostPage.reasonMissing') : undefined}
            maxLength={TEXT_MAX}
            required
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          {wrong}
        </section>
        <button type="submit" className="harm" disabled={sending}>
          {t('hostPage.refuseYes')}
        </button>
        <button type="button" onClick={() => setRefusing(false)}>
          {t('hostPage.back')}
        </button>
      </form>
    )
  return (
    <>
      {wrong}
      <button type="button" className="main" disabled={sending} onClick={() => void send('accepted')}>
        {t('hostPage.accept')}
      </button>
      <button type="button" onClick={() => setRefusing(true)}>
        {t('hostPage.refuse')}
      </button>
    </>
  )
}
