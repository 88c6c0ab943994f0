/** The state of a visit: times, the way there, an entry for the calendar, and its cancellation. */
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { appointmentCalls, type Appointment } from '@gatehouse/contract/visitors/appointments'
import { calendarFile } from '@gatehouse/contract/visitors/calendar'
import { exchange } from '../../api/http.ts'
import { Refusal } from '../../api/refusal.ts'
import { wordsOf } from '../enrolment/texts.ts'
import { State, Times, Wrong } from './Parts.tsx'

interface StatusViewProps {
  token: string
  visit: Appointment
  again: () => void
}

export function StatusView({ token, visit, again }: StatusViewProps) {
  const { t } = useTranslation('visit')
  const { state, pass } = visit
  const isOpen = state === 'waiting' || state === 'accepted'
  return (
    <div className="view">
      <h1>{t('title')}</h1>
      <section>
        <State state={state} />
        <p>{t(`stateWords.${state}`)}</p>
        <dl>
          <dt>{t('name')}</dt>
          <dd>{visit.name}</dd>
          {visit.hostName !== '' && (
            <>
              <dt>{t('host')}</dt>
              <dd>{visit.hostName}</dd>
            </>
          )}
          <Times {...visit} />
          <dt>{t('persons')}</dt>
          <dd>{visit.visitorNumber}</dd>
        </dl>
      </section>
      {pass !== null && (
        <section className="pass">
          <h2>{t('pass')}</h2>
          <img src={pass.qr} alt={t('pass')} />
          <p>{pass.text}</p>
        </section>
      )}
      <Where visit={visit} />
      {isOpen && <p className="hint">{t('keep')}</p>}
      {isOpen && <CalendarButton visit={visit} />}
      {visit.canCancel && <Cancellation token={token} again={again} />}
    </div>
  )
}

/** Return the address of a map; in Chinese that of a map which is there in China. */
function mapOf(language: string, { latitude, longitude }: NonNullable<Appointment['coordinates']>, name: string): string {
  if (language !== 'zh-CN') return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
  const query = new URLSearchParams({ position: `${longitude},${latitude}`, name, coordinate: 'wgs84', callnative: '1' })
  return `https://uri.amap.com/marker?${query}`
}

function Where({ visit: { address, coordinates, parkName, companyName } }: { visit: Appointment }) {
  const { t, i18n } = useTranslation('visit')
  if (address === '' && coordinates === null) return null
  return (
    <section>
      <h2>{t('where')}</h2>
      <p>{address || parkName}</p>
      {coordinates !== null && (
        <a className="button" href={mapOf(i18n.language, coordinates, companyName || parkName)} target="_blank" rel="noreferrer">
          {t('map')}
        </a>
      )}
    </section>
  )
}

function CalendarButton({ visit }: { visit: Appointment }) {
  const { t } = useTranslation('visit')
  const [url, setUrl] = useState<string>()
  const title = `${t('title')} ${visit.companyName || visit.parkName}`
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([calendarFile(visit, title, Date.now())], { type: 'text/calendar' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [visit, title])
  return (
    <a className="button" href={url} download="visit.ics">
      {t('calendar')}
    </a>
  )
}

function Cancellation({ token, again }: { token: string; again: () => void }) {
  const { t } = useTranslation('visit')
  const dialog = useRef<HTMLDialogElement>(null)
  const [wrong, setWrong] = useState<string>()
  const [sending, setSending] = useState(false)
  async function cancel(): Promise<void> {
    setSending(true)
    try {
      await exchange(appointmentCalls.cancel, { linkToken: token, body: {} })
      dialog.current?.close()
      again()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setWrong(wordsOf(error))
    } finally {
      setSending(false)
    }
  }
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {t('cancel')}
      </button>
      <dialog ref={dialog} className="question" aria-labelledby="cancel-title">
        <h2 id="cancel-title">{t('cancelTitle')}</h2>
        <p>{t('cancelWords')}</p>
        <Wrong words={wrong} />
        <button type="button" className="harm" disabled={sending} onClick={() => void cancel()}>
          {t('cancelYes')}
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          {t('cancelNo')}
        </button>
      </dialog>
    </>
  )
}
