/** The page of a link, by its kind. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { appointmentCalls } from '@gatehouse/contract/visitors/appointments'
import { exchange } from '../../api/http.ts'
import { Mark } from '../../shell/Mark.tsx'
import { wordsOf } from '../enrolment/texts.ts'
import { HostView } from './HostView.tsx'
import { Outcome } from './Parts.tsx'
import { ReservationForm } from './ReservationForm.tsx'
import { StatusView } from './StatusView.tsx'
import { useLink, type Opened } from './useLink.ts'

const openReservation = (linkToken: string) => exchange(appointmentCalls.open, { linkToken, body: {} })
const openStatus = (linkToken: string) => exchange(appointmentCalls.status, { linkToken, body: {} })
const openHost = (linkToken: string) => exchange(appointmentCalls.hostOpen, { linkToken, body: {} })

export function VisitPage({ kind, token }: { kind: string; token: string }) {
  if (kind === 'visit') return <Status token={token} />
  if (kind === 'host') return <Host token={token} />
  return <Reservation token={token} />
}

function Reservation({ token }: { token: string }) {
  const { opened, again, end } = useLink(openReservation, token)
  return (
    <Frame opened={opened} again={again}>
      {opened.at === 'open' && <ReservationForm token={token} link={opened.link} end={end} again={again} />}
    </Frame>
  )
}

function Status({ token }: { token: string }) {
  const { opened, again } = useLink(openStatus, token, { follows: true })
  return (
    <Frame opened={opened} again={again}>
      {opened.at === 'open' && <StatusView token={token} visit={opened.link} again={again} />}
    </Frame>
  )
}

function Host({ token }: { token: string }) {
  const { opened, again } = useLink(openHost, token)
  return (
    <Frame opened={opened} again={again}>
      {opened.at === 'open' && <HostView token={token} visit={opened.link} again={again} />}
    </Frame>
  )
}

type OpenedPage = Opened<{ parkName: string; companyName: string }>

function Frame({ opened, again, children }: { opened: OpenedPage; again: () => void; children: ReactNode }) {
  const { t } = useTranslation('visit')
  return (
    <>
      <header>
        <Mark size={28} />
        <b>{opened.at === 'open' ? opened.link.companyName || opened.link.parkName : 'Gatehouse'}</b>
      </header>
      <main>
        {opened.at === 'opening' && (
          <p role="status" className="waiting">
            {t('opening')}
          </p>
        )}
        {opened.at === 'ended' && <Outcome mark="!" title={t('ended')} words={t('endedWords')} />}
        {opened.at === 'unreachable' && (
          <Outcome mark="!" title={t('unreachable')} words={wordsOf(opened.refusal)}>
            <button type="button" className="main" onClick={again}>
              {t('again')}
            </button>
          </Outcome>
        )}
        {children}
      </main>
    </>
  )
}
