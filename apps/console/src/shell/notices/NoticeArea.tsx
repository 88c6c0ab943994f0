/**
 * Messages of the console to the user, whatever page is open: a line each between header and page, so that
 * nothing is covered. Incoming calls and alarm bubbles are shown above the page in the corner.
 */
import {
  NotificationOutlined,
  DownloadOutlined,
  TeamOutlined,
  UnlockOutlined,
  EnvironmentOutlined,
  ClockCircleOutlined,
  CloseOutlined,
} from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeCalls } from '@gatehouse/contract/system/notices'
import { expiredCustomersStatus } from '@gatehouse/contract/enums'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { customerCalls } from '@gatehouse/contract/people/customers'
import { mayCallNow, useMay, useSession, useMayOpen } from '../../api/session.ts'
import { useLanguage } from '../../i18n/index.ts'
import { useRead } from '../../api/query.ts'
import { request } from '../../api/request.ts'
import { saveFile } from '../../api/saveFile.ts'
import { storage } from '../../api/storage.ts'
import { isEncrypted } from '../../api/encrypted.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { useParkElsewhere } from '../session/useAreaName.ts'
import { logInAgain, useSessionEnd } from '../session/sessionEnd.ts'
import { BUBBLE_KINDS } from './alarms/kinds.ts'
import { useStand } from './alarms/stand.ts'
import { DeviceFetched } from './DeviceFetched.tsx'
import styles from './notices.module.css'

const Alarms = lazy(() => import('./alarms/Alarms.tsx'))

export function NoticeArea() {
  const { t } = useTranslation('shell')
  const corner = useRef<HTMLDivElement>(null)
  const { place, tight } = useStand(corner)
  const hears = useSession(() => Object.values(BUBBLE_KINDS).some(({ topic }) => mayCallNow(topic)))
  const areaCode = useSession(({ park }) => park?.areaCode)
  return (
    <>
      <section className={styles.lines} aria-label={t('notice.area')} aria-live="polite">
        <ParkElsewhere />
        <SessionEnding />
        <NotEncrypted />
        <SystemNotice />
        <ExpiredCustomers />
      </section>
      <DeviceFetched />
      <div ref={corner} className={styles.corner} data-place={place} data-tight={tight || undefined}>
        <div id="incoming-call" />
        <div id="alarm-bubbles">
          {/* Those of one park are not shown in another. */}
          <Suspense fallback={null}>{hears && <Alarms key={areaCode} />}</Suspense>
        </div>
      </div>
    </>
  )
}

/** Another tab has switched the park: this page still shows the one before. */
function ParkElsewhere() {
  const { t } = useTranslation('shell')
  const shown = useSession(({ park }) => park?.parkName ?? '')
  const chosen = useParkElsewhere()
  if (chosen === undefined) return null
  return (
    <Line
      status="wait"
      icon={<EnvironmentOutlined />}
      actions={
        <Button size="small" type="primary" onClick={() => window.location.reload()}>
          {t('notice.reload')}
        </Button>
      }
    >
      {t('notice.parkElsewhere', { chosen, shown })}
    </Line>
  )
}

/** The session ends within minutes: announced before, with a button to log in again. */
function SessionEnding() {
  const { t } = useTranslation('shell')
  const { offset } = useZoneOffset()
  const end = useSessionEnd()
  if (end === undefined) return null
  return (
    <Line
      status="wait"
      icon={<ClockCircleOutlined />}
      actions={
        <Button size="small" type="primary" onClick={() => void logInAgain()}>
          {t('notice.logInAgain')}
        </Button>
      }
    >
      {t('notice.sessionEnds', { time: formatInstant(end, offset).slice(11, 16) })}
    </Line>
  )
}

/** The console was loaded over plain http: shown to those who run the installation, with what to do about it, until they close it. */
function NotEncrypted() {
  const { t } = useTranslation('shell')
  const runsInstallation = useMayOpen({ permission: null, condition: 'installation' })
  const [closed, close] = usePutAway('notEncrypted')
  if (isEncrypted() || !runsInstallation || closed) return null
  return (
    <Line status="wait" icon={<UnlockOutlined />} close={close}>
      {t('notice.notEncrypted')}
    </Line>
  )
}

/** A notice of the operator to everybody, such as about an upgrade: once for each notice and user. */
function SystemNotice() {
  const { t } = useTranslation('shell')
  const { language } = useLanguage()
  const { data: notice } = useRead(noticeCalls.lastNotice, {})
  const [readId, setReadId] = useState<string>()
  const [open, setOpen] = useState(false)
  if (!notice || notice.read || notice.id === readId) return null
  const read = (): void => {
    setReadId(notice.id)
    void request(noticeCalls.readNotice, { params: { id: notice.id } }, { errors: 'silent' }).catch(() => {})
  }
  return (
    <>
      <Line
        status="info"
        icon={<NotificationOutlined />}
        actions={
          <Button size="small" type="primary" onClick={() => setOpen(true)}>
            {t('notice.read')}
          </Button>
        }
        close={read}
      >
        {notice.title[language]}
      </Line>
      <Modal
        open={open}
        title={notice.title[language]}
        footer={
          <Button type="primary" onClick={read}>
            {t('notice.understood')}
          </Button>
        }
        onCancel={() => setOpen(false)}
        centered
        destroyOnHidden
      >
        <p className={styles.content}>{notice.content[language]}</p>
      </Modal>
    </>
  )
}

/** Customers whose validity has ended or ends soon, as a file; offered until the user declines it. */
function ExpiredCustomers() {
  const user = useSession(({ profile }) => profile?.id)
  const may = useMay('person.list')
  const [closed, close] = usePutAway('expiredCustomers')
  const isOffered = user !== undefined && may && !closed && !storage.get('noMoreNotice')?.includes(user)
  return isOffered ? <Offer user={user} close={close} /> : null
}

function Offer({ user, close }: { user: string; close: () => void }) {
  const { t } = useTranslation('shell')
  const [busy, setBusy] = useState(false)
  const settings = useRead(alarmsCalls.accountAlertList, {})
  const check = useRead(customerCalls.checkExpired, {}, { enabled: settings.data?.sendExpiredCustomers === true })
  if (check.data?.status !== expiredCustomersStatus.hasFile || settings.data?.sendExpiredCustomers !== true) return null

  const download = (): void => {
    setBusy(true)
    void request(customerCalls.expired, {})
      .then(saveFile, () => {})
      .finally(() => setBusy(false))
  }
  const noMore = (): void => {
    storage.set('noMoreNotice', [...(storage.get('noMoreNotice') ?? []), user])
    close()
  }
  const actions = (
    <>
      <Button size="small" type="primary" icon={<DownloadOutlined />} loading={busy} onClick={download}>
        {t('notice.download')}
      </Button>
      <Button size="small" onClick={noMore}>
        {t('notice.noMore')}
      </Button>
    </>
  )
  return (
    <Line status="wait" icon={<TeamOutlined />} actions={actions} close={close}>
      {t('notice.expiredCustomers')}
    </Line>
  )
}

const keyOf = (name: string): string => `closed:${storage.get('profile')?.id ?? ''}:${name}`

/** Return whether a notice was closed, and a function that closes it: for this login in this tab, not permanently. */
function usePutAway(name: string): [closed: boolean, close: () => void] {
  const [closed, setClosed] = useState(() => sessionStorage.getItem(keyOf(name)) !== null)
  const close = (): void => {
    sessionStorage.setItem(keyOf(name), '1')
    setClosed(true)
  }
  return [closed, close]
}

interface LineProps {
  status: 'info' | 'wait'
  icon: ReactNode
  children: ReactNode
  actions?: ReactNode
  /** Absent: it stays until its reason is gone. */
  close?: () => void
}

/** One notice: a sentence, its actions, and a button that closes it. */
function Line({ status, icon, children, actions, close }: LineProps) {
  const { t } = useTranslation('shell')
  return (
    <div className={styles.line} data-status={status}>
      {icon}
      <p>{children}</p>
      {actions}
      {close && <Button type="text" size="small" icon={<CloseOutlined />} aria-label={t('notice.close')} onClick={close} />}
    </div>
  )
}
