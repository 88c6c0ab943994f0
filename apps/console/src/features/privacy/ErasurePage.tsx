/** /erasures/{id}: the receipt of an erasure, by place. It is read again until the last place has confirmed. */
import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { privacyCalls, type Erasure } from '@gatehouse/contract/privacy/calls'
import { DetailPage, Facts, Section } from '../../kit/detail/DetailPage.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import type { ReceivedFile } from '../../api/http.ts'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { request } from '../../api/request.ts'
import { saveFile } from '../../api/saveFile.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMay } from '../../api/session.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { shownName } from '../../kit/shownName.ts'
import { path } from '../../paths.ts'
import { ErasureState } from './ErasureState.tsx'
import styles from './privacy.module.css'

/** Milliseconds between two readings of an incomplete receipt. */
const LOOK_EVERY = 4_000

export default function ErasurePage() {
  const { id = '' } = useParams()
  const erasure = useRead(privacyCalls.read, { params: { id } })
  const waits = erasure.data?.completedAt === null
  const { refetch } = erasure
  useEffect(() => {
    if (!waits) return
    const timer = setInterval(() => void refetch(), LOOK_EVERY)
    return () => clearInterval(timer)
  }, [waits, refetch])
  return <DetailPage query={erasure}>{(found) => <Receipt erasure={found} />}</DetailPage>
}

function Receipt({ erasure }: { erasure: Erasure }) {
  const { t } = useTranslation('privacy')
  const take = useReceiptFile(erasure.id)
  const pending = erasure.places.filter(({ state }) => state === 'pending')
  const waitsForTerminals = pending.some(({ deviceId }) => deviceId !== null)
  return (
    <Screen
      title={
        <>
          {t('receipt.title')} <span className={styles.number}>{erasure.number}</span>
        </>
      }
      actions={
        <>
          <Button
            icon={<PrinterOutlined />}
            loading={take.pending}
            onClick={() => take.run(async ({ blob }) => printPage(await blob.text()))}
          >
            {t('receipt.print')}
          </Button>
          <Button type="primary" icon={<DownloadOutlined />} loading={take.pending} onClick={() => take.run(saveFile)}>
            {t('receipt.download')}
          </Button>
        </>
      }
    >
      <div className={styles.receipt}>
        {waitsForTerminals && (
          <Alert
            type="warning"
            showIcon
            title={t('receipt.waitingTitle', { count: pending.length })}
            description={t('receipt.waitingWords')}
          />
        )}
        <Facts
          facts={[
            [t('erasure.state'), <ErasureState erasure={erasure} />],
            [t('erasure.requestedAt'), <RelativeTime at={erasure.requestedAt} />],
            [t('erasure.completedAt'), <RelativeTime at={erasure.completedAt} />],
            [t('erasure.kind'), t(`kind.${erasure.kind}`)],
            [t('erasure.requestedBy'), erasure.origin === 'retention' ? t('erasure.byRetention') : shownName(erasure.requestedBy)],
            [t('erasure.reason'), erasure.reason],
          ]}
        />
        <Section title={t('receipt.places')}>
          <Places places={erasure.places} />
        </Section>
      </div>
    </Screen>
  )
}

function Places({ places }: { places: Erasure['places'] }) {
  const { t } = useTranslation('privacy')
  const { offset } = useZoneOffset()
  const mayOpen = useMay('device.list')
  const nameOf = ({ place, name, deviceId, removed }: Erasure['places'][number]) => {
    if (name === '') return t(`place.${place}`)
    return (
      <>
        {t(`place.${place}`)}{' '}
        {deviceId !== null && !removed && mayOpen ? <Link to={path('deviceDetails', { deviceId })}>{name}</Link> : name}
      </>
    )
  }
  return (
    <>
      <table className={styles.places}>
        <thead>
          <tr>
            <th scope="col">{t('receipt.place')}</th>
            <th scope="col" className={styles.count}>
              {t('receipt.count')}
            </th>
            <th scope="col">{t('erasure.state')}</th>
            <th scope="col">{t('receipt.at')}</th>
          </tr>
        </thead>
        <tbody>
          {places.map((one, at) => (
            <tr key={at}>
              <td>{nameOf(one)}</td>
              <td className={styles.count}>{one.deviceId !== null || one.place === 'search' ? '' : one.count}</td>
              <td>
                <PlaceState of={one} />
                {one.removed && <small>{t('receipt.removed')}</small>}
                {one.deviceId !== null && one.state === 'pending' && <small>{t('receipt.terminalPending')}</small>}
                {one.state === 'unconfirmed' && <small>{t('receipt.unconfirmed')}</small>}
              </td>
              <td>{one.at === null ? '—' : <time dateTime={new Date(one.at).toISOString()}>{formatInstant(one.at, offset)}</time>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.notes}>
        {t('receipt.note')}
        {places.some(({ deviceId }) => deviceId !== null) && <> {t('receipt.terminalNote')}</>}
      </p>
    </>
  )
}

/** The state of one place. Pseudonymised records are not deleted, and an empty place had nothing to delete. */
function PlaceState({ of: { place, state, count, removed } }: { of: Erasure['places'][number] }) {
  const { t } = useTranslation('privacy')
  if (removed) return <StatusTag status="off">{t('state.removed')}</StatusTag>
  if (state === 'pending') return <StatusTag status="wait">{t('state.pending')}</StatusTag>
  if (count === 0 && place !== 'search') return <StatusTag status="off">{t('state.none')}</StatusTag>
  if (state === 'unconfirmed') return <StatusTag status="info">{t('state.unconfirmed')}</StatusTag>
  if (state === 'kept') return <StatusTag status="info">{t('state.kept')}</StatusTag>
  return <StatusTag status="ok">{t(place === 'records' ? 'state.pseudonymised' : 'state.done')}</StatusTag>
}

/** Return functions that save and print the receipt as the server writes it, in the shown language. */
function useReceiptFile(id: string) {
  const [pending, setPending] = useState(false)
  return {
    pending,
    run(use: (file: ReceivedFile) => void | Promise<void>): void {
      setPending(true)
      // A refusal has been shown already.
      request(privacyCalls.file, { params: { id } })
        .then(use)
        .catch(() => {})
        .finally(() => setPending(false))
    },
  }
}

/** Print a complete HTML page instead of this one. */
function printPage(html: string): void {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;right:0;bottom:0;width:0;height:0;border:0'
  document.body.append(frame)
  const received = new DOMParser().parseFromString(html, 'text/html')
  const page = frame.contentDocument!
  page.replaceChild(page.importNode(received.documentElement, true), page.documentElement)
  frame.contentWindow!.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow!.print()
}
